"""`chouine saison`: simulate, new, add, sheet, rank, merge, undo, log, members, erase."""

from __future__ import annotations

import io
import json
import sys
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

from chouine.cli import main
from chouine.contest import Details
from chouine.contest.people import Person
from chouine.season.results import EveningResults, code_of, text_of
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.season_store import SeasonStore
from tests.season.evenings import contest_of, evening, sheet_from

NAMES = ["Jean Bordier", "Marie Chéron", "Paul Épron", "Anne Dutertre"]


def saison(*arguments: object) -> int:
    return main(["saison", *map(str, arguments)])


@pytest.fixture
def file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    made = tmp_path / "club.saison"
    assert saison("new", made, "--title", "Challenge", "--best", 6, "--language", "en") == 0
    assert capsys.readouterr().out == f"{made} is ready.\n"
    return made


def contest_file(path: Path, names: list[str], seed: str) -> Path:
    """The file of a finished contest of these people."""
    contest, people = contest_of(dict.fromkeys(names, Details()), seed)
    opened = contest.opened
    with closing(ContestStore.create(path, opened, seed, "desk")) as store:
        for line in contest.lines[1:]:
            number = getattr(line.act, "number", 0)
            person = people[number] if type(line.act).__name__ == "Entered" else None
            store.do(line.act, line.by, person)
    return path


