"""What the library returns prints as a line or a small table that one can read, not as its fields."""

from __future__ import annotations

from random import Random

import pytest

import chouine
from chouine import Deal, Rules, play_partie, player_of
from chouine.ai.racing import Estimate
from chouine.arena.pool import PoolRating, Times
from chouine.arena.score import PairScore
from chouine.cards import Card
from chouine.engine import Answer, Info
from chouine.fast import AVAILABLE
from chouine.notation import visit_records
from chouine.partie import Play, View
from chouine.school.review.decisions import Judgement, Review

LINE = "classic b ?5|.K.A97.7 Jd ?????????????????????????????????????????? : Qs"
BAD = Judgement(1, 2, 0, "7h", "Qs", 0.042, "mistake", 0.6, 0.55, exact=False)
GOOD = Judgement(2, 3, 1, "Qs", "Qs", 0.0, None, 0.6, 0.6, exact=False)
SEVEN = Play(Card("7h"))


class Wrong:
    """A player of the user's, at fault."""

    def act(self, _: View) -> int:
        return 3


def test_a_duel_prints_its_rate_and_what_came_out() -> None:
    score = chouine.duel("greedy", "random", pairs=3)
    assert str(score).splitlines()[0] == "A against B: 100.0% (40.8% to 100.0%)"
    assert str(score).splitlines()[1:] == [
        "pairs: 3; parties: 6, won 6, lost 0, nulles 0",
        "shares by pair: 1: 3",
    ]
    assert score.text("fr", "Anne", "Paul").startswith("Anne contre Paul")
    assert str(PairScore()).startswith("A against B: - (")


def test_a_partie_prints_its_end_and_the_fault() -> None:
    rules = Rules()
    deal = Deal.random(rules, 0, Random(1))
    done = play_partie(rules, deal, [player_of("random"), player_of("greedy")])
    assert str(done) == str(done.state)
    assert str(done.state.result) == "0-1 (points) · 23-107 points"
    lost = play_partie(rules, deal, [player_of("random"), Wrong()])  # type: ignore[list-item]
    assert str(lost).splitlines()[-2:] == [
        "1-0 (forfeit)",
        "b at fault: Wrong answered 3, which is no act: a Play, an Exchange or None.",
    ]


@pytest.mark.skipif(not AVAILABLE, reason="needs numba")
def test_advice_prints_a_line_an_act() -> None:
    advice = chouine.advise(LINE, worlds=64)
    assert str(advice) == advice.text("en")
    assert str(advice.options[0]) == str(advice).splitlines()[0].partition(", behind")[0]
    assert "chance to win (" in str(advice.options[0])


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (Times(0.001, 0.002, 0.003), "1.000 ms · 99 of 100 below 2.000 ms · longest 3.000 ms"),
        (PoolRating(12.3, 4.5), "+12 ± 4"),
        (Estimate(None, 0.5, 0.1, 0.02, 30), "- 50.0% ± 3.9% · 30 worlds"),
        (BAD, "trick 2 · a 7h · best Qs · -4.2% mistake"),
        (GOOD, "trick 3 · b Qs"),
        (Review(3, {0: BAD, 1: GOOD}), f"2 of 3 decisions\n{BAD}\n{GOOD}"),
        (Answer(SEVEN, (Info("win 0.5"),)), "win 0.5\n7h"),
        (next(visit_records(LINE)), LINE),
    ],
)
def test_results_print_as_a_line(found: object, text: str) -> None:
    assert str(found) == text
