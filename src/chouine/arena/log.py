"""A duel's log, one JSON line for each pair, so that nothing is played twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from chouine.arena.pairs import Blame, Duel, Pair
from chouine.errors import ChouineError
from chouine.plaintext import split_lines


class Log:
    """A log file. Its first line identifies the duel; an incomplete last line is dropped."""

    def __init__(self, path: Path, duel: Duel, saved: int) -> None:
        self.path = path
        self.head: dict[str, Any] = {"duel": key_of(duel), "saved": saved}

    @property
    def saved(self) -> int:
        """The length of the records' file before the first pair was played."""
        return int(self.head["saved"])

    def pairs(self) -> Iterator[tuple[Pair, int]]:
        """Yield the logged pairs in order, each with the length of the records' file after it.

        After that the log can be appended to.
        """
        data = self.path.read_bytes() if self.path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        lines = split_lines(whole.decode(errors="replace"))
        if not lines:
            if data and not b'{"duel"'.startswith(data[:7]):
                raise ChouineError("arena/no-log", file=self.path)
            self.path.write_text(line_of(self.head), encoding="utf-8")
            return
        head = parse_line(lines[0]) or {}
        if "duel" not in head or not isinstance(head.get("saved"), int):
            raise ChouineError("arena/no-log", file=self.path)
        if head["duel"] != self.head["duel"]:
            raise ChouineError("arena/other-duel", file=self.path)
        self.head = head
        if len(whole) < len(data):
            with self.path.open("r+b") as file:
                file.truncate(len(whole))
        for number, line in enumerate(lines[1:]):
            try:
                yield pair_of(json.loads(line), number)
            except (ValueError, KeyError, TypeError):
                raise ChouineError("arena/bad-line", file=self.path, line=number + 2) from None

    @staticmethod
    def seed_in(path: Path) -> str | None:
        """The seed of a log's duel; None if there is no log."""
        lines = split_lines(path.read_text("utf-8", errors="replace")) if path.exists() else []
        duel = (parse_line(lines[0]) or {}).get("duel") if lines else None
        return str(duel["seed"]) if isinstance(duel, dict) and "seed" in duel else None

    def add(self, pair: Pair, saved: int) -> None:
        """Append a pair."""
        data = {
            "pair": pair.number,
            "outcomes": pair.outcomes,
            "micros": pair.micros,
            "faults": pair.faults,
            "luck": [round(luck, 6) for luck in pair.luck],
            "saved": saved,
        }
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line_of(data))


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


def line_of(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def parse_line(line: str) -> dict[str, Any] | None:
    try:
        data = json.loads(line)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def pair_of(data: dict[str, Any], number: int) -> tuple[Pair, int]:
    """The pair in a line. Raises `ValueError` if it is not the next one."""
    if data["pair"] != number or not all(outcome in (-1, 0, 1) for outcome in data["outcomes"]):
        raise ValueError("not the next pair")
    micros = tuple(tuple(map(int, side)) for side in data["micros"])
    faults = tuple(Blame(*fault) for fault in data["faults"])
    luck = tuple(map(float, data["luck"]))
    return Pair(number, tuple(data["outcomes"]), (micros[0], micros[1]), faults, luck), int(data["saved"])
