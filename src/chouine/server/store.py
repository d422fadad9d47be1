"""The persistent store, for SQLite by default and PostgreSQL, over SQLAlchemy Core.

A table is its log. The key `(game, n)` decides races between writers, the command's id recognises a command sent
twice. An append is one transaction, and is durable before anyone is notified.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeVar

import sqlalchemy as sa
from msgspec.structs import asdict
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from chouine.server.codec import decode, encode
from chouine.server.database import Damaged, Database, database_at, take_turns
from chouine.server.difficulty import TrialRating
from chouine.server.metrics import ENTRIES
from chouine.server.schema import (
    STORED_OLDEST,
    STORED_VERSION,
    difficulty,
    entry,
    imported,
    imported_review,
    playing_table,
    review,
    seat,
    session,
    setting,
)
from chouine.server.table_ids import brought_as_file
from chouine.table.entries import LogEntry

Value = TypeVar("Value")
Change = Callable[[sa.Connection], object]
"""Writes within a transaction."""
ALL = 2**31 - 2
"""No limit to the number of entries read."""
DUE = 500
"""Limit to the due tables that one query returns, not counting those being handled."""


def reviews_with(of: str) -> sa.Table:
    """Where the reviews of a table's parties are stored; those of parties brought as a file are apart."""
    return imported_review if brought_as_file(of) else review


class Gone(Exception):
    """A table that was there has been removed."""


class Conflict(Exception):
    """Another writer appended to the log first, or the command was already carried out. Nothing was written."""


