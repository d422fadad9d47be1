"""Servers and databases to be stopped, killed and filled while matches are played."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.server.postgres import Postgres, postgres
from tests.needs import need


@pytest.fixture
def database_server() -> Iterator[Postgres]:
    """A PostgreSQL of the test's own: others would notice that it goes away."""
    need("postgresql")
    with postgres() as server:
        yield server
