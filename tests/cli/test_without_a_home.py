"""A user without a home folder, as services and containers have: no passwd entry, and HOME unset, empty or wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from chouine.cli import COMMANDS
from chouine.cli.databases import ready_database
from chouine.errors import ChouineError
from chouine.folders import need_folder
from tests.cli.test_mistakes import LEAVES

NOBODY = """
import pwd
def getpwuid(uid):
    raise KeyError(uid)
pwd.getpwuid = getpwuid
"""
WRONG = "", "/nonexistent/home", "home"
homes = pytest.mark.parametrize(
    "home", [None, *(pytest.param(home, marks=pytest.mark.nightly) for home in WRONG)]
)
HELP = f"""
import sys
from chouine.cli import main
for name in {[" ".join(names) for names in LEAVES]!r}:
    sys.argv = ["chouine", *name.split(), "--help"]
    try:
        main()
    except SystemExit as left:
        assert not left.code, name
"""
NEEDING = {
    "play": "--save",
    "concours open --no-browser": "--folder",
    "book": "--parts, CHOUINE_CACHE_DIR",
    "warm": "CHOUINE_CACHE_DIR",
    **dict.fromkeys(
        [
            "prune", "reports", "ratings", "operator list", "erase nobody", "backup OUT", "export nobody OUT",
            "restore BACKUP", "serve --no-browser --port 0",
        ],
        "--database, CHOUINE_DATABASE_URL",
    ),
}  # fmt: skip
"""Calls that need a folder, with what names another."""
WITHOUT = {
    "deal", "show tests/records/lavardin.cgn", "replay tests/records/lavardin.cgn", "filter tests/records/lavardin.cgn",
    "problems export", "concours simulate --entries 4", "saison simulate --evenings 2 --players 4",
    "daily simulate random", "duel greedy random --pairs 2 --workers 2", "engine",
}  # fmt: skip
"""Calls that do without."""


def chouine(
    folder: Path, home: str | None, *arguments: str, program: tuple[str, ...] = ("-m", "chouine")
) -> subprocess.CompletedProcess[str]:
    (folder / "sitecustomize.py").write_text(NOBODY)
    kept = {
        name: text for name, text in os.environ.items() if not name.startswith(("XDG_", "HOME", "CHOUINE_"))
    }
    environment = (
        kept | {"PYTHONPATH": str(folder), "TMPDIR": str(folder)} | ({} if home is None else {"HOME": home})
    )
    call = [sys.executable, *program, *arguments]
    return subprocess.run(
        call, capture_output=True, text=True, check=False, env=environment, stdin=subprocess.DEVNULL
    )


ELSEWHERE = {
    "advise",
    "analyse",
    "bench",
    "bot",
    "conform",
    "dataset",
    "doctor",
    "leaderboard",
    "move",
    "perft",
    "pool",
}
"""Commands that need what others here need, or folders that are named; or that take long."""


def test_every_command_is_tried() -> None:
    tried = {call.split()[0] for call in [*NEEDING, *WITHOUT]}
    assert tried | ELSEWHERE | {"verify", "worker"} == {*COMMANDS}


@homes
def test_help_is_always_given(home: str | None, tmp_path: Path) -> None:
    done = chouine(tmp_path, home, program=("-c", HELP))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("call", NEEDING)
@homes
def test_what_needs_a_folder_says_how_one_is_named(call: str, home: str | None, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    words = [{"OUT": str(tmp_path / "out"), "BACKUP": str(backup)}.get(word, word) for word in call.split()]
    if "BACKUP" in call:
        ready_database(str(backup))
    done = chouine(tmp_path, home, *words, "--language", "en")
    assert done.returncode == 2
    assert done.stderr == (
        f"chouine {words[0]}: no home folder is known: name another folder or file by {NEEDING[call]}.\n"
    )


@pytest.mark.parametrize(
    "call",
    [pytest.param(each, marks=pytest.mark.long if "daily" in each else ()) for each in sorted(WITHOUT)],
)
def test_the_others_do_without(call: str, tmp_path: Path) -> None:
    """Compiled code lasts as long as the command."""
    done = chouine(tmp_path, None, *call.split())
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ChouineError, match="cannot be made: name another folder or file by --save"):
        need_folder(tmp_path / "file" / "chouine", "--save")
