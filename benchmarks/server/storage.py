"""Finished matches in a database: `python -m benchmarks.server.storage` measures what they and a backup take."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.server.nodes import postgres
from chouine.server.codec import encode
from chouine.server.engines import engine_of
from chouine.server.migrations import upgrade
from chouine.server.schema import entry, playing_table, seat
from tests.server.matches import Table, is_over, opening

KINDS = 20
"""Number of different matches, each inserted many times with new names."""
AT_ONCE = 500


def random_log(seed: int) -> list[tuple[bytes, float]]:
    """The log of a random match of one partie."""
    table = Table.set(opening(), seed).until(is_over)
    return [(encode(line), at) for line, at in table.log]


def fill(database: str, many: int) -> None:
    """Insert `many` finished matches into a migrated database."""
    asyncio.run(insert_tables(database, many))


async def insert_tables(database: str, many: int) -> None:
    logs, rng = [random_log(seed) for seed in range(KINDS)], Random(0)
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


MEGABYTE = 1_000_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server.storage", description=__doc__)
    parser.add_argument("--parties", type=int, default=10_000)
    many = parser.parse_args().parties
    print(
        "| database | parties | MB for 1,000 parties | backup, s | backup, MB for 1,000 parties |\n"
        "| --- | ---: | ---: | ---: | ---: |"
    )
    for name in ("SQLite", "PostgreSQL"):
        with TemporaryDirectory() as folder, database(name, Path(folder)) as address:
            upgrade(address)
            empty = size(address)
            fill(address, many)
            taken = (size(address) - empty) / many * 1000 / MEGABYTE
            file = Path(folder) / "backup.db"
            begun = monotonic()
            subprocess.run(  # noqa: S603
                [sys.executable, "-m", "chouine", "backup", str(file), "--database", address],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            took, written = monotonic() - begun, file.stat().st_size / many * 1000 / MEGABYTE
        print(f"| {name} | {many:,} | {taken:.1f} | {took:.0f} | {written:.1f} |", flush=True)


@contextmanager
def database(name: str, folder: Path) -> Iterator[str]:
    """The address of an empty database."""
    if name == "SQLite":
        yield f"sqlite+aiosqlite:///{folder / 'chouine.db'}"
    else:
        with postgres() as server:
            yield server.url


def size(address: str) -> int:
    """The bytes of a database on disk."""
    if address.startswith("sqlite"):
        return Path(address.partition(":///")[2]).stat().st_size
    return asyncio.run(size_of_server(address))


async def size_of_server(address: str) -> int:
    """The bytes of a PostgreSQL database."""
    engine = create_async_engine(address)
    async with engine.connect() as connection:
        found = await connection.scalar(sa.text("select pg_database_size(current_database())"))
    await engine.dispose()
    return int(found or 0)


if __name__ == "__main__":
    main()
