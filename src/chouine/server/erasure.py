"""Erasing a person: what is theirs alone is deleted, and in what belongs to others too nobody takes their place."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import msgspec
import sqlalchemy as sa

from chouine.contest import ActRefused, Withdrew
from chouine.server.accounts.browsers import note_signed_out
from chouine.server.codec import decode, decode_brief, encode, encode_brief
from chouine.server.contest.online import Contests
from chouine.server.database import Damaged, take_turns
from chouine.server.keeping import KEPT
from chouine.server.retention import Going, delete_belonging, remove
from chouine.server.schema import (
    NEXT,
    act,
    block,
    challenge,
    contest,
    credential,
    entrant,
    entry,
    erasure,
    former,
    friendship,
    invitee,
    metadata,
    passage,
    playing_table,
    rating,
    report,
    ruling,
    seat,
    tally,
)
from chouine.server.store import Gone, Store
from chouine.server.tables import Tables
from chouine.table.commands import Leave, Refused
from chouine.table.entries import LEFT, NOBODY, LogEntry, Opened, Sat, SeatHolder

SITS = b'{"kind":"sat"'
"""The beginning of the entries that name people, besides a log's first."""
AT_ONCE = 200
"""Tables searched at a time."""
OWN = [metadata.tables[each.table] for each in KEPT if each.own]
"""Tables whose rows are one guest's alone: deleted with them."""
NAMING = sa.or_(entry.c.n == 1, sa.func.substr(entry.c.body, 1, len(SITS)) == SITS)


@dataclass(frozen=True, slots=True)
class ErasureReport:
    """What an erasure found: tables deleted, and tables that stay for others."""

    deleted: int
    kept: int


async def erase(tables: Tables, contests: Contests, guest: str) -> ErasureReport:
    """Erase a guest. Matches with others stay whole, those in progress as lost; nobody is named in the guest's place.

    It can be repeated: the guest is noted first, and the note says at the end that nothing is left. Raises
    `Unreachable`.
    """
    known_as = (guest, *await former_guests(tables.store, guest))
    for one in known_as:
        await note_erasure(tables, one)
    erased = await clear(tables, contests, guest)
    done = erasure.update().where(erasure.c.guest.in_(known_as)).values(done=True)
    await tables.store.database.execute(done)
    return erased


async def finish_erasures(tables: Tables, contests: Contests, guests: Collection[str]) -> int:
    """Erase those of these guests, and of the store's own, who are not erased whole; return how many."""
    whole = await erased_guests(tables.store)
    left = {guest for guest in {*guests, *whole} if not whole.get(guest)}
    for guest in sorted(left):
        await erase(tables, contests, guest)
    return len(left)


async def former_guests(store: Store, guest: str) -> Sequence[str]:
    """The guests who became this one: the same person, as older copies of the database know them."""
    found = sa.select(former.c.former).where(former.c.guest == guest)
    return await store.database.read(lambda connection: connection.scalars(found).all())


async def erased_guests(store: Store) -> dict[str, bool]:
    """Who was erased from this database, or from a copy of it, and whether whole: an erasure may be interrupted."""
    rows = sa.select(erasure.c.guest, erasure.c.done)
    return await store.database.read(
        lambda connection: {row.guest: row.done for row in connection.execute(rows)}
    )


async def note_erasure(tables: Tables, guest: str) -> None:
    """Note that a guest is to be erased, also from copies. What is stored of them from now on is not theirs."""

    def change(connection: sa.Connection) -> None:
        take_turns(connection, guest)
        if connection.scalar(sa.select(erasure.c.guest).where(erasure.c.guest == guest)) is None:
            connection.execute(erasure.insert().values(guest=guest, at=tables.clock(), done=False))

    await tables.store.database.write(change)


async def clear(tables: Tables, contests: Contests, guest: str) -> ErasureReport:
    """Erase what is there of a guest, without noting it; matches with others stay whole."""
    store = tables.store
    await leave_contests(contests, guest)
    found = await tables_naming(store, guest)
    alone = [table_id for table_id, shared in found.items() if not shared]
    for table_id in found.keys() - {*alone}:
        await leave_table(tables, table_id, guest)
    await remove(store, [Going(table_id, "erased", 0.0, 0) for table_id in alone])
    for table_id in alone:
        tables.drop(table_id)
    await store.database.write(partial(delete_own, guest, alone))
    await store.database.leave_no_trace()
    return ErasureReport(len(alone), len(found) - len(alone))


