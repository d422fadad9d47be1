"""Explanations: acts, amounts and percentages in words."""

from __future__ import annotations

import re
from random import Random

import pytest

from chouine.ai.advice import ActEstimate, Advice
from chouine.ai.explanations import act, difference, outcome, percent, reasons
from chouine.ai.reasons import TRAITS, Reason, card_reasons
from chouine.cards import Card
from chouine.notation.tokens import read_action
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.phrases import Language
from chouine.rules.options import Rules
from chouine.rules.play import beats

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


def test_there_are_two_reasons_at_most_and_none_without_one() -> None:
    card = Play(Card("8c"))
    assert reasons(card, [], "fr") == ""
    told = [Reason("trumps", 0.78), Reason("brisques", 0.63)]
    assert reasons(card, told, "en").count("; ") == 1


@pytest.mark.parametrize(
    ("worse", "told", "named"),
    [
        ("Th", {"brisques"}, "Th"),
        ("8c", {"brisques"}, ""),
        ("8c", {"trumps"}, "8c"),
        ("Th", {"trumps"}, ""),
        ("Kc", {"declared"}, "Kc"),
        ("Th", {"chouine"}, "Th"),
        ("Kc+20c", {"tricks", "others-declared"}, ""),
        ("9s+20s", {"trumps", "brisques", "declared", "chouine"}, ""),
    ],
)
def test_the_card_kept_is_named_if_it_is_what_the_reason_counts(
    worse: str, told: set[str], named: str
) -> None:
    """The better act is the nine of spades, and clubs are trumps."""
    view = State.new(Rules(), Deal.random(Rules(), 0, Random(6))).view(1)
    assert view.trump == Card("8c").suit
    found = card_reasons(view, Play(Card("9s")), read_action(worse), told)
    assert [str(Card(int(reason.difference))) for reason in found] == named.split()


def test_the_card_that_takes_is_named() -> None:
    """Clubs are trumps; seat a has led, and only a higher card of its suit or a trump takes (§6)."""
    state = State.new(Rules(), Deal.random(Rules(), 0, Random(6)))
    led = next(act for act in state.legal(1) if isinstance(act, Play) and not act.declaration)
    view = state.play(led).view(0)
    plays = [act for act in view.legal if isinstance(act, Play) and not act.declaration]
    taking = [act for act in plays if beats(act.card, led.card, view.position.trump)]
    others = [act for act in plays if act not in taking]
    assert taking
    assert others
    for play in taking:
        assert card_reasons(view, play, others[0], {"tricks"}) == [Reason("takes", int(play.card))]
        assert Reason("takes", int(play.card)) not in card_reasons(view, others[0], play, {"tricks"})


def test_a_card_is_named_before_what_is_an_average() -> None:
    told = [Reason("kept", int(Card("Th"))), Reason("brisques", 0.63)]
    assert reasons(Play(Card("8c")), told, "fr").startswith("le dix de cœur reste en main")
    assert reasons(Play(Card("8c")), told, "en").count("on average") == 1


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
