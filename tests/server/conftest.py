"""Database fixtures for the server's tests: a SQLite file and PostgreSQL, each migrated to the newest schema."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

from chouine.server.engines import engine_of
from chouine.server.migrations import upgrade
from tests.needs import need
from tests.server.postgres import server
from tests.server.templates import share_templates

NUMBERS = count(1)


@pytest.fixture(scope="session", autouse=True)
def _templates() -> None:
    share_templates()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """One PostgreSQL server for all tests of a process."""
    need("postgresql")
    with server() as address:
        yield address


@pytest.fixture(scope="session")
def newest_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty SQLite file with the newest schema; each test copies it, which is quicker than migrating."""
    path = tmp_path_factory.mktemp("newest") / "chouine.db"
    upgrade(f"sqlite+aiosqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def newest_postgres(postgres: str) -> str:
    """The name of a PostgreSQL template database with the newest schema."""
    create(postgres, "newest")
    upgrade(f"{postgres}/newest")
    return "newest"


KINDS = ["sqlite", "postgresql"]


@pytest.fixture(params=KINDS)
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without any table, on each backend."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'chouine.db'}"
    return str(request.getfixturevalue("postgres_database"))


@pytest.fixture
def postgres_database(postgres: str) -> str:
    """A PostgreSQL database without any table."""
    return create(postgres, f"chouine_{next(NUMBERS)}")


def create(address: str, name: str, template: str = "template1") -> str:
    """Create a PostgreSQL database from a template and return its address."""

    async def made() -> None:
        engine = engine_of(f"{address}/postgres").execution_options(isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(sa.text(f"create database {name} template {template}"))
        await engine.dispose()

    asyncio.run(made())
    return f"{address}/{name}"


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest) -> str:
    """A migrated database, on each backend."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite"))
    address = str(request.getfixturevalue("postgres"))
    return create(address, f"chouine_{next(NUMBERS)}", str(request.getfixturevalue("newest_postgres")))


@pytest.fixture
def sqlite(newest_sqlite: Path, tmp_path: Path) -> str:
    """A migrated SQLite database, for tests that do not depend on the backend."""
    return f"sqlite+aiosqlite:///{shutil.copy(newest_sqlite, tmp_path / 'chouine.db')}"
