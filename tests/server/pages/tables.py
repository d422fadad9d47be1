"""Random matches entry by entry, for the tests of frames and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from chouine.cards import PACK
from chouine.table import Opened, Phase, SeatHolder, TableState, decide, evolve
from chouine.table import commands as ask
from chouine.table.decide import consequence
from chouine.table.entries import LogEntry, Shuffled
from chouine.table.evolve import opening_state

NAMES = ("Jean", "Charles", "Marthe", "Lucien")


@dataclass(frozen=True)
class Moment:
    """An entry, with the table before and after it."""

    before: TableState
    entry: LogEntry
    after: TableState


def chairs(guests: str) -> tuple[SeatHolder, ...]:
    """A chair for each letter: the guest of that name, or a computer for a dash."""
    return tuple(
        SeatHolder("heuristic", NAMES[seat]) if guest == "-" else SeatHolder("person", NAMES[seat], guest)
        for seat, guest in enumerate(guests)
    )


def shuffling(rng: Random) -> Callable[[], Shuffled]:
    """A function that returns seeded random packs."""

    def shuffle() -> Shuffled:
        pack = list(PACK)
        rng.shuffle(pack)
        return Shuffled("".join(map(str, pack)), f"{rng.getrandbits(64):016x}")

    return shuffle


def random_match(rules: str, format_: str, guests: str, seed: int, most: int = 100_000) -> Iterator[Moment]:
    """A match of random commands, or its start of at most `most` commands."""
    rng = Random(seed)
    shuffle = shuffling(rng)
    table = opening_state(Opened(rules, format_, chairs(guests)), 0.0)
    while (entry := consequence(table, shuffle)) is not None:
        table, moment = step(table, entry)
        yield moment
    for _ in range(most):
        if table.phase is Phase.OVER:
            return
        for entry in decide(table, command(table, rng), float(table.n), shuffle):
            table, moment = step(table, entry)
            yield moment


def step(table: TableState, entry: LogEntry) -> tuple[TableState, Moment]:
    after = evolve(table, entry, float(table.n))
    return after, Moment(table, entry, after)


def command(table: TableState, rng: Random) -> ask.Command:
    """A random command of a seat on turn."""
    seat = rng.choice(sorted(table.awaited))
    match table.phase:
        case Phase.TIRAGE:
            return ask.Pick(seat, rng.choice([place for place in range(32) if place not in table.picks]))
        case Phase.CUT:
            return ask.CutAt(seat, rng.randrange(4, 29))
        case Phase.COUNT:
            return ask.GoOn(seat)
        case _:
            return acting(table, seat, rng)


def acting(table: TableState, seat: int, rng: Random) -> ask.Command:
    """A random act: usually a declaration or the exchange if possible; while "au sept" is open, 7x or a pass."""
    assert table.state is not None
    tokens = [str(action) for action in table.state.legal(seat)]
    if table.window:
        return ask.Act(seat, "7x") if "7x" in tokens and rng.random() < 0.5 else ask.Pass(seat)
    said = [token for token in tokens if "+" in token or token == "7x"]
    return ask.Act(seat, rng.choice(said if said and rng.random() < 0.7 else tokens))
