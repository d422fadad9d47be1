"""Misdeals and penalties (§4, §15)."""

from __future__ import annotations

import pytest

from chouine.cards import Card, CardSet
from chouine.match import Fault, FaultKind, Format, Match, Misdeal, Penalty, Tirage, penalty, punish
from chouine.partie.result import Result
from chouine.phrases import say
from chouine.rules import Rules, rule_table_of
from chouine.rules.play import start

CLASSIC = Rules.of_preset("classic")


def standing_at(rules: Rules, *points: int) -> Result:
    """The result of seat a's second fault at these points."""
    rule_table = rule_table_of(rules)
    p = start(rule_table, (0, 0, 0, 0), CardSet("7...").mask.bit_length() - 1, 0)
    p = p._replace(points=(*points, *[0] * (4 - len(points))))  # type: ignore[arg-type]
    twice = [Fault(0, FaultKind.DREW_TWO), Fault(0, FaultKind.SAW_OTHERS)]
    result = punish(rule_table, p, twice, replay=False)
    assert result is not None
    return result


def test_no_fault_costs_nothing() -> None:
    """§15"""
    assert penalty([]) is None


@pytest.mark.parametrize("kind", FaultKind)
def test_after_a_first_fault_the_wronged_player_chooses(kind: FaultKind) -> None:
    """§15: After a first fault the opponent chooses to continue or to replay with the same dealer."""
    faults = [Fault(1, kind)]
    rule_table = rule_table_of(CLASSIC)
    p = start(rule_table, (0, 0, 0, 0), 0, 0)
    assert penalty(faults) is Penalty.CHOICE
    assert punish(rule_table, p, faults, replay=False) is None
    replayed = punish(rule_table, p, faults, replay=True)
    assert replayed is not None
    match = Match.new(CLASSIC, Format(5, 2)).draw_dealer(Tirage((Card("7s"), Card("Ks"))))
    after = match.record(replayed)
    assert (after.dealer, after.score, after.partie) == (match.dealer, match.score, match.partie)


def test_each_player_has_a_first_fault() -> None:
    """§15: The second fault counts only if it is by the same player."""
    assert penalty([Fault(0, FaultKind.DREW_TWO), Fault(1, FaultKind.DREW_TWO)]) is Penalty.CHOICE


def test_the_second_fault_gives_the_partie_to_the_opponent() -> None:
    """§15: A second fault loses the partie, even one that decides the match and with more points."""
    result = standing_at(CLASSIC, 100, 3)
    assert (result.by, result.winner) == ("fault", 1)
    match = Match.new(CLASSIC, Format(1, 1)).draw_dealer(Tirage((Card("7s"), Card("Ks"))))
    assert match.record(result).winner == 1


def test_with_three_seats_it_goes_to_the_best_of_the_others() -> None:
    """§15: The best of the others wins: 42, 30 and 25 with the first punished: the second; 30 and 30: nulle."""
    three = Rules.of_preset("three")
    assert standing_at(three, 42, 30, 25).winner == 1
    nulle = standing_at(three, 42, 30, 30)
    assert nulle.winner is None
    match = Match.new(three, Format(2, 1)).draw_dealer(Tirage((Card("7s"), Card("Ks"), Card("Qs"))))
    assert match.record(nulle).score == (0, 0, 0)
    assert match.record(nulle).dealer == match.dealer


@pytest.mark.parametrize(
    "code",
    [f"match/misdeal/{why.value}" for why in Misdeal] + [f"match/fault/{kind.value}" for kind in FaultKind],
)
def test_each_has_its_sentence_in_both_languages(code: str) -> None:
    """§4, §15"""
    assert "§" in say(code, "fr")
    assert say(code, "fr") != say(code, "en")
