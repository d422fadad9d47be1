"""A contest with two disks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chouine.contest import ContestOpened, commit, formula_for
from chouine.server.contest.contest_store import ContestStore
from tests.server.contest.volunteer import SEED


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ContestStore]:
    (tmp_path / "usb").mkdir()
    act = ContestOpened(formula_for("lavardin", consolante="first"), commit(SEED), "Lavardin", 1000, 1500)
    made = ContestStore.create(
        tmp_path / "contest.chouine", act, SEED, "test", tmp_path / "usb" / "contest.chouine"
    )
    yield made
    made.close()