@pytest.mark.parametrize(("evenings", "players", "best"), [(1, 2, 1), (8, 40, 6), (30, 300, 3), (5, 9, 9)])
def test_simulate(evenings: int, players: int, best: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The ranking is computed anew from the evenings alone."""
    call = ["--evenings", evenings, "--players", players, "--best", best, "--seed", "S", "--json"]
    assert saison("simulate", *call) == 0
    text = capsys.readouterr().out
    found = json.loads(text)
    assert text.count("\n") == 1
    assert len(found["evenings"]) == evenings
    assert set(found["points"]) == {"places", "win", "presence"}
    scores: dict[str, list[int]] = {}
    for one in found["evenings"]:
        for player, points in one.items():
            scores.setdefault(player, []).append(points)
    totals = {player: sum(sorted(own)[-best:]) for player, own in scores.items()}
    assert {player: total for player, total, _ in found["ranking"]} == totals
    assert all(counted == min(best, len(scores[player])) for player, _, counted in found["ranking"])
    keys = [(total, sorted(scores[player], reverse=True)) for player, total, _ in found["ranking"]]
    assert keys == sorted(keys, reverse=True)
    assert set(totals) <= set(map(str, range(1, players + 1)))
    assert saison("simulate", *call) == 0
    assert capsys.readouterr().out == text


@pytest.mark.parametrize(
    "call",
    [
        ["simulate", "--evenings", 0, "--players", 9],
        ["simulate", "--evenings", 3, "--players", 1],
        ["simulate", "--evenings", 3, "--players", 9, "--best", 0],
        ["simulate", "--evenings", "x", "--players", 9],
        [],
    ],
)
def test_a_wrong_call(call: list[object], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as fault:
        saison(*call, "--language", "en")
    assert fault.value.code == 2
    assert "chouine saison" in capsys.readouterr().err


def test_a_season_from_files_text_standard_input_and_an_address(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = contest_file(tmp_path / "one.chouine", NAMES, "one")
    other, text = tmp_path / "other.saison", tmp_path / "sheet.json"
    assert saison("sheet", one, "--club", "Lavardin") == 0
    sheet = capsys.readouterr().out
    assert json.loads(sheet)[0]["club"] == "Lavardin"
    text.write_text(text_of([evening(2, *NAMES)]), encoding="utf-8")
    saison("new", other)
    assert saison("add", other, text) == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(code_of([evening(3, *NAMES)]).encode())))
    with serving([evening(4, "Jean Bordié", *NAMES[1:])]) as address:
        assert saison("add", file, one, other, "-", address, "--language", "en") == 0
    told = capsys.readouterr().out
    assert "Soirée 4, 2026-10-30: 4 players; new: 1." in told
    assert "Jean Bordier and 5 Jean Bordié. If so: " in told
    with closing(SeasonStore(file)) as store:
        assert len(store.season.evenings) == 4
        assert len(store.season.people) == 5
    assert saison("add", file, one, "--language", "en") == 2
    assert "is in the season already" in capsys.readouterr().err


class Sheets(BaseHTTPRequestHandler):
    """A desk that hands out an evening."""

    sheets: ClassVar[list[EveningResults]] = []

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text_of(self.sheets).encode())

    def log_message(self, *_: object) -> None: ...


class serving:  # noqa: N801  # a context
    """The address of these sheets while the context is open."""

    def __init__(self, sheets: list[EveningResults]) -> None:
        self.server = HTTPServer(("127.0.0.1", 0), type("Own", (Sheets,), {"sheets": sheets}))
        Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/evening"

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def test_two_spellings_ranking_and_undo(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "sheets.json"
    text.write_text(text_of([evening(1, *NAMES), evening(2, "Jean Bordié", *NAMES[1:])]), encoding="utf-8")
    assert saison("add", file, text, "--language", "en") == 0
    assert f"chouine saison merge {file} 1 5" in capsys.readouterr().out
    assert saison("merge", file, 1, 5, "--reason", "même personne", "--language", "en") == 0
    assert "are one person, Jean Bordier" in capsys.readouterr().out
    assert saison("rank", file, "--language", "fr") == 0
    assert capsys.readouterr().out.startswith("1. Jean Bordier\N{NO-BREAK SPACE}: 52, sur 2 soirées\n")
    for name in ("rank.csv", "rank.ods"):
        assert saison("rank", file, "--write", tmp_path / name) == 0
        assert (tmp_path / name).stat().st_mode & 0o077 == 0
    assert "1;1;Jean Bordier;26;26;52;2" in (tmp_path / "rank.csv").read_text(encoding="utf-8-sig")
    capsys.readouterr()
    assert saison("rules", file, "--best", 1, "--places", 10, "--presence", 0, "--language", "en") == 0
    assert capsys.readouterr().out.startswith("1. Jean Bordier: 10, over 1 evening\n")
    assert saison("undo", file, 5) == 0
    assert saison("rules", file, "--places", 1, 2, "--language", "en") == 2
    assert "These rules cannot count a season" in capsys.readouterr().err
    assert saison("log", file) == 0
    assert "Bordi" not in (log := capsys.readouterr().out)
    assert json.loads(log.splitlines()[-1])["act"]["kind"] == "undone"
    assert saison("undo", file, 4) == 0
    assert saison("undo", file, 4, "--language", "en") == 2
    assert "undone already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hello", "Nothing says what is in the columns of this list"),
        ("Jean Bordier\nMarie Chéron\n", "Nothing says what is in the columns of this list"),
        ("{}\n", "Nothing says what is in the columns of this list"),
        ("Nom;Commune\n", "There is nobody in this list below its heading"),
        ("Nom\n\n\n", "There is nobody in this list below its heading"),
    ],
)
def test_a_list_without_a_heading_or_without_people(
    text: str, why: str, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody looks at what is found before it is registered, as the desk's page has it."""
    listed = tmp_path / "list.csv"
    listed.write_text(text, encoding="utf-8")
    before = file.read_bytes()
    assert saison("members", file, "--read", listed, "--language", "en") == 2
    assert why in capsys.readouterr().err
    assert file.read_bytes() == before


def test_members_in_out_and_erased(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A list goes in, comes out as it can go in again, and a name that is erased is in no byte of the file."""
    listed = tmp_path / "list.csv"
    listed.write_text(
        "Nom;Commune;Dame;Adhésion;Payé;Accord\n"
        "Jean Bordier;Troo;;15/09/2019;15;oui\nMarie Chéron;Sougé;x;2024;;non\nPaul;Troo;peut-être;;;\n",
        encoding="utf-8",
    )
    assert saison("members", file, "--read", listed, "--year", 2026, "--language", "en") == 2
    told = capsys.readouterr()
    assert told.out == "2 people registered.\n"
    assert "Row 4: “peut-être” says neither yes nor no" in told.err
    out = tmp_path / "members.csv"
    assert saison("members", file, "--write", out, "--language", "fr") == 0
    rows = out.read_text(encoding="utf-8-sig").splitlines()
    assert rows[1:] == [
        "1;Jean Bordier;Troo;;;2019-09-15;x;15,00",
        "2;Marie Chéron;Sougé;x;;2024-01-01;;0,00",
    ]
    fresh = tmp_path / "fresh.saison"
    saison("new", fresh)
    assert saison("members", fresh, "--read", out) == 0
    capsys.readouterr()
    assert saison("members", fresh, "--language", "fr") == 0
    assert capsys.readouterr().out.splitlines() == rows
    assert saison("erase", fresh, 1) == 0
    assert b"Bordier" not in fresh.read_bytes()
    with closing(SeasonStore(fresh)) as store:
        assert store.people == {2: Person("Marie Chéron", "Sougé")}


@pytest.mark.parametrize("content", [b"", b"\0" * 5000, b"[]x", b"SQLite format 3\0" + b"\0" * 100])
def test_files_that_are_none(
    content: bytes, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    garbage = tmp_path / "garbage"
    garbage.write_bytes(content)
    before = file.read_bytes()
    for call in (
        ["add", file, garbage],
        ["rank", garbage],
        ["add", file, tmp_path / "none"],
        ["rank", tmp_path / "none"],
    ):
        assert saison(*call, "--language", "en") == 2
        told = capsys.readouterr().err
        assert told.startswith("chouine saison: ")
        assert told.count("\n") == 1
    assert file.read_bytes() == before


def test_a_contest_that_is_not_over(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["concours", "new", str(tmp_path / "c.chouine"), "--title", "Noël"])
    assert saison("add", file, tmp_path / "c.chouine", "--language", "en") == 2
    assert "The contest Noël is not over" in capsys.readouterr().err
    assert saison("add", file, "http://127.0.0.1:9/evening", "--language", "en") == 2
    assert "is that desk open" in capsys.readouterr().err


def test_best_of_a_season_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert saison("simulate", "--evenings", 1, "--players", 2, "--language", "fr") == 0
    assert "sur 1 soirée\n" in capsys.readouterr().out
    assert sheet_from(dict.fromkeys(NAMES, Details()), "x").rows
