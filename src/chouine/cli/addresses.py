"""Addresses of databases and of Redis, as people write them and as the libraries take them.

No message repeats an address, for it may contain a password; nor does it repeat a library's message about one.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from gettext import gettext as _
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

SQLITE = "sqlite+aiosqlite"
"""What SQLAlchemy calls SQLite and its driver."""
POSTGRESQL = "postgresql+asyncpg"
QUOTED = "%40 %3A %2F %3F %23 %25"
"""How the signs `@ : / ? # %` are written in a name or password."""
FILES = "ssl_ca_certs", "ssl_certfile", "ssl_keyfile"
REDIS = (*FILES, "ssl_cert_reqs", "ssl_check_hostname", "ssl_password", "db")
"""Settings that may follow an address of Redis after a `?`."""


class CannotOpen(Exception):
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
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    folder = Path(base) / "chouine"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return file_url(folder / "chouine.db")


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
            if not Path(file).is_file():
                raise CannotOpen(_("there is no file %(file)s") % {"file": file})


def check_settings(given: Iterable[str], known: Collection[str]) -> None:
    """Raise `CannotOpen` for a setting after the `?` that would not be understood."""
    for name in given:
        if name not in known:
            what = {"setting": name, "settings": ", ".join(sorted(known))}
            raise CannotOpen(
                _("the address cannot have the setting %(setting)s, but these: %(settings)s") % what
            )
