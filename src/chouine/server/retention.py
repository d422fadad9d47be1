"""Retention: which tables and other records may be deleted, by settings, and their deletion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import sqlalchemy as sa

from chouine.server.keeping import DAYS, KEPT, Age
from chouine.server.schema import (
    act,
    browser,
    challenge,
    classroom,
    contest,
    credential,
    entrant,
    entry,
    friendship,
    imported,
    imported_review,
    invitee,
    mailbox,
    member,
    metadata,
    playing_table,
    prepared,
    pupil,
    reminder,
    review,
    ruling,
    seat,
    subscription,
    waiting,
)
from chouine.server.store import Store

DAY = 24 * 3600.0
AT_ONCE, RECORDS_AT_ONCE = 100, 1000
"""Tables and other records deleted in one transaction, so that play is not blocked for long."""


class Kind(NamedTuple):
    """A kind of record that is not a table's: where it is stored, the time from which it ages, and which it is."""

    table: sa.Table
    at: sa.ColumnElement[float]
    which: sa.ColumnElement[bool] = sa.true()


SINCE: dict[str, sa.ColumnElement[float]] = {
    "names": sa.select(contest.c.opened).where(contest.c.id == entrant.c.contest).scalar_subquery(),
    "rulings": sa.case((ruling.c.until > ruling.c.at, ruling.c.until), else_=ruling.c.at),
}
"""From when records age whose time is in no column: entrants from the announcement, bars from their end."""
ONLY = {"unanswered": ~mailbox.c.confirmed, "asks": friendship.c.state != "friend"}
"""Which rows of a table a kind means, if not all."""


def kind_of(table: sa.Table, age: Age) -> Kind:
    """A kind of record in the database's terms."""
    at = table.c[age.since] if age.since else SINCE[age.kind]
    return Kind(table, at, ONLY.get(age.kind, sa.true()))


RECORDS = {
    age.kind: kind_of(metadata.tables[each.table], age)
    for each in KEPT
    for age in (each.age, each.also)
    if age
}
BELONGING = {
    contest: (act.c.contest, entrant.c.contest),
    member: (browser.c.guest, credential.c.guest),
    challenge: (invitee.c.challenge,),
    imported: (imported_review.c.table_id,),
    classroom: (pupil.c.classroom,),
}
"""Columns of other tables that name a record and are deleted with it."""


@dataclass(frozen=True, slots=True)
class RetentionDays:
    """Days for which tables are kept; None: for ever. By default nothing goes that is in a person's list of matches."""

    nobodys: float | None = DAYS["nobodys"]
    """Tables of computers alone, since their last entry."""
    abandoned: float | None = DAYS["abandoned"]
    """Unfinished matches with people, since their last entry."""
    finished: float | None = DAYS["finished"]
    """Finished matches with people, since their last entry."""
    quota: int | None = None
    """How many tables a visitor may have set that stay otherwise; the oldest beyond that go."""
    records: Mapping[str, float | None] = field(
        default_factory=lambda: {name: DAYS[name] for name in RECORDS}
    )
    """For each kind of `RECORDS`."""


@dataclass(frozen=True, slots=True)
class Going:
    """A table to delete, and why: `nobodys`, `abandoned`, `finished`, `quota`, or `erased` with its only player."""

    table_id: str
    why: str
    last: float
    """The time of its last entry."""
    entries: int


async def going_tables(store: Store, keep: RetentionDays) -> list[Going]:
    """The tables that may be deleted under these settings, oldest first."""
    now = await store.now()
    rows = await store.database.rows(TABLES)
    staying: dict[str, int] = {}
    found = []
    for row in rows:  # the newest first
        last = row.last if row.last is not None else row.opened
        why = why_expired(row, (now - last) / DAY, keep)
        if not why:
            staying[row.owner] = staying.get(row.owner, 0) + 1
            why = beyond_quota(row, staying[row.owner], keep)
        if why:
            found.append(Going(row.id, why, last, row.entries))
    return found[::-1]


def why_expired(row: Any, days: float, keep: RetentionDays) -> str:
    """The reason for deleting a table so many days after its last entry; empty if there is none."""
    if not row.guests:
        kept, why = keep.nobodys, "nobodys"
    else:
        kept, why = (keep.finished, "finished") if row.over else (keep.abandoned, "abandoned")
    return why if kept is not None and days >= kept else ""


def beyond_quota(row: Any, nth: int, keep: RetentionDays) -> str:
    """`quota` for a table with people that is its owner's `nth`, the newest first, where fewer are kept."""
    return "quota" if row.guests and row.owner and keep.quota is not None and nth > keep.quota else ""


