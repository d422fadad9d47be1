"""What pairs add up to: the win rate with its interval, and a sequential test.

The unit is the pair, since its parties are played on one deal. Two imagined pairs, one all won and one all lost, are
added wherever a spread is estimated, so that a few pairs that all go one way are not taken for certainty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from statistics import mean, stdev
from typing import Self

from chouine.ai.confidence import Z
from chouine.arena.pairs import Pair, share

ELO = 800 / log(10)
"""Normalised Elo of a mean of one deviation (of one partie) above a half."""


Tally = Counter[tuple[int, int, int]]
"""How many pairs brought A so many parties won, lost and nulles."""


@dataclass(slots=True)
class PairScore:
    """A's pairs against B so far."""

    tally: Tally = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    """Parties lost by a program at fault, of `a` and of `b`."""

    def add(self, pair: Pair) -> None:
        self.tally[pair.won, pair.lost, pair.nulles] += 1
        self.faults.update(fault.side for fault in pair.faults)

    @classmethod
    def of(cls, pairs: Iterable[Pair]) -> Self:
        score = cls()
        for pair in pairs:
            score.add(pair)
        return score

    @property
    def pairs(self) -> int:
        return self.tally.total()

    @property
    def wins(self) -> int:
        return sum(many * won for (won, _, _), many in self.tally.items())

    @property
    def losses(self) -> int:
        return sum(many * lost for (_, lost, _), many in self.tally.items())

    @property
    def nulles(self) -> int:
        return sum(many * nulles for (_, _, nulles), many in self.tally.items())

    @property
    def rate(self) -> float | None:
        """Wins of the parties decided: a nulle is replayed in a match and counts for nobody. None while none is."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else None

    @property
    def interval(self) -> tuple[float, float]:
        """The rate's 95 % interval."""
        tally = with_imagined(self.tally)
        decided = sum(many * (won + lost) for (won, lost, _), many in tally.items())
        rate = sum(many * won for (won, _, _), many in tally.items()) / decided
        squares = sum(many * (won - rate * (won + lost)) ** 2 for (won, lost, _), many in tally.items())
        pairs = tally.total()
        deviation = sqrt(squares * pairs / (pairs - 1)) / decided
        return max(0.0, rate - Z * deviation), min(1.0, rate + Z * deviation)

    @property
    def shares(self) -> Counter[float]:
        """How many pairs had each share of their parties, a nulle being half."""
        return shares(self.tally)


def with_imagined(tally: Tally) -> Tally:
    """The pairs and the two imagined ones."""
    parties = parties_of(tally)
    return tally + Counter([(parties, 0, 0), (0, parties, 0)])


def parties_of(tally: Tally) -> int:
    """How many parties a pair is: two, or six or eight with more seats."""
    return sum(next(iter(tally), (2, 0, 0)))


def shares(tally: Tally) -> Counter[float]:
    counts: Counter[float] = Counter()
    for (won, lost, nulles), many in tally.items():
        counts[share(won, lost, nulles)] += many
    return counts


def mean_of(values: Sequence[float]) -> tuple[float, float, float]:
    """A mean of shares with its 95 % interval, the two imagined pairs in it; of fewer than two nothing is known."""
    if len(values) < 2:
        return (values[0] if values else 0.5), 0.0, 1.0
    middle, spread = mean(values), stdev([*values, 0.0, 1.0])
    error = Z * spread / sqrt(len(values))
    return middle, middle - error, middle + error


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test on pairs, whether A is better by `high` rather than by `low`, in normalised Elo.

    Normalised Elo measures the mean share above a half in deviations, as 347 points a deviation of one partie; so
    the test takes as long whatever the players' spread. The likelihood ratio is that of the generalised test, both
    mean and spread being fitted under either supposition.
    """

    low: float
    high: float
    risk: float = 0.05
    """How often it may err, either way."""

    def ratio(self, tally: Tally) -> float:
        """The logarithm of the likelihood ratio of `high` to `low`."""
        counts = shares(with_imagined(tally))
        pairs = counts.total()
        middle = sum(own * many for own, many in counts.items()) / pairs
        spread = sum((own - middle) ** 2 * many for own, many in counts.items()) / pairs
        seen = (middle - 0.5) / sqrt(spread)
        low, high = (elo * sqrt(parties_of(tally)) / ELO for elo in (self.low, self.high))
        return pairs / 2 * log((1 + (seen - low) ** 2) / (1 + (seen - high) ** 2))

    def verdict(self, tally: Tally) -> str | None:
        """`better` once `high` is accepted, `not-better` once `low` is, None while neither."""
        bound = log((1 - self.risk) / self.risk)
        ratio = self.ratio(tally)
        if ratio >= bound:
            return "better"
        return "not-better" if ratio <= -bound else None
