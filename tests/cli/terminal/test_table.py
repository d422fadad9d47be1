"""The table's moves, and saving it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from chouine.cli.terminal import saves
from chouine.cli.terminal.computers import SeatPlayers
from chouine.cli.terminal.session import Asks, Session
from chouine.errors import ChouineError
from chouine.table import Command, SeatHolder
from chouine.table import commands as ask
from tests.cli.terminal.tables import moves, table

FIRST = Path(__file__).parent / "saves.jsonl"
"""Saves written by the first version, with the expected state."""


@pytest.mark.parametrize("rules", ["classic", "three", "four", "mondoubleau", "mondoubleau-four"])
def test_a_table_is_read_back_as_it_was_saved_after_every_move(rules: str) -> None:
    for at in moves(table(rules, "2", "ac")):
        back = saves.of_text(saves.to_text(at))
        assert back == at
        now, was = back.table, at.table
        assert (back.asked, now.state, now.match, now.passed) == (at.asked, was.state, was.match, was.passed)
        assert at.asked.what is not Asks.PICK or now.picks == was.picks
        seat = at.asked.seat
        if seat >= 0 and seat not in at.table.people:
            assert SeatPlayers(back.holders).command(back) == SeatPlayers(at.holders).command(at)


@pytest.mark.parametrize("line", FIRST.read_text("utf-8").splitlines(), ids=count())
def test_a_save_of_the_first_version_is_taken_up_where_it_was(line: str) -> None:
    """Saves from before terminal and server shared one table load: same question, hands, score, computer's move."""
    known = json.loads(line)
    at = saves.of_text(known["save"])
    assert saves.to_text(at) == known["save"]
    assert (at.asked.what.name, at.asked.seat) == (known["asks"], known["seat"])
    assert at.begun.score_text == known["score"]
    if known["hands"]:
        assert [str(at.partie.view(seat).hand) for seat in range(len(at.holders))] == known["hands"]
    if known["next"]:
        made = at.do(SeatPlayers(at.holders).command(at))
        assert saves.move_text(made.log[-1]) == known["next"]


@pytest.mark.parametrize("level", [1, 3])
def test_a_computer_of_a_level_goes_on_as_it_would_have(level: int) -> None:
    """A computer player loaded from a save acts as before: it remembers no forgotten card."""
    start = table("classic", "2", "a")
    holders = (start.holders[0], SeatHolder(f"level:{level}", "Lison"))
    kept = SeatPlayers(holders)
    for at in moves(Session.at(start.begun, holders, start.seed)):
        seat = at.asked.seat
        if seat == 1:
            assert SeatPlayers(holders).command(saves.of_text(saves.to_text(at))) == kept.command(at)


def test_a_conceded_partie_and_a_passed_au_sept_are_saved() -> None:
    """§11, §16"""
    start = next(at for at in moves(table(form="5", people="ab")) if at.asked.what is Asks.SEVEN)
    passed = start.do(ask.Pass(start.asked.seat))
    assert passed.asked.what is Asks.PLAY
    conceded = passed.do(ask.Concede(passed.asked.seat))
    for at in (passed, conceded):
        assert saves.of_text(saves.to_text(at)) == at
    won, now = passed.table.match.score, conceded.table.match.score
    assert now[1 - passed.asked.seat] == won[1 - passed.asked.seat] + 1


@pytest.mark.parametrize(
    "command",
    [
        ask.CutAt(0, 12),
        ask.GoOn(0),
        ask.Pass(0),
        ask.Concede(0),
        ask.Act(0, "7x"),
        ask.Pick(0, -1),
        ask.Pick(0, 32),
    ],
    ids=repr,
)
def test_a_command_out_of_its_time_is_refused(command: Command) -> None:
    with pytest.raises(ChouineError):
        table().do(command)


def test_a_place_is_drawn_from_once() -> None:
    """§2"""
    with pytest.raises(ChouineError):
        table().do(ask.Pick(0, 3)).do(ask.Pick(1, 3))


@pytest.mark.parametrize(
    "harm",
    [
        lambda _: "",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("pick", "pack"),
        lambda _: "[]",
        lambda _: "{" * 100_000,
        lambda _: json.dumps({"table": "{}", "digest": saves.digest("{}")}),
        lambda text: seal(text, version=9),
        lambda text: seal(text, moves=["cut 3"]),
        lambda text: seal(text, moves=[7]),
        lambda text: seal(text, chairs=[["Jean"]]),
        lambda text: seal(text, match=None),
    ],
    ids=count(),
)
def test_a_damaged_save_is_an_error(harm: Callable[[str], str]) -> None:
    text = saves.to_text(table().do(ask.Pick(0, 2)))
    with pytest.raises(saves.DamagedSave):
        saves.of_text(harm(text))


def seal(text: str, **changes: object) -> str:
    """A modified save with a valid digest."""
    body = json.dumps(json.loads(json.loads(text)["table"]) | changes)
    return json.dumps({"table": body, "digest": saves.digest(body)})


def test_the_save_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "match.json"
    saves.write(path, table())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    saves.write(path, table(seed="other"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert saves.read(path) == table(seed="other")
    assert list(path.parent.iterdir()) == [path]


def test_a_write_that_fails_leaves_the_save_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match.json"
    saves.write(path, table())
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        saves.write(path, table(seed="other"))
    assert saves.read(path) == table()
    assert list(tmp_path.iterdir()) == [path]


def test_the_save_is_in_the_state_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that names no whole path counts for nothing, as the XDG standard says."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for named, found in (
        ("/x", Path("/x")),
        ("", tmp_path / ".local/state"),
        ("y", tmp_path / ".local/state"),
    ):
        monkeypatch.setenv("XDG_STATE_HOME", named)
        assert saves.state_folder() == found / "chouine"
