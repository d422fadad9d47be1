"""One real server for all that is asked of it over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.serving import Browser, Served, serving


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("served")
    with serving(f"sqlite:///{folder / 'chouine.db'}", folder / "errors") as server:
        yield server


@pytest.fixture
def host(served: Served) -> Browser:
    """Somebody who opens tables."""
    return served.visit()


@pytest.fixture
def friend(served: Served) -> Browser:
    """Somebody else, elsewhere."""
    return served.visit("en")
