"""Replay every match of a database by the rules, and compare it with the acknowledged commands.

    python -m benchmarks.server.check DATABASE [LEDGER …]

A log's entries must equal the output of `decide` for its commands and packs, so that lost, doubled, reordered or
illegal entries are found. A ledger lists the acknowledgements that a process of players received.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter, defaultdict, deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from benchmarks.arguments import read_arguments
from chouine.cards import PACK
from chouine.cli.databases import database_url
from chouine.errors import ChouineError
from chouine.server import codec
from chouine.server.engines import engine_of
from chouine.server.schema import entry, playing_table, seat
from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.decide import consequence, decide
from chouine.table.evolve import evolve, opening_state
from chouine.table.state import Phase, TableState

Acknowledged = tuple[str, str, int, float]
"""The table, the command's id in the log, the log's length in the answer, and the time."""


@dataclass(frozen=True, slots=True)
class Line:
    """A stored entry."""

    n: int
    at: float
    command: str | None
    entry: log.LogEntry


class Astray(Exception):
    """A log is wrong; the message says how."""


@dataclass(frozen=True, slots=True)
class Report:
    """The findings; `faults` has a line for each."""

    tables: int
    entries: int
    acknowledged: int
    lost: int
    """Acknowledged commands that are missing."""
    doubled: int
    """Acknowledged commands that occur more than once."""
    faults: tuple[str, ...]


def replay(lines: Iterable[Line]) -> TableState:
    """Replay a log; raises `Astray` if an entry is not what the rules of the table give."""
    left = deque(lines)
    table = replay_opening(left)
    while left:
        at, command = left[0].at, command_of(left[0].entry, table)
        try:
            due = decide(table, command, at, packs(left))
        except ChouineError as error:
            raise Astray(f"entry {left[0].n} was not legal: {error.code}") from error
        for told in due:
            table = evolve(table, take_entry(left, told), at)
    return table


def replay_opening(left: deque[Line]) -> TableState:
    """The state after the table's opening, with the pack, if any."""
    first = left.popleft()
    if first.n != 1 or not isinstance(first.entry, log.Opened):
        raise Astray("the log does not begin with the table's opening")
    table = opening_state(first.entry, first.at)
    while (due := consequence(table, packs(left))) is not None:
        table = evolve(table, take_entry(left, due), first.at)
    return table


def take_entry(left: deque[Line], due: log.LogEntry) -> log.LogEntry:
    """The next entry; raises `Astray` if it is not the expected one."""
    if not left:
        raise Astray(f"the log breaks off before {type(due).__name__}")
    line = left.popleft()
    if line.entry != due:
        raise Astray(f"entry {line.n} is {type(line.entry).__name__}, where {type(due).__name__} was due")
    return due


def packs(left: deque[Line]) -> Callable[[], log.Shuffled]:
    """A function that returns the next shuffled pack of the log."""

    def next_pack() -> log.Shuffled:
        pack = next((line.entry for line in left if isinstance(line.entry, log.Shuffled)), None)
        if pack is None:
            raise Astray("the log breaks off before a pack")
        cards = {pack.pack[place : place + 2] for place in range(0, 64, 2)}
        if len(pack.pack) != 64 or cards != set(map(str, PACK)):
            raise Astray("a pack is not of 32 cards")
        return pack

    return next_pack


def command_of(entry: log.LogEntry, table: TableState) -> ask.Command:
    """The command that gives an entry."""
    match entry:
        case log.Sat(who, str(guest), name):
            return ask.Sit(who, guest, name, table.holders[who].guest)
        case log.Picked(who, place):
            return ask.Pick(who, place)
        case log.Cut(who, at):
            return ask.CutAt(who, at)
        case log.Acted(who, token):
            return ask.Act(who, token)
        case log.Passed(who):
            return ask.Pass(who)
        case log.Ready(who):
            return ask.GoOn(who)
        case log.Conceded(who):
            return ask.Concede(who)
        case log.Forfeited(who, late):
            return ask.Tick() if late else ask.ForfeitMatch(who)
        case log.WindowClosed():
            return ask.Tick()
        case _:
            return manners_of(entry)


