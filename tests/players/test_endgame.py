"""The heuristic's endgame solver agrees with full enumeration of all lines."""

from __future__ import annotations

from random import Random

import pytest

from chouine.partie.actions import Play
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players import HeuristicPlayer, RandomPlayer
from chouine.players.endgame import best_action, known_position, margin
from chouine.rules.combinations import CHOUINE_MARGIN
from chouine.rules.options import Rules
from tests.players.table import ask

RULES = [
    "classic",
    "classic;head=always;figure=held;again=full",
    "mondoubleau",
    "mondoubleau;declare=any;again=difference",
]


def talon_empty(rules: Rules, rng: Random, tricks_left: int) -> State:
    """A random partie with this number of tricks left."""
    while True:
        state = State.new(rules, Deal.random(rules, 0, rng))
        while state.result is None and state.position.tricks < state.rule_table.tricks - tricks_left:
            seat, action = ask(state, [RandomPlayer(rng)] * 2)
            state = state.play(action, seat)
        if state.result is None:
            return state


def best_ending(state: State) -> int:
    """Seat a's margin over seat b under optimal play with open cards, by enumeration."""
    if state.result is not None:
        if state.result.by == "chouine":
            return CHOUINE_MARGIN if state.result.winner == 0 else -CHOUINE_MARGIN
        return state.result.points[0] - state.result.points[1]
    endings = [best_ending(state.play(action)) for action in state.legal()]
    return max(endings) if state.turn == 0 else min(endings)


@pytest.mark.parametrize("text", RULES)
def test_8_it_finds_what_playing_every_line_out_finds(text: str) -> None:
    rules, rng = Rules.parse(text), Random(7)
    for _ in range(12):
        state = talon_empty(rules, rng, 3)
        whole = known_position(state.view(state.turn))
        assert whole is not None
        assert margin(state.rule_table, whole, {}) == best_ending(state)


@pytest.mark.parametrize("text", RULES)
def test_8_once_the_talon_is_empty_both_hands_are_known(text: str) -> None:
    rules, rng = Rules.parse(text), Random(8)
    for tricks_left in (5, 4, 1):
        state = talon_empty(rules, rng, tricks_left)
        for seat in range(2):
            whole = known_position(state.view(seat))
            assert whole is not None
            assert whole.hands == state.position.hands


def test_before_that_or_with_more_seats_they_are_not() -> None:
    assert known_position(State.new(Rules(), Deal.random(Rules(), 0, Random(1))).view(1)) is None
    assert known_position(talon_empty(Rules(), Random(1), 6).view(0)) is None
    assert known_position(talon_empty(Rules(), Random(1), 5).view(None)) is None


def test_10_a_chouine_in_the_last_tricks_is_worth_more_than_points() -> None:
    """Seat a, on lead with A 10 K Q J, declares the chouine although it would take all tricks anyway."""
    rng = Random(9)
    state = talon_empty(Rules(), rng, 5)
    seat = state.position.turn
    hands = [0xF8, 0x1F00] if seat == 0 else [0x1F00, 0xF8]
    p = state.position._replace(hands=(*hands, 0, 0), said=(0, 0, 0, 0), trump=1)  # type: ignore[arg-type]
    assert best_action(state.rule_table, p, {}) == 47
    assert abs(margin(state.rule_table, p, {})) == CHOUINE_MARGIN


def test_the_heuristic_keeps_what_the_position_is_worth() -> None:
    """From the true position, two heuristic players reach the solved margin."""
    rng = Random(10)
    for _ in range(20):
        state = talon_empty(Rules(), rng, 5)
        whole = known_position(state.view(state.turn))
        assert whole is not None
        solved = margin(state.rule_table, whole, {})
        players = [HeuristicPlayer(), HeuristicPlayer()]
        while state.result is None:
            seat, action = ask(state, players)
            assert isinstance(action, Play)
            state = state.play(action, seat)
        if abs(solved) < CHOUINE_MARGIN:
            assert state.result.points[0] - state.result.points[1] == solved
        else:
            assert state.result.by == "chouine"
