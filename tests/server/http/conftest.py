"""A real server that the HTTP tests share, and two browsers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.serving import Browser, RunningServer, serving


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder: Path = tmp_path_factory.mktemp("served")
    with serving(f"sqlite:///{folder / 'chouine.db'}", folder / "errors") as server:
        yield server


@pytest.fixture
def host(served: RunningServer) -> Browser:
    """A browser that opens tables."""
    return served.visit()


@pytest.fixture
def friend(served: RunningServer) -> Browser:
    """A second browser, with its own session."""
    return served.visit("en")
