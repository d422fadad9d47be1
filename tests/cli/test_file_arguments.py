"""Every argument of a command that names a file or a folder, and what comes of one that is not as it should be."""

from __future__ import annotations

import argparse
import os
import resource
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, suppress
from io import BufferedReader, BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from chouine.cli import main
from chouine.cli.databases import ready_database
from chouine.season.acts import SeasonOpened, SeasonRules
from chouine.server.contest.season_store import SeasonStore
from tests.cli.test_mistakes import LEAVES, parser_of

SEASON_ACTS = {
    "rules": "--best 5",
    "add": "OUT",
    "rank": "",
    "merge": "1 2",
    "undo": "3",
    "log": "",
    "members": "",
    "publish": "OUT",
    "erase": "1",
    "announce": "2027-01-15T20:00 Troo",
    "book": "1 Zoe",
    "cancel": "1 code",
    "door": "1 OUT",
    "open": "--no-browser",
}
READ = {
    "show text": "show FILE",
    "analyse file": "analyse FILE",
    "verify file": "verify FILE",
    "filter file": "filter FILE --count",
    "replay file": "replay FILE",
    "serve --legal": "serve --legal FILE --evening never",
    "bot --token-file": "bot random --token-file FILE",
    "play --save": "play --resume --save FILE",
    "concours check file": "concours check FILE",
    "concours log file": "concours log FILE",
    "concours resume copy": "concours resume FILE OUT",
    "concours erase file": "concours erase FILE 1",
    "concours open file": "concours open FILE --no-browser",
    **{f"saison {act} file": f"saison {act} FILE {rest}" for act, rest in SEASON_ACTS.items()},
    "saison sheet file": "saison sheet FILE",
    "saison add sources": "saison add SEASON FILE",
    "saison members --read": "saison members SEASON --read FILE",
    "saison publish --contests": "saison publish SEASON OUT --contests FILE",
    "problems verify file": "problems verify FILE",
    "problems export file": "problems export FILE",
    "daily make seed": "daily make FILE",
    "daily simulate --seed": "daily simulate random --seed FILE",
    "leaderboard verify file": "leaderboard verify FILE",
    "restore file": "restore FILE --database OUT.db",
}
"""A call for each argument whose file is read, by command and argument."""
RECORD = "tests/records/lavardin.cgn"
DUEL = "greedy random --pairs 1 --workers 1"
WRITTEN = {
    "play --record": "play --save OUT --record FILE --seat a=random --seat b=random --format 1x1",
    "analyse --log": f"analyse {RECORD} --worlds 1 --log FILE",
    "problems verify --log": "problems verify --sample 1 --workers 1 --log FILE",
    "duel --log": f"duel {DUEL} --log FILE",
    "duel --save": f"duel {DUEL} --save FILE",
    "duel --plot": f"duel {DUEL} --plot FILE.svg",
    "pool --plot": f"pool {DUEL} --plot FILE.svg",
    "pool --markdown": f"pool {DUEL} --markdown FILE.md",
    "leaderboard add file": "leaderboard add greedy FILE --pairs 1 --workers 1",
    "show --svg": f"show {RECORD} --svg FILE.svg",
    "show --animate": f"show {RECORD} --animate FILE.svg",
    "saison rank --write": "saison rank SEASON --write FILE.csv",
    "saison members --write": "saison members SEASON --write FILE.ods",
    "saison new file": "saison new FILE",
    "saison door contest": "saison door SEASON 1 FILE",
    "concours new file": "concours new FILE",
    "concours simulate --log": "concours simulate --entries 4 --log FILE",
    "concours resume file": "concours resume CONTEST FILE",
    "concours erase --copy": "concours erase CONTEST 1 --copy FILE",
    "concours open --copy": "concours open none/contest --copy FILE --no-browser",
    "backup file": "backup FILE --database DATABASE",
    "export file": "export nobody FILE --database DATABASE",
}
"""A call for each argument whose file is appended to, replaced, or made."""
FOLDERS = {
    "concours open --folder", "saison publish folder", "problems make folder", "pool --logs", "book --parts",
    "book --write", "dataset folder", "doctor --backups", "prune --copies", "erase --copies",
}  # fmt: skip
NAMED = {"FILE", "FILE|LINE", "COPY", "FOLDER", "EVENING", "CONTEST", "OUT"}
"""How help texts call such an argument."""


