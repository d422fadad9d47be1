"""Reviews are exact where all cards are known, and find gross mistakes, in a browser too."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from chouine.ai import review, search
from chouine.ai.endgame import solve_view
from chouine.ai.facts import FACTS
from chouine.ai.macro_actions import action_of, legal_acts, own_seat
from chouine.ai.review import glance, judge_act
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players.simple import RandomPlayer
from chouine.rules.options import Rules
from chouine.school.problems.ending import WORTH
from chouine.school.review import decisions
from tests.players.table import ask


def choices(many: int) -> Iterator[View]:
    """Views of decisions between several acts, in random parties."""
    for nth in range(many):
        rng = Random(f"review {nth}")
        first = state = State.new(Rules(), Deal.random(Rules(), nth % 2, rng))
        players, done = [RandomPlayer(rng), RandomPlayer(rng)], []
        while state.result is None:
            seat, action = ask(state, players)
            done.append(action)
            state = state.play(action, seat)
        yield from (each.view for each in decisions(first, done))


def test_the_last_tricks_are_judged_exactly() -> None:
    """Acts are worth what the solver of open cards says, which shares no code with the kernel."""
    compared = 0
    for view in choices(6):
        solved = solve_view(view)
        if solved is None:
            continue
        worth = {value.action: WORTH[value.outcome] for value in solved.values}
        found = judge_act(view, solved.values[-1].action, 64, 1)
        assert found.exact
        assert {each.action: each.win for each in found.options} == worth
        assert found.cost == max(worth.values()) - worth[solved.values[-1].action]
        compared += 1
    assert compared > 5


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[int, float]]:
    """A fake backend with fixed win rates, plus noise in each batch of worlds, as in a browser."""
    wins = dict[int, float]()

    def compute(task: str, preset: str, words: array[int]) -> Sequence[float]:
        assert (task, words[search.TRIES]) == ("try", 0)
        little = 0.05 * Random(words[search.SEED]).random()
        acts = words[search.ACTS : search.ACTS + words[search.COUNT]]
        found = [wins.get(act, 0.5) + little for act in acts]
        return [*found, *[0.0] * (search.VALUES - len(found))]

    search.use(compute)
    monkeypatch.setattr(review, "looks_ahead", lambda: False)
    yield wins
    search._backends.clear()


def test_a_gross_mistake_is_found_and_an_equal_act_is_none(backend: dict[int, float]) -> None:
    view = next(choices(1))
    acts = legal_acts(view.rule_table, view.position, own_seat(view))
    best, other = action_of(acts[0]), action_of(acts[1])
    backend[acts[0]] = 0.7
    found = judge_act(view, other, 768, 1)
    assert found.cost == pytest.approx(0.2)
    assert found.best.action == best
    assert not found.exact
    assert {each.trait for each in found.reasons} <= set(FACTS)  # averages need numpy
    assert judge_act(view, best, 768, 1).cost == 0.0
    looks = [glance(view, action, 1) for action in (best, other)]
    assert isinstance(looks[0], float)
    assert isinstance(looks[1], float)
    assert looks[0] < 0
    assert looks[1] > 2
    backend[acts[0]] = 0.51
    assert judge_act(view, other, 768, 1).label is None


def test_an_act_that_is_not_open_is_refused(backend: dict[int, float]) -> None:
    assert not backend
    with pytest.raises(ValueError, match="not open"):
        judge_act(next(choices(1)), None, 64, 1)
