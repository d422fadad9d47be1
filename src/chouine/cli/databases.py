"""The database of a command: its address, its file or server made ready, a copy of it into another.

Addresses, Redis's too, are read as people write them. No message repeats one, for it may contain a password; nor does
it repeat a library's message about one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from gettext import gettext as _
from gettext import ngettext
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from chouine.cli.arguments import blame_setting, from_environment, storable_text
from chouine.cli.texts import CannotRun
from chouine.errors import ChouineError
from chouine.folders import need_folder, user_folder
from chouine.phrases import reason_in_words

if TYPE_CHECKING:
    from chouine.server.transfer import TransferSummary

SQLITE = "sqlite+aiosqlite"
"""What SQLAlchemy calls SQLite and its driver."""
POSTGRESQL = "postgresql+asyncpg"
QUOTED = "%40 %3A %2F %3F %23 %25"
"""How the signs `@ : / ? # %` are written in a name or password."""
FILES = "ssl_ca_certs", "ssl_certfile", "ssl_keyfile"
REDIS = (*FILES, "ssl_cert_reqs", "ssl_check_hostname", "ssl_password", "db")
"""Settings that may follow an address of Redis after a `?`."""


class CannotOpen(CannotRun):
    """The database is unreachable, or not of this program; or an address cannot be read."""


def unreadable_address() -> CannotOpen:
    """The error for an address that falls into other parts than meant."""
    return CannotOpen(
        _(
            "the address cannot be read. In a user's name or password the signs @ : / ? # %% are written %(text)s"
        )
        % {"text": QUOTED}
    )


def unknown_address() -> CannotOpen:
    """The error for an address of no form that is known."""
    return CannotOpen(_("write postgresql://user:password@host/name, sqlite:///folder/file.db, or a path"))


def database_of(asked: str) -> str:
    """The database's URL: the one given, or the default file's."""
    return database_url(asked or default_database())


def default_database() -> str:
    """The URL of the default SQLite file in the user's data folder, which is created."""
    folder = user_folder("XDG_DATA_HOME", ".local/share")
    return file_url(need_folder(folder, "--database, CHOUINE_DATABASE_URL") / "chouine.db")


def file_url(path: Path) -> str:
    """The URL of an SQLite file."""
    from sqlalchemy import URL

    return URL.create(SQLITE, database=str(path)).render_as_string()


def file_of(database: str) -> Path | None:
    """The SQLite file of a database's URL; None if it is on a server or in memory."""
    from sqlalchemy import make_url

    url = make_url(database)
    return Path(url.database) if url.drivername == SQLITE and url.database else None


def database_url(address: str) -> str:
    """The URL with its driver: `sqlite:` and `postgresql:` are enough to write, and a path for an SQLite file.

    Raises `CannotOpen`.
    """
    scheme, _colon, rest = address.partition(":")
    if scheme in ("sqlite", SQLITE):
        if not rest.startswith("//"):
            raise unknown_address()
        return sqlite_url(rest)
    if "://" not in address and {"/", os.sep, "."} & {*address}:
        return file_url(Path(address))
    if scheme not in ("postgres", "postgresql", POSTGRESQL):
        raise unknown_address()
    whole = f"{POSTGRESQL}:{rest}"
    check_postgresql(whole)
    return whole


def sqlite_url(rest: str) -> str:
    """The URL for what follows `sqlite:`.

    What follows `sqlite:///` is a path as it stands where that names a file or folder: people do not quote `%`.
    """
    from sqlalchemy import make_url

    url = make_url(f"{SQLITE}:{rest}")
    plain = Path(rest.removeprefix("///"))
    other = plain.parent != Path(url.database or "").parent
    if rest.startswith("///") and (plain.is_file() or (other and plain.parent.is_dir())):
        return file_url(plain)
    return url.render_as_string(hide_password=False)


