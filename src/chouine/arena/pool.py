"""A pool: everybody against everybody, with a cross-table, ratings and times."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from chouine.arena.contest import Contest
from chouine.arena.pairs import Duel, Pair
from chouine.arena.ratings import Rating, ratings
from chouine.arena.workers import Crew
from chouine.errors import ChouineError


class Times(NamedTuple):
    """What a player's decisions took, in seconds."""

    mean: float
    p99: float
    longest: float


@dataclass(slots=True)
class Pool:
    """Contests of every two players on the same deals."""

    names: tuple[str, ...]
    pairs: int
    contests: dict[tuple[int, int], Contest] = field(default_factory=dict)

    @classmethod
    def of(cls, names: Sequence[str], like: Duel, pairs: int, logs: Path | None = None) -> Pool:
        """Contests to be played, `like` telling rules, seed and seconds; each may have its log in a folder."""
        if len(names) < 2 or len(set(names)) < len(names):
            raise ChouineError("arena/pool")
        pool = cls(tuple(names), pairs)
        for one, other in combinations(range(len(names)), 2):
            duel = Duel(names[one], names[other], like.rules, like.seed, like.seconds)
            log = None if logs is None else logs / log_name(duel)
            pool.contests[one, other] = Contest(duel, pairs, log=log)
        return pool

    def play(self, crew: Crew) -> Iterator[tuple[Contest, Pair]]:
        """Every pair as it is played, and the contest it is of."""
        for contest in self.contests.values():
            for pair in contest.play(crew):
                yield contest, pair

    def ratings(self) -> list[Rating]:
        results = {couple: contest.results for couple, contest in self.contests.items()}
        return ratings(len(self.names), results)

    def times(self) -> list[Times]:
        """Of each player over all its contests."""
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
    """A file's name for a couple, the same in every pool."""
    name = f"{quote(duel.a, safe='')} {quote(duel.b, safe='')} {quote(duel.rules, safe='')}"
    if len(name) > 120:
        name = name[:80] + hashlib.sha256(name.encode()).hexdigest()[:16]
    return f"{name}.jsonl"
