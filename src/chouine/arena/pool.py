"""A round robin, with a cross-table, ratings and decision times."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from chouine.arena.duel import DuelRun
from chouine.arena.executors import Crew
from chouine.arena.pairs import Duel, Pair
from chouine.arena.ratings import Rating, ratings
from chouine.errors import ChouineError


class Times(NamedTuple):
    """Times of a player's decisions, in seconds."""

    mean: float
    p99: float
    longest: float


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

    def ratings(self) -> list[Rating]:
        results = {couple: contest.results for couple, contest in self.contests.items()}
        return ratings(len(self.names), results)

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
