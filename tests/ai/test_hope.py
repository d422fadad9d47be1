"""What can be hoped for in lost last tricks: against one who errs as is thought, it comes true."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from random import Random

import pytest

from chouine.ai.hope import hope, hoped
from chouine.ai.montecarlo import WORTH, exactly
from chouine.ai.playout import WIN, open_ending, outcome
from chouine.fast.seats import seated
from chouine.partie.actions import Play
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players import RandomPlayer
from chouine.players.greedy import GreedyPlayer
from chouine.rules.options import Rules
from chouine.rules.position import Position
from tests.players.table import ask

CLASSIC = Rules()


def last_tricks(preset: str, parties: int) -> Iterator[State]:
    """Parties as they stand when the talon is empty, played at random until then."""
    rules = Rules.parse(preset)
    for seed in range(parties):
        state = State.new(rules, Deal.random(rules, seed % 2, Random(seed)))
        while state.turn is not None and state.view(0).talon:
            seat, action = ask(state, [RandomPlayer(Random(seed)), RandomPlayer(Random(seed + 1))])
            state = state.play(action, seat)
        if state.turn is not None:
            yield state


def hope_of(state: State, p: Position, seat: int, anything: float) -> float:
    return float(hope(state.book, seated(p), seat, anything, memoryview(array("q", [0]))))


@pytest.mark.parametrize("preset", ["classic", "mondoubleau"])
def test_it_comes_true_against_one_who_is_greedy(preset: str) -> None:
    """Nothing being left to chance, what is hoped for is what comes."""
    saved = 0
    for begun in last_tricks(preset, 60):
        state, seat, nodes = begun, 0, memoryview(array("q", [0]))
        surely = open_ending(state.book, nodes, seated(state.position), seat, nodes)
        expected = hope_of(state, state.position, seat, 0.0)
        assert expected >= surely
        while state.turn is not None:
            if state.turn == seat:
                plays = [act for act in state.legal() if isinstance(act, Play)]
                after = {play: state.play(play) for play in plays}
                action = max(plays, key=lambda play: hope_of(state, after[play].position, seat, 0.0))
            else:
                greedy = GreedyPlayer().act(state.view(state.turn))
                assert isinstance(greedy, Play)
                action = greedy
            state = state.play(action)
        assert outcome(state.book, state.position, seat) == expected
        saved += expected > surely
    assert saved > 5


def test_the_surer_the_other_the_less_is_hoped_for() -> None:
    """What nobody can prevent is won; one who lays anything is no surer to prevent it than one who never errs."""
    for state in last_tricks("classic", 60):
        nodes = memoryview(array("q", [0]))
        surely = open_ending(state.book, nodes, seated(state.position), 1, nodes)
        for anything in (0.0, 0.25, 1.0):
            expected = hope_of(state, state.position, 1, anything)
            assert surely <= expected <= WIN


def test_of_acts_that_come_to_the_same_the_most_hopeful_is_done() -> None:
    differed = 0
    for state in last_tricks("classic", 80):
        assert state.turn is not None
        told = exactly(state.view(state.turn))
        assert told is not None
        assert {act.win for act in told} <= set(WORTH.values())
        best = [act.action for act in told if act.win == told[0].win]
        hopes = [hoped(state.book, state.position, act) for act in best if isinstance(act, Play)]
        assert told[0].win == max(act.win for act in told)
        assert hopes == sorted(hopes, reverse=True)
        differed += hopes[0] > hopes[-1]
    assert differed > 5
