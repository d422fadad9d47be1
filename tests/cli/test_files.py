"""Whatever a file holds that a command is to read, and wherever it is to write: a sentence, and never a traceback."""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chouine.cli import main
from chouine.cli.databases import ready_database
from chouine.cli.texts import check_writable, unopened_message
from chouine.errors import ChouineError
from chouine.phrases import say
from chouine.phrases.reasons import REASONS
from chouine.season.acts import SeasonOpened, SeasonRules
from chouine.server.contest.season_store import SeasonStore
from tests.notation.test_records import LAVARDIN

PACKED = gzip.compress(b'{"id":1}\n' * 1000)
CONTENTS = {
    "empty": b"",
    "blank": b"  \n\n \n",
    "latin-1": '[Event "Trôo"]\nhé\n'.encode("latin-1"),
    "zeros": bytes(2000),
    "cut": LAVARDIN[: len(LAVARDIN) // 2].encode(),
    "other line ends": LAVARDIN.replace("\n", "\r\n").encode(),
    "marked": b"\xef\xbb\xbf" + LAVARDIN.encode(),
    "wide": LAVARDIN.encode("utf-16"),
    "wide, cut": LAVARDIN.encode("utf-16")[:-1],
    "deep": b"[" * 100_000,
    "deep object": b'{"a":' * 100_000,
    "list": b"[1,2,3]\n",
    "object": b"{}\n",
    "number": b"1e999\n",
    "long number": b'{"pack":' + b"9" * 10_000 + b"}",
    "half a letter": b'{"pack":"\\ud800","nonce":"\\ud800","digest":"\\ud800"}',
    "one long line": b"x" * 3_000_000,
    "packed": PACKED,
    "packed, cut": PACKED[: len(PACKED) // 2],
    "packed, its sum wrong": PACKED[:-8] + bytes(8),
    "packed, no text": gzip.compress(b"\xff\xfe\xfa"),
    "a database's beginning": b"SQLite format 3\0" + bytes(100),
    "a spreadsheet's beginning": b"PK\x03\x04" + bytes(50),
}
READING = (
    "replay FILE",
    "show FILE",
    "filter FILE --where Result=1-0",
    "verify FILE",
    "concours check FILE",
    "concours log FILE",
    "concours resume FILE OUT",
    "saison sheet FILE",
    "saison add SEASON FILE",
    "saison members SEASON --read FILE",
    "problems export FILE",
    "leaderboard verify FILE",
    "leaderboard add greedy FILE --pairs 1 --workers 1",
    "duel greedy random --pairs 1 --workers 1 --log FILE",
    "duel greedy random --pairs 1 --workers 1 --secret --log FILE",
    "play --resume --save FILE",
    "restore FILE --database OUT",
    "prune --database FILE",
    "daily make FILE",
    "bot random --token-file FILE --server ftp://none",
    "serve --legal FILE --evening never",
)


@pytest.fixture
def season(tmp_path: Path) -> Path:
    path = tmp_path / "club.saison"
    SeasonStore.create(path, SeasonOpened("", "", SeasonRules()), "test").close()
    return path


def run(call: str, capsys: pytest.CaptureFixture[str], **named: Path) -> tuple[object, str]:
    """The exit code of a call in which words stand for paths, and what it says on standard error."""
    words = [str(named.get(word, word)) for word in call.split()]
    try:
        code: object = main([*words, "--language", "en"])
    except SystemExit as left:
        code = left.code
    return code, capsys.readouterr().err


@pytest.mark.parametrize("call", READING)
def test_whatever_a_file_holds(
    call: str, season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in CONTENTS.items():
        file = tmp_path / "file"
        file.write_bytes(content)
        code, told = run(call, capsys, FILE=file, OUT=tmp_path / "out", SEASON=season)
        assert code in (0, 1, 2), name
        assert all(line.isprintable() for line in told.splitlines()), name
        if code == 2:
            last = told.splitlines()[-1]
            assert last.startswith(f"chouine {call.split(maxsplit=1)[0]}: "), (name, told)


@pytest.mark.parametrize("call", [call for call in READING if not call.startswith(("play", "duel", "daily"))])
def test_where_there_is_no_file(
    call: str, season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder is not called a file that is missing, nor is a file on the way called a folder."""
    other = tmp_path / "other"
    other.write_text("x")
    named = {"OUT": tmp_path / "out", "SEASON": season}
    code, told = run(call, capsys, FILE=tmp_path, **named)
    assert (code, "is a folder, not a file" in told) == (2, True), told
    if not call.startswith("leaderboard add"):
        code, told = run(call, capsys, FILE=tmp_path / "none", **named)
        assert code == 2
        assert "there is no such file" in told or "here is no file" in told, told
    code, told = run(call, capsys, FILE=tmp_path / "none" / "file", **named)
    assert code == 2
    assert "here is no folder" in told or "here is no file" in told, told
    code, told = run(call, capsys, FILE=other / "file", **named)
    assert code == 2
    assert "is a file, not a folder" in told or "here is no file" in told, told
    assert other.read_text() == "x"


WRITING = (
    "duel greedy random --pairs 1 --workers 1 --log OUT",
    "duel greedy random --pairs 1 --workers 1 --save OUT",
    "duel greedy random --pairs 1 --workers 1 --plot OUT.svg",
    "pool greedy random --pairs 1 --workers 1 --plot OUT.svg",
    "pool greedy random --pairs 1 --workers 1 --markdown OUT.md",
    "show tests/records/lavardin.cgn --svg OUT.svg",
    "show tests/records/lavardin.cgn --animate OUT.svg",
    "saison rank SEASON --write OUT.csv",
    "saison members SEASON --write OUT.ods",
    "concours simulate --entries 4 --log OUT",
    "backup OUT --database DATABASE",
    "export nobody OUT --database DATABASE",
)


@pytest.mark.parametrize("call", WRITING)
def test_where_nothing_can_be_written(
    call: str,
    season: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The error comes before anything is played, and names what is wrong: the folder, or a file in its place."""
    monkeypatch.setattr("chouine.arena.duel.play_pair", None)
    ending = call.partition("OUT")[2].partition(" ")[0]
    word, other = f"OUT{ending}", tmp_path / "other"
    other.write_text("x")
    (tmp_path / f"folder{ending}").mkdir()
    named = {"SEASON": season, "DATABASE": tmp_path / "none.db"}
    for out, why in (
        (tmp_path / "none" / f"out{ending}", f"There is no folder {tmp_path / 'none'}"),
        (other / f"out{ending}", f"{other} is a file, not a folder"),
        (tmp_path / f"folder{ending}", "is a folder, not a file"),
    ):
        code, told = run(call, capsys, **{word: out}, **named)
        if call.startswith("backup") and out.is_dir():
            assert "exists already" in told
        else:
            assert (code, why in told) == (2, True), told
    assert other.read_text() == "x"


@pytest.mark.parametrize(
    "call",
    [
        *WRITING[2:-2],
        "concours new OUT",
        "concours resume CONTEST OUT",
        "daily make OUT",
        "backup OUT --database DATABASE",
    ],
)
def test_files_called_like_temporary_ones_are_left(
    call: str, season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neighbours with the names under which other programs, and earlier versions, write."""
    folder, contest, database = tmp_path / "folder", tmp_path / "club.chouine", tmp_path / "a.db"
    folder.mkdir()
    assert run("concours new FILE", capsys, FILE=contest)[0] == 0
    ready_database(str(database))
    word = next(word for word in call.split() if word.startswith("OUT"))
    out = folder / word.lower()
    names = [f"{begin}{out.name}{end}" for begin in ("", ".") for end in (".new", ".part", ".tmp", "~")]
    names += [out.with_suffix(end).name for end in (".new", ".part", ".partial", ".tmp")]
    for name in names:
        (folder / name).write_text("mine")
    code, told = run(call, capsys, **{word: out}, SEASON=season, CONTEST=contest, DATABASE=database)
    assert code == 0, told
    assert {each.name for each in folder.iterdir()} == {*names, out.name}
    assert all((folder / name).read_text() == "mine" for name in names)


@pytest.mark.parametrize(
    "call",
    [
        "saison rank SEASON --write OTHER",
        "saison members SEASON --write SEASON",
        "duel greedy random --plot OTHER",
        "pool greedy random --markdown OTHER",
        "show tests/records/lavardin.cgn --svg OTHER",
        "concours simulate --entries 4 --log SEASON",
    ],
)
def test_a_file_named_by_mistake_is_not_overwritten(
    call: str, season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "club.cgn"
    other.write_text("x")
    before = season.read_bytes()
    assert run(call, capsys, SEASON=season, OTHER=other)[0] == 2
    assert (other.read_text(), season.read_bytes()) == ("x", before)


def test_an_ending_may_be_in_capitals(
    season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As some systems write it: the file is of the kind that it says."""
    for name, begins in (("A.ODS", b"PK"), ("A.CSV", b"\xef\xbb\xbf")):
        file = tmp_path / name
        assert run("saison rank SEASON --write FILE", capsys, SEASON=season, FILE=file)[0] == 0
        assert file.read_bytes().startswith(begins)


def test_a_season_is_not_written_over_another_site(
    season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site"
    for _ in range(2):
        assert run("saison publish SEASON SITE", capsys, SEASON=season, SITE=site)[0] == 0
    (site / "index.html").write_text("<h1>My club</h1>")
    code, told = run("saison publish SEASON SITE", capsys, SEASON=season, SITE=site)
    assert (code, "index.html is not of a season" in told) == (2, True)
    assert (site / "index.html").read_text() == "<h1>My club</h1>"


def test_a_database_of_another_program_is_left_as_it_is(
    season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A contest's file is an SQLite file too: it does not become a server's, nor is it a backup of one."""
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as made:
        made.execute("create table a (b)")
        made.commit()
    for file in (other, season):
        before = file.read_bytes()
        for call in ("prune --database FILE", "backup OUT --database FILE", "restore FILE --database OUT"):
            code, told = run(call, capsys, FILE=file, OUT=tmp_path / "out.db")
            assert code == 2
            assert f"{file} belongs to another program" in told
        assert file.read_bytes() == before
        assert not (tmp_path / "out.db").exists()


def test_a_database_without_tables_is_no_backup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "empty.db"
    with closing(sqlite3.connect(file)) as made:
        made.execute("pragma user_version = 1")
    code, told = run("restore FILE --database OUT", capsys, FILE=file, OUT=tmp_path / "out.db")
    assert (code, "is not a file that `chouine backup` wrote" in told) == (2, True)
    assert not (tmp_path / "out.db").exists()


def test_the_system_s_errors_are_told_in_both_languages(tmp_path: Path) -> None:
    assert unopened_message(OSError(28, "No space left on device", "a"), "fr") == "le disque est plein."
    assert unopened_message(OSError(30, "Read-only file system", "a"), "fr").endswith("lecture seule.")
    assert unopened_message(OSError(36, "File name too long", "a"), "fr") == "ce nom est trop long."
    assert unopened_message(OSError(17, "File exists", "a"), "en") == "there is a file of this name already."
    assert unopened_message(OSError(95, "Operation not supported"), "fr") == "Operation not supported"
    for code in REASONS.values():
        assert say(code, "fr") != say(code, "en")
    refused = sqlite3.OperationalError("disk I/O error")
    for name, why in (
        ("SQLITE_FULL", "le disque est plein"),
        ("SQLITE_IOERR_WRITE", "le disque ne répond plus"),
    ):
        refused.sqlite_errorname = name
        assert why in say("contest/disk", "fr", file="a", why=refused)
    check_writable(None, tmp_path / "new")
    with pytest.raises(ChouineError) as fault:
        check_writable(tmp_path / "none" / "deeper" / "new")
    assert fault.value.data["folder"] == tmp_path / "none" / "deeper"
