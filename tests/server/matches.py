"""A table driven without store or server: commands in, log out, all packs from a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

import pytest

from chouine.cards import PACK
from chouine.errors import IllegalAction
from chouine.table import commands as ask
from chouine.table.commands import Refused
from chouine.table.decide import consequence, decide
from chouine.table.entries import ClockTerms, LogEntry, Opened, SeatHolder, Shuffled
from chouine.table.evolve import evolve, opening_state
from chouine.table.state import Phase, TableState

START = 1_000_000.0


def person(seat: int) -> SeatHolder:
    """A chair taken by the guest `guest-{seat}`."""
    return SeatHolder("person", f"Nom {seat}", f"guest-{seat}")


def opening(
    rules: str = "classic",
    terms: str = "1x1",
    chairs: Iterable[SeatHolder] | None = None,
    clock: ClockTerms | None = None,
    deal: str | None = None,
) -> Opened:
    """The opening of a table, by default between people."""
    seats = 3 if "three" in rules else 4 if "four" in rules else 2
    return Opened(rules, terms, tuple(chairs or map(person, range(seats))), clock, deal)


def shuffler(rng: Random) -> Callable[[], Shuffled]:
    """A function that returns seeded random packs."""

    def shuffle() -> Shuffled:
        pack = list(PACK)
        rng.shuffle(pack)
        return Shuffled("".join(map(str, pack)), f"{rng.getrandbits(256):064x}")

    return shuffle


@dataclass
class Table:
    """A table's state, its log and its random generator."""

    table: TableState
    log: list[tuple[LogEntry, float]]
    rng: Random
    now: float = START
    chances: Callable[[], Shuffled] = field(default=shuffler(Random(0)))

    @classmethod
    def set(cls, first: Opened, seed: int = 0) -> Table:
        """A table just opened."""
        table = cls(
            opening_state(first, START), [(first, START)], Random(seed), chances=shuffler(Random(seed + 1))
        )
        while (more := consequence(table.table, table.chances)) is not None:
            table.enter(more)
        return table

    def enter(self, entry: LogEntry) -> None:
        """Append an entry to the log."""
        self.table = evolve(self.table, entry, self.now)
        self.log.append((entry, self.now))

    def do(self, command: ask.Command, after: float = 0.0) -> tuple[LogEntry, ...]:
        """Carry out a command, `after` seconds later."""
        self.now += after
        entries = decide(self.table, command, self.now, self.chances)
        for entry in entries:
            self.enter(entry)
        return entries

    def step(self) -> None:
        """Carry out a random command of a seat on turn."""
        self.do(any_answer(self.table, self.rng))

    def until(self, reached: Callable[[TableState], bool], most: int = 20_000) -> Table:
        """Play at random until the state satisfies `reached`."""
        for _ in range(most):
            if reached(self.table):
                return self
            self.step()
        raise AssertionError("never came to what was wished")


def any_answer(table: TableState, rng: Random) -> ask.Command:
    """A random command of a seat on turn."""
    seat = rng.choice(sorted(table.awaited))
    match table.phase:
        case Phase.TIRAGE:
            return ask.Pick(seat, rng.choice([place for place in range(32) if place not in table.picks]))
        case Phase.CUT:
            return ask.CutAt(seat, rng.randint(4, 28))
        case Phase.COUNT:
            return ask.GoOn(seat)
        case _:
            assert table.state is not None
            legal = table.state.legal(seat)
            quiet = table.window and (not legal or rng.random() < 0.5)
            return ask.Pass(seat) if quiet else ask.Act(seat, str(rng.choice(legal)))


def refusal(table: Table, command: ask.Command, after: float = 0.0) -> str:
    """The code with which a command is refused; checks that the table is unchanged."""
    before = (table.table, len(table.log))
    with pytest.raises((Refused, IllegalAction)) as refused:
        table.do(command, after)
    assert (table.table, len(table.log)) == before
    return refused.value.code


def is_over(table: TableState) -> bool:
    return table.phase is Phase.OVER


def playing(table: TableState) -> bool:
    return table.phase is Phase.PLAY
