"""The table, move by move, and its save."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from chouine.cli.terminal import saves
from chouine.cli.terminal.computers import Computers
from chouine.cli.terminal.table import Act, Asks, Chair, Concede, Cut, Move, Next, Pass, Pick
from chouine.errors import ChouineError
from chouine.partie import Exchange
from tests.cli.terminal.tables import moves, table


@pytest.mark.parametrize("rules", ["classic", "three", "four", "mondoubleau", "mondoubleau-four"])
def test_a_table_is_read_back_as_it_was_saved_after_every_move(rules: str) -> None:
    for at in moves(table(rules, "2", "ac")):
        back = saves.of_text(saves.to_text(at))
        assert back == at
        seat = at.asked.seat
        if seat >= 0 and not at.chairs[seat].person:
            assert Computers(back.chairs).move(back) == Computers(at.chairs).move(at)


@pytest.mark.parametrize("level", [1, 3])
def test_a_computer_of_a_level_goes_on_as_it_would_have(level: int) -> None:
    """Taken up again it is the same person: what it forgot it has not remembered."""
    start = table("classic", "2", "a")
    chairs = (start.chairs[0], Chair("Lison", f"level:{level}"))
    kept = Computers(chairs)
    for at in moves(replace(start, chairs=chairs)):
        seat = at.asked.seat
        if seat == 1:
            assert Computers(chairs).move(saves.of_text(saves.to_text(at))) == kept.move(at)


def test_a_conceded_partie_and_a_passed_au_sept_are_saved() -> None:
    """§11, §16"""
    start = next(at for at in moves(table(form="5", people="ab")) if at.asked.what is Asks.SEVEN)
    passed = start.take(Pass())
    assert passed.asked.what is Asks.PLAY
    conceded = passed.take(Concede(passed.asked.seat))
    for at in (passed, conceded):
        assert saves.of_text(saves.to_text(at)) == at
    won, now = passed.match.score, conceded.take(Next()).match.score
    assert now[1 - passed.asked.seat] == won[1 - passed.asked.seat] + 1


@pytest.mark.parametrize(
    "move", [Cut(12), Next(), Pass(), Concede(0), Concede(1), Act(Exchange()), Pick(0), Pick(33)], ids=repr
)
def test_a_move_out_of_its_time_is_refused(move: Move) -> None:
    with pytest.raises(ChouineError):
        table().take(move)


def test_a_place_is_drawn_from_once() -> None:
    """§2"""
    with pytest.raises(ChouineError):
        table().take(Pick(3)).take(Pick(3))


@pytest.mark.parametrize(
    "harm",
    [
        lambda _: "",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("pick", "pack"),
        lambda _: "[]",
        lambda _: "{" * 100_000,
        lambda _: json.dumps({"table": "{}", "digest": saves.digest("{}")}),
        lambda text: sealed(text, version=9),
        lambda text: sealed(text, moves=["cut 3"]),
        lambda text: sealed(text, moves=[7]),
        lambda text: sealed(text, chairs=[["Jean"]]),
        lambda text: sealed(text, match=None),
    ],
    ids=count(),
)
def test_a_damaged_save_is_told(harm: Callable[[str], str]) -> None:
    text = saves.to_text(table().take(Pick(3)))
    with pytest.raises(saves.DamagedSave):
        saves.of_text(harm(text))


def sealed(text: str, **changes: object) -> str:
    """A save with other contents whose digest is right."""
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


def test_the_save_is_in_the_state_directory() -> None:
    assert saves.default_path({"XDG_STATE_HOME": "/x", "HOME": "/h"}) == Path("/x/chouine/match.json")
    assert saves.default_path({"HOME": "/h"}) == Path("/h/.local/state/chouine/match.json")
    assert saves.default_path({"XDG_STATE_HOME": "y", "HOME": "/h"}) == Path(
        "/h/.local/state/chouine/match.json"
    )