def arguments() -> Iterator[str]:
    """Every argument of a command that names a file or a folder, after the command's name."""
    for names in LEAVES:
        for action in parser_of(names)._actions:
            if names_file(action):
                yield " ".join([*names, *(action.option_strings[-1:] or [action.dest])])


def names_file(action: argparse.Action) -> bool:
    return (
        action.metavar in NAMED
        or action.type is Path
        or getattr(action.type, "__name__", "").endswith("path")
    )


def test_every_argument_is_tried() -> None:
    assert {*arguments()} == READ.keys() | WRITTEN.keys() | FOLDERS


@pytest.fixture
def season(tmp_path: Path) -> Path:
    path = tmp_path / "club.saison"
    SeasonStore.create(path, SeasonOpened("", "", SeasonRules()), "test").close()
    return path


def status(call: str, language: str = "en", **named: Path) -> object:
    """The exit status of a call in which words stand for paths."""
    words = [
        f"{named[stem]}{dot}{ending}" if (stem := word.partition(".")[0]) in named else word
        for word in call.split()
        for _stem, dot, ending in [word.partition(".")]
    ]
    try:
        return main([*words, "--language", language])
    except SystemExit as left:
        return left.code


@pytest.mark.parametrize(
    "content",
    [b"", b" \n\r\n\t\n", b"\xef\xbb\xbf", b"\xff\xfe"],
    ids=["empty", "blank", "mark", "wide mark"],
)
@pytest.mark.parametrize("call", READ.values())
def test_a_file_without_anything_is_refused(
    call: str,
    content: bytes,
    season: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody names a file in which there is nothing to do: it is another than meant, or was cut off."""
    monkeypatch.setenv("CHOUINE_TOKEN", f"chouine_{'x' * 40}")
    file = tmp_path / "file"
    file.write_bytes(content)
    assert status(call, FILE=file, SEASON=season, OUT=tmp_path / "out") == 2
    out, told = capsys.readouterr()
    assert not out
    (sentence,) = told.splitlines()
    assert sentence.startswith(f"chouine {call.split(maxsplit=1)[0]}: ")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero")
@pytest.mark.parametrize("call", READ.values())
def test_a_device_without_an_end_is_refused(
    call: str, season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before it has filled the memory."""
    assert status(call, FILE=Path("/dev/zero"), SEASON=season, OUT=tmp_path / "out") == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith(f"chouine {call.split(maxsplit=1)[0]}: ")


@pytest.mark.parametrize("kind", ["notes", "database"])
@pytest.mark.parametrize("call", READ.values())
def test_another_s_file_is_left_as_it_is(
    call: str, kind: str, season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Named by mistake, it keeps its name, its content, its mode, and what is beside it."""
    folder = tmp_path / "mine"
    folder.mkdir()
    file = folder / "file"
    if kind == "notes":
        file.write_text("to buy: bread\n")
    else:
        with closing(sqlite3.connect(file)) as made:
            made.execute("pragma journal_mode = wal")
            made.execute("create table a (b)")
            made.commit()
    file.chmod(0o644)
    before = file.read_bytes()
    assert status(call, FILE=file, SEASON=season, OUT=tmp_path / "out") in (1, 2)
    assert any(capsys.readouterr())
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (before, 0o644)
    assert [*folder.iterdir()] == [file]


@pytest.mark.parametrize("call", ["show", "replay", "filter", "filter --count", "analyse"])
def test_standard_input_may_be_empty(
    call: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the end of a pipe in which no partie was left over."""
    for line in (call, f"{call} -"):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BufferedReader(BytesIO())))
        assert status(line) == 0
        assert capsys.readouterr().out.strip() in ("", "0")


