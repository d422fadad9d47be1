"""What lasts: one small interface over SQLAlchemy Core, for SQLite by default and PostgreSQL.

A table is its log, `entry(game, n)`; races are settled by that key, resends by the command's id. An append is one
transaction: it is durable before anyone is told.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from chouine.server.room.entries import AnyEntry, decode, encode

metadata = sa.MetaData()

game = sa.Table(
    "game",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("opened", sa.Float, nullable=False),
    sa.Column("over", sa.Boolean, nullable=False, default=False),
    sa.Column("wake", sa.Float, index=True),
)
"""A table; `wake` is when it next has something to do by itself."""

entry = sa.Table(
    "entry",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("command", sa.String(64)),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("game", "command"),
)
"""A log line; `command` on the first line that a command wrote."""

seat = sa.Table(
    "seat",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
)
"""Which guest holds a chair: to list one's matches."""

session = sa.Table(
    "session",
    metadata,
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("begun", sa.Float, nullable=False),
    sa.Column("settings", sa.LargeBinary, nullable=False),
)
"""A browser: the digest of its cookie, the guest it is."""

setting = sa.Table(
    "setting",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.String(200), nullable=False),
)
"""The server's own secret key, and when it was last alive."""


class Conflict(Exception):
    """Somebody else wrote to the log first, or the command was already taken. Nothing was written."""


@dataclass(frozen=True, slots=True)
class Append:
    """Entries to add to a log after its `n` first, and what changes with them."""

    game: str
    n: int
    at: float
    command: str | None
    entries: Sequence[AnyEntry]
    wake: float | None
    over: bool
    seats: Sequence[tuple[int, str]] = ()
    """Chairs taken by these entries: seat, guest."""


def engine_of(url: str) -> AsyncEngine:
    """The engine for a database address; SQLite is set to lose nothing that was acknowledged."""
    engine = create_async_engine(url)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine.sync_engine, "connect", _durable)
    return engine


def _durable(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class Store:
    """The database of one deployment."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that commits when the block ends well."""
        async with self.engine.begin() as connection:
            yield connection

    async def open(self, first: Append) -> None:
        """A new table with the first entries of its log; `Conflict` if there is one of that name."""
        try:
            async with self.writing() as connection:
                await connection.execute(
                    game.insert().values(id=first.game, opened=first.at, over=first.over, wake=first.wake)
                )
                await self._append(connection, first)
        except IntegrityError as error:
            raise Conflict from error

    async def append(self, more: Append) -> None:
        """Add to a log; `Conflict` if it has moved on or the command is already in it."""
        try:
            async with self.writing() as connection:
                await self._append(connection, more)
                await connection.execute(
                    game.update().where(game.c.id == more.game).values(over=more.over, wake=more.wake)
                )
        except IntegrityError as error:
            raise Conflict from error

    async def _append(self, connection: AsyncConnection, more: Append) -> None:
        lines = [
            {
                "game": more.game,
                "n": more.n + nth,
                "at": more.at,
                "command": more.command if nth == 1 else None,
                "body": encode(body),
            }
            for nth, body in enumerate(more.entries, 1)
        ]
        if lines:
            await connection.execute(entry.insert(), lines)
        for who, guest in more.seats:
            await connection.execute(seat.delete().where(seat.c.game == more.game, seat.c.seat == who))
            await connection.execute(seat.insert().values(game=more.game, seat=who, guest=guest))

    async def log(self, of: str, after: int = 0) -> list[tuple[AnyEntry, float]]:
        """A log's entries beyond the first `after`, each with its time; empty for a table that is not there."""
        query = (
            sa.select(entry.c.body, entry.c.at)
            .where(entry.c.game == of, entry.c.n > after)
            .order_by(entry.c.n)
        )
        async with self.engine.connect() as connection:
            return [(decode(row.body), row.at) for row in await connection.execute(query)]

    async def taken(self, of: str, command: str) -> bool:
        """Whether a command is in the log already."""
        query = sa.select(entry.c.n).where(entry.c.game == of, entry.c.command == command)
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).first() is not None

    async def due(self, now: float) -> list[str]:
        """Tables whose wake time has come."""
        query = sa.select(game.c.id).where(game.c.wake <= now).order_by(game.c.wake).limit(500)
        async with self.engine.connect() as connection:
            return list((await connection.execute(query)).scalars())

    async def waking(self) -> list[str]:
        """Tables that will have something to do by themselves."""
        query = sa.select(game.c.id).where(game.c.wake.is_not(None))
        async with self.engine.connect() as connection:
            return list((await connection.execute(query)).scalars())

    async def games_of(self, guest: str, limit: int = 50) -> list[str]:
        """A guest's tables, the newest first."""
        query = (
            sa.select(game.c.id)
            .join(seat, seat.c.game == game.c.id)
            .where(seat.c.guest == guest)
            .group_by(game.c.id, game.c.opened)
            .order_by(game.c.opened.desc())
            .limit(limit)
        )
        async with self.engine.connect() as connection:
            return list((await connection.execute(query)).scalars())

    async def session(self, token: str) -> tuple[str, bytes] | None:
        """The guest and settings of a browser, by its cookie's digest."""
        query = sa.select(session.c.guest, session.c.settings).where(session.c.token == token)
        async with self.engine.connect() as connection:
            row = (await connection.execute(query)).first()
            return (row.guest, row.settings) if row else None

    async def keep_session(self, token: str, guest: str, settings: bytes, now: float) -> None:
        """Remember a browser, or its new settings."""
        values = {"token": token, "guest": guest, "begun": now, "settings": settings}
        await self._upsert(session, values, ["token"], ["guest", "settings"])

    async def setting(self, name: str) -> str | None:
        """One of the server's own values."""
        async with self.engine.connect() as connection:
            query = sa.select(setting.c.value).where(setting.c.name == name)
            return (await connection.execute(query)).scalar()

    async def keep_setting(self, name: str, value: str) -> None:
        """Remember one of the server's own values."""
        await self._upsert(setting, {"name": name, "value": value}, ["name"], ["value"])

    async def first_setting(self, name: str, value: str) -> str:
        """One of the server's own values: this one, unless another node's came first."""
        async with self.writing() as connection:
            insert = self._insert(setting, {"name": name, "value": value})
            await connection.execute(insert.on_conflict_do_nothing())
        return await self.setting(name) or value

    async def _upsert(
        self, table: sa.Table, values: dict[str, Any], key: list[str], changed: list[str]
    ) -> None:
        insert = self._insert(table, values)
        changes = {name: insert.excluded[name] for name in changed}
        async with self.writing() as connection:
            await connection.execute(insert.on_conflict_do_update(index_elements=key, set_=changes))

    def _insert(self, table: sa.Table, values: dict[str, Any]) -> sqlite.Insert | postgresql.Insert:
        """An insert that can say what to do on a conflict, in the database's own dialect."""
        if self.engine.dialect.name == "sqlite":
            return sqlite.insert(table).values(values)
        return postgresql.insert(table).values(values)
