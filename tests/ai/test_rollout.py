"""Rollouts by policies, and what endings are worth against an opponent who errs."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from random import Random

import pytest

from chouine.ai.advice import advise
from chouine.ai.endgame import solve_view
from chouine.ai.levels import strongest
from chouine.ai.likelihood import KEEPS_SEVEN, policy_likelihood, query_of
from chouine.ai.macro_actions import act_of
from chouine.ai.network import load_shipped
from chouine.ai.racing import exact_values
from chouine.ai.rollout import (
    EPSILON,
    Policy,
    greedy_policy,
    heuristic_policy,
    network_policy,
    open_value,
    outcome,
    swindle_value,
)
from chouine.ai.strongest import NetworkPlayer
from chouine.cards import PACK
from chouine.fast.soa_layout import compiled_position
from chouine.partie.actions import Exchange, Play
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players import Player, RandomPlayer
from chouine.players.heuristic import HeuristicPlayer
from chouine.players.simple import GreedyPlayer
from chouine.rules.options import Rules
from chouine.rules.position import Position
from chouine.school.problems.ending import WORTH
from tests.ai.retold import as_it_is, result_in
from tests.ai.test_beliefs import acts_of
from tests.players.table import ask

CLASSIC = Rules()


def while_the_talon_lasts(chairs: list[Player], seed: int) -> Iterator[State]:
    state = State.new(CLASSIC, Deal.random(CLASSIC, seed % 2, Random(seed)))
    while state.turn is not None and state.view(0).talon:
        yield state
        seat, action = ask(state, chairs)
        state = state.play(action, seat)


@pytest.mark.parametrize(
    ("player", "manner"),
    [(GreedyPlayer, greedy_policy(CLASSIC)), (HeuristicPlayer, heuristic_policy(CLASSIC))],
    ids=["greedy", "thumb"],
)
def test_policies_predict_their_players(player: type[Player], manner: Policy) -> None:
    """A policy predicts its player's act with certainty, and gives every other card probability 0."""
    for seed in range(8):
        for state in while_the_talon_lasts([player(), player()], seed):
            for moment, done, held in acts_of(state, state.turn or 0)[-1:]:
                sure = 1 - KEEPS_SEVEN if done == Exchange() else 1
                assert policy_likelihood(query_of(moment), held, manner) == sure
                if isinstance(done, Play):
                    others = [card for card in PACK if held >> card & 1 and card != done.card]
                    for card in others:
                        other = query_of(moment._replace(act=Play(card)))
                        assert policy_likelihood(other, held, manner) == 0


@pytest.mark.parametrize(
    "manner", [greedy_policy(CLASSIC), heuristic_policy(CLASSIC)], ids=["greedy", "thumb"]
)
def test_rollouts_follow_the_opponents_policy(manner: Policy) -> None:
    """In the true world a rollout equals the partie between these players, its last tricks by expected value."""
    others: Player = GreedyPlayer() if manner.greedy else HeuristicPlayer()
    network = NetworkPlayer()
    for seed in range(8):
        states = list(while_the_talon_lasts([network, others], seed))
        start = next(state for state in states[6:] if state.turn == 0)
        view, act = start.view(0), network.act(start.view(0))
        own = network_policy(CLASSIC, load_shipped(CLASSIC.preset))
        manners = own, manner, manner  # three: compiled once for all
        found = result_in(as_it_is(start), view, act_of(act), manners, [0, 1, 0, 0])
        state = start.play(act) if act else start
        while state.turn is not None and state.view(0).talon:
            seat, action = ask(state, [network, others])
            state = state.play(action, seat)
        nodes, p = memoryview(array("q", [0])), compiled_position(state.position)
        if state.turn is None:
            assert found == outcome(state.rule_table, p, 0)
        elif manner.greedy:
            assert found == swindle_value(state.rule_table, p, 0, 0.0, nodes)
        else:
            assert found == open_value(state.rule_table, nodes, p, 0, nodes)


