"""Access to SQLite and PostgreSQL: both run the same functions of a connection.

SQLite has one writer thread, which commits in one transaction whatever arrived while it waited for the disk. Reads
run in the event loop's thread: the data is in memory, and a switch to another thread costs ten times the read.
PostgreSQL is reached through a pool, with one transaction for each change; its keys settle races between nodes.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, suppress
from dataclasses import dataclass
from functools import cache
from gettext import gettext as _
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, ProgrammingError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from chouine.server.engines import PATIENCE, POOL, hurried_engine, make_durable
from chouine.server.metrics import COMMIT, GROUP
from chouine.server.schema import STORED_OLDEST, VERSION

Value = TypeVar("Value")
LARGEST_GROUP = 199
"""Most changes in one transaction: with five columns each, and the schema's version, below SQLite's limit of 999 values
(before 3.32)."""


class Unreachable(Exception):
    """The database does not respond or cannot write. It is unknown whether the change was made."""


class Superseded(Unreachable):
    """The database lacks something of this program's schema, which must no longer write. Nothing was changed."""

    def __init__(self) -> None:
        super().__init__(_("another version of Chouine has migrated the database: stop this one"))


async def again_and_again(work: Callable[[], Awaitable[object]], seconds: float) -> None:
    """Do some work every so many seconds until cancelled, whether the database responds or not."""
    while True:
        with suppress(Unreachable):
            await work()
        await asyncio.sleep(seconds)


class Damaged(Exception):
    """Stored data is missing or cannot be read: a match that needs it is not continued."""


SPOILED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""SQLite's error codes for a file of which a part is lost or overwritten."""


def is_spoiled(error: BaseException | None) -> bool:
    """Whether SQLite found its file damaged."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF in SPOILED


def error_for_caller(error: Exception) -> Damaged | Unreachable:
    """The error for whoever asked, for one of the driver's."""
    if isinstance(error, Superseded):
        return error
    cause = error.orig if isinstance(error, DBAPIError) else error
    return Damaged(type(error).__name__) if is_spoiled(cause) else Unreachable(type(error).__name__)


class Database(Protocol):
    """Runs functions that take a connection."""

    dialect: str

    async def read(self, query: Callable[[sa.Connection], Value]) -> Value:
        """Run a query on current data. Raises `Unreachable` or `Damaged`."""

    async def survey(self, query: Callable[[sa.Connection], Value]) -> Value:
        """Run a query that reads much, while others go on. Raises `Unreachable` or `Damaged`."""

    async def write(self, change: Callable[[sa.Connection], Value]) -> Value:
        """Make a change, durable on return.

        Raises `IntegrityError` or `Superseded` (nothing changed), `Unreachable` or `Damaged`.
        """

    async def rows(self, query: sa.Executable) -> Sequence[sa.Row[Any]]:
        """All rows of a query. Raises `Unreachable` or `Damaged`."""
        return await self.read(lambda connection: connection.execute(query).all())

    async def first(self, query: sa.Executable) -> sa.Row[Any] | None:
        """The first row of a query; None if there is none. Raises as `read`."""
        return await self.read(lambda connection: connection.execute(query).first())

    async def execute(self, change: sa.UpdateBase) -> int:
        """Make one change; returns the number of changed rows. Raises what `write` raises."""
        return await self.write(lambda connection: connection.execute(change).rowcount)

    async def insert(self, into: sa.Table, row: dict[str, Any]) -> None:
        """Insert one row: the cheaper form of `write` that most moves use."""

    async def leave_no_trace(self) -> None:
        """Let nothing that was deleted stay in files of this program's making."""

    async def close(self) -> None:
        """Close all connections."""


def database_at(url: str) -> Database:
    """The database for a URL such as `sqlite+aiosqlite:///chouine.db`."""
    return Sqlite(url) if sa.make_url(url).get_backend_name() == "sqlite" else Postgres(url)


@dataclass(slots=True)
class PendingWrite(Generic[Value]):
    """A queued change, and its result or error."""

    make: Callable[[sa.Connection], Value]
    done: asyncio.Future[Value]
    row: tuple[sa.Table, list[Any]] | None = None
    """Table and column values, if the change is the insertion of one row."""
    value: Value | None = None
    error: Exception | None = None

    def settle(self) -> None:
        """Resolve the future of a waiting caller, unless it was cancelled."""
        if self.done.done():
            return
        if self.error is not None:
            self.done.set_exception(self.error)
        else:
            self.done.set_result(self.value)  # type: ignore[arg-type]  # no error, so it has been made


