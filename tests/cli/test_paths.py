"""Folders and files of any name: no path is taken for a part of an address, and nothing is called lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from chouine.cli.databases import CannotOpen, database_url, file_of, file_url, ready_database
from tests.notation.test_records import LAVARDIN

NAMES = ["a%20b", "a b", "é#1", "why?x=1", "100%", "%%", "back\\slash", "a&b;c", "ça 'va' \"bien\"", "a:b@c"]


@pytest.mark.parametrize("name", NAMES)
def test_a_database_in_a_folder_of_any_name(name: str, tmp_path: Path) -> None:
    """Twice, by a path, by an address as people write it, and as standards quote it."""
    folder = tmp_path / name
    folder.mkdir()
    file = folder / f"{name}.db"
    for asked in (str(file), f"sqlite:///{file}", file_url(file)):
        assert file_of(database_url(asked)) == file
    assert file_of(ready_database(str(file))) == file
    assert ready_database(f"sqlite:///{file}") == file_url(file)
    assert [each.name for each in tmp_path.rglob("*.db")] == [file.name]


@pytest.mark.parametrize(
    "name", ["why?x=1 é#1 100%20", *(pytest.param(name, marks=pytest.mark.nightly) for name in NAMES[:5])]
)
def test_commands_that_take_paths(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()

    def chouine(*arguments: object) -> None:
        call = [sys.executable, "-m", "chouine", *map(str, arguments)]
        done = subprocess.run(
            call, capture_output=True, text=True, check=False, env={"XDG_DATA_HOME": str(folder)}
        )
        assert done.returncode == 0, done.stderr

    ready_database(str(folder / "s.db"))
    chouine("backup", "--database", f"sqlite:///{folder}/s.db", folder / "b.db")
    chouine("restore", "--database", f"sqlite:///{folder}/t.db", folder / "b.db")
    chouine("prune", "--database", folder / "t.db")
    chouine("reports", "--database", folder / "t.db")
    chouine("concours", "new", folder / "c.db")
    chouine("concours", "log", folder / "c.db")
    chouine("concours", "resume", folder / "c.db", folder / "d.db")
    (folder / "a.cgn").write_text(LAVARDIN, encoding="utf-8")
    chouine("replay", folder / "a.cgn")


def test_a_missing_folder_is_not_a_loss(tmp_path: Path) -> None:
    for asked in (f"sqlite:///{tmp_path}/none/a.db", f"{tmp_path}/none/a.db"):
        for _ in range(2):
            with pytest.raises(CannotOpen, match="does its folder exist"):
                ready_database(asked)
    (tmp_path / "empty.db").touch()
    with pytest.raises(CannotOpen) as refused:
        ready_database(str(tmp_path / "empty.db"))
    assert "lost" not in str(refused.value)
