"""Reviews by the light player's backend are exact where all cards are known, and find gross mistakes."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from chouine.ai import light
from chouine.ai.light_review import chances
from chouine.ai.macro_actions import MAX_ACTS, action_of, legal_acts, own_seat
from chouine.ai.racing import exact_values
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players.uniform import RandomPlayer
from chouine.rules.options import Rules
from chouine.school.review import decisions
from tests.players.table import ask


def choices(many: int) -> Iterator[View]:
    """Views of decisions between several acts, in random parties."""
    for nth in range(many):
        rng = Random(f"light review {nth}")
        first = state = State.new(Rules(), Deal.random(Rules(), nth % 2, rng))
        players, done = [RandomPlayer(rng), RandomPlayer(rng)], []
        while state.result is None:
            seat, action = ask(state, players)
            done.append(action)
            state = state.play(action, seat)
        yield from (each.view for each in decisions(first, done))


def test_the_last_tricks_are_judged_exactly() -> None:
    compared = 0
    for view in choices(6):
        exact = exact_values(view)
        if view.talon or view.observer != view.turn or not exact:
            continue
        found = chances(view, exact[0].action, 1)
        if not found.exact:
            continue  # a late equilibrium, which needs the compiler
        worth = {each.action: each.win for each in exact}
        assert {each.action: each.win for each in found.options} == worth
        assert found.cost == max(worth.values()) - worth[exact[0].action]
        compared += 1
    assert compared > 5


@pytest.fixture
def machine() -> Iterator[dict[int, float]]:
    """A fake backend with fixed win rates, plus noise in each batch of worlds."""
    wins = dict[int, float]()

    def compute(task: str, preset: str, words: array[int]) -> Sequence[float]:
        assert (task, words[light.COUNT]) == ("try", 1)
        little = 0.05 * Random(words[light.SEED]).random()
        return [wins.get(words[light.ACTS], 0.5) + little] + [0.0] * (2 * MAX_ACTS - 1)

    light.use(compute)
    yield wins
    light._backends.clear()


def test_a_gross_mistake_is_found_and_an_equal_act_is_none(machine: dict[int, float]) -> None:
    view = next(choices(1))
    acts = legal_acts(view.book, view.position, own_seat(view))
    machine[acts[0]] = 0.7
    found = chances(view, action_of(acts[1]), 1)
    assert found.cost == pytest.approx(0.2)
    assert found.best.action == action_of(acts[0])
    assert chances(view, action_of(acts[0]), 1).cost == 0.0
    machine[acts[0]] = 0.51
    assert not found.exact
    assert chances(view, action_of(acts[1]), 1).done.behind < 0.02
