"""Each theme's defining property holds for its problems, checked independently of the code that assigns it."""

from __future__ import annotations

import pytest

from chouine.ai.endgame import solve
from chouine.notation import read_action
from chouine.partie import Play, State
from chouine.phrases import say
from chouine.school.problems import Problem, choose_problems, shipped_problems
from chouine.school.problems.themes import THEMES, themes_of

MANY = 40
"""Problems tested for each theme."""


def of_theme(theme: str) -> list[Problem]:
    return sorted(choose_problems(shipped_problems(), theme=theme), key=lambda problem: problem.id)[:MANY]


def end(problem: Problem) -> State:
    """The state after the right act and best play to the end."""
    state = problem.state.play(problem.best)
    for act in solve(state.rules, state.position).line if state.result is None else ():
        state = state.play(act)
    return state


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_has_problems_and_names(theme: str) -> None:
    assert len(of_theme(theme)) >= 10
    assert say(f"theme/{theme}", "fr") != say(f"theme/{theme}", "en")


def test_seven() -> None:
    for problem in of_theme("seven"):
        assert "7x" in {*map(str, problem.view.legal), *problem.solution}


def test_hold() -> None:
    for problem in of_theme("hold"):
        assert "+" not in problem.solution[0]
        assert any("+" in str(act) for act in problem.view.legal)


def test_trumps() -> None:
    for problem in of_theme("trumps"):
        trump = "shdc"[problem.state.position.trump]
        assert problem.solution[0][1] != trump
        assert any(str(act)[1] == trump for act in problem.view.legal)


def test_der() -> None:
    """§12: The ten points of the last trick decide the result."""
    for problem in of_theme("der"):
        result, seat = end(problem).result, problem.seat
        assert result is not None
        ahead = result.points[seat] - result.points[1 - seat]
        assert 0 <= ahead <= 10
        assert result.winner in (seat, None)


def test_ruff() -> None:
    """§8: The opponent holds a trump and no card of the suit led."""
    for problem in of_theme("ruff"):
        suit, hand = problem.solution[0][1], problem.state.view(1 - problem.seat).hand
        assert suit not in {card.suit.letter for card in hand}
        assert problem.state.position.trump in {card.suit for card in hand}


def test_lead() -> None:
    """The right act lets another seat take the trick; some other act would take it."""
    for problem in of_theme("lead"):
        p = problem.state.position
        if p.table and problem.rules.seats == 2:
            taken = {act: problem.state.play(act).position.leader for act in problem.view.legal}
            assert taken[problem.best] != problem.seat
            assert problem.seat in taken.values()


def test_count() -> None:
    for problem in of_theme("count"):
        best, second = solve(problem.rules, problem.state.position).values[:2]
        assert best.margin - second.margin <= 20


def test_chouine() -> None:
    """With two seats, one hand holds at least four of A 10 K Q J of a suit."""
    for problem in choose_problems(shipped_problems(), preset="classic", theme="chouine"):
        hands = [problem.view.held(seat).known for seat in range(2)]
        assert any(
            sum(card.suit == suit and card.rank >= 3 for card in hand) >= 4
            for hand in hands
            for suit in range(4)
        )


def test_themes_are_recomputed_as_stored() -> None:
    for theme in THEMES:
        for problem in of_theme(theme)[:5]:
            solution = [read_action(act) for act in problem.solution]
            assert problem.themes == themes_of(problem.state, solution)
            assert isinstance(problem.best, Play)