def check_postgresql(url: str) -> None:
    """Raise `CannotOpen` for an address that cannot be read, or that has a setting unknown to the driver."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    from chouine.server.engines import TLS

    try:
        parts = make_url(url)
    except (ArgumentError, ValueError):
        raise unreadable_address() from None
    if "@" in (parts.host or ""):
        raise unreadable_address()
    check_settings([*parts.query], ("host", "port", *TLS))


@contextmanager
def redis_faults(asked: str) -> Iterator[None]:
    """Raise `CannotRun` where an address of Redis cannot be read; it names the variable that it is from."""
    with blame_setting(asked):
        try:
            yield
        except CannotOpen as error:
            raise CannotRun(_("cannot read the address of Redis: %(why)s") % {"why": error}) from error


def check_redis(address: str) -> None:
    """Raise `CannotOpen` for an address of Redis that cannot be read or used; empty is none."""
    if not address:
        return
    try:
        parts = urlsplit(address)
        whole = bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise unreadable_address() from None
    if parts.scheme not in ("redis", "rediss", "unix"):
        raise CannotOpen(_("write redis://host:6379/0, or with TLS rediss://host:6379/0"))
    if "@" in f"{parts.path}{parts.query}{parts.fragment}" or not (whole or parts.scheme == "unix"):
        raise unreadable_address()
    settings = parse_qs(parts.query)
    check_settings(settings, REDIS if parts.scheme == "rediss" else ("db",))
    for name in FILES:
        for file in settings.get(name, []):
            check_there(Path(file))


def check_settings(given: Iterable[str], known: Collection[str]) -> None:
    """Raise `CannotOpen` for a setting after the `?` that would not be understood."""
    for name in given:
        if name not in known:
            what = {"setting": name, "settings": ", ".join(sorted(known))}
            raise CannotOpen(
                _("the address cannot have the setting %(setting)s, but these: %(settings)s") % what
            )


def configure_database(parser: argparse.ArgumentParser) -> None:
    """Declare `--database`."""
    parser.add_argument(
        "--database",
        type=storable_text,
        default=from_environment("CHOUINE_DATABASE_URL"),
        help=_("database address (default: CHOUINE_DATABASE_URL, else SQLite in your data folder)"),
    )


def ready_database(asked: str) -> str:
    """The database's URL, after creating or migrating it to the current schema."""
    from chouine.server.migrations import missing_tables, upgrade

    database = database_of(asked)
    try:
        try_file(database)
        upgrade(database)
        check_tables(asyncio.run(missing_tables(database)))
    except CannotOpen:
        raise
    except Exception as error:  # what a driver raises is its own affair
        if isinstance(error, OSError) and error.filename is not None:
            raise
        raise CannotOpen(reason_in_words(error)) from error
    return database


@contextmanager
def database_faults(asked: str) -> Iterator[None]:
    """Raise `CannotRun` where the database asked for cannot be opened; it names the variable that asked for it."""
    from chouine.server.database import Damaged, Superseded, Unreachable

    with blame_setting(asked):
        try:
            yield
        except (CannotOpen, Damaged, Unreachable) as error:
            why = str(error) if isinstance(error, CannotOpen | Superseded) else reason_in_words(error)
            raise CannotRun(_("cannot open the database: %(why)s") % {"why": why}) from error


def check_tables(missing: list[str]) -> None:
    """Raise `CannotOpen` for the first table that is missing."""
    for table in missing:
        raise CannotOpen(
            _("its table %(table)s is missing, and what was in it is lost: restore a backup")
            % {"table": table}
        )


def existing_database(asked: str) -> str:
    """The URL of a database after migrating it to the current schema; an SQLite file must be there already."""
    require_file(database_of(asked))
    return ready_database(asked)


def require_file(database: str) -> None:
    """Raise `CannotOpen` if an SQLite file is missing, which would be created."""
    path = file_of(database)
    if path is not None:
        check_there(path)


def check_there(path: Path) -> None:
    """Raise `CannotOpen` unless this is a file."""
    if path.is_dir():
        raise CannotOpen(_("%(file)s is a folder, not a file") % {"file": path})
    if not path.is_file():
        raise CannotOpen(_("there is no file %(file)s") % {"file": path})


def try_file(database: str) -> None:
    """Open an SQLite file once directly: for a bad file the driver's thread would print an error of its own."""
    path = file = file_of(database)
    if path is not None and file is not None:
        if file.is_file() and file.stat().st_size == 0:
            raise CannotOpen(
                _("%(path)s is an empty file: restore a backup, or delete it to start anew") % {"path": path}
            )
        short = file.is_file() and cut_short(file)
        unwritten = Path(f"{path}-wal")  # what a killed server had not yet copied into the file
        if short and not (unwritten.is_file() and unwritten.stat().st_size):
            raise incomplete_file(path)
        with refused_files(path), closing(connect(path)) as connection:
            if short and connection.execute("pragma quick_check(1)").fetchone() != ("ok",):
                raise incomplete_file(path)
            check_tables_of(path, connection)
            connection.execute("begin immediate")
            # Fails where the file may only be read; it is rolled back.
            connection.execute("create table written (ever)")


def check_place(path: Path) -> None:
    """Raise `CannotOpen` for a place in which no database of ours can be made, or added to."""
    if path.is_dir():
        raise CannotOpen(_("%(file)s is a folder, not a file") % {"file": path})
    if path.is_file():
        check_owner(path)
    elif not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
        raise CannotOpen(
            _("%(path)s cannot be opened: does its folder exist, and may you write there?") % {"path": path}
        )


