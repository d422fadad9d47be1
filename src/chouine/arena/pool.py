"""A round robin, with a cross-table, ratings and decision times.

The ratings are Bradley-Terry's: the difference of two predicts how often one player beats the other. Results of card
players are not quite transitive, so ratings summarise a cross-table and do not replace it. The two pseudo-pairs of
`score` are added to each couple, so that a player without a win has a finite rating.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import log
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from chouine.ai.racing import Z
from chouine.arena.duel import DuelRun
from chouine.arena.pairs import Duel, Pair
from chouine.errors import ChouineError
from chouine.jobs import Crew
from chouine.phrases import Language, check_language, say
from chouine.plots import Bar, Plot, bars

Couple = tuple[int, int]
Results = Mapping[Couple, Sequence[tuple[int, int]]]
"""For two players by number, the parties the first won and lost in each of their pairs, in order."""
Floats = NDArray[np.float64]

UNIT = 400 / log(10)
"""Elo: 400 points are odds of ten to one."""
NEAR = 1e-9


class PoolRating(NamedTuple):
    """A player's rating; the mean over the pool is 0."""

    elo: float
    error: float
    """Half of its 95 % interval."""

    def __str__(self) -> str:
        return f"{self.elo:+.0f} ± {self.error:.0f}"


def ratings(players: int, results: Results) -> list[PoolRating]:
    """Every player's rating, by number.

    Pairs of one number share a deal; the errors are clustered by deal (Huber-White sandwich estimator).

    >>> strong, weak = ratings(2, {(0, 1): [(2, 0)] * 30 + [(1, 1)] * 50 + [(0, 2)] * 20})
    >>> print(f"{strong.elo:+.0f} {weak.elo:+.0f} ± {weak.error:.0f}")
    +17 -17 ± 24
    """
    signs = np.zeros((len(results), players))
    for nth, (one, other) in enumerate(results):
        signs[nth, one], signs[nth, other] = 1, -1
    won, lost = by_deal(list(results.values()))
    pseudo = (won + lost).max(axis=0, initial=0)
    pseudo[pseudo == 0] = 2
    wins, losses = won.sum(axis=0) + pseudo, lost.sum(axis=0) + pseudo
    strengths = fit_ratings(signs, wins, losses)
    first, second = (strengths @ (signs == sign).T for sign in (1, -1))
    chance = first / (first + second)
    # Fisher information, made invertible by fixing the mean at 0
    information = signs.T * (chance * (1 - chance) * (wins + losses)) @ signs + 1 / players
    # squared scores: the results of a deal summed first, each pseudo-pair alone
    score = (won - (won + lost) * chance) @ signs
    alone = pseudo**2 * ((1 - chance) ** 2 + chance**2)
    scatter = score.T @ score + signs.T * alone @ signs
    bread = np.linalg.inv(information)
    errors = np.sqrt(np.diag(bread @ scatter @ bread))
    return [
        PoolRating(UNIT * float(elo), UNIT * Z * float(error))
        for elo, error in zip(np.log(strengths), errors, strict=True)
    ]


def by_deal(results: Sequence[Sequence[tuple[int, int]]]) -> tuple[Floats, Floats]:
    """Parties won and lost as `float64[deals, couples]`; 0 where a couple has not played a deal."""
    parties = np.zeros((2, max(map(len, results)), len(results)))
    for nth, pairs in enumerate(results):
        if pairs:
            parties[:, : len(pairs), nth] = np.array(pairs).T
    return parties[0], parties[1]


def fit_ratings(signs: Floats, wins: Floats, losses: Floats) -> Floats:
    """Maximum-likelihood strengths, geometric mean 1, by minorisation-maximisation (Hunter 2004).

    `signs: float64[couples, players]` is 1 for a couple's first player, -1 for its second; `wins` and `losses`:
    `float64[couples]`, the first player's.
    """
    first, second = signs == 1, signs == -1
    total = wins @ first + losses @ second
    strengths, step = np.ones(signs.shape[1]), 1.0
    while step > NEAR:
        share = (wins + losses) / (strengths @ (first | second).T)
        better = total / (share @ (first | second))
        better /= np.exp(np.log(better).mean())
        step = float(np.abs(np.log(better / strengths)).max())
        strengths = better
    return strengths


class Times(NamedTuple):
    """Times of a player's decisions, in seconds."""

    mean: float
    p99: float
    longest: float

    def __str__(self) -> str:
        mean, p99, longest = (f"{1e3 * each:.3f} ms" for each in self)
        return f"{mean} · 99 of 100 below {p99} · longest {longest}"


@dataclass(slots=True)
class RoundRobin:
    """Duels of every two players on the same deals."""

    names: tuple[str, ...]
    pairs: int
    contests: dict[tuple[int, int], DuelRun] = field(default_factory=dict)

    @classmethod
    def of(cls, players: Mapping[str, str], like: Duel, pairs: int, logs: Path | None = None) -> RoundRobin:
        """Duels of players (name to spec) with the rules, seed and seconds of `like`; logs go to a folder if given."""
        if len(players) < 2:
            raise ChouineError("arena/pool")
        pool = cls(tuple(players), pairs)
        for (one, (a, spec_a)), (other, (b, spec_b)) in combinations(enumerate(players.items()), 2):
            duel = Duel(spec_a, spec_b, like.rules, like.seed, like.seconds, (a, b))
            log = None if logs is None else logs / log_name(duel)
            pool.contests[one, other] = DuelRun(duel, pairs, log=log)
        return pool

    def play(self, crew: Crew) -> Iterator[tuple[DuelRun, Pair]]:
        """Yield every pair as it is played, with its duel."""
        for contest in self.contests.values():
            for pair in contest.play(crew):
                yield contest, pair

    def ratings(self) -> list[PoolRating]:
        results = {couple: contest.results for couple, contest in self.contests.items()}
        return ratings(len(self.names), results)

    def plot(self, language: Language = "en") -> Plot:
        """Every player's rating with its interval, the best first."""
        check_language(language)
        rated = sorted(zip(self.ratings(), self.names, strict=True), reverse=True)
        named = {name: Bar(elo, elo - error, elo + error) for (elo, error), name in rated}
        return bars(say("plot/ratings", language), named, "{:+.0f}".format)

    def times(self) -> list[Times]:
        """Each player's decision times, over all its duels."""
        spent: list[list[int]] = [[] for _ in self.names]
        for couple, contest in self.contests.items():
            for player, micros in zip(couple, contest.micros, strict=True):
                spent[player] += micros
        return [times_of(micros) for micros in spent]


def times_of(micros: list[int]) -> Times:
    if not micros:
        return Times(0.0, 0.0, 0.0)
    ordered = sorted(micros)
    p99 = ordered[-(-99 * len(ordered) // 100) - 1]
    return Times(sum(ordered) / len(ordered) / 1e6, p99 / 1e6, ordered[-1] / 1e6)


def log_name(duel: Duel) -> str:
    """The log's file name for two players, the same in every pool."""
    a, b = (quote(name, safe="") for name in duel.called)
    name = f"{a} {b} {quote(duel.rules, safe='')}"
    if len(name) > 120:
        name = name[:80] + hashlib.sha256(name.encode()).hexdigest()[:16]
    return f"{name}.jsonl"
