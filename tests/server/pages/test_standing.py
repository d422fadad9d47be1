"""The pages of one's rating and of one's matches in figures: what they say is what was counted."""

from __future__ import annotations

import re

import pytest

from chouine.phrases import Language
from chouine.server.pages.env import environment
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.server.routes.standing import (
    SENTENCES,
    band_sentence,
    feats_page,
    meaning_of,
    rating_page,
    tenths_of,
)
from chouine.server.standing.glicko import Rating
from chouine.server.standing.ledger import RatingChange, fold
from chouine.server.standing.tallies import FEATS, MatchTally, Tally, statistics_of

LANGUAGES: tuple[Language, ...] = ("en", "fr")


def matches(*places: int) -> list[list[RatingChange]]:
    """Matches of `a` against somebody who was erased in the last one, with a's places."""
    rows = [
        RatingChange(
            n,
            seat,
            f"t{n}",
            ("a", "b" if n < len(places) else "")[seat],
            "classic",
            float(n),
            place if seat == 0 else 3 - place,
            Rating(),
            Rating(),
        )
        for n, place in enumerate(places, 1)
        for seat in range(2)
    ]
    folded = fold(rows)
    return [folded[nth : nth + 2] for nth in range(0, len(folded), 2)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_rating(language: Language) -> None:
    visit = Visit(language, "csrf", "a")
    played = matches(1, 1, 2)
    page = rating_page(visit, played, {"t1": ("Anne", "Basile")}, (True, False))
    last = played[-1][0].after
    assert band_sentence(last, words_of(visit)) in page
    assert meaning_of(last, words_of(visit)) in page
    assert page.count("Basile") == 1
    assert page.count("<td>+") == 2
    assert page.count("<td>−") == 1
    assert page.count(" checked") == 1
    assert len(re.findall(r"[\d.]+,[\d.]+", page.split('class="chance"')[1].split("/>")[0])) == 3


def test_nothing_is_certain_of_ten_matches() -> None:
    assert [tenths_of(chance) for chance in (0.0, 0.01, 0.5, 0.99, 1.0)] == [1, 1, 5, 9, 9]


def test_without_a_rated_match_the_page_says_so() -> None:
    assert "You have not finished such a match yet." in rating_page(
        Visit("en", "csrf", "a"), [], {}, (False, False)
    )


def test_every_feat_has_words_and_a_drawing_of_its_own() -> None:
    assert tuple(SENTENCES) == FEATS
    module = environment("en").get_template("feat_drawings.html").module
    drawings = [str(module.drawing(name)).strip() for name in FEATS]  # type: ignore[attr-defined]
    assert all(drawing.startswith("<svg") for drawing in drawings)
    assert len({*drawings}) == len(FEATS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_figures(language: Language) -> None:
    found = statistics_of(
        [
            MatchTally(
                "t1",
                1.0,
                "b",
                Tally(variant="classic", seat=0, won=True, parties="wwlw", chouines=2, feats={"chouine": 3}),
            ),
            MatchTally("t2", 2.0, "", Tally(variant="classic", seat=1, level=4, won=False, parties="lll")),
            MatchTally("t3", 3.0, "", Tally(variant="three", seat=2, won=None, parties="n")),
        ]
    )
    page = feats_page(Visit(language, "csrf", "a"), found, {"b": "Berthe"}, 2)
    assert page.count('href="/match/t1/3"') == 1
    assert page.count('class="to-come"') == 19
    assert "<td>3</td><td>4</td>" in page.split("Berthe")[1]
    assert "<td>0</td><td>3</td>" in page.split("Basile, ")[1]
    assert 'role="status"' in page
    empty = feats_page(Visit(language, "csrf", "a"), statistics_of([]), {}, 0)
    assert empty.count('class="to-come"') == 20
    assert "<table" not in empty
