"""The engine's side of the protocol: conversations, and invalid input."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine import __version__
from chouine.notation.lines import partie_line
from chouine.notation.tokens import read_action
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players.engine import EngineSession
from chouine.players.heuristic import HeuristicPlayer
from chouine.players.simple import RandomPlayer
from chouine.rules.options import PRESETS, Rules
from tests.players.table import ask

OPENING = "classic b Q7.97..8|?5 Jd ?????????????????????????????????????????? :"
"""Seat a is on lead and cannot exchange."""
SEVEN = "classic b Q7.9.7.8|?5 Jd ?????????????????????????????????????????? :"
"""Seat a holds the seven of trumps (§11)."""


def engine() -> EngineSession:
    return EngineSession([RandomPlayer(Random(3)), HeuristicPlayer()])


def answers_to(talk: EngineSession, *lines: str) -> list[str]:
    return [answer for line in lines for answer in talk.answer(line)]


def test_greeting() -> None:
    assert answers_to(engine(), "hello") == [
        f"id name Chouine {__version__}",
        "id options all",
        "id asks open",
        "rules classic three four mondoubleau mondoubleau-three mondoubleau-four",
        "option level 1..2",
        "ready",
    ]


@pytest.mark.parametrize("go", ["go", "go time 1500", "go nodes 20", "  go   time 1  "])
def test_answers_a_view(go: str) -> None:
    talk = engine()
    assert answers_to(talk, f"view a {OPENING}") == []
    (answer,) = answers_to(talk, go)
    word, token = answer.split()
    assert word == "best"
    assert read_action(token) in talk.view.legal  # type: ignore[union-attr]


def test_11_after_the_exchange_the_same_seat_is_asked_again() -> None:
    talk = engine()
    assert answers_to(talk, f"view a {SEVEN}", "go") == ["best 7x"]
    (answer,) = answers_to(talk, f"view a {SEVEN} 7x", "go")
    assert answer.startswith("best ")
    assert answer != "best 7x"


def test_levels_are_different_players() -> None:
    """Repeated answers to one view are equal by default and at level 2; level 1 varies."""
    talk = engine()
    answers_to(talk, f"view a {OPENING}")
    assert len({*answers_to(talk, *["go"] * 50)}) == 1
    assert answers_to(talk, "option level 1") == []
    assert len({*answers_to(talk, *["go"] * 50)}) > 1
    assert answers_to(talk, "option level 2") == []
    assert len({*answers_to(talk, *["go"] * 50)}) == 1


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("", "engine/command"),
        ("bestow", "engine/command"),
        ("HELLO", "engine/command"),
        ("option", "engine/option"),
        ("option level", "engine/option"),
        ("option colour 3", "engine/option"),
        ("option level 1 2", "engine/option"),
        ("option level 0", "engine/level"),
        ("option level 3", "engine/level"),
        ("option level two", "engine/level"),
        ("option level ²", "engine/level"),
        ("go", "engine/no-view"),
        ("go time", "engine/limit"),
        ("go time -5", "engine/limit"),
        ("go time 0", "engine/limit"),
        ("go time 1e3", "engine/limit"),
        ("go depth 3", "engine/limit"),
        ("go time 5 nodes 5", "engine/limit"),
        ("trick Zz", "engine/laid"),
        ("trick e:Qd", "syntax/seat"),
        ("trick a:Zz", "syntax/card"),
        ("trick a:Qd Zz", "engine/laid"),
        ("legal foo", "syntax/action"),
        ("legal Qd - foo", "syntax/action"),
        ("quit now", "engine/quit"),
        ("x" * 70_000, "engine/too-long"),
        ("view", "syntax/seat"),
        ("view e classic", "syntax/seat"),
        ("view a", "syntax/short"),
        ("view a chess", "syntax/preset"),
        ("view b " + OPENING, "deal/own-cards"),
        ("view a " + OPENING + " Ah", "illegal/not-held"),
    ],
)
def test_what_cannot_be_read_gets_an_error_and_the_engine_goes_on(line: str, error: str) -> None:
    talk = engine()
    (answer,) = answers_to(talk, line)
    word, code, text = answer.split(maxsplit=2)
    assert (word, code) == ("error", error)
    assert text
    assert answers_to(talk, "hello")[-1] == "ready"


@pytest.mark.parametrize("line", ["trick", "trick a:Qd b:10♦", "legal Qd Qd+20d 7x", "legal -"])
def test_what_it_knows_already_gets_no_answer(line: str) -> None:
    assert answers_to(engine(), line) == []


@pytest.mark.parametrize("line", ["x" * 60_000, "view " + "x" * 60_000, "view a " + "x" * 70_000])
def test_an_error_does_not_repeat_a_long_line(line: str) -> None:
    (answer,) = answers_to(engine(), line)
    assert len(answer) < 250


def test_a_view_that_is_too_long_leaves_none() -> None:
    talk = engine()
    answers_to(talk, f"view a {OPENING}")
    assert answers_to(talk, f"view a {OPENING}" + " " * 70_000)[0].startswith("error engine/too-long ")
    assert answers_to(talk, "go")[0].startswith("error engine/no-view ")


def test_a_view_that_cannot_be_read_leaves_none() -> None:
    talk = engine()
    answers_to(talk, f"view a {OPENING}")
    assert answers_to(talk, "view a nonsense")[0].startswith("error syntax/preset ")
    assert answers_to(talk, "go")[0].startswith("error engine/no-view ")


@pytest.mark.parametrize(
    "lines",
    [
        ["view b classic b ?5|.K.A98.7 Jd ?? : 7x Qs", "exchanged b"],
        ["view b classic b ?5|.K.A97.7 Jd 8c : Qs+20s 7d", "shown ..AJ."],
        ["view b classic b ?5|.K.A97.7 Jd 8c : Qs+20s 7d", "shown KQ..J."],
    ],
)
def test_what_contradicts_the_view_leaves_none(lines: list[str]) -> None:
    """§9.5, §11: an impossible exchange or figure is one error, whatever level would answer."""
    (error,) = answers_to(engine(), *lines)
    assert error.startswith("error engine/contradicts 2:1 ")
    assert answers_to(engine(), *lines, "go")[1].startswith("error engine/no-view")


def test_a_seat_that_may_not_act_gets_an_error() -> None:
    talk = engine()
    assert answers_to(talk, f"view a {OPENING} Qs") == []
    assert answers_to(talk, "go")[0].startswith("error illegal/not-your-turn ")


def at_au_sept(rng: Random) -> State:
    """A partie of four seats at "au sept" (§11); nobody has exchanged."""
    rules = Rules.parse("four;seven=lead")
    while True:
        state = State.new(rules, Deal.random(rules, 0, rng))
        while state.result is None and state.position.tricks < state.rule_table.drawing - 1:
            state = state.play(rng.choice([a for a in state.legal(state.turn) if str(a) != "7x"]))
        if "7x" in map(str, state.legal()) and state.result is None and state.position.table == 0:
            return state


def test_11_at_au_sept_who_is_not_to_play_exchanges_or_lets_it_pass() -> None:
    rng, talk, answers = Random(4), engine(), set()
    for _ in range(20):
        state = at_au_sept(rng)
        for seat in range(4):
            if seat != state.turn:
                answers_to(talk, f"view {'abcd'[seat]} {partie_line(state.view(seat))}")
                (answer,) = answers_to(talk, "go")
                assert (answer == "best 7x") == bool(state.legal(seat))
                answers.add(answer)
    assert answers == {"best 7x", "best -"}


def test_a_partie_over_has_no_best() -> None:
    rng = Random(5)
    state = State.new(Rules(), Deal.random(Rules(), 0, rng))
    while state.result is None:
        seat, action = ask(state, [RandomPlayer(rng)] * 2)
        state = state.play(action, seat)
    talk = engine()
    assert answers_to(talk, f"view a {partie_line(state.view(0))}") == []
    assert answers_to(talk, "go")[0].startswith("error illegal/over ")


COMMANDS = [
    "hello",
    "option level 1",
    f"view a {OPENING}",
    "go",
    "go time 5",
    "view",
    "quit",
    f"view a {SEVEN} 7x",
]


def garble(line: str, rng: Random) -> str:
    """A line with a few letters replaced, deleted or doubled."""
    letters = list(line)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(letters) + 1)
        letters[at : at + rng.randrange(3)] = rng.choice(["", "?", "x", " ", "7", "|", "\x85", "♠", "Ah"])
    return "".join(letters)


@given(
    st.lists(st.one_of(st.text(), st.sampled_from(COMMANDS)), max_size=8), st.randoms(use_true_random=False)
)
def test_nothing_said_to_it_stops_it(lines: list[str], rng: Random) -> None:
    talk = engine()
    for line in lines:
        for text in (line, garble(line, rng)):
            for answer in talk.answer(text):
                assert answer.split()[0] in ("id", "rules", "option", "ready", "best", "error")
                assert len(answer.splitlines()) == 1
    assert answers_to(talk, "hello")[-1] == "ready"


@given(st.sampled_from(sorted(PRESETS)), st.randoms(use_true_random=False))
def test_garbled_views_of_real_parties(preset: str, rng: Random) -> None:
    """A garbled view gives an error, or, if it parses, a legal action or an error."""
    rules = Rules.of_preset(preset)
    state = State.new(rules, Deal.random(rules, 0, rng))
    for _ in range(rng.randrange(24)):
        if state.result is None:
            state = state.play(rng.choice(state.legal()))
    seat = rng.randrange(rules.seats)
    talk = engine()
    line = f"view {'abcd'[seat]} {partie_line(state.view(seat))}"
    for text in (line, garble(line, rng), garble(line, rng)):
        answers_to(talk, text)
        (answer,) = answers_to(talk, "go")
        word, what, *_ = answer.split()
        assert word in ("best", "error")
        if word == "best":
            assert talk.view is not None
            assert what == "-" or read_action(what) in talk.view.legal


@pytest.mark.parametrize(
    ("line", "place"), [("option level 9", "2:14"), ("  option colour 3", "2:10"), ("go  time x", "2:5")]
)
def test_errors_have_their_column(line: str, place: str) -> None:
    (error,) = answers_to(engine(), "", line)[1:]
    assert error.split()[2] == place