async def leave_contests(contests: Contests, guest: str, twin: str = "") -> None:
    """Withdraw a guest from the contests that are not over, and that `twin` has entered if there is one.

    Their matches there are lost.
    """
    for online in await contests.of(guest):
        number = online.number_of(guest)
        if number is not None and (not twin or online.number_of(twin) is not None):
            with suppress(ActRefused):
                await contests.do(online.id, lambda _, number=number: Withdrew(number))  # type: ignore[misc]


async def tables_naming(store: Store, guest: str) -> dict[str, bool]:
    """The tables whose logs name a guest, each with whether others hold seats there. Others are served meanwhile."""
    found: dict[str, bool] = {}
    last = ""
    while piece := await store.database.read(partial(tables_after, last)):
        found |= await store.database.read(partial(naming_among, guest, piece))
        last = piece[-1]
        await asyncio.sleep(0)
    return found


def tables_after(last: str, connection: sa.Connection) -> Sequence[str]:
    """The next tables in order of their identifiers."""
    following = sa.select(playing_table.c.id).where(playing_table.c.id > last)
    return connection.scalars(following.order_by(playing_table.c.id).limit(AT_ONCE)).all()


def naming_among(guest: str, tables: Sequence[str], connection: sa.Connection) -> dict[str, bool]:
    """Those of these tables whose logs name a guest, each with whether others hold seats there."""
    wanted = f'"guest":"{guest}"'.encode()
    if connection.dialect.name == "sqlite":
        place = sa.func.instr(entry.c.body, wanted)
    else:
        place = sa.func.position(sa.literal(wanted).op("IN")(entry.c.body))
    naming = sa.select(entry.c.table_id).where(entry.c.table_id.in_(tables), NAMING, place > 0)
    named = connection.scalars(naming.distinct()).all()
    others = sa.select(seat.c.table_id).where(seat.c.table_id.in_(named), seat.c.guest != guest)
    shared = {*connection.scalars(others)}
    return {table_id: table_id in shared for table_id in named}


async def leave_table(tables: Tables, table_id: str, guest: str) -> None:
    """Give a guest's seats up, and let the table's log and line in lists name nobody in their place."""
    database = tables.store.database
    held = sa.select(seat.c.seat).where(seat.c.table_id == table_id, seat.c.guest == guest)
    seats = await database.read(lambda connection: connection.scalars(held).all())
    # in the write that gives a seat up: afterwards nothing tells whose it was
    name_nobody = partial(rewrite, table_id, guest, {*seats})
    for each in seats:
        with suppress(Damaged, Refused, LookupError, Gone):  # then the log at least names nobody
            await tables.do(table_id, Leave(each), also=[name_nobody])
    await database.write(name_nobody)
    tables.drop(table_id)


def rewrite(table_id: str, guest: str, seats: Collection[int], connection: sa.Connection) -> None:
    """Name nobody at these seats: in a table's log, in its line in lists, and in reports of it."""
    of_table = entry.c.table_id == table_id
    names = set()
    for row in connection.execute(sa.select(entry.c.n, entry.c.body).where(of_table, NAMING)).all():
        with suppress(msgspec.MsgspecError):  # damaged before: it names nobody that can be read
            before = decode(row.body)
            names |= names_at(before, seats)
            after = without_guest(before, guest, seats)
            if after != before:
                connection.execute(
                    entry.update().where(of_table, entry.c.n == row.n).values(body=encode(after))
                )
    this = playing_table.c.id == table_id
    if (line := connection.scalar(sa.select(playing_table.c.brief).where(this))) is not None:
        kept = None  # made anew when it is next listed
        with suppress(msgspec.MsgspecError):
            brief = decode_brief(line)
            kept = encode_brief(replace(brief, holders=without_holder(brief.holders, guest, seats)))
        connection.execute(playing_table.update().where(this).values(brief=kept))
    words: sa.ColumnElement[str] = report.c.words
    for name in sorted(names, key=len, reverse=True):
        words = sa.func.replace(words, name, LEFT)
    about = report.update().where(report.c.table_id == table_id, report.c.seat.in_(seats))
    connection.execute(about.values(name=LEFT, words=words))


