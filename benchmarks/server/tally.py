"""The measurements of one process of players, kept raw and summarised at the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from time import monotonic, perf_counter

import numpy as np

REMEMBERED = 40
"""Entries of a table whose times are kept until others have been notified."""


@dataclass
class Tally:
    """Counters and times since the measurement began; acknowledgements since the first move."""

    counting: bool = False
    answered: list[float] = field(default_factory=list)
    """Seconds from a move's due time to its acknowledgement, including resends and the generator's delay."""
    seen: list[float] = field(default_factory=list)
    """Seconds from sending a move to another player's notification."""
    counts: Counter[str] = field(default_factory=Counter)
    acknowledged: list[tuple[str, str, int, float]] = field(default_factory=list)
    """Table, command id in the log, log length in the answer, and time."""

    def begin(self) -> None:
        """Begin the measurement after the ramp."""
        self.counting = True

    def count(self, what: str) -> None:
        if self.counting:
            self.counts[what] += 1

    def add_move(self, table_id: str, command: str, n: int, seconds: float) -> None:
        """Record a command, acknowledged this many seconds after its due time."""
        self.acknowledged.append((table_id, command, n, monotonic()))
        if self.counting:
            self.answered.append(seconds)


class Echoes:
    """Matches the sending of each entry of a table with its arrival at another seat, in either order."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self._sent: dict[int, tuple[float, int]] = {}
        self._heard: dict[int, dict[int, float]] = {}

    def add_command(self, n: int, seat: int, at: float) -> None:
        others = [heard for who, heard in self._heard.pop(n, {}).items() if who != seat]
        if others:
            self._echo(min(others) - at)
        else:
            self._sent[n] = (at, seat)

    def add_hearing(self, n: int, seat: int) -> None:
        sent = self._sent.get(n)
        if sent is None:
            self._heard.setdefault(n, {})[seat] = perf_counter()
        elif sent[1] != seat:
            self._echo(perf_counter() - self._sent.pop(n)[0])
        if len(self._heard) > REMEMBERED:
            self._heard.pop(next(iter(self._heard)))
        if len(self._sent) > REMEMBERED:
            self._sent.pop(next(iter(self._sent)))

    def _echo(self, seconds: float) -> None:
        if self.tally.counting:
            self.tally.seen.append(seconds)


def percentile(values: list[float], part: float) -> float:
    """The smallest value that at least this part of the values do not exceed."""
    return float(np.quantile(values, part, method="inverted_cdf")) if values else float("nan")
