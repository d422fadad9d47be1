"""Databases for the server's tests: SQLite in a file, and PostgreSQL, each in its newest shape."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

from chouine.server.database import engine_of
from chouine.server.migrations import upgrade
from tests.needs import need
from tests.server.postgres import server

NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """One server for all tests of a process."""
    need("postgresql")
    with server() as address:
        yield address


@pytest.fixture(scope="session")
def newest_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of the newest shape with nothing in it: copied for each test, which is quicker than migrating anew."""
    path = tmp_path_factory.mktemp("newest") / "chouine.db"
    upgrade(f"sqlite+aiosqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def newest_postgres(postgres: str) -> str:
    """The same in PostgreSQL: the name of a database that others are made from."""
    create(postgres, "newest")
    upgrade(f"{postgres}/newest")
    return "newest"


KINDS = ["sqlite", "postgresql"]


@pytest.fixture(params=KINDS)
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with nothing in it."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'chouine.db'}"
    return str(request.getfixturevalue("postgres_database"))


@pytest.fixture
def postgres_database(postgres: str) -> str:
    """PostgreSQL, with nothing in it."""
    return create(postgres, f"chouine_{next(NUMBERS)}")


def create(address: str, name: str, template: str = "template1") -> str:
    """Make a database like another; its address."""

    async def made() -> None:
        engine = engine_of(f"{address}/postgres").execution_options(isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(sa.text(f"create database {name} template {template}"))
        await engine.dispose()

    asyncio.run(made())
    return f"{address}/{name}"


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest) -> str:
    """A database as the server finds it."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite"))
    address = str(request.getfixturevalue("postgres"))
    return create(address, f"chouine_{next(NUMBERS)}", str(request.getfixturevalue("newest_postgres")))


@pytest.fixture
def sqlite(newest_sqlite: Path, tmp_path: Path) -> str:
    """SQLite only, where the database does not matter."""
    return f"sqlite+aiosqlite:///{shutil.copy(newest_sqlite, tmp_path / 'chouine.db')}"
