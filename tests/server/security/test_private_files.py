"""A database's files are readable by their owner alone, whichever command made or opened them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from chouine.cli import main
from chouine.files import create_private
from chouine.server.migrations import upgrade


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_private_from_the_beginning(tmp_path: Path) -> None:
    os.close(create_private(tmp_path / "x"))
    assert mode(tmp_path / "x") == 0o600
    with pytest.raises(FileExistsError):
        create_private(tmp_path / "x")


def test_an_open_database_is_tightened_and_moved_to_a_private_one(tmp_path: Path) -> None:
    source, target = tmp_path / "a.db", tmp_path / "b.db"
    upgrade(f"sqlite+aiosqlite:///{source}")
    for end in ("", "-wal", "-shm"):
        Path(f"{source}{end}").touch()
        Path(f"{source}{end}").chmod(0o644)
    assert main(["move", f"sqlite:///{source}", f"sqlite:///{target}"]) == 0
    assert {mode(file) for file in tmp_path.iterdir()} == {0o600}


def test_a_contest_s_files_are_private(tmp_path: Path) -> None:
    file, taken = tmp_path / "a.chouine", tmp_path / "b.chouine"
    assert main(["concours", "new", str(file)]) == 0
    assert main(["concours", "resume", str(file), str(taken)]) == 0
    file.chmod(0o666)
    assert main(["concours", "check", str(file)]) == 0
    assert (mode(file), mode(taken)) == (0o600, 0o600)
