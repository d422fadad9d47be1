"""What the players of one process saw: kept raw, told as numbers when the time is over."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from time import monotonic, perf_counter

import numpy as np

REMEMBERED = 40
"""Entries of a table whose times are kept until the others have been told of them."""


@dataclass
class Tally:
    """Counts and times since counting began; what was acknowledged since the first move."""

    counting: bool = False
    answered: list[float] = field(default_factory=list)
    """Seconds from a move being due to its acknowledgement: resends and the generator's own delay are in it."""
    seen: list[float] = field(default_factory=list)
    """Seconds from a move being sent to another player's being told of it."""
    counts: Counter[str] = field(default_factory=Counter)
    acknowledged: list[tuple[str, str, int, float]] = field(default_factory=list)
    """Table, command as the log names it, the log's length that the answer told, and when."""

    def begin(self) -> None:
        """Count from now on: ramping up is over."""
        self.counting = True

    def count(self, what: str) -> None:
        if self.counting:
            self.counts[what] += 1

    def moved(self, game: str, command: str, n: int, seconds: float) -> None:
        """A command, so many seconds after it was due."""
        self.acknowledged.append((game, command, n, monotonic()))
        if self.counting:
            self.answered.append(seconds)


class Echoes:
    """When each entry of one table was sent, and when another seat was told of it, whichever is known first."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self._sent: dict[int, tuple[float, int]] = {}
        self._heard: dict[int, dict[int, float]] = {}

    def sent(self, n: int, seat: int, at: float) -> None:
        others = [heard for who, heard in self._heard.pop(n, {}).items() if who != seat]
        if others:
            self._echo(min(others) - at)
        else:
            self._sent[n] = (at, seat)

    def heard(self, n: int, seat: int) -> None:
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
    """The value that so large a part of the values do not exceed."""
    return float(np.quantile(values, part, method="inverted_cdf")) if values else float("nan")
