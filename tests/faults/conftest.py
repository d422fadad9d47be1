"""Servers and databases that are stopped, killed and filled during play."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.server.nodes import Postgres, postgres
from tests.needs import need


@pytest.fixture
def database_server() -> Iterator[Postgres]:
    """A separate PostgreSQL server, since the test stops it."""
    need("postgresql")
    with postgres() as server:
        yield server
