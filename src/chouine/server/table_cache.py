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
from chouine.table.entries import Acted, Explained, LogEntry, Opened, Passed, Sat, Shuffled
from chouine.table.evolve import evolve, opening_state
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


def steps_of(table: TableState, entries: Iterable[tuple[LogEntry, float]]) -> list[Step]:
    """The steps that these entries make, starting from `table`."""
    steps = []
    for entry, at in entries:
        after = evolve(table, entry, at)
        steps.append(Step(table, entry, after))
        table = after
    return steps


class KnownTable:
    """A node's cache of a table: its latest state and the steps that led there."""

    __slots__ = ("table", "tail")

    def __init__(self, table: TableState) -> None:
        self.table = table
        self.tail: deque[Step] = deque(maxlen=TAIL)

    def add(self, steps: Iterable[Step]) -> None:
        """Add steps, except those already known. None is kept that shows a name which was taken away."""
        for step in steps:
            if step.before.n == self.table.n:
                self.tail.append(step)
                self.table = step.after
                if takes_name_away(step):
                    self.tail.clear()

    def since(self, n: int) -> list[Step] | None:
        """The steps after the first `n` entries; None if they are no longer cached."""
        missing = max(0, self.table.n - n)
        return list(self.tail)[len(self.tail) - missing :] if missing <= len(self.tail) else None


def takes_name_away(step: Step) -> bool:
    """Whether somebody who sat has another name since, or none: the keeper renamed them, or they were erased."""
    if not isinstance(step.entry, Sat):
        return False
    before, after = (table.holders[step.entry.seat] for table in (step.before, step.after))
    return bool(before.guest) and before.name != after.name


def opening_entries(
    opened: Opened,
    now: float,
    shuffle: Callable[[], Shuffled],
    played: Iterable[tuple[int, str]] = (),
    *,
    explained: bool = False,
) -> tuple[list[LogEntry], TableState]:
    """The first entries of a table, and the table after them.

    `played`: on a deal laid out again, what seats have done by then, as tokens. `explained`: with explanations from the
    first partie on, where the table allows them.
    """
    table, entries = opening_state(opened, now), list[LogEntry]([opened])
    while (more := consequence(table, shuffle)) is not None:
        entries.append(more)
        table = evolve(table, more, now)
    for seat, token in played:
        silent = sorted(table.window) if token != EXCHANGED else []
        done: list[LogEntry] = [*map(Passed, silent), Acted(seat, token)]
        for entry in done:
            entries.append(entry)
            table = evolve(table, entry, now)
    if explained and table.learner is not None:
        entries.append(Explained(table.learner, on=True))
        table = evolve(table, entries[-1], now)
    return entries, table


def computers_awaited(table: TableState) -> frozenset[int]:
    """The computers' seats that the table waits for."""
    return table.awaited - table.people


def random_command(table: TableState, seat: int) -> ask.Command | None:
    """A computer's command that needs no thought, such as drawing a card; None where it must think."""
    match table.phase:
        case Phase.TIRAGE:
            return ask.Pick(seat, secrets.choice([place for place in range(32) if place not in table.picks]))
        case Phase.CUT:
            return ask.CutAt(seat, secrets.SystemRandom().randint(PACKET, 32 - PACKET))
        case Phase.COUNT:
            return ask.GoOn(seat)
        case _:
            return None


def as_it_was(table: TableState) -> Callable[[TableState], None]:
    """A check that raises `Refused` once the position is no longer that of `table`, for which the act was computed."""

    def place(of: TableState) -> tuple[object, ...]:
        return of.phase, len(of.played), of.state.position if of.state else None

    def check(now: TableState) -> None:
        if place(now) != place(table):
            raise ask.Refused("table/not-now")

    return check
