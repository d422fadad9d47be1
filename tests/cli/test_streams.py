"""Standard streams: a reader that leaves, encodings without our signs, files with marks of other systems."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from chouine.cli import COMMANDS
from chouine.cli.databases import ready_database
from tests.notation.test_records import LAVARDIN

RECORDS = "tests/records/lavardin.cgn"
LINE = "classic b KQ.A9.7. 9.J.T8.J Ks AhAcAsAdKhKcKdQhQcQdJdTcThTsTd9d8h8s7s7h7c"


def chouine(
    *arguments: str, program: Sequence[str] = ("-m", "chouine"), **environment: str
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *program, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )


HELP = f"""
import sys
from chouine.cli import main
for name in {list(COMMANDS)!r}:
    sys.argv = ["chouine", name, "--help"]
    try:
        main()
    except SystemExit as left:
        assert not left.code, name
"""
"""The help of every command, as if each were its own process."""

TALKATIVE: dict[str, list[str]] = {
    "help": ["--help"],
    "version": ["--version"],
    "help of a command": ["serve", "--help"],
    "problems": ["problems", "export"],
    "replay": ["replay", "--legal", RECORDS],
    "show": ["show", RECORDS],
    "deal": ["deal", "--seed", "1"],
    "contest": ["concours", "simulate", "--entries", "60"],
    "contest as JSON": ["concours", "simulate", "--entries", "60", "--json"],
    "error": ["replay", "/nowhere"],
}


@pytest.mark.parametrize(
    ("call", "closed", "code"),
    [
        (f"show {RECORDS}", ">&-", 0),
        ("deal", ">&- 2>&-", 0),
        ("no-such", "2>&-", 2),
        ("replay", "<&-", 0),
        ("engine", "<&-", 0),
        ("replay", "<&- >&- 2>&-", 0),
    ],
)
def test_streams_that_are_closed_from_the_beginning(call: str, closed: str, code: int) -> None:
    line = f"exec {shlex.quote(sys.executable)} -m chouine {call} {closed}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr


@pytest.mark.parametrize(
    ("lines", "unbuffered"),
    [(0, ""), (1, "1"), *(pytest.param(*both, marks=pytest.mark.nightly) for both in ((0, "1"), (1, "")))],
)
def test_a_reader_that_has_enough_ends_every_command_quietly(lines: int, unbuffered: str) -> None:
    """`| head -1`, and a reader that is gone before the first line."""
    for name, call in TALKATIVE.items():
        process = chouine(*call, PYTHONUNBUFFERED=unbuffered)
        assert process.stdout
        if lines:
            process.stdout.readline()
        process.stdout.close()
        process.stdout = None
        said = process.communicate()[1].decode()
        if name == "error":
            assert said.count("\n") == 1
        else:
            assert (name, process.returncode, said) == (name, 0, "")


def test_a_backup_is_written_whoever_reads_what_is_printed(tmp_path: Path) -> None:
    """The file is in its place before anything is printed, which may end the command with exit status 0."""
    ready_database(str(tmp_path / "a.db"))
    process = chouine(
        "backup", str(tmp_path / "b"), "--database", str(tmp_path / "a.db"), PYTHONUNBUFFERED="1"
    )
    assert process.stdout
    process.stdout.close()
    process.stdout = None
    said = process.communicate()[1]
    assert (process.returncode, said, (tmp_path / "b").is_file()) == (0, b"", True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("arguments", [["deal"], ["problems", "export"]])
def test_a_full_disk_is_one_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "chouine", *arguments], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr.decode() == "chouine: the disk is full.\n"


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no /dev/stdout")
@pytest.mark.parametrize(
    "call",
    [
        f"show {RECORDS} --svg /dev/stdout",
        f"show {RECORDS} --animate /dev/stdout",
        "duel greedy random --pairs 1 --workers 1 --plot /dev/stdout --json",
        "pool greedy random --pairs 1 --workers 1 --markdown /dev/stdout",
        "concours simulate --entries 4 --log /dev/stdout",
    ],
)
def test_a_result_may_be_written_to_the_output(call: str, tmp_path: Path) -> None:
    """To a pipe and to a file alike: what the command prints besides comes after it, not over it."""
    piped, file = chouine(*call.split()), tmp_path / "out"
    told = piped.communicate()[0].splitlines()
    with file.open("wb") as out:
        call_again = [sys.executable, "-m", "chouine", *call.split()]
        assert subprocess.run(call_again, stdout=out, check=False).returncode == 0
    written = file.read_bytes().splitlines()
    assert (piped.returncode, len(written)) == (0, len(told))
    assert [line[:4] for line in written] == [line[:4] for line in told]
    assert written[0][:1] in b"<|{"


def test_without_any_output_a_command_ends() -> None:
    told = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m chouine deal >&-"], stderr=subprocess.PIPE, check=False
    )
    assert (told.returncode, told.stderr) == (0, b"")


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        pytest.param({"PYTHONIOENCODING": "cp850"}, marks=pytest.mark.nightly),
        pytest.param({"PYTHONIOENCODING": "cp1252"}, marks=pytest.mark.nightly),
        pytest.param({"PYTHONIOENCODING": "ascii:strict"}, marks=pytest.mark.nightly),
    ],
    ids=lambda environment: " ".join(environment.values()),
)
def test_no_encoding_stops_a_command(environment: dict[str, str]) -> None:
    calls = {
        **TALKATIVE,
        "show in French": ["show", "--language", "fr", RECORDS],
        "accents": ["deal", "--rules", "é♠"],
        "bytes": ["replay", os.fsdecode(b"\xff")],
        "wrong": ["play", "--level", "œ"],
        "name": ["play", "--name", "a=José", "--save", "/nonexistent/é"],
    }
    helping = chouine(program=("-c", HELP), LANG="fr_FR", **environment)
    assert (helping.communicate()[1], helping.returncode) == (b"", 0)
    for name, call in calls.items():
        process = chouine(*call, LANG="fr_FR", **environment)
        out, said = process.communicate()
        assert b"Traceback" not in said, (name, said.decode())
        assert process.returncode == 0 or name not in TALKATIVE or name == "error"
        assert not (b"?" in out and name == "show in French"), out.decode()


def test_signs_that_an_encoding_lacks_are_letters() -> None:
    process = chouine("show", "--language", "fr", RECORDS, PYTHONIOENCODING="cp1252")
    out = process.communicate()[0].decode("cp1252")
    assert "é" in out
    assert "s" in out
    assert "♠" not in out


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("command", ["replay", "show"])
def test_files_of_other_systems_are_read(command: str, encoding: str, tmp_path: Path) -> None:
    mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
    content = (mark + LAVARDIN.replace("\n", "\r\n")).encode(encoding)
    file = tmp_path / "a.cgn"
    file.write_bytes(content)
    plain = tmp_path / "plain.cgn"
    plain.write_text(LAVARDIN, encoding="utf-8")
    call = [sys.executable, "-m", "chouine", command]
    told = [
        subprocess.run([*call, str(file)], capture_output=True, check=False),
        subprocess.run([*call, "-"], input=content, capture_output=True, check=False),
        subprocess.run([*call, str(plain)], capture_output=True, check=True),
    ]
    assert told[0].stdout == told[1].stdout == told[2].stdout
    assert not told[0].stderr
