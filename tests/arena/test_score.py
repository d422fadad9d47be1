"""Win rates, intervals and the sequential test, on pairs simulated with known probabilities."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random

import pytest

from chouine.arena.pairs import Pair
from chouine.arena.score import ELO, PairScore, Sprt, mean_of


def pair(*outcomes: int) -> Pair:
    return Pair(0, outcomes, ((), ()))


def made_up(rng: Random, chance: float, alike: float, pairs: int) -> list[Pair]:
    """Simulated pairs; in a fraction `alike` of them the deal decides, so that each player wins one partie."""
    made = []
    for _ in range(pairs):
        if rng.random() < alike:
            made.append(pair(1, -1))
        else:
            own = (chance - alike / 2) / (1 - alike)
            made.append(pair(*(1 if rng.random() < own else -1 for _ in range(2))))
    return made


def test_a_nulle_counts_for_nobody() -> None:
    score = PairScore.of([pair(1, 0), pair(1, -1), pair(0, 0)])
    assert (score.pairs, score.wins, score.losses, score.nulles) == (3, 2, 1, 3)
    assert score.rate == 2 / 3
    assert score.shares == {0.75: 1, 0.5: 2}


def test_nothing_is_claimed_of_nothing() -> None:
    assert PairScore().rate is None
    assert PairScore.of([pair(0, 0)]).rate is None
    low, high = PairScore.of([pair(0, 0)]).interval
    assert low < 0.2
    assert high > 0.8


def test_a_few_pairs_all_won_are_no_certainty() -> None:
    score = PairScore.of([pair(1, 1)] * 5)
    low, high = score.interval
    assert low < 0.75
    assert high == score.rate == 1


@pytest.mark.parametrize(("chance", "alike"), [(0.5, 0.0), (0.5, 0.7), (0.6, 0.5), (0.9, 0.1)])
def test_the_interval_holds_the_true_rate_in_95_of_100(chance: float, alike: float) -> None:
    rng, held = Random(8), 0
    for _ in range(400):
        low, high = PairScore.of(made_up(rng, chance, alike, 100)).interval
        held += low <= chance <= high
    assert 370 <= held <= 393  # 380 plus or minus three standard deviations


def test_the_interval_is_of_pairs_and_not_of_parties() -> None:
    """Where deals decide, the interval of pairs is much narrower than that of independent parties."""
    low, high = PairScore.of(made_up(Random(1), 0.5, 0.9, 1000)).interval
    of_parties = 2 * 1.96 * 0.5 / sqrt(2000)
    assert high - low < 0.5 * of_parties


@pytest.mark.parametrize("alike", [0.0, 0.6])
@pytest.mark.parametrize(("truth", "verdict"), [(0, "not-better"), (60, "better")])
def test_the_sequential_test_errs_as_seldom_as_it_says(alike: float, truth: float, verdict: str) -> None:
    """The test has its stated error rates; 60 normalised Elo are 60/347 standard deviations per partie above 0.5."""
    deviation = sqrt((1 - alike) / 4)  # per partie, if a pair has half a partie's variance
    chance = 0.5 + truth / ELO * deviation
    test, rng = Sprt(0, 60), Random(4)
    verdicts = [verdict_of(test, rng, chance, alike) for _ in range(150)]
    assert verdicts.count(verdict) >= 150 * 0.9


def verdict_of(test: Sprt, rng: Random, chance: float, alike: float) -> str | None:
    score = PairScore()
    for _ in range(5000):
        score.add(*made_up(rng, chance, alike, 1))
        verdict = test.verdict(score.tally)
        if verdict:
            return verdict
    return None


def test_no_verdict_by_a_pair_or_two() -> None:
    score = PairScore.of([pair(1, 1), pair(1, 1)])
    assert Sprt(0, 20).verdict(score.tally) is None


def test_two_pairs_alike_are_not_certainty() -> None:
    """The spread includes the two prior pairs. Luck-corrected scores, and so intervals, may exceed [0, 1]."""
    middle, low, high = mean_of([0.6, 0.6])
    assert middle == 0.6
    assert low < 0.5
    assert high > 0.7
    middle, low, high = mean_of([1.1, 1.0])
    assert low < middle < high


def test_a_deviation_is_one_of_a_partie_with_more_seats_too() -> None:
    """Deviations are per partie: equal results of pairs of six parties give a different ratio than of two."""
    two = Sprt(0, 60).ratio(Counter({(2, 0, 0): 60, (0, 2, 0): 40}))
    six = Sprt(0, 60).ratio(Counter({(6, 0, 0): 60, (0, 6, 0): 40}))
    assert six != two
    assert six == pytest.approx(Sprt(0, 60 * 3**0.5).ratio(Counter({(2, 0, 0): 60, (0, 2, 0): 40})))
