"""Insert thousands of finished matches into a database: history must not slow current play."""

from __future__ import annotations

import asyncio
import secrets
from random import Random

import sqlalchemy as sa

from chouine.server.codec import encode
from chouine.server.engines import engine_of
from chouine.server.schema import entry, playing_table, seat
from tests.server.matches import Table, opened, over

KINDS = 20
"""Number of different matches, each inserted many times with new names."""
AT_ONCE = 500


def played(seed: int) -> list[tuple[bytes, float]]:
    """The log of a random match of one partie."""
    table = Table.set(opened(), seed).until(over)
    return [(encode(line), at) for line, at in table.log]


def fill(database: str, many: int) -> None:
    """Insert `many` finished matches into a migrated database."""
    asyncio.run(filled(database, many))


async def filled(database: str, many: int) -> None:
    logs, rng = [played(seed) for seed in range(KINDS)], Random(0)
    engine = engine_of(database)
    for begun in range(0, many, AT_ONCE):
        names = {secrets.token_urlsafe(16): rng.choice(logs) for _ in range(min(AT_ONCE, many - begun))}
        async with engine.begin() as connection:
            await connection.execute(
                playing_table.insert(), [row_of(name, log) for name, log in names.items()]
            )
            await connection.execute(
                entry.insert(), [row for name, log in names.items() for row in rows(name, log)]
            )
            guests = [
                {"table_id": name, "seat": who, "guest": f"guest-{who}-{name}"[:32]}
                for name in names
                for who in (0, 1)
            ]
            await connection.execute(seat.insert(), guests)
    async with engine.connect() as connection:
        count = await connection.scalar(sa.select(sa.func.count()).select_from(playing_table))
    await engine.dispose()
    if count != many:
        raise RuntimeError(f"{count} matches are there instead of {many}")


def row_of(name: str, log: list[tuple[bytes, float]]) -> dict[str, object]:
    return {"id": name, "opened": log[0][1], "over": True, "wake": None}


def rows(name: str, log: list[tuple[bytes, float]]) -> list[dict[str, object]]:
    """The rows of a log, each with a command id as in real play."""
    return [
        {"table_id": name, "n": n, "at": at, "command": secrets.token_urlsafe(12), "body": body}
        for n, (body, at) in enumerate(log, 1)
    ]