def check_owner(file: Path, path: Path | None = None) -> None:
    """Raise `CannotOpen` for a database of another program, which would otherwise get our tables too.

    `path`: what it is called, where `file` is a copy.
    """
    with refused_files(path or file), closing(connect(file)) as connection:
        check_tables_of(path or file, connection)


def tables_of(connection: sqlite3.Connection) -> set[str]:
    """The names of a database's tables."""
    return {name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")}


def check_tables_of(path: Path, connection: sqlite3.Connection) -> None:
    """The same over a connection."""
    tables = tables_of(connection)
    if tables and "alembic_version" not in tables:
        raise CannotOpen(
            _("%(path)s belongs to another program, or is a contest's or a season's file: name another")
            % {"path": path}
        )


@contextmanager
def refused_files(path: Path) -> Iterator[None]:
    """Raise `CannotOpen` where SQLite refuses a file."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        name, said = getattr(error, "sqlite_errorname", ""), {"path": path}
        if name in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
            why = (
                _("%(path)s is no database, or a damaged one: name another file, or restore a backup") % said
            )
        elif name.startswith("SQLITE_READONLY"):
            why = _("%(path)s can only be read: may you write to it, and in its folder?") % said
        elif name.startswith("SQLITE_BUSY"):
            why = _("%(path)s is in use: another program is writing to it") % said
        else:
            why = f"{path}: {reason_in_words(error)}"
        raise CannotOpen(why) from error


MAGIC = b"SQLite format 3\0"
"""The beginning of an SQLite file."""
HEADER = 100
"""Bytes of an SQLite file's header: its page size is at 16, its number of pages at 28.

The number counts if the counters at 24 and 92 are equal: very old versions of SQLite do not keep it."""


def cut_short(file: Path) -> bool:
    """Whether an SQLite file is shorter than its header says."""
    with file.open("rb") as opened:
        header = opened.read(HEADER)
    if len(header) < HEADER:
        return True
    if not header.startswith(MAGIC) or header[24:28] != header[92:96]:
        return False
    page = int.from_bytes(header[16:18])
    return file.stat().st_size < int.from_bytes(header[28:32]) * (page if page > 1 else 65_536)


def connect(path: Path) -> sqlite3.Connection:
    """A connection to an SQLite file, made if it is missing. Raises `CannotOpen`."""
    try:
        return sqlite3.connect(path)
    except sqlite3.OperationalError as error:
        where = {"path": path, "file": path}
        if path.is_dir():
            raise CannotOpen(_("%(file)s is a folder, not a file") % where) from error
        raise CannotOpen(
            _("%(path)s cannot be opened: does its folder exist, and may you write there?") % where
        ) from error


def incomplete_file(path: Path) -> CannotOpen:
    """The error for a file of which a part is missing."""
    return CannotOpen(
        _(
            "%(path)s is cut short: part of what was in it is lost. Restore a backup, or delete it to start anew"
        )
        % {"path": path}
    )


def run_transfer(
    databases: Callable[[], tuple[str, str]], prepare: Callable[[str, str], None]
) -> TransferSummary:
    """Run a transfer. Raises `CannotRun` if nothing was done."""
    from chouine.server.transfer import transfer

    try:
        source, target = databases()
        require_file(source)
        try_file(source)
        if (into := file_of(target)) is not None:
            check_place(into)
        prepare(source, target)
        return asyncio.run(transfer(source, target))
    except ChouineError:
        raise
    except Exception as error:  # what a driver raises is its own affair
        raise CannotRun(reason_in_words(error)) from error


def report_transfer(done: TransferSummary) -> int:
    """Print what was transferred. Exit code: 0 all is verified, 1 copied but a match cannot be replayed."""
    print(transfer_summary(done))
    return int(bool(done.damaged))


def transfer_summary(done: TransferSummary) -> str:
    """One line on what was transferred."""
    rows = ", ".join(f"{name} {count}" for name, count in sorted(done.rows.items()))
    if done.damaged:
        sound = ngettext(
            "%(num)s match is damaged and copied as it is (%(games)s)",
            "%(num)s matches are damaged and copied as they are (%(games)s)",
            len(done.damaged),
        ) % {"num": len(done.damaged), "games": ", ".join(done.damaged)}
    else:
        sound = _("every match can be played again")
    counts = {"rows": rows, "sound": sound, "parties": done.parties}
    return (
        _("Rows: %(rows)s. Read back and compared; %(sound)s; finished parties verified: %(parties)s.")
        % counts
    )
