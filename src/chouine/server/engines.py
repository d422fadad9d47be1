"""Engines of SQLAlchemy for SQLite and PostgreSQL, with the settings that both need here."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

POOL = 16
"""Size of a node's connection pool for PostgreSQL."""
PATIENCE = 5.0
"""Timeout in seconds for each step with PostgreSQL: to connect, to get a pooled connection, to get a response."""
LOCKED = 2.0
"""Timeout in seconds while another process writes the same SQLite file."""
SESSION = {"idle_in_transaction_session_timeout": "10s", "lock_timeout": "3s", "jit": "off"}
"""Settings of a node's sessions with PostgreSQL."""
TLS = (
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "sslpassword",
    "sslcrl",
    "ssl_min_protocol_version",
    "ssl_max_protocol_version",
)
"""Settings of TLS in an address of PostgreSQL, as PostgreSQL's own programs call them."""


def engine_of(url: str, **options: Any) -> AsyncEngine:
    """An engine for a database URL; SQLite is configured never to lose an acknowledged write.

    The driver understands the settings of TLS in an address of its own only, not as arguments.
    """
    address = sa.make_url(url)
    if secure := {name: value for name, value in address.query.items() if name in TLS}:
        given = {"dsn": f"postgresql://?{urlencode(secure)}"}
        options["connect_args"] = options.get("connect_args", {}) | given
        address = address.difference_update_query(TLS)
    engine = create_async_engine(address, **options)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine.sync_engine, "connect", make_durable)
    return engine


def hurried_engine(url: str) -> AsyncEngine:
    """An engine for PostgreSQL with short timeouts: neither a silent network nor a vanished node blocks it for long."""
    arguments = {"timeout": PATIENCE, "command_timeout": PATIENCE, "server_settings": {**SESSION}}
    return engine_of(url, pool_size=POOL, max_overflow=0, pool_timeout=PATIENCE, connect_args=arguments)


def make_durable(connection: Any, _record: object) -> None:
    """Configure an SQLite connection so that committed data survives a crash, and deleted data leaves no trace."""
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"busy_timeout={1000 * LOCKED:.0f}",
        "secure_delete=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
