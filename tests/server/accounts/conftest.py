"""A server for each test: what is counted of an address in one would be missing in the next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.serving import RunningServer, serving


@pytest.fixture
def served(tmp_path: Path) -> Iterator[RunningServer]:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as server:
        yield server