@pytest.mark.parametrize("argument", WRITTEN)
def test_a_full_disk_leaves_nothing_half_written(
    argument: str, season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No file may be longer than twenty bytes, which no result is. Of a log the next run drops what is incomplete."""
    folder, contest, database = tmp_path / "out", tmp_path / "contest", tmp_path / "database"
    folder.mkdir()
    assert status("concours new FILE", FILE=contest) == 0
    ready_database(str(database))
    capsys.readouterr()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, before[1]))
    try:
        named = {"FILE": folder / "file", "SEASON": season, "CONTEST": contest, "DATABASE": database}
        code = status(WRITTEN[argument], "fr", OUT=folder / "save", **named)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert code in (1, 2)
    told = capsys.readouterr().err
    assert "Traceback" not in told
    assert told.splitlines()[-1].startswith("chouine")
    if "log" not in argument:
        assert not [each for each in folder.iterdir() if each.stat().st_size]


@pytest.mark.parametrize(
    "argument",
    [
        "analyse --log",
        "problems verify --log",
        "duel --log",
        "leaderboard add file",
        "daily make seed",
        "play --save",
    ],
)
def test_what_has_to_be_a_file_is_no_pipe(
    argument: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A log that is read before it is written to would be waited for, or read without end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert status((WRITTEN | READ)[argument], FILE=pipe) == 2
    assert f"{pipe} is a device or a pipe, not a file" in capsys.readouterr().err
    assert pipe.is_fifo()


@pytest.mark.parametrize("place", ["FOLDER", "NONE/a.db", "OTHER/a.db"])
@pytest.mark.parametrize("call", ["move DATABASE PLACE", "restore DATABASE --database PLACE"])
def test_where_no_database_can_be_made(
    call: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "database"
    ready_database(str(database))
    (tmp_path / "OTHER").touch()
    (tmp_path / "FOLDER").mkdir()
    assert status(call, "fr", DATABASE=database, PLACE=tmp_path / place) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert "est un dossier" in told or "impossible d’ouvrir" in told


@pytest.mark.parametrize(
    "call",
    [
        "dataset FOLDER --parties 1",
        "book --parties 1 --parts FOLDER",
        "book --parties 1 --parts OUT --write FOLDER",
        "problems make FOLDER",
        "saison publish SEASON FOLDER",
        "concours open --folder FOLDER --no-browser",
        "play --save FOLDER",
        "pool greedy random --pairs 1 --logs FOLDER",
        "leaderboard add greedy FOLDER --pairs 1",
    ],
)
def test_no_folder_is_made_above_the_one_that_is_named(
    call: str, season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may be mistyped."""
    above = tmp_path / "nowhere"
    assert status(call, FOLDER=above / "new", SEASON=season, OUT=tmp_path / "out") == 2
    assert f"There is no folder {above}" in capsys.readouterr().err
    assert not above.exists()


@pytest.mark.parametrize("call", ["duel nobody random --secret", "leaderboard add nobody FILE"])
def test_no_digest_is_published_of_what_cannot_be_played(
    call: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status(call, FILE=tmp_path / "board") == 2
    assert "SHA-256" not in capsys.readouterr().err


@pytest.mark.parametrize("words", ["show", "verify", "book --write", "leaderboard verify"])
def test_an_empty_name_is_no_folder(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An unset variable's text is not the current folder."""
    with suppress(SystemExit):
        assert main([*words.split(), "", "--language", "en"]) == 2
    assert "a name is missing: an empty text names no file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [f"duel {DUEL} --log FILE --save FILE", f"duel {DUEL} --save FILE --plot LINK"]
)
def test_two_results_do_not_go_into_one_file(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A log with records in it could not be gone on with, and a plot took the place of the records."""
    file, link = tmp_path / "result.svg", tmp_path / "link.svg"
    link.symlink_to(file)
    assert (
        main([*words.replace("FILE", str(file)).replace("LINK", str(link)).split(), "--language", "en"]) == 2
    )
    assert capsys.readouterr().err.endswith("is named for two results: each needs a file of its own.\n")
    assert not file.exists()
