"""Measure what finished parties take in each database, and how long a backup takes.

`python -m benchmarks.server.storage`
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.server.history import fill
from benchmarks.server.postgres import postgres
from chouine.server.migrations import upgrade

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