class Sqlite(Database):
    """An SQLite file: one thread writes in groups, the event loop reads. For use from one event loop."""

    dialect = "sqlite"

    def __init__(self, url: str) -> None:
        plain = sa.make_url(url).set(drivername="sqlite")
        self.engine = sa.create_engine(plain, connect_args={"check_same_thread": False})
        sa.event.listen(self.engine, "connect", make_durable)
        self.reader: sa.Connection | None = None
        self.asked: SimpleQueue[PendingWrite[Any] | None] = SimpleQueue()
        self.writer: Thread | None = None

    async def read(self, query: Callable[[sa.Connection], Value]) -> Value:
        try:
            self.reader = self.reader or self.open_connection()
            return query(self.reader)
        except DBAPIError as error:
            raise error_for_caller(error) from error

    async def survey(self, query: Callable[[sa.Connection], Value]) -> Value:
        def ask() -> Value:
            with self.open_connection() as connection:
                return query(connection)

        try:
            return await asyncio.to_thread(ask)
        except DBAPIError as error:
            raise error_for_caller(error) from error

    def open_connection(self) -> sa.Connection:
        """A connection in which transactions are begun explicitly."""
        return self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")

    async def write(self, change: Callable[[sa.Connection], Value]) -> Value:
        return await self.write_queued(PendingWrite(change, asyncio.get_running_loop().create_future()))

    async def insert(self, into: sa.Table, row: dict[str, Any]) -> None:
        def insert_alone(connection: sa.Connection) -> None:
            connection.execute(into.insert(), row)

        values = [row[column.key] for column in into.columns]
        await self.write_queued(
            PendingWrite(insert_alone, asyncio.get_running_loop().create_future(), (into, values))
        )

    async def write_queued(self, change: PendingWrite[Value]) -> Value:
        """Queue a change for the writer and wait for its result."""
        if self.writer is None:
            loop = asyncio.get_running_loop()
            self.writer = Thread(
                target=self.run, args=(self.open_connection(), loop), name="sqlite", daemon=True
            )
            self.writer.start()
        self.asked.put(change)
        return await change.done

    async def leave_no_trace(self) -> None:
        """Empty the write-ahead log, which holds pages as they were; the file itself holds nothing deleted."""
        await asyncio.to_thread(empty_log, str(self.engine.url.database))

    async def close(self) -> None:
        """Close after all queued changes have been written."""
        if self.writer is not None:
            self.asked.put(None)
            await asyncio.to_thread(self.writer.join)
            self.writer = None
        if self.reader is not None:
            self.reader.close()
            self.reader = None
        self.engine.dispose()

    def run(self, opened: sa.Connection, loop: asyncio.AbstractEventLoop) -> None:
        """The writer thread: write group after group until told to stop."""
        with opened as connection:
            while group := self.group():
                commit_group(connection, group)
                with suppress(RuntimeError):  # the loop is gone, and so is whoever waited
                    loop.call_soon_threadsafe(settle, group)

    def group(self) -> list[PendingWrite[Any]]:
        """Take the queued changes, at most `LARGEST_GROUP`; empty once the writer is to stop."""
        found: list[PendingWrite[Any]] = []
        change = self.asked.get()
        while change is not None:
            found.append(change)
            if len(found) == LARGEST_GROUP or self.asked.empty():  # nobody else takes what is there
                return found
            change = self.asked.get()
        if found:
            self.asked.put(None)  # the end comes again, after this group
        return found


def empty_log(path: str) -> None:
    """Move the write-ahead log's pages into the file, and cut it to nothing; it stays if others read for seconds."""
    with closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")


def settle(group: list[PendingWrite[Any]]) -> None:
    """Deliver each change's result to its caller, in the event loop's thread."""
    for change in group:
        change.settle()


def commit_group(connection: sa.Connection, group: list[PendingWrite[Any]]) -> None:
    """Write a group of changes in one transaction: all of them, or, after an error such as a full disk, none.

    If a part of the file is damaged, each change is written by itself, so that only those fail that need this part:
    damage ends a whole transaction, in spite of savepoints.
    """
    begun = monotonic()
    error = commit_together(connection, group)
    if len(group) > 1 and isinstance(error, Damaged):
        for change in group:
            change.error = None
            change.error = commit_together(connection, [change]) or change.error
    elif error is not None:
        for change in group:
            change.error = error
    GROUP.observe(len(group))
    COMMIT.observe(monotonic() - begun)


def commit_together(connection: sa.Connection, group: list[PendingWrite[Any]]) -> Exception | None:
    """Write changes in one transaction; returns the error for their callers if nothing was written."""
    driver = cast("sqlite3.Connection", connection.connection.driver_connection)
    rows, others = [each for each in group if each.row], [each for each in group if not each.row]
    try:
        if others or not bulk_insert(driver, rows):
            driver.execute("BEGIN IMMEDIATE")
            check_version(connection)
            for change in others if bulk_insert(driver, rows) else group:
                make_change(connection, driver, change)
            driver.execute("COMMIT")
    except Exception as error:  # noqa: BLE001  # any failure is reported to each caller; the writer goes on
        with suppress(sqlite3.Error):
            driver.execute("ROLLBACK")
        return error_for_caller(error)
    return None


def bulk_insert(driver: sqlite3.Connection, group: list[PendingWrite[Any]]) -> bool:
    """Insert the rows of single-row changes by one statement, if all go into one table.

    Returns whether they were inserted; if not, nothing has changed. Raises `Superseded`. One statement and not
    `executemany`, since between rows this thread and the event loop's would wait for each other's lock.
    """
    rows = [change.row for change in group if change.row is not None]
    tables = {into for into, _ in rows}
    if len(tables) > 1:
        return False
    try:
        for into in tables:
            values = [value for _, values in rows for value in values]
            if not driver.execute(insertion(into, len(rows)), [*values, VERSION]).rowcount:
                raise Superseded
    except sqlite3.IntegrityError:
        return False
    return True


