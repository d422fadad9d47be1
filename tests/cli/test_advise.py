"""`chouine advise`: the best acts of a seat, in figures and in words."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

from chouine.ai import advice, explanations
from chouine.ai.endgame import solve_view
from chouine.ai.racing import CLEAR, Z
from chouine.ai.strongest import uncompiled_act
from chouine.cli import main
from chouine.fast import compiler
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


def advise_output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The command's output, with French no-break spaces replaced by plain ones."""
    assert main(["advise", *arguments]) == 0
    return capsys.readouterr().out.replace("\N{NO-BREAK SPACE}", " ")


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
def test_every_legal_act_is_listed_best_first(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    view = read_view(line, 0)
    advice = json.loads(advise_output(capsys, "a", line, "--worlds", "40", "--json"))
    assert {each["action"] for each in advice["acts"]} == set(map(str, view.legal))
    wins = [each["win"] for each in advice["acts"][1:]]
    assert wins == sorted(wins, reverse=True)
    for each in advice["acts"]:
        assert 0 <= each["low"] <= each["win"] <= each["high"] <= 1
        assert each["behind"] == pytest.approx(advice["acts"][0]["win"] - each["win"], abs=2e-4)
    best, *others = advice["acts"]
    assert best["behind"] == best["behind_error"] == 0
    assert any(0 < each["behind_error"] < each["high"] - each["low"] for each in others)
    assert advice["worlds"] == 40
    assert advice["line"][0] == advice["acts"][0]["action"]


ANSWER = "classic b ?5|.K.A97.7 Jd ?????????????????????????????????????????? : Qs"


def test_each_difference_is_precise_or_clear_and_has_its_number_of_worlds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With enough worlds each act is tried until it is 2 % or four standard errors behind."""
    advice = json.loads(advise_output(capsys, "b", ANSWER, "--worlds", "4000", "--json"))
    assert advice["acts"][0]["worlds"] == advice["worlds"] == 4000
    for each in advice["acts"][1:]:
        assert 128 <= each["worlds"] <= 4000
        assert 0 < each["behind_error"] <= max(0.02, each["behind"] * Z / CLEAR + 1e-3)
    fewest = min(each["worlds"] for each in advice["acts"])
    words = advise_output(capsys, "b", ANSWER, "--worlds", "4000", "--language", "en")
    assert f"Each action was tried in {fewest} to 4,000 likely layouts" in words


def test_one_world_says_next_to_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    advice = json.loads(advise_output(capsys, "b", ANSWER, "--worlds", "1", "--json"))
    for each in advice["acts"]:
        assert (each["low"], each["high"], each["worlds"]) == (0, 1, 1)
    assert all(each["behind_error"] == 1 for each in advice["acts"][1:])


def test_a_quinte_is_said_and_that_is_why(capsys: pytest.CaptureFixture[str]) -> None:
    english, french = (
        advise_output(capsys, "a", QUINTE, "--worlds", "400", "--language", language)
        for language in ("en", "fr")
    )
    best = english.split(":")[0]
    assert best.endswith(" + fifty")
    assert f"\n{best} rather than " in english
    assert "on average " in english
    assert "to follow: " + best in english
    assert "to 400 likely layouts" in english
    assert re.search(r"[0-9]% chance to win", english)
    best = french.split(" : ")[0]
    assert best.endswith(" + cinquante")
    assert "Suite probable : " + best in french
    assert "en moyenne " in french


@pytest.mark.parametrize(
    "line",
    [f"classic b .ATKQJ..|?5 7d {FACE_DOWN} :", f"three c ..KQJ.|?3|?3 8d {'??' * 22} :"],
    ids=["two", "three"],
)
def test_a_chouine_speaks_for_itself(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """§10: For a chouine no reason but itself is given."""
    english, french = (
        advise_output(capsys, "a", line, "--worlds", "200", "--language", language)
        for language in ("en", "fr")
    )
    assert " + chouine of " in english.splitlines()[0]
    assert ": a chouine wins the partie\n" in english
    assert " + chouine de " in french.splitlines()[0]
    assert " : la chouine gagne la partie\n" in french
    advice = json.loads(advise_output(capsys, "a", line, "--worlds", "200", "--json"))
    if ".ATKQJ.." in line:  # a trump chouine could beat it
        assert advice["reasons"]["chouine"] > 0.9
    else:
        assert (advice["worlds"], advice["acts"][0]["win"], advice["beside"]) == (0, 1.0, None)


def test_the_reason_to_wait_for_a_chouine_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    line = f"classic b .ATQJ..8|?5 7d {FACE_DOWN} :"
    english = advise_output(capsys, "a", line, "--worlds", "2000", "--language", "en")
    assert english.startswith("8♣: ")
    assert "only the king of hearts is missing for a chouine" in english


AU_SEPT = (
    "three a ?3|?3|97.8.. Kh ??Qh??????8c????TdJd????????Tc??7h?????????? : Jc 9s Js 8s 7s Ts Qs Kc 8c 9d Kd Td"
    " Jd Ad Ks 7d 8d Tc"
)
"""Seat c holds the seven; the turnup is the king of trumps."""


def test_the_reason_for_an_exchange_is_the_card_gained(capsys: pytest.CaptureFixture[str]) -> None:
    """§11, §9: The reason for an exchange names the card gained instead of counting trumps."""
    english, french = (
        advise_output(capsys, "c", AU_SEPT, "--worlds", "100", "--language", language)
        for language in ("en", "fr")
    )
    assert (
        "exchange the seven rather than keep the seven: the king of trumps instead of the seven; on average"
        in english
    )
    assert "échanger le sept, et non garder le sept : le roi d’atout au lieu du sept ; en moyenne" in french


def last_tricks() -> View:
    """The view of the seat on turn with the talon empty."""
    state, player = State.new(Rules(), Deal.random(Rules(), 0, Random(3))), HeuristicPlayer()
    while state.position.tricks < state.rule_table.drawing or state.position.table:
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
    advice = json.loads(advise_output(capsys, "ab"[view.observer], partie_line(view), "--json"))
    assert advice["worlds"] == 0
    assert advice["line"] == [str(action) for action in solved.line]
    assert all(each["low"] == each["win"] == each["high"] for each in advice["acts"])


def test_certain_outcomes_are_reported_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    """With the talon empty, acts are reported as won, lost or nulle, without probabilities."""
    view = last_tricks()
    assert view.observer is not None
    solved = solve_view(view)
    assert solved is not None
    asked = ("ab"[view.observer], partie_line(view))
    english, french = (
        advise_output(capsys, *asked, "--language", language).splitlines() for language in ("en", "fr")
    )
    words = {"win": ("won", "gagnée"), "tie": ("a nulle", "nulle"), "loss": ("lost", "perdue")}
    outcomes = sorted(words[value.outcome] for value in solved.values)
    many = len(outcomes)
    assert sorted(line.partition(": ")[2] for line in english[:many]) == [en for en, _ in outcomes]
    assert sorted(line.partition(" : partie ")[2] for line in french[:many]) == sorted(
        fr for _, fr in outcomes
    )
    assert english[-1] == "All hands are known: this is certain."
    assert french[-1] == "Tous les jeux sont connus : c’est certain."


IMPOSSIBLE = (
    "three a 8.T.T.|?3|?3 Kd ????Ad7d????As????8c????9s????Ac????????9d?? : Ks 7c 8s Kh Js Td 7d 9h Qh Th Kc Qc"
    " As 8h 9c Ad Tc Qd 8c Jc 7h 7s Jh 9s"
)
"""In these last tricks the others' answers contradict the rules."""


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("b", OPENING), "must be known"),
        (("a", "classic"), "Something is missing"),
        (("e", OPENING), "Unknown seat"),
        (("a", OPENING, "--seconds", "0"), "a number of seconds"),
        (("a", OPENING + " Qs"), "It is not your turn"),
        (("a", f"classic b .ATKQJ..|?5 7d {FACE_DOWN} : Kh+chh 7h"), "The partie is over"),
        (("a", IMPOSSIBLE), "No deal allows"),
    ],
)
def test_a_wrong_call_is_an_error_of_one_line(
    arguments: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, heard = status_of("advise", *arguments, "--language", "en"), capsys.readouterr()
    assert status == 2
    *_, fault, right = ["", *heard.err.splitlines()]
    assert (fault if right.startswith("For example: ") else right).startswith("chouine advise: ")
    assert why in heard.err
    assert not heard.out


def test_while_it_is_compiled_the_network_has_the_first_word(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While compiling, people get the network's first estimate, marked as such; programs do not."""
    thinking = advice.advise

    def compiling(*given: Any, **named: Any) -> advice.Advice:
        for name in ("rollout acts", "open margin"):
            compiler._announce[0](name, None)  # as numba's cache does on a miss
        return thinking(*given, **named)

    monkeypatch.setattr(advice, "advise", compiling)
    monkeypatch.setattr(compiler, "_announce", [lambda *_: None])
    act = explanations.act(uncompiled_act(read_view(OPENING, 0)), "en")
    assert main(["advise", "a", OPENING, "--worlds", "40", "--language", "en"]) == 0
    heard = capsys.readouterr()
    assert heard.err.startswith(f"For now, without thinking ahead: {act}. Advice follows")
    assert heard.err.count("\n") == 1
    assert "For now" not in heard.out
    assert main(["advise", "a", OPENING, "--worlds", "40", "--json"]) == 0
    assert not capsys.readouterr().err


def test_nothing_is_announced_when_all_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    advise_output(capsys, "a", OPENING, "--worlds", "40")
    assert main(["advise", "a", OPENING, "--worlds", "40"]) == 0
    assert not capsys.readouterr().err