@dataclass(frozen=True, slots=True)
class Append:
    """Entries to append after the first `n` of a log, and the columns that change with them."""

    table_id: str
    n: int
    at: float
    command: str | None
    entries: Sequence[LogEntry]
    wake: float | None
    over: bool
    seats: Sequence[tuple[int, str | None]] = ()
    """Seats taken by these entries, as (seat, guest); given up where there is no guest."""
    stirs: bool = True
    """Whether `wake` or `over` may have changed."""
    brief: bytes | None = None
    """The table's line in lists, once it is over."""
    also: Sequence[Change] = ()
    """Further changes in the same transaction."""
    owner: str = ""
    origin: str = ""
    """`owner`: the guest who sets the table; `origin`: a digest of their address."""

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The rows to insert into the log."""
        return [
            {
                "table_id": self.table_id,
                "n": self.n + nth,
                "at": self.at,
                "command": self.command if nth == 1 else None,
                "body": encode(body),
            }
            for nth, body in enumerate(self.entries, 1)
        ]


class Store:
    """One deployment's database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @classmethod
    def at(cls, url: str) -> Self:
        """The store for a database URL."""
        return cls(database_at(url))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self.database.close()

    async def open(self, first: Append, claim: Callable[[sa.Connection], None] | None = None) -> None:
        """Create a table with the first entries of its log. Raises `Conflict` if the identifier is taken.

        `claim` makes further changes in the same transaction; if it raises, no table is created.
        """

        def change(connection: sa.Connection) -> None:
            if claim is not None:
                claim(connection)
            write_table(first, connection)

        await self._write_entries(self.database.write(change), [first])

    async def append(self, more: Append) -> None:
        """Append to a log. Raises `Conflict` if the log has grown meanwhile or holds the command already."""
        plain = more.n > 0 and len(more.entries) == 1 and not (more.stirs or more.seats or more.also)
        change = partial(write_more, more)
        await self._write_entries(
            self.database.insert(entry, more.lines[0]) if plain else self.database.write(change), [more]
        )

    async def append_all(self, several: Sequence[Append], also: Change) -> None:
        """Append to several logs and make further changes: all, or none with `Conflict` as of `append`."""

        def change(connection: sa.Connection) -> None:
            for more in several:
                write_more(more, connection)
            also(connection)

        await self._write_entries(self.database.write(change), several)

    async def _write_entries(self, written: Awaitable[object], several: Sequence[Append]) -> None:
        try:
            await written
        except IntegrityError as error:
            raise Conflict from error
        ENTRIES.inc(sum(len(more.entries) for more in several))

    async def log(self, of: str, after: int = 0, most: int = ALL) -> list[tuple[LogEntry, float]]:
        """A log's entries after the first `after`, with their times.

        Empty if there never was such a table. Raises `Gone` if it has been removed since entry `after` was read,
        `Damaged` for a log that lacks an entry or has an unreadable one.
        """
        known = min(after, 1)  # that last entry is read again: it tells whether the table is still there
        found = await self._rows(LOG, {"of": of, "from": after + 1 - known, "most": most + known})
        if not found and not await self._rows(sa.select(playing_table.c.id).where(playing_table.c.id == of)):
            if after:
                raise Gone
            return []
        if not found or any(row.n != n for n, row in enumerate(found, after + 1 - known)):
            raise Damaged
        try:
            return [(decode(row.body), row.at) for row in found[known:]]
        except Exception as error:
            raise Damaged from error

    async def lengths(self, table_ids: Collection[str]) -> dict[str, int]:
        """The number of entries of each log."""
        length = (
            sa.select(sa.func.max(entry.c.n)).where(entry.c.table_id == playing_table.c.id).scalar_subquery()
        )
        query = sa.select(playing_table.c.id, length.label("n")).where(playing_table.c.id.in_(table_ids))
        return {row.id: row.n or 0 for row in await self._rows(query)}

    async def is_taken(self, of: str, command: str) -> bool:
        """Whether a command has been carried out already."""
        query = sa.select(entry.c.n).where(entry.c.table_id == of, entry.c.command == command)
        return bool(await self._rows(query))

    async def due_tables(self, now: float, but: Collection[str] = ()) -> list[str]:
        """Tables whose wake time has passed, longest overdue first, except those in `but`."""
        query = (
            sa.select(playing_table.c.id)
            .where(playing_table.c.wake <= now)
            .order_by(playing_table.c.wake)
            .limit(DUE + len(but))
        )
        return [row.id for row in await self._rows(query) if row.id not in but]

    async def claim(self, now: float, until: float, but: Collection[str] = ()) -> list[str]:
        """Tables whose wake time has passed, except those in `but`, reserved for this node until `until`.

        Other nodes may share the database.
        """
        due = await self.due_tables(now, but)
        if not due or self.database.dialect == "sqlite":
            return due
        free = (
            sa.select(playing_table.c.id)
            .where(playing_table.c.id.in_(due), playing_table.c.wake <= now)
            .with_for_update(skip_locked=True)
        )
        claimed = (
            playing_table.update()
            .where(playing_table.c.id.in_(free))
            .values(wake=until)
            .returning(playing_table.c.id)
        )
        return await self.database.write(lambda connection: [row.id for row in connection.execute(claimed)])

    async def waking_tables(self) -> list[str]:
        """Tables with a `wake` time."""
        query = sa.select(playing_table.c.id).where(playing_table.c.wake.is_not(None))
        return [row.id for row in await self._rows(query)]

    async def playing_ids_of(self, guest: str, limit: int = 50, since: float | None = None) -> list[str]:
        """A guest's tables whose match is not over, and all that were set since a time; the newest first."""
        held = sa.select(seat.c.table_id).where(seat.c.guest == guest)
        wanted = ~playing_table.c.over
        if since is not None:
            wanted |= playing_table.c.opened >= since
        query = sa.select(playing_table.c.id).where(playing_table.c.id.in_(held), wanted)
        return [
            row.id for row in await self._rows(query.order_by(playing_table.c.opened.desc()).limit(limit))
        ]

    async def table_ids_of(self, guest: str, limit: int = 50) -> list[tuple[str, bytes | None]]:
        """A guest's tables, newest first, each with its line for lists if it is over."""
        held = sa.select(seat.c.table_id).where(seat.c.guest == guest)
        query = (
            sa.select(playing_table.c.id, playing_table.c.brief)
            .where(playing_table.c.id.in_(held))
            .order_by(playing_table.c.opened.desc())
            .limit(limit)
        )
        return [(row.id, row.brief) for row in await self._rows(query)]

    async def set_by(self, of: str) -> tuple[str, str]:
        """The guest who set a table and the digest of their address; empty where unknown."""
        columns = playing_table.c.owner, playing_table.c.origin
        found = await self.database.first(sa.select(*columns).where(playing_table.c.id == of))
        return (found.owner, found.origin) if found else ("", "")

    async def keep_brief(self, of: str, brief: bytes) -> None:
        """Store the summary line of a finished table that predates summaries."""
        change = (
            playing_table.update()
            .where(playing_table.c.id == of, playing_table.c.over, playing_table.c.brief.is_(None))
            .values(brief=brief)
        )
        await self.database.execute(change)

    async def reviews(self, of: str) -> dict[int, bytes]:
        """The stored reviews of a table's parties, by partie."""
        kept = reviews_with(of)
        query = sa.select(kept.c.partie, kept.c.body).where(kept.c.table_id == of)
        return {row.partie: row.body for row in await self._rows(query)}

    async def reviews_of(self, guest: str, limit: int) -> list[tuple[str, int, int, bytes, bytes]]:
        """Stored reviews of a guest's parties, newest tables first.

        Each as (table, partie, the guest's seat, review, the first entry of the table's log).
        """
        first = sa.and_(entry.c.table_id == review.c.table_id, entry.c.n == 1)
        query = (
            sa.select(
                review.c.table_id, review.c.partie, seat.c.seat, review.c.body, entry.c.body.label("opened")
            )
            .join(seat, seat.c.table_id == review.c.table_id)
            .join(entry, first)
            .join(playing_table, playing_table.c.id == review.c.table_id)
            .where(seat.c.guest == guest)
            .order_by(playing_table.c.opened.desc(), review.c.table_id, review.c.partie.desc(), seat.c.seat)
            .limit(limit)
        )
        rows = await self._rows(query)
        return [(row.table_id, row.partie, row.seat, row.body, row.opened) for row in rows]

    async def keep_review(self, of: str, partie: int, body: bytes) -> None:
        """Store a partie's review."""
        values = {"table_id": of, "partie": partie, "body": body}
        await self._upsert(reviews_with(of), values, ["table_id", "partie"], ["body"])

    async def import_named(self, of: str) -> tuple[str, float, str] | None:
        """Parties brought as a file: who brought them, when, and their records; None if there are none."""
        columns = imported.c.guest, imported.c.at, imported.c.body
        row = await self.database.first(sa.select(*columns).where(imported.c.id == of))
        return (row.guest, row.at, row.body) if row else None

    async def imports_of(self, guest: str) -> list[tuple[str, float, str, int]]:
        """What a guest brought as files, the newest first: identifier, when, players, number of parties."""
        columns = imported.c.id, imported.c.at, imported.c.title, imported.c.parties
        query = sa.select(*columns).where(imported.c.guest == guest)
        rows = await self._rows(query.order_by(imported.c.at.desc(), imported.c.id))
        return [(row.id, row.at, row.title, row.parties) for row in rows]

    async def keep_imports(self, guest: str, values: Sequence[dict[str, Any]], most: int) -> bool:
        """Store what a guest brought as files; False, and nothing is stored, if they would have more than `most`.

        Those that are stored already stay as they are.
        """
        inserts = [self._insert(imported, each).on_conflict_do_nothing() for each in values]
        kept = sa.select(imported.c.id).where(imported.c.guest == guest)

        def change(connection: sa.Connection) -> bool:
            take_turns(connection, guest)
            if len({*connection.scalars(kept)} | {each["id"] for each in values}) > most:
                return False
            for each in inserts:
                connection.execute(each)
            return True

        return await self.database.write(change)

    async def forget_import(self, of: str, guest: str) -> None:
        """Delete parties that a guest brought as a file, with their reviews; nothing if they are another's."""
        own = (imported.c.id == of) & (imported.c.guest == guest)

        def change(connection: sa.Connection) -> None:
            which = sa.select(imported.c.id).where(own)
            connection.execute(imported_review.delete().where(imported_review.c.table_id.in_(which)))
            connection.execute(imported.delete().where(own))

        await self.database.write(change)

    async def rate(
        self, problem: str, first: TrialRating, change: Callable[[TrialRating], tuple[Value, TrialRating]]
    ) -> Value:
        """Update a problem's difficulty rating, from `first` if it has none; returns the first value of `change`."""
        new = self._insert(difficulty, {"problem": problem, **asdict(first)}).on_conflict_do_nothing()
        one = difficulty.c.problem == problem

        def change_rating(connection: sa.Connection) -> Value:
            connection.execute(new)
            row = connection.execute(sa.select(difficulty).where(one).with_for_update()).one()
            answer, rated = change(TrialRating(row.mean, row.spread, row.tries))
            connection.execute(difficulty.update().where(one).values(asdict(rated)))
            return answer

        return await self.database.write(change_rating)

    async def difficulties(self, enough: int) -> dict[str, TrialRating]:
        """Difficulty ratings of problems with at least this many first tries."""
        rows = await self._rows(sa.select(difficulty).where(difficulty.c.tries >= enough))
        return {row.problem: TrialRating(row.mean, row.spread, row.tries) for row in rows}

    async def session(self, token: str) -> sa.Row[Any] | None:
        """A browser's row, by its cookie's digest."""
        return await self.database.first(sa.select(session).where(session.c.token == token))

    async def touch_session(self, token: str, now: float) -> None:
        """Note that a browser was seen."""
        change = session.update().where(session.c.token == token).values(seen=now)
        await self.database.execute(change)

    async def shape(self) -> str:
        """The identifier of the database's latest migration."""
        return str((await self._rows(sa.select(STORED_VERSION.label("shape"))))[0].shape)

    async def oldest_writer(self) -> str:
        """The oldest program that may write, by its schema."""
        return str((await self._rows(sa.select(STORED_OLDEST.label("oldest"))))[0].oldest)

    async def now(self) -> float:
        """The database's time, which all nodes share, in seconds since the epoch."""
        if self.database.dialect == "sqlite":
            return time.time()
        query = sa.select(sa.extract("epoch", sa.func.clock_timestamp()).label("now"))
        return float((await self._rows(query))[0].now)

    async def setting(self, name: str) -> str | None:
        """A stored value of the server."""
        found = await self.database.first(sa.select(setting.c.value).where(setting.c.name == name))
        return found.value if found else None

    async def keep_setting(self, name: str, value: str) -> None:
        """Store a value of the server."""
        await self.keep_settings({name: value})

    async def keep_settings(self, values: Mapping[str, str]) -> None:
        """Store values of the server, all at once."""
        rows = [{"name": name, "value": value} for name, value in values.items()]
        await self._upsert(setting, rows, ["name"], ["value"])

    async def first_setting(self, name: str, value: str) -> str:
        """Store a value unless one is stored; returns the stored one, perhaps another node's."""
        insert = self._insert(setting, {"name": name, "value": value}).on_conflict_do_nothing()
        await self.database.execute(insert)
        return await self.setting(name) or value

    async def _rows(
        self, query: sa.Select[Any], values: dict[str, Any] | None = None
    ) -> Sequence[sa.Row[Any]]:
        return await self.database.read(lambda connection: connection.execute(query, values).all())

    async def _upsert(
        self,
        table: sa.Table,
        values: dict[str, Any] | list[dict[str, Any]],
        key: list[str],
        changed: list[str],
    ) -> None:
        insert = self._insert(table, values)
        changes = {name: insert.excluded[name] for name in changed}
        upsert = insert.on_conflict_do_update(index_elements=[table.c[name] for name in key], set_=changes)
        await self.database.execute(upsert)

    def _insert(
        self, table: sa.Table, values: dict[str, Any] | list[dict[str, Any]]
    ) -> sqlite.Insert | postgresql.Insert:
        """An insert statement with support for ON CONFLICT, in the database's dialect."""
        if self.database.dialect == "sqlite":
            return sqlite.insert(table).values(values)
        return postgresql.insert(table).values(values)


