"""The endgame solver agrees with brute force, and solves only what a view reveals."""

from __future__ import annotations

from array import array
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chouine.ai.endgame import (
    CardsUnknown,
    SearchLimitReached,
    paranoid,
    solve,
    solve_view,
)
from chouine.fast import PartieBatch
from chouine.fast.double_dummy import INFINITY, open_margin
from chouine.fast.soa_layout import compiled_position
from chouine.partie import Deal, State
from chouine.partie.deal import drawing_order
from chouine.rules import Rules, rule_table_of
from chouine.rules.combinations import CHOUINE_MARGIN
from chouine.rules.position import Position
from tests.ai.brute import brute
from tests.laws.strategies import SEEDS, Partie, parties, random_partie

EMPTY = memoryview(array("q"))
DECLARING = ("declare=any", "declare=lead"), ("figure=played", "figure=held")
COUNTING = ("again=never", "again=full", "again=difference"), ("head=trumps", "head=always")
OPTION_SETS = [
    f"{preset};{';'.join(options)}"
    for preset in ("classic", "mondoubleau;fixing=double", "mondoubleau;fixing=plain")
    for options in product(*DECLARING, *COUNTING)
]
"""Every combination of options that matter after the talon is empty (§8, §9, §17)."""


def endings(rules: Rules, count: int, seed: int) -> list[Position]:
    """Positions of random parties at an empty talon: some declarations made, others still possible."""
    batch, rule_table, rng = PartieBatch.random(rules, count, seed), rule_table_of(rules), Random(seed)
    found = []
    for turn in range(60):
        there = (batch["tricks"] >= rule_table.drawing + rng.randrange(2)) & batch.active
        found += [batch.position(row) for row in there.nonzero()[0].tolist() if rng.random() < 0.3]
        batch.step(batch.sample(turn))
    return found


def compare_with_brute_force(text: str, count: int, seed: int) -> int:
    """Compare the solver with brute force on `count` endings; return the number of endings with declarations."""
    rules = Rules.parse(text)
    rule_table, rich = rule_table_of(rules), 0
    told = 0
    while told < count:
        for p in map(compiled_position, endings(rules, 500, seed)):
            left = memoryview(array("q", [10**9]))
            expected = brute(rule_table, EMPTY, p, p.turn)
            assert open_margin(rule_table, EMPTY, p, p.turn, -INFINITY, INFINITY, left) == expected, (text, p)
            sign = (expected > 0) - (expected < 0)
            narrow = open_margin(rule_table, EMPTY, p, p.turn, -1, 1, left)
            assert (narrow > 0) - (narrow < 0) == sign, (text, p)
            rich += left[0] < 10**9
            told += 1
            if told == count:
                break
        seed += 1
    return rich


@pytest.mark.parametrize("text", OPTION_SETS[::5])
def test_solved_is_what_trying_everything_finds(text: str) -> None:
    """§8, §9, §17: The solver's margins equal brute force."""
    assert compare_with_brute_force(text, 120, seed=1) > 0


@pytest.mark.nightly
@pytest.mark.parametrize("text", OPTION_SETS)
def test_solved_is_what_trying_everything_finds_every_time(text: str) -> None:
    """§8, §9, §17: The solver's margins equal brute force on 100,000 endings of every option set."""
    assert compare_with_brute_force(text, 100_000, seed=1000) > 1000


@pytest.mark.parametrize(
    "text", ["classic", "classic;au-sept=no", "classic;seven=lead;figure=held", "mondoubleau"]
)
@settings(max_examples=20)
@given(seed=SEEDS)
def test_with_a_card_to_draw_and_all_cards_open(text: str, seed: int) -> None:
    """§11: The solver is also exact one trick earlier, with a card to draw and a possible exchange before the lead."""
    chosen = Rules.parse(text)
    rule_table = rule_table_of(chosen)
    for state in random_partie(chosen, seed):
        if state.position.tricks == rule_table.drawing - 1 and state.turn is not None:
            p, talon = state.position, drawing_order(state.deal.talon)
            assert solve(chosen, p, talon).margin == brute(
                rule_table, memoryview(array("q", talon)), compiled_position(p), p.turn
            )


def a_line(partie: Partie) -> State:
    """The partie's state at the first lead without a talon, or at its end."""
    return next(
        (s for s in partie if s.position.tricks >= s.rule_table.drawing and not s.position.table), partie[-1]
    )


@given(parties(("classic", "mondoubleau")))
def test_the_line_is_legal_and_comes_to_what_was_promised(partie: Partie) -> None:
    """§8, §9: Best play from the first lead without a talon is legal and reaches the computed margin."""
    state = a_line(partie)
    if state.result:
        return
    view = state.view(state.turn)
    solved = solve_view(view)
    assert solved is not None
    assert [value.action for value in sorted(solved.values, key=lambda value: str(value.action))] == list(
        view.legal
    )
    assert solved.margin == solved.values[0].margin == max(value.margin for value in solved.values)
    assert solved.line[0] in {value.action for value in solved.values if value.margin == solved.margin}
    seat = state.position.turn
    for action in solved.line:
        state = state.play(action)
    assert state.result is not None
    if state.result.by == "chouine":
        assert solved.margin == (CHOUINE_MARGIN if state.result.winner == seat else -CHOUINE_MARGIN)
    else:
        points = state.result.points
        assert solved.margin == points[seat] - points[1 - seat]
        assert solved.outcome == (
            "tie" if state.result.winner is None else "win" if state.result.winner == seat else "loss"
        )


@given(SEEDS)
def test_only_views_with_all_cards_known_are_solved(seed: int) -> None:
    """§14: A view is solved only when the talon is empty, and only for the seat on turn."""
    partie = random_partie(Rules(), seed)
    for state in partie[:-1]:
        for seat in range(2):
            told = solve_view(state.view(seat))
            assert (told is not None) == (state.position.tricks >= 11 and state.turn == seat)


@given(st.sampled_from(("three", "four", "mondoubleau-three", "mondoubleau-four")), SEEDS)
def test_at_most_one_of_three_or_four_seats_is_sure_to_win(preset: str, seed: int) -> None:
    """Two seats cannot both be ahead of all others, whatever these do together."""
    chosen = Rules.of_preset(preset)
    state = a_line(random_partie(chosen, seed))
    if state.result:
        return
    p, talon = state.position, drawing_order(state.deal.talon)
    margins = [paranoid(chosen, p, seat, talon).margin for seat in range(chosen.seats)]
    assert sum(margin > 0 for margin in margins) <= 1


def test_what_is_not_open_is_refused() -> None:
    state = State.new(Rules(), Deal.random(Rules(), 0, Random(1)))
    view = state.view(0)
    with pytest.raises(CardsUnknown, match="not fully known"):
        solve(Rules(), view.position)
    with pytest.raises(CardsUnknown, match="talon"):
        solve(Rules(), state.position)
    with pytest.raises(CardsUnknown, match="two players"):
        solve(Rules.of_preset("three"), state.position)


def test_too_deep_says_so() -> None:
    state = State.new(Rules(), Deal.random(Rules(), 0, Random(1)))
    with pytest.raises(SearchLimitReached, match="Too many ways"):
        solve(Rules(), state.position, drawing_order(state.deal.talon), nodes=1000)