def manners_of(entry: log.LogEntry) -> ask.Command:
    """The command of an entry that is not play."""
    match entry:
        case log.PauseAsked(who):
            return ask.Pause(who)
        case log.Resumed(who):
            return ask.Resume(who)
        case log.Spoke(who, phrase):
            return ask.Speak(who, phrase)
        case log.RevancheAsked(who):
            return ask.Revanche(who)
        case log.Followed(there):
            return ask.Follow(there)
        case log.Missed(who):
            return ask.Miss(who)
        case log.Credited(seconds):
            return ask.Credit(seconds)
        case _:
            raise Astray(f"no command leads to {type(entry).__name__} here")


async def check_database(database: str, ledgers: Iterable[Path]) -> Report:
    """Check every table of a database and every line of the ledgers."""
    engine = engine_of(database)
    faults: list[str] = []
    commands: dict[str, Counter[str]] = {}
    lengths: dict[str, int] = {}
    async with engine.connect() as connection:
        over = {
            row.id: row.over
            for row in await connection.execute(sa.select(playing_table.c.id, playing_table.c.over))
        }
        seats: defaultdict[str, dict[int, str]] = defaultdict(dict)
        for row in await connection.execute(sa.select(seat)):
            seats[row.table_id][row.seat] = row.guest
        async for name, lines in logs(connection):
            lengths[name] = len(lines)
            commands[name] = Counter(line.command for line in lines if line.command)
            faults += [f"{name}: {fault}" for fault in faults_of(lines, over=over[name], seats=seats[name])]
    await engine.dispose()
    faults += [f"{name}: no log" for name in over if name not in lengths]
    acknowledged = [line for ledger in ledgers for line in read(ledger)]
    lost = doubled = 0
    for name, command, n, _ in acknowledged:
        times = commands.get(name, Counter())[command]
        if times != 1 or n > lengths[name]:
            faults.append(f"{name}: {command}, acknowledged at {n}, is there {times} times")
        lost, doubled = lost + (not times or n > lengths[name]), doubled + (times > 1)
    return Report(len(lengths), sum(lengths.values()), len(acknowledged), lost, doubled, tuple(faults))


def faults_of(lines: list[Line], *, over: bool, seats: dict[int, str]) -> list[str]:
    """The errors of one table."""
    if [line.n for line in lines] != list(range(1, len(lines) + 1)):
        return ["entries are missing"]
    try:
        table = replay(lines)
    except Astray as astray:
        return [str(astray)]
    except (LookupError, TypeError, ValueError) as error:
        return [f"it tells of what cannot be: {type(error).__name__}"]
    guests = {who: chair.guest for who, chair in enumerate(table.holders) if chair.guest}
    wrong = ["it is kept as over, wrongly or not"] if over != (table.phase is Phase.OVER) else []
    return [*wrong, *(["its chairs are kept wrongly"] if guests != seats else [])]


async def logs(connection: AsyncConnection) -> AsyncIterator[tuple[str, list[Line]]]:
    """The logs, table by table."""
    query = sa.select(entry).order_by(entry.c.table_id, entry.c.n)
    name, lines = "", list[Line]()
    async for row in await connection.stream(query):
        if row.table_id != name:
            if lines:
                yield name, lines
            name, lines = row.table_id, []
        lines.append(Line(row.n, row.at, row.command, codec.decode(row.body)))
    if lines:
        yield name, lines


def read(ledger: Path) -> list[Acknowledged]:
    decode = msgspec.json.Decoder(Acknowledged).decode
    return [decode(line) for line in ledger.read_bytes().splitlines()]


def check(database: str, ledgers: Iterable[Path] = ()) -> Report:
    """Check a database, e.g. `sqlite+aiosqlite:///chouine.db`."""
    return asyncio.run(check_database(database, ledgers))


def main() -> None:
    database, ledgers = read_arguments(__doc__, database=str, ledgers=[])
    report = check(database_url(database), map(Path, ledgers))
    print(f"{report.tables} tables, {report.entries} entries, {report.acknowledged} acknowledged moves")
    print("\n".join(report.faults) or "nothing lost, doubled or illegal")
    sys.exit(bool(report.faults))


if __name__ == "__main__":
    main()
