"""Database fixtures for the server's tests: a SQLite file and PostgreSQL, each migrated to the newest schema."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
import sqlalchemy as sa

from chouine.server import database as database_module
from chouine.server import engines
from chouine.server.engines import engine_of
from chouine.server.migrations import upgrade
from tests.needs import need
from tests.patience import PATIENCE
from tests.server.postgres import server
from tests.server.stores import patient_with_locks
from tests.server.templates import share_templates

if TYPE_CHECKING:  # few tests need them
    from chouine.server.push.mail import Mailer
    from tests.server.push.mail_server import Post

NUMBERS = count(1)


@pytest.fixture(scope="session", autouse=True)
def _templates() -> None:
    share_templates()


@pytest.fixture(scope="session", autouse=True)
def _patient() -> Iterator[None]:
    with patient_with_locks():
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """One PostgreSQL server for all tests of a process, which may be slow to go on with what they have begun there."""
    need("postgresql")
    patient = {"idle_in_transaction_session_timeout": f"{PATIENCE:.0f}s"}
    with (
        server() as address,
        patch.dict(engines.SESSION, patient),
        patch.object(engines, "PATIENCE", PATIENCE / 3),
        patch.object(database_module, "PATIENCE", PATIENCE / 3),
    ):
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

    async def make() -> None:
        engine = engine_of(f"{address}/postgres").execution_options(isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(sa.text(f"create database {name} template {template}"))
        await engine.dispose()

    asyncio.run(make())
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


@pytest.fixture
def post() -> Iterator[tuple[Post, Mailer]]:
    """A mail server, and what sends to it."""
    from chouine.server.push.mail import Mailer
    from tests.server.push.mail_server import FROM, Post, delivering

    receiving = Post()
    with delivering(receiving) as port:
        yield receiving, Mailer("127.0.0.1", port, FROM, deadline=PATIENCE)


@pytest.fixture
def mailing(post: tuple[Post, Mailer], monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """The options of a server that sends its e-mails to `post`."""
    from tests.server.push.mail_server import FROM
    from tests.server.push.test_push import SITE

    monkeypatch.setenv("CHOUINE_SMTP_URL", f"smtp://127.0.0.1:{post[1].port}")
    return "--public-url", SITE, "--allowed-hosts", "127.0.0.1", "--mail-from", FROM
