"""What is kept of a table between two commands, and the chances that a table needs."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from chouine.cards import PACK
from chouine.match.draw import PACKET
from chouine.table import commands as ask
from chouine.table.entries import LogEntry, Shuffled
from chouine.table.evolve import evolve
from chouine.table.state import Phase, TableState

TAIL = 10
"""Steps kept with each room for who watches it, or is back after a moment: else its whole log is folded again."""
MARK = 250
"""Entries between two moments kept with each room, so that the rest is not folded from the log's beginning."""


def shuffle() -> Shuffled:
    """A pack from the system's source of chance, and the nonce that hides it (256 bits)."""
    pack = list(PACK)
    secrets.SystemRandom().shuffle(pack)
    return Shuffled("".join(map(str, pack)), secrets.token_hex(32))


def new_id() -> str:
    """An identifier nobody can guess (128 bits)."""
    return secrets.token_urlsafe(16)


@dataclass(frozen=True, slots=True)
class Step:
    """An entry of a log, with the table before and after it."""

    before: TableState
    entry: LogEntry
    after: TableState


def steps_of(room: TableState, entries: Iterable[tuple[LogEntry, float]]) -> list[Step]:
    """The steps that these entries make from here."""
    steps = []
    for entry, at in entries:
        after = evolve(room, entry, at)
        steps.append(Step(room, entry, after))
        room = after
    return steps


class KnownTable:
    """What is known of a table here: as it was when last looked at, the last steps that led there, earlier moments."""

    __slots__ = ("marks", "room", "tail")

    def __init__(self, room: TableState) -> None:
        self.room = room
        self.tail: deque[Step] = deque(maxlen=TAIL)
        self.marks: deque[TableState] = deque(maxlen=2)

    def add(self, steps: Iterable[Step]) -> None:
        """More steps, less those that are known already."""
        for step in steps:
            if step.before.n == self.room.n:
                self.tail.append(step)
                self.room = step.after
                if self.room.n % MARK == 0:
                    self.marks.append(self.room)

    def since(self, n: int) -> list[Step] | None:
        """The steps after the `n` first; None where they are no longer here."""
        missing = max(0, self.room.n - n)
        return list(self.tail)[len(self.tail) - missing :] if missing <= len(self.tail) else None


def computers_awaited(room: TableState) -> frozenset[int]:
    """Computers the table waits for."""
    return room.awaited - room.people


def by_lot(room: TableState, seat: int) -> ask.Command | None:
    """What a computer does where nothing is to be thought of; None where it has to think."""
    match room.phase:
        case Phase.TIRAGE:
            return ask.Pick(seat, secrets.choice([place for place in range(32) if place not in room.picks]))
        case Phase.CUT:
            return ask.CutAt(seat, secrets.SystemRandom().randint(PACKET, 32 - PACKET))
        case Phase.COUNT:
            return ask.GoOn(seat)
        case _:
            return None
