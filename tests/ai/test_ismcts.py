"""ISMCTS finds forced wins, plays legally, and depends on its view alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given

from chouine.ai.determinization import uniform_worlds
from chouine.ai.endgame import paranoid
from chouine.ai.ismcts import DECLINE, REWARD, SHARES, IsmctsPlayer, chosen_action, run_search
from chouine.errors import ChouineError
from chouine.partie import Action, Deal, Declaration, Exchange, Play, State
from chouine.players import RandomPlayer
from chouine.rules import Rules, rule_table_of
from chouine.rules.combinations import EXCHANGE
from chouine.rules.play import au_sept, declare, exchanger, lay, legal, step, winner
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable
from tests.laws.strategies import SEEDS, any_deal, moments, rules
from tests.laws.worlds import another_world
from tests.players.table import play_out, wins

LAST_DRAWS = [
    ("classic", 9),
    ("classic", 22),
    ("classic;head=always;figure=held", 4),
    ("classic;head=always;figure=held", 9),
    ("mondoubleau", 113),
    ("mondoubleau", 127),
]
TWO_CARDS = [
    ("three", 552),
    ("three", 2660),
    ("four", 351),
    ("four", 642),
    ("mondoubleau-three", 258),
    ("mondoubleau-three", 1219),
    ("mondoubleau-four", 41),
    ("mondoubleau-four", 308),
]
"""Presets and seeds of random parties that reach such a decision, which is rare."""


@given(rules(), SEEDS)
def test_it_plays_any_partie_to_its_end(chosen: Rules, seed: int) -> None:
    """§3-§12, §17: It completes parties under all presets and options."""
    rng = Random(seed)
    players = [IsmctsPlayer(20, seed + seat) for seat in range(chosen.seats)]
    assert play_out(chosen, any_deal(chosen, rng), players).result


@given(moments(), SEEDS)
def test_equal_views_get_equal_acts(state: State, seed: int) -> None:
    """§14: Equal views of different deals get equal acts, and so does a repeated call."""
    for seat in range(state.rules.seats):
        view, player = state.view(seat), IsmctsPlayer(40, 5)
        act = player.act(view)
        assert act is None or act in view.legal
        other = another_world(view, Random(seed))
        if other is not None:
            assert IsmctsPlayer(40, 5).act(other.view(seat)) == act
        assert player.act(view) == act


@pytest.mark.parametrize(("text", "seed"), LAST_DRAWS)
def test_the_last_hidden_card_does_not_matter(text: str, seed: int) -> None:
    """§12: With two seats and one trick to draw, an act that loses in every world is not chosen."""
    winning, losing, state = last_draw_acts(Rules.parse(text), seed)
    assert winning
    assert losing
    assert IsmctsPlayer(1_000, 1).act(state.view(state.position.turn)) not in losing


def last_draw_acts(rules: Rules, seed: int) -> tuple[set[Action], set[Action], State]:
    """Acts that win in every world, acts that lose in every world, and the state."""
    state = last_draw(rules, Random(seed))
    view, seat = state.view(state.position.turn), state.position.turn
    drawn, outcomes = uniform_worlds(view, 20, seed=1), []
    for hands, talon in zip(drawn.hands.tolist(), drawn.talons.tolist(), strict=True):
        p = view.position._replace(hands=tuple(hands))
        outcomes.append({value.action: value.outcome for value in paranoid(rules, p, seat, talon).values})
        if len(set(outcomes[0].values())) == 1:
            break
    winning = {act for act in outcomes[0] if all(world.get(act) == "win" for world in outcomes)}
    losing = {act for act in outcomes[0] if all(world.get(act) == "loss" for world in outcomes)}
    return winning, losing, state


def last_draw(rules: Rules, rng: Random) -> State:
    """A random partie in the trick before the last draw."""
    while True:
        state, rule_table = State.new(rules, Deal.random(rules, 0, rng)), rule_table_of(rules)
        while not state.result and (state.position.tricks < rule_table.drawing - 1 or rng.random() < 0.3):
            state = state.play(rng.choice(state.legal()))
        if state.result is None and state.position.tricks == rule_table.drawing - 1 and state.legal():
            return state


@pytest.mark.parametrize(("preset", "seed"), TWO_CARDS)
def test_a_win_that_nothing_can_undo_is_taken(preset: str, seed: int) -> None:
    """§8, §12: With two cards each, an act that wins in every line of every world is chosen."""
    winning, losing, state = two_card_acts(Rules.of_preset(preset), seed)
    assert winning
    assert losing
    assert IsmctsPlayer(500, 1).act(state.view(state.position.turn)) in winning


def two_card_acts(rules: Rules, seed: int) -> tuple[list[Action], list[Action], State]:
    """Acts that win in every line of every world, and those that always lose; none if other acts exist."""
    state = two_cards_left(rules, Random(seed))
    view, seat = state.view(state.position.turn), state.position.turn
    held = [
        view.position._replace(hands=tuple(hands))
        for hands in uniform_worlds(view, 30, seed=1).hands.tolist()
    ]
    winning: list[Action] = []
    losing: list[Action] = []
    for act in view.legal:
        if all(set(won_by_all_lines(p, act, state.rule_table)) == {seat} for p in held):
            winning.append(act)
        elif all(seat not in won_by_all_lines(p, act, state.rule_table) for p in held):
            losing.append(act)
        else:
            return [], [], state
    return winning, losing, state


def two_cards_left(rules: Rules, rng: Random) -> State:
    while True:
        state = State.new(rules, Deal.random(rules, 0, rng))
        while not state.result and state.position.tricks < state.rule_table.tricks - 2:
            state = state.play(rng.choice(state.legal()))
        if state.result is None:
            return state


def won_by_all_lines(p: Position, act: Action, rule_table: RuleTable) -> Iterator[int]:
    """The winner of each line after an act."""
    assert isinstance(act, Play)
    if act.declaration is not None:
        p = declare(rule_table, p, act.declaration)
    stack = [lay(rule_table, (), p, act.card)]
    while stack:
        p = stack.pop()
        if p.turn < 0:
            yield winner(rule_table, p)
        stack += [
            step(rule_table, (), p, action) for action in range(51) if legal(rule_table, p) >> action & 1
        ]


def test_9_a_chouine_is_said() -> None:
    """§10: A winning chouine is declared, with one of its cards."""
    rng = Random(2)
    for _ in range(50):
        state = State.new(Rules(), any_deal(Rules(), rng))
        view = state.view(state.position.turn)
        chouines = [act for act in view.legal if isinstance(act, Play) and "ch" in str(act)]
        if chouines:
            assert IsmctsPlayer(400, 1).act(view) in chouines
            return
    raise AssertionError


def asked_for_the_seven(rng: Random) -> State:
    """A state at "au sept" in which the seat not on turn holds the seven."""
    while True:
        state = State.new(Rules(), Deal.random(Rules(), 0, rng))
        while not state.result and not au_sept(state.rule_table, state.position):
            state = state.play(rng.choice([act for act in state.legal() if act != Exchange()]))
        if not state.result and exchanger(state.rule_table, state.position) == 1 - state.position.turn:
            return state


def test_11_at_au_sept_both_are_looked_at() -> None:
    """§11: At "au sept" the tree gives exchanging and declining different values."""
    rng, differing = Random(6), 0
    for _ in range(20):
        state = asked_for_the_seven(rng)
        view = state.view(1 - state.position.turn)
        tree = run_search(view, 200, 1)
        nodes = {act: 4 * tree.children[act] for act in (EXCHANGE, DECLINE)}
        assert tree.tried[0] == 1 << EXCHANGE | 1 << DECLINE
        means = {act: tree.counts[at + REWARD] / tree.counts[at] / SHARES for act, at in nodes.items()}
        differing += abs(means[EXCHANGE] - means[DECLINE]) > 0.05
        passing = tree.most_visited(0) == DECLINE
        assert chosen_action(tree, view.legal) == (None if passing else Exchange())
    assert differing


def test_a_declaration_little_known_still_comes_with_a_card() -> None:
    """After one simulation, where the tree has no card below a declaration, the act still has a card."""
    rng, told = Random(3), 0
    while told < 5:
        state = State.new(Rules(), any_deal(Rules(), rng))
        view = state.view(state.position.turn)
        for seed in range(30):
            tree = run_search(view, 1, seed)
            act = chosen_action(tree, view.legal)
            assert act in view.legal
            told += isinstance(act, Play) and isinstance(act.declaration, Declaration)


def test_it_wins_more_than_its_share() -> None:
    """It beats random players clearly: more than 28 of 40 decided parties (equal strength: 20)."""
    won, decided = wins(Rules(), IsmctsPlayer(200, 1), RandomPlayer(Random(1)), 40, Random(9))
    assert won > decided - won + 16


def test_an_act_without_thinking_is_refused() -> None:
    with pytest.raises(ChouineError, match="one simulation a decision at least; got 0"):
        IsmctsPlayer(0)


PLANS = """
import sys
if sys.argv[1] == "plain":
    sys.modules["numba"] = None
from random import Random
from chouine.ai.ismcts import run_search
from chouine.partie import Deal, State
from chouine.rules import PRESETS, Rules
for preset in PRESETS:
    rules = Rules.of_preset(preset)
    state = State.new(rules, Deal.random(rules, 0, Random(1)))
    print([list(row) for row in run_search(state.view(1), 40, 3)])
"""


def test_without_the_compiler_it_thinks_the_same() -> None:
    compiled, plain = (
        subprocess.run([sys.executable, "-c", PLANS, how], check=True, capture_output=True).stdout
        for how in ("compiled", "plain")
    )
    assert compiled == plain