@cache
def insertion(into: sa.Table, rows: int) -> str:
    """The SQL to insert this many rows, their values in the order of the table's columns, unless the program is old."""
    names = [column.name for column in into.columns]
    marks = f"({', '.join('?' * len(names))})"
    given = f"SELECT * FROM (VALUES {', '.join([marks] * rows)}) WHERE {STORED_OLDEST} <= ?"  # noqa: S608  # our own names
    return f"INSERT INTO {into.name} ({', '.join(names)}) {given}"


def make_change(connection: sa.Connection, driver: sqlite3.Connection, change: PendingWrite[Any]) -> None:
    """Make one change of a group in a savepoint, so that its failure undoes it alone."""
    driver.execute("SAVEPOINT change")
    try:
        change.value = change.make(connection)
    except Exception as error:
        broken = isinstance(error, DBAPIError) and not isinstance(error, IntegrityError)
        change.error = error_for_caller(error) if broken else error
        if not driver.in_transaction or isinstance(change.error, Damaged):
            raise  # what went wrong ended the whole transaction
        driver.execute("ROLLBACK TO change")
    driver.execute("RELEASE change")


@cache
def guarded_insertion(into: sa.Table) -> sa.Insert:
    """The statement that inserts one row unless this program is too old."""
    values = [sa.bindparam(f"new_{column.key}", type_=column.type) for column in into.columns]
    return into.insert().from_select(
        [*into.columns.keys()], sa.select(*values).where(STORED_OLDEST <= VERSION)
    )


def check_version(connection: sa.Connection) -> None:
    """Raise `Superseded` if something that this program knows was removed from the schema.

    In PostgreSQL the last statement of a transaction: its writes keep a later migration of these tables waiting.
    """
    if connection.execute(sa.select(STORED_OLDEST)).scalar_one() > VERSION:
        raise Superseded


def take_turns(connection: sa.Connection, *names: str) -> None:
    """Wait until no other transaction has one of these names; then none has before this one ends.

    What was read or counted after that holds until the end. SQLite's transactions always wait for one another.
    """
    if connection.dialect.name == "postgresql":
        for name in sorted(names):
            key = sa.func.hashtextextended(name, 0)
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(key)))


class Postgres(Database):
    """A PostgreSQL server, which several nodes may share."""

    dialect = "postgresql"

    def __init__(self, url: str) -> None:
        self.engine = hurried_engine(url)
        self.reader = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self.turns = asyncio.Semaphore(POOL)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """A slot for a connection, granted first come, first served: the pool itself does not keep that order."""
        async with asyncio.timeout(PATIENCE):
            await self.turns.acquire()
        try:
            yield
        finally:
            self.turns.release()

    async def read(self, query: Callable[[sa.Connection], Value]) -> Value:
        """Run a query; once more if the connection was lost, since the server may have restarted."""
        try:
            return await self.run_query(query)
        except (SQLAlchemyError, OSError) as error:
            if isinstance(error, TimeoutError):
                raise Unreachable from error
        try:
            return await self.run_query(query)
        except (SQLAlchemyError, OSError) as error:
            raise Unreachable from error

    async def survey(self, query: Callable[[sa.Connection], Value]) -> Value:
        return await self.read(query)

    async def run_query(self, query: Callable[[sa.Connection], Value]) -> Value:
        """Run a query on a pooled connection."""
        async with self.turn(), self.reader.connect() as connection:
            return await connection.run_sync(query)

    async def write(self, change: Callable[[sa.Connection], Value]) -> Value:
        def change_and_check(connection: sa.Connection) -> Value:
            value = change(connection)
            check_version(connection)
            return value

        return await self.run_change(self.engine.begin(), change_and_check)

    async def insert(self, into: sa.Table, row: dict[str, Any]) -> None:
        """Insert one row with autocommit: one round trip instead of three."""
        values = {f"new_{name}": value for name, value in row.items()}

        def insert_alone(connection: sa.Connection) -> None:
            if not connection.execute(guarded_insertion(into), values).rowcount:
                raise Superseded

        await self.run_change(self.reader.connect(), insert_alone)

    async def run_change(
        self, reached: AbstractAsyncContextManager[AsyncConnection], change: Callable[[sa.Connection], Value]
    ) -> Value:
        """Run a change on an open connection or transaction, with the driver's errors translated."""
        begun = monotonic()
        try:
            async with self.turn(), reached as connection:
                return await connection.run_sync(change)
        except (SQLAlchemyError, OSError) as error:
            if isinstance(error, IntegrityError | ProgrammingError):
                await self.read(check_version)  # a newer schema could have refused it
            if isinstance(error, IntegrityError):
                raise
            raise Unreachable from error
        finally:
            COMMIT.observe(monotonic() - begun)

    async def leave_no_trace(self) -> None:
        """Nothing: PostgreSQL vacuums by itself."""

    async def close(self) -> None:
        await self.engine.dispose()