def last_tricks(preset: str, parties: int) -> Iterator[State]:
    """States of random parties when the talon is empty."""
    rules = Rules.parse(preset)
    for seed in range(parties):
        state = State.new(rules, Deal.random(rules, seed % 2, Random(seed)))
        while state.turn is not None and state.view(0).talon:
            seat, action = ask(state, [RandomPlayer(Random(seed)), RandomPlayer(Random(seed + 1))])
            state = state.play(action, seat)
        if state.turn is not None:
            yield state


def hope_of(state: State, p: Position, seat: int, anything: float) -> float:
    return float(
        swindle_value(state.rule_table, compiled_position(p), seat, anything, memoryview(array("q", [0])))
    )


@pytest.mark.parametrize("preset", ["classic", "mondoubleau"])
def test_it_is_reached_against_a_greedy_opponent(preset: str) -> None:
    """Against a greedy opponent, without randomness, the outcome equals the swindle value."""
    saved = 0
    for begun in last_tricks(preset, 60):
        state, seat, nodes = begun, 0, memoryview(array("q", [0]))
        surely = open_value(state.rule_table, nodes, compiled_position(state.position), seat, nodes)
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
        assert outcome(state.rule_table, state.position, seat) == expected
        saved += expected > surely
    assert saved > 5


def tried_out(state: State, seat: int, anything: float) -> float:
    """The same value by full enumeration."""
    if state.turn is None:
        return outcome(state.rule_table, state.position, seat)
    plays = [act for act in state.legal() if isinstance(act, Play)]
    most = {play.card: play for play in sorted(plays, key=lambda play: play.declaration or 0)}
    worth = {play: tried_out(state.play(play), seat, anything) for play in most.values()}
    if state.turn == seat:
        return max(worth.values())
    likely = GreedyPlayer().act(state.view(state.turn))
    assert isinstance(likely, Play)
    return anything * sum(worth.values()) / len(worth) + (1 - anything) * worth[likely]


@pytest.mark.parametrize("anything", [0.0, 0.25, 1.0])
def test_it_is_what_trying_everything_out_comes_to(anything: float) -> None:
    for state in last_tricks("classic", 12):
        late = state
        while late.turn is not None and late.position.tricks < 13:
            late = late.play(late.legal()[-1])
        found = hope_of(late, late.position, 0, anything)
        assert found == pytest.approx(tried_out(late, 0, anything))


def test_equal_acts_are_ordered_by_swindle_value() -> None:
    differed = 0
    for state in last_tricks("classic", 80):
        assert state.turn is not None
        told = exact_values(state.view(state.turn))
        assert told is not None
        assert {act.win for act in told} <= {1.0, 0.5, 0.0}
        best = [act.action for act in told if act.win == told[0].win]
        nodes = memoryview(array("q", [0]))
        afters = [compiled_position(state.play(act).position) for act in best if act is not None]
        hopes = [swindle_value(state.rule_table, p, state.turn, EPSILON, nodes) for p in afters]
        assert told[0].win == max(act.win for act in told)
        assert hopes == sorted(hopes, reverse=True)
        differed += hopes[0] > hopes[-1]
    assert differed > 5


def test_the_line_begins_with_the_act_and_reaches_its_value() -> None:
    otherwise = 0
    for state in last_tricks("classic", 60):
        assert state.turn is not None
        advice = advise(strongest(CLASSIC, 1), state.view(state.turn))
        assert advice.solved
        assert advice.line[0] == advice.options[0].action
        seat, solved = state.turn, solve_view(state.view(state.turn))
        assert solved is not None
        assert advice.options[0].win == WORTH[solved.outcome]
        otherwise += advice.line[0] != solved.line[0]
        for act in advice.line:
            assert isinstance(act, Play)
            state = state.play(act)  # noqa: PLW2901 - on to the end
        assert state.result is not None
        assert advice.options[0].win == (0.5 if state.result.winner is None else state.result.winner == seat)
    assert otherwise
