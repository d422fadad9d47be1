"""A duel's log, one JSON line for each pair, so that nothing is played twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from chouine import jobs
from chouine.arena.pairs import Blame, Duel, Pair
from chouine.errors import ChouineError
from chouine.jobs.log import parse_line
from chouine.plaintext import split_lines


class DuelLog(jobs.Log):
    """A duel's log file."""

    kind = "duel"
    other = "arena/other-duel"

    def __init__(self, path: Path, duel: Duel, saved: int) -> None:
        super().__init__(path, key_of(duel), saved=saved)

    @property
    def saved(self) -> int:
        """The length of the records' file before the first pair was played."""
        if not isinstance(self.head["saved"], int):
            raise ChouineError("arena/no-log", file=self.path)
        return self.head["saved"]

    def pairs(self) -> Iterator[tuple[Pair, int]]:
        """Yield the logged pairs in order, each with the length of the records' file after it."""
        return self.entries(pair_of)

    @staticmethod
    def seed_in(path: Path) -> str | None:
        """The seed of a log's duel; None if there is no log."""
        lines = split_lines(path.read_text("utf-8", errors="replace")) if path.exists() else []
        duel = (parse_line(lines[0]) or {}).get("duel") if lines else None
        return str(duel["seed"]) if isinstance(duel, dict) and "seed" in duel else None

    def add_pair(self, pair: Pair, saved: int) -> None:
        """Append a pair."""
        self.add(
            {
                "pair": pair.number,
                "outcomes": pair.outcomes,
                "micros": pair.micros,
                "faults": pair.faults,
                "luck": [round(luck, 6) for luck in pair.luck],
                "saved": saved,
            }
        )


def key_of(duel: Duel) -> dict[str, Any]:
    """The identity of a duel.

    A program counts by its name, so that its file may be moved; equal time limits are written once.
    """
    key = asdict(duel)
    del key["names"]
    key["a"], key["b"] = duel.called
    a, b = duel.seconds
    key["seconds"] = a if a == b else [a, b]
    return key


def pair_of(data: dict[str, Any], number: int) -> tuple[Pair, int]:
    """The pair in a line. Raises `ValueError` if it is not the next one."""
    if data["pair"] != number or not all(outcome in (-1, 0, 1) for outcome in data["outcomes"]):
        raise ValueError("not the next pair")
    micros = tuple(tuple(map(int, side)) for side in data["micros"])
    faults = tuple(Blame(*fault) for fault in data["faults"])
    luck = tuple(map(float, data["luck"]))
    return Pair(number, tuple(data["outcomes"]), (micros[0], micros[1]), faults, luck), int(data["saved"])