LOG = (
    sa.select(entry.c.n, entry.c.body, entry.c.at)
    .where(entry.c.table_id == sa.bindparam("of"), entry.c.n >= sa.bindparam("from"))
    .order_by(entry.c.n)
    .limit(sa.bindparam("most"))
)


def write(connection: sa.Connection, more: Append) -> None:
    """Write entries and the seats that they change."""
    if more.entries:
        connection.execute(entry.insert(), more.lines)
    for who, guest in more.seats:
        connection.execute(seat.delete().where(seat.c.table_id == more.table_id, seat.c.seat == who))
        if guest:
            connection.execute(seat.insert().values(table_id=more.table_id, seat=who, guest=guest))


def write_more(more: Append, connection: sa.Connection) -> None:
    """Append to a table's log, with the columns and further changes that follow from the entries."""
    write(connection, more)
    if more.stirs:
        values: dict[str, Any] = {"over": more.over, "wake": more.wake, "brief": more.brief}
        values |= {"origin": ""} if more.over else {}
        connection.execute(playing_table.update().where(playing_table.c.id == more.table_id).values(values))
    for change in more.also:
        change(connection)


def write_table(first: Append, connection: sa.Connection) -> None:
    """Write a new table with the first entries of its log."""
    values = {
        "id": first.table_id,
        "opened": first.at,
        "over": first.over,
        "wake": first.wake,
        "owner": first.owner,
        "origin": first.origin,
    }
    connection.execute(playing_table.insert().values(values))
    write(connection, first)
