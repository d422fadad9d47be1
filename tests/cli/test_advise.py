"""`chouine advise`: what a seat had best do, in figures and in words."""

from __future__ import annotations

import json
from random import Random

import pytest

from chouine.ai.endgame import solve_view
from chouine.cli import main
from chouine.notation.lines import partie_line, read_view
from chouine.partie import Deal, State
from chouine.partie.view import View
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules import Rules
from tests.calls import status_of

FACE_DOWN = "??" * 21
OPENING = f"classic b Q7.97..8|?5 Jd {FACE_DOWN} :"
SEVEN = f"classic b Q7.9.7.8|?5 Jd {FACE_DOWN} :"
QUINTE = f"classic b AT.A.T.A|?5 7c {FACE_DOWN} :"


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["advise", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "line",
    [
        OPENING,
        SEVEN,
        f"mondoubleau b Q7.97..8|?5 - {'??' * 22} :",
        f"three c Q.9.8.|?3|?3 Jd {'??' * 22} :",
    ],
    ids=["opening", "seven", "mondoubleau", "three"],
)
def test_every_legal_act_is_told_best_first(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    view = read_view(line, 0)
    advice = json.loads(told(capsys, "a", line, "--worlds", "40", "--json"))
    assert {each["action"] for each in advice["acts"]} == set(map(str, view.legal))
    wins = [each["win"] for each in advice["acts"][1:]]
    assert wins == sorted(wins, reverse=True)
    for each in advice["acts"]:
        assert 0 <= each["low"] <= each["win"] <= each["high"] <= 1
    assert advice["worlds"] == 40
    assert advice["line"][0] == advice["acts"][0]["action"]


def test_a_quinte_is_said_and_that_is_why(capsys: pytest.CaptureFixture[str]) -> None:
    english, french = (
        told(capsys, "a", QUINTE, "--worlds", "200", "--language", language) for language in ("en", "fr")
    )
    best = english.split(":")[0]
    assert best.endswith("+50")
    assert f"\n{best} rather than " in english
    assert "to follow: " + best in english
    assert "Tried in 200 likely worlds" in english
    assert f"{best} : " in french
    assert "Suite probable : " + best in french


def last_tricks() -> View:
    """A seat's view with the talon empty."""
    state, player = State.new(Rules(), Deal.random(Rules(), 0, Random(3))), HeuristicPlayer()
    while state.position.tricks < state.book.drawing or state.position.table:
        turn = state.position.turn
        for seat in (1 - turn, turn):
            action = player.act(state.view(seat))
            if action is not None:
                state = state.play(action, seat)
                break
    return state.view(state.position.turn)


def test_last_tricks_are_exact(capsys: pytest.CaptureFixture[str]) -> None:
    view = last_tricks()
    assert view.observer is not None
    solved = solve_view(view)
    assert solved is not None
    advice = json.loads(told(capsys, "ab"[view.observer], partie_line(view), "--json"))
    assert advice["worlds"] == 0
    assert advice["line"] == [str(action) for action in solved.line]
    assert all(each["low"] == each["win"] == each["high"] for each in advice["acts"])


@pytest.mark.parametrize(
    "arguments", [("b", OPENING), ("a", "classic"), ("e", OPENING), ("a", OPENING, "--seconds", "0")]
)
def test_a_wrong_call_is_told_in_a_line(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    status, heard = status_of("advise", *arguments), capsys.readouterr()
    assert status == 2
    assert heard.err.splitlines()[-1].startswith("chouine advise: ")
    assert not heard.out
