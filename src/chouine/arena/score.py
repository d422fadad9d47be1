"""The win rate of a duel with its interval, and a sequential test.

The unit is the pair, since its parties share one deal. Two pseudo-pairs, one all won and one all lost, are added
wherever a variance is estimated, so that a few equal pairs do not give an interval of length 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import log, sqrt
from statistics import mean, stdev
from typing import Self

from chouine.ai import explanations
from chouine.ai.racing import Z
from chouine.arena.pairs import Pair, share
from chouine.errors import check_type
from chouine.phrases import Language, check_language, say
from chouine.plots import Bar, Plot, bars, percent

ELO = 800 / log(10)
"""Normalised Elo per standard deviation of one partie."""


Tally = Counter[tuple[int, int, int]]
"""Number of pairs by A's parties won, lost and nulles."""


@dataclass(slots=True)
class PairScore:
    """The results of A against B, by pair."""

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
        """A's share of decided parties, None without any: a nulle is replayed in a match and counts for neither."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else None

    @property
    def interval(self) -> tuple[float, float]:
        """The rate's 95 % interval."""
        tally = with_pseudo_pairs(self.tally)
        decided = sum(many * (won + lost) for (won, lost, _), many in tally.items())
        rate = sum(many * won for (won, _, _), many in tally.items()) / decided
        squares = sum(many * (won - rate * (won + lost)) ** 2 for (won, lost, _), many in tally.items())
        pairs = tally.total()
        deviation = sqrt(squares * pairs / (pairs - 1)) / decided
        return max(0.0, rate - Z * deviation), min(1.0, rate + Z * deviation)

    def text(self, language: Language = "en", a: str = "A", b: str = "B") -> str:
        """The rate with its interval, what came out, and the shares; `a` and `b` are the names of the players."""
        check_language(language)
        check_type("a", a, str, "a text")
        check_type("b", b, str, "a text")
        low, high = (explanations.percent(bound, language) for bound in self.interval)
        rate = "-" if self.rate is None else explanations.percent(self.rate, language)
        spread = ", ".join(f"{share:.3g}: {many}" for share, many in sorted(self.shares.items()))
        counts = {"wins": self.wins, "losses": self.losses, "nulles": self.nulles}
        lines = [
            say("arena/rate", language, a=a, b=b, rate=rate, low=low, high=high),
            say("arena/tally", language, pairs=self.pairs, parties=sum(counts.values()), **counts),
        ]
        return "\n".join(lines + [say("arena/spread", language, spread=spread)] * bool(spread))

    def __str__(self) -> str:
        return self.text()

    def plot(self, language: Language = "en") -> Plot:
        """How many of the pairs gave A each share of their parties. Raises `ValueError` before the first pair."""
        check_language(language)
        shares = {
            f"{share:.3g}": Bar(*[many / self.pairs] * 3) for share, many in sorted(self.shares.items())
        }
        return bars(say("plot/shares", language), shares, partial(percent, language=language))

    @property
    def shares(self) -> Counter[float]:
        """Number of pairs by A's share of their parties; a nulle is half."""
        return shares(self.tally)


def with_pseudo_pairs(tally: Tally) -> Tally:
    """The pairs with the two pseudo-pairs."""
    parties = parties_of(tally)
    return tally + Counter([(parties, 0, 0), (0, parties, 0)])


def parties_of(tally: Tally) -> int:
    """Parties of a pair: two, or six or eight with more seats."""
    return sum(next(iter(tally), (2, 0, 0)))


def shares(tally: Tally) -> Counter[float]:
    counts: Counter[float] = Counter()
    for (won, lost, nulles), many in tally.items():
        counts[share(won, lost, nulles)] += many
    return counts


def mean_of(values: Sequence[float]) -> tuple[float, float, float]:
    """A mean of shares with its 95 % interval, two pseudo-pairs included; from 0 to 1 for fewer than two values."""
    if len(values) < 2:
        return (values[0] if values else 0.5), 0.0, 1.0
    middle, spread = mean(values), stdev([*values, 0.0, 1.0])
    error = Z * spread / sqrt(len(values))
    return middle, middle - error, middle + error


@dataclass(frozen=True, slots=True)
class Sprt:
    """A generalised sequential probability ratio test on pairs: A is better by `high`, or by `low`, normalised Elo.

    Normalised Elo is the mean share above a half, 347 points per standard deviation of one partie; so the test's
    length does not depend on the variance. Mean and variance are fitted under each hypothesis.
    """

    low: float
    high: float
    risk: float = 0.05
    """Error probability of either kind."""

    def ratio(self, tally: Tally) -> float:
        """The logarithm of the likelihood ratio of `high` to `low`."""
        counts = shares(with_pseudo_pairs(tally))
        pairs = counts.total()
        middle = sum(own * many for own, many in counts.items()) / pairs
        spread = sum((own - middle) ** 2 * many for own, many in counts.items()) / pairs
        seen = (middle - 0.5) / sqrt(spread)
        low, high = (elo * sqrt(parties_of(tally)) / ELO for elo in (self.low, self.high))
        return pairs / 2 * log((1 + (seen - low) ** 2) / (1 + (seen - high) ** 2))

    def verdict(self, tally: Tally) -> str | None:
        """`better` if `high` is accepted, `not-better` if `low` is, None if neither is yet."""
        bound = log((1 - self.risk) / self.risk)
        ratio = self.ratio(tally)
        if ratio >= bound:
            return "better"
        return "not-better" if ratio <= -bound else None
