"""A contest with two disks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chouine.contest import ContestOpened, commit, formula_for
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore
from tests.server.contest.volunteer import SEED, Volunteer


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ContestStore]:
    (tmp_path / "usb").mkdir()
    act = ContestOpened(formula_for("lavardin", consolante="first"), commit(SEED), "Lavardin", 1000, 1500)
    made = ContestStore.create(
        tmp_path / "contest.chouine", act, SEED, "test", tmp_path / "usb" / "contest.chouine"
    )
    yield made
    made.close()


@pytest.fixture
def desk(store: ContestStore) -> Volunteer:
    """The desk's own browser."""
    return Volunteer(desk_application(store)).open()
