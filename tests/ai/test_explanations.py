"""Explanations: acts, amounts and percentages in words."""

from __future__ import annotations

import re

import pytest

from chouine.ai.advice import ActEstimate, Advice
from chouine.ai.explanations import act, difference, outcome, percent, reasons
from chouine.ai.facts import FACTS, Reason
from chouine.ai.reasons import TRAITS
from chouine.cards import Card, Suit
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.phrases import Language

LANGUAGES: tuple[Language, ...] = ("fr", "en")


@pytest.mark.parametrize(
    ("action", "french", "english"),
    [
        (Play(Card("Td")), "10♦", "10♦"),
        (Play(Card("Qd"), Declaration("20d")), "D♦ + vingt de carreau", "Q♦ + twenty of diamonds"),
        (Play(Card("Jh"), Declaration("30h")), "V♥ + trente de cœur", "J♥ + thirty of hearts"),
        (Play(Card("As"), Declaration("40s")), "A♠ + quarante de pique", "A♠ + forty of spades"),
        (Play(Card("Tc"), Declaration("50")), "10♣ + cinquante", "10♣ + fifty"),
        (Play(Card("Kc"), Declaration("chc")), "R♣ + chouine de trèfle", "K♣ + chouine of clubs"),
        (Exchange(), "échanger le sept", "exchange the seven"),
        (None, "garder le sept", "keep the seven"),
    ],
)
def test_acts_are_said_as_players_say_them(action: Action | None, french: str, english: str) -> None:
    assert act(action, "fr") == french
    assert act(action, "en") == english


@pytest.mark.parametrize("trait", TRAITS)
def test_reasons_are_words_of_the_table_without_figures(trait: str) -> None:
    """A player weighs "more trumps for the last tricks", not 0.78 of one."""
    for language in LANGUAGES:
        told = reasons(Play(Card("8c")), [Reason(trait, 0.78)], language)
        assert told.startswith({"fr": "en moyenne ", "en": "on average "}[language])
        assert not re.search(r"\d", told)


def test_two_averages_are_one_clause_and_nothing_is_said_without_a_reason() -> None:
    card = Play(Card("8c"))
    assert reasons(card, [], "fr") == ""
    told = reasons(card, [Reason("trumps", 0.78), Reason("brisques", 0.63)], "en")
    assert told.count("; ") == told.count("on average ") == 1


@pytest.mark.parametrize(
    ("reason", "french", "english"),
    [
        (
            Reason("lacks", Card("Kh")),
            "il ne manque que le roi de cœur",
            "only the king of hearts is missing",
        ),
        (Reason("couple", Suit.CLUBS), "le roi et la dame de trèfle", "the king and queen of clubs"),
        (Reason("fixes", Suit.SPADES), "pique devient atout", "spades become trumps"),
        (
            Reason("declares", 40),
            "l’annonce rapporte 40\N{NO-BREAK SPACE}points",
            "the declaration counts 40 points",
        ),
        (Reason("kept", Card("Th")), "le dix de cœur reste en main", "the ten of hearts stays in hand"),
    ],
)
def test_a_fact_names_its_card_suit_or_points(reason: Reason, french: str, english: str) -> None:
    """The last one is of a review that was stored by an earlier version."""
    assert reasons(Play(Card("8c")), [reason], "fr").startswith(french)
    assert reasons(Play(Card("8c")), [reason], "en").startswith(english)


@pytest.mark.parametrize("trait", FACTS)
def test_every_fact_has_its_words(trait: str) -> None:
    for language in LANGUAGES:
        told = reasons(Play(Card("8c")), [Reason(trait, 2)], language)
        assert told
        assert "on average" not in told
        assert "en moyenne" not in told


def test_a_fact_is_said_before_an_average() -> None:
    told = [Reason("spares-brisque", 0), Reason("trumps", 0.63)]
    assert reasons(Play(Card("8c")), told, "fr").startswith("on garde une brisque")
    assert reasons(Play(Card("8c")), told, "en").endswith(
        "on average more trumps are kept for the last tricks"
    )


def test_percentages_are_written_as_in_each_language_and_nought_has_no_minus() -> None:
    assert (percent(0.625, "fr"), percent(0.625, "en")) == ("62,5 %", "62.5%")
    assert (difference(-0.0631, "fr"), difference(-0.0631, "en")) == ("−6,3 %", "−6.3%")
    assert difference(-0.0001, "en") == difference(-0.0, "en") == "+0.0%"


def test_a_certain_outcome_has_its_word() -> None:
    assert [outcome(win, "fr") for win in (1.0, 0.5, 0.0)] == ["gagnée", "nulle", "perdue"]
    assert [outcome(win, "en") for win in (1.0, 0.5, 0.0)] == ["won", "a nulle", "lost"]


def test_advice_as_a_table() -> None:
    """An estimate has its bounds, a certain one has none; the best is behind nobody."""
    best = ActEstimate(Play(Card("Td"), Declaration("50")), 0.9996, 0.99, 1.0, 0.0, 0.0, 200)
    second = ActEstimate(Exchange(), 0.5, 0.45, 0.55, 0.4996, 0.04, 100)
    certain = ActEstimate(Play(Card("7s")), 0.0, 0.0, 0.0, 0.9996, 0.0, 0)
    html = Advice([best, second, certain], 200, (best.action,), [])._repr_html_()
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(<td.*?)</tr>", html)]
    told = [[re.sub(r"<[^>]+>", "", cell) for cell in row] for row in rows]
    assert told == [
        ["10♦ + fifty", "&gt; 99.9%", "99.0% – &gt; 99.9%", ""],
        ["exchange the seven", "50.0%", "45.0% – 55.0%", "50.0% ± 4.0%"],
        ["7♠", "0.0%", "", "100.0% ± 0.0%"],
    ]
    assert "échanger le sept" in Advice([second], 100, (second.action,), []).html("fr")