def names_at(made: LogEntry, seats: Collection[int]) -> set[str]:
    """The names that an entry gives to seats."""
    match made:
        case Opened(chairs=chairs):
            return {chairs[each].name for each in seats if chairs[each].name}
        case Sat(place, _, name) if place in seats and name:
            return {name}
        case _:
            return set()


def without_guest(made: LogEntry, guest: str, seats: Collection[int]) -> LogEntry:
    """An entry in which nobody holds these seats, nor any that `guest` held before another."""
    match made:
        case Opened(chairs=chairs):
            return replace(made, chairs=without_holder(chairs, guest, seats))
        case Sat(_, "" | None):
            return made
        case Sat(place, holder) if place in seats or holder == guest:
            return Sat(place, NOBODY, LEFT, rated=made.rated)
        case _:
            return made


def without_holder(
    holders: tuple[SeatHolder, ...], guest: str, seats: Collection[int]
) -> tuple[SeatHolder, ...]:
    """The holders of a table with nobody in these seats or in the guest's; a seat that was empty stays empty."""
    return tuple(
        SeatHolder("person", LEFT, NOBODY, rated=holder.rated)
        if holder.guest and (place in seats or holder.guest == guest)
        else holder
        for place, holder in enumerate(holders)
    )


def delete_own(guest: str, tables: Collection[str], connection: sa.Connection) -> None:
    """Delete a guest's rows, and contests that nobody else entered; those with others stay without an announcer.

    A bar of an address holds to its end, of nobody: else whoever is barred would erase themselves, and come back.
    """
    others = sa.select(entrant.c.contest).where(entrant.c.guest != guest)
    mine = sa.select(contest.c.id).where(
        contest.c.owner == guest, contest.c.state == "open", contest.c.id.not_in(others)
    )
    alone = connection.scalars(mine).all()
    connection.execute(entrant.delete().where(entrant.c.guest == guest))
    for column in (act.c.contest, contest.c.id):
        connection.execute(column.table.delete().where(column.in_(alone)))
    for table in (playing_table, contest):
        connection.execute(table.update().where(table.c.owner == guest).values(owner="", origin=""))
    connection.execute(report.delete().where(report.c.table_id.in_(tables)))
    about = report.update().where(report.c.other == guest)
    connection.execute(about.where(report.c.place != "table").values(name=LEFT, words=""))
    connection.execute(about.values(other=""))
    barred = ruling.update().where(
        ruling.c.guest == guest, ruling.c.what == "bar", ruling.c.origin.not_in(("", NEXT))
    )
    connection.execute(barred.values(guest="", name="", reason="", answer="", told=True))
    note_signed_out(connection)
    delete_rows([guest], connection)


def delete_rows(guests: Collection[str] | sa.Select[tuple[str]], connection: sa.Connection) -> None:
    """Delete what is guests' alone. Figures of rated matches stay, of nobody: they explain others' ratings."""
    for column in (rating.c.guest, tally.c.other):
        connection.execute(column.table.update().where(column.in_(guests)).values({column: ""}))
    of_mail = credential.c.guest.in_(guests), credential.c.kind == "mail"
    connection.execute(
        passage.delete().where(passage.c.address.in_(sa.select(credential.c.label).where(*of_mail)))
    )
    asked = sa.select(invitee.c.challenge).where(invitee.c.guest.in_(guests))
    over = challenge.update().where(challenge.c.id.in_(asked), challenge.c.state == "open")
    connection.execute(over.values(state="declined"))
    for column in (block.c.other, friendship.c.other, invitee.c.guest):
        connection.execute(column.table.delete().where(column.in_(guests)))
    for table in OWN:
        theirs = table.c.guest.in_(guests)
        delete_belonging(table, theirs, connection)
        connection.execute(table.delete().where(theirs))


async def erase_again(store: Store) -> None:
    """Erase what a node of the version before left of erased guests, in tables that it does not know."""
    await store.database.write(partial(delete_rows, sa.select(erasure.c.guest)))
