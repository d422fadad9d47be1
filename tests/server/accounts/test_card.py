"""A member's card: its words mean its secret in both languages, however they are typed."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from chouine.server.accounts import card
from chouine.server.accounts.card import TOLD_BY, WORDS
from chouine.server.routes.account import rough_name

SECRETS = [bytes(range(start, start + card.RANDOM)) for start in (0, 100, 240)]


def test_four_letters_tell_the_words_of_a_language_apart() -> None:
    for words in WORDS.values():
        assert len({card.without_accents(word)[:TOLD_BY] for word in words}) == len(words) == 256


@pytest.mark.parametrize("secret", SECRETS)
def test_words_in_either_language_mean_the_secret(secret: bytes) -> None:
    for language in WORDS:
        words = card.words_of(secret, language)
        assert len(words) == 12
        for text in (
            " ".join(words),
            "\n".join(f"{n}. {word.upper()}" for n, word in enumerate(words, 1)),
            ",".join(card.without_accents(word) for word in words),
            " ".join(f"{word[:5]}zz" if len(word) > 4 else word for word in words),
        ):
            assert card.secret_in(text) == secret


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_in_an_address(secret: bytes) -> None:
    assert card.secret_written(card.text_of(secret)) == secret


@pytest.mark.parametrize("text", ["", "x", "A" * 14, "A" * 16, "é" * 15, "A" * 14 + "/"])
def test_what_is_no_secret(text: str) -> None:
    assert card.secret_written(text) is None


def test_a_wrong_word_is_found_out_but_one_time_in_256() -> None:
    """Without asking the database, nor using up a try that somebody else has."""
    words, rng = card.words_of(SECRETS[0], "fr"), Random(0)
    taken = 0
    for place, word in product(range(12), rng.sample(WORDS["fr"], 50)):
        other = [*words[:place], word, *words[place + 1 :]]
        taken += other != words and card.secret_in(" ".join(other)) is not None
    assert taken < 10
    assert card.secret_in(" ".join(words[:-1])) is None
    assert card.secret_in(" ".join([*words, words[0]])) is None
    assert card.secret_in(" ".join([words[1], words[0], *words[2:]])) is None


IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 15_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4"
    " Mobile/15E148 Safari/604.1"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36"
    " Edg/119.0.0.0"
)
ANDROID = "Mozilla/5.0 (Android 13; Mobile; rv:120.0) Gecko/120.0 Firefox/120.0"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (ANDROID, "Firefox, Android"),
        (IPHONE, "Safari, iPhone"),
        (EDGE, "Edge, Windows"),
        ("curl/8", ""),
        ("", ""),
    ],
)
def test_the_rough_name_of_a_browser(agent: str, name: str) -> None:
    assert rough_name(agent) == name