async def remove(store: Store, tables: Sequence[Going]) -> None:
    """Delete tables with their logs, seats and reviews, each wholly or not at all.

    Their guests lose their notification subscriptions too, unless they still sit somewhere, have entered a contest,
    wait for a partner, or know somebody.
    """
    for start in range(0, len(tables), AT_ONCE):
        names = [table.table_id for table in tables[start : start + AT_ONCE]]

        def change(connection: sa.Connection, names: Sequence[str] = names) -> None:
            leaving = sa.select(seat.c.guest).where(seat.c.table_id.in_(names)).distinct()
            guests = connection.execute(leaving).scalars().all()
            for table in (entry, seat, review, prepared):
                connection.execute(table.delete().where(table.c.table_id.in_(names)))
            connection.execute(playing_table.delete().where(playing_table.c.id.in_(names)))
            for table in (subscription, mailbox, reminder):
                of_nobody = [
                    table.c.guest.not_in(sa.select(other.c.guest))
                    for other in (seat, entrant, waiting, friendship)
                ]
                connection.execute(table.delete().where(table.c.guest.in_(guests), *of_nobody))

        await store.database.write(change)


async def count_aged(store: Store, keep: RetentionDays) -> dict[str, tuple[int, float]]:
    """How many records of each kind may be deleted, and the time of the oldest; without kinds of which none may."""
    found = {}
    for name, (kind, until) in (await expiring_kinds(store, keep)).items():
        number, oldest = await store.database.read(partial(some_of, kind, until))
        if number:
            found[name] = number, oldest
    return found


async def remove_aged(store: Store, keep: RetentionDays) -> None:
    """Delete these records, the oldest first."""
    for kind, until in (await expiring_kinds(store, keep)).values():
        while await store.database.write(partial(remove_some, kind, until)):
            pass


async def expiring_kinds(store: Store, keep: RetentionDays) -> dict[str, tuple[Kind, float]]:
    """The kinds of which records may be deleted, each with the time until when."""
    now = await store.now()
    return {
        name: (RECORDS[name], now - days * DAY) for name, days in keep.records.items() if days is not None
    }


def some_of(kind: Kind, until: float, connection: sa.Connection) -> tuple[int, float]:
    """How many records of a kind are no younger than `until`, and the time of the oldest."""
    query = sa.select(sa.func.count(), sa.func.min(kind.at)).select_from(kind.table)
    query = query.where(kind.which, kind.at <= until)
    number, oldest = connection.execute(query).one()
    return number, oldest


def remove_some(kind: Kind, until: float, connection: sa.Connection) -> bool:
    """Delete some records of a kind that are no younger than `until`; False once there are none."""
    old = sa.select(kind.at.label("at")).select_from(kind.table).where(kind.which, kind.at <= until)
    old = old.order_by("at").limit(RECORDS_AT_ONCE)
    last = connection.execute(sa.select(sa.func.max(old.subquery().c[0]))).scalar()
    if last is None:
        return False
    going = kind.which & (kind.at <= last)
    delete_belonging(kind.table, going, connection)
    connection.execute(kind.table.delete().where(going))
    return True


def delete_belonging(table: sa.Table, which: sa.ColumnElement[bool], connection: sa.Connection) -> None:
    """Delete what other tables have of these rows and cannot be without them."""
    for column in BELONGING.get(table, ()):
        (key,) = table.primary_key
        connection.execute(column.table.delete().where(column.in_(sa.select(key).where(which))))


LOGS = (
    sa.select(entry.c.table_id, sa.func.max(entry.c.at).label("last"), sa.func.count().label("entries"))
    .group_by(entry.c.table_id)
    .subquery()
)
SEATED = sa.select(seat.c.table_id, sa.func.count().label("guests")).group_by(seat.c.table_id).subquery()
TABLES = (
    sa.select(
        playing_table.c.id,
        playing_table.c.opened,
        playing_table.c.over,
        playing_table.c.owner,
        LOGS.c.last,
        sa.func.coalesce(LOGS.c.entries, 0).label("entries"),
        sa.func.coalesce(SEATED.c.guests, 0).label("guests"),
    )
    .select_from(
        playing_table.outerjoin(LOGS, LOGS.c.table_id == playing_table.c.id).outerjoin(
            SEATED, SEATED.c.table_id == playing_table.c.id
        )
    )
    .order_by(playing_table.c.opened.desc(), playing_table.c.id)
)
