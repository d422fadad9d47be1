"""A node's cached state of a table, and the sources of randomness that tables use."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from chouine.cards import PACK
from chouine.match.draw import PACKET
from chouine.partie.actions import Exchange
from chouine.table import commands as ask
from chouine.table.decide import consequence
from chouine.table.entries import Acted, LogEntry, Opened, Passed, Shuffled
from chouine.table.evolve import evolve, opening
from chouine.table.state import Phase, TableState

EXCHANGED = str(Exchange())
TAIL = 20
"""Latest steps cached for each table. A watcher further behind is shown the present state alone: neither old states
nor many frames are computed for one request."""


def shuffle() -> Shuffled:
    """A shuffled pack from the system's random source, and the 256-bit nonce of its digest."""
    pack = list(PACK)
    secrets.SystemRandom().shuffle(pack)
    return Shuffled("".join(map(str, pack)), secrets.token_hex(32))


def new_id() -> str:
    """A random identifier of 128 bits."""
    return secrets.token_urlsafe(16)


@dataclass(frozen=True, slots=True)
class Step:
    """A log entry with the table's state before and after it."""

    before: TableState
    entry: LogEntry
    after: TableState


def steps_of(room: TableState, entries: Iterable[tuple[LogEntry, float]]) -> list[Step]:
    """The steps that these entries make, starting from `room`."""
    steps = []
    for entry, at in entries:
        after = evolve(room, entry, at)
        steps.append(Step(room, entry, after))
        room = after
    return steps


class KnownTable:
    """A node's cache of a table: its latest state and the steps that led there."""

    __slots__ = ("room", "tail")

    def __init__(self, room: TableState) -> None:
        self.room = room
        self.tail: deque[Step] = deque(maxlen=TAIL)

    def add(self, steps: Iterable[Step]) -> None:
        """Add steps, except those already known."""
        for step in steps:
            if step.before.n == self.room.n:
                self.tail.append(step)
                self.room = step.after

    def since(self, n: int) -> list[Step] | None:
        """The steps after the first `n` entries; None if they are no longer cached."""
        missing = max(0, self.room.n - n)
        return list(self.tail)[len(self.tail) - missing :] if missing <= len(self.tail) else None


def set_out(
    opened: Opened, now: float, shuffle: Callable[[], Shuffled], played: Iterable[tuple[int, str]] = ()
) -> tuple[list[LogEntry], TableState]:
    """The first entries of a table, and the table after them.

    `played`: on a deal laid out again, what seats have done by then, as tokens.
    """
    room, entries = opening(opened, now), list[LogEntry]([opened])
    while (more := consequence(room, shuffle)) is not None:
        entries.append(more)
        room = evolve(room, more, now)
    for seat, token in played:
        silent = sorted(room.window) if token != EXCHANGED else []
        done: list[LogEntry] = [*map(Passed, silent), Acted(seat, token)]
        for entry in done:
            entries.append(entry)
            room = evolve(room, entry, now)
    return entries, room


def computers_awaited(room: TableState) -> frozenset[int]:
    """The computers' seats that the table waits for."""
    return room.awaited - room.people


def by_lot(room: TableState, seat: int) -> ask.Command | None:
    """A computer's command that needs no thought, such as drawing a card; None where it must think."""
    match room.phase:
        case Phase.TIRAGE:
            return ask.Pick(seat, secrets.choice([place for place in range(32) if place not in room.picks]))
        case Phase.CUT:
            return ask.CutAt(seat, secrets.SystemRandom().randint(PACKET, 32 - PACKET))
        case Phase.COUNT:
            return ask.GoOn(seat)
        case _:
            return None
