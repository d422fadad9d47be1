"""Databases for the server's tests: SQLite in a file, and PostgreSQL, each in its newest shape."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

from chouine.server.database import engine_of
from chouine.server.migrations import upgrade
from tests.server.postgres import server

NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """One server for all tests of a process."""
    with server() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with nothing in it."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'chouine.db'}"
    return str(request.getfixturevalue("postgres_database"))


@pytest.fixture
def postgres_database(postgres: str) -> str:
    """PostgreSQL, with nothing in it."""
    name = f"chouine_{next(NUMBERS)}"
    asyncio.run(create(postgres, name))
    return f"{postgres}/{name}"


async def create(address: str, name: str) -> None:
    engine = engine_of(f"{address}/postgres").execution_options(isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(sa.text(f"create database {name}"))
    await engine.dispose()


@pytest.fixture
def database(empty_database: str) -> str:
    """A database as the server finds it."""
    upgrade(empty_database)
    return empty_database


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """SQLite only, where the database does not matter."""
    address = f"sqlite+aiosqlite:///{tmp_path / 'chouine.db'}"
    upgrade(address)
    return address
