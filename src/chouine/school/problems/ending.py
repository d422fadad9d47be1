"""Endings of two seats with the talon empty: exactly one act wins, or exactly one saves the nulle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chouine.partie.actions import Action
from chouine.partie.state import State
from chouine.school.problems.problem import Sound

if TYPE_CHECKING:
    from chouine.ai.endgame import ActionValue, OpenCardsSolver

WORTH = {"win": 1.0, "tie": 0.5, "loss": 0.0}
"""Values of outcomes in shares of a partie."""


def solve_ending(state: State) -> Sound | None:
    """The only act that wins, or that saves the nulle where none wins; None if there is not exactly one."""
    best, second = value_acts(state)[:2]
    gap = WORTH[best.outcome] - WORTH[second.outcome]
    return Sound(best.action, gap) if gap > 0 else None


def hardest_reply(state: State) -> Action:
    """The best reply after which the fewest acts keep the other seat's best outcome."""
    other = 1 - state.position.turn
    return min(
        best_of(value_acts(state)),
        key=lambda value: (right_acts(state.play(value.action), other), -value.margin),
    ).action


def open_cards(state: State) -> OpenCardsSolver:
    """The solver of a state without a talon, imported late: it loads the compiler, where there is one."""
    from chouine.ai.endgame import NODE_LIMIT, OpenCardsSolver

    return OpenCardsSolver(state.rules, state.position, (), NODE_LIMIT)


def value_acts(state: State) -> tuple[ActionValue, ...]:
    """The value of every act under best play, best first."""
    return open_cards(state).values(state.position, state.position.turn)


def ends(state: State) -> tuple[tuple[Action, State], ...]:
    """The final state under best play after the best act, and after the second best."""
    return tuple((value.action, end(state, value.action)) for value in value_acts(state)[:2])


def end(state: State, act: Action) -> State:
    """The final state under best play after an act."""
    after = state.play(act)
    for following in open_cards(state).line(after.position, state.position.turn):
        after = after.play(following)
    return after


def best_of(values: tuple[ActionValue, ...]) -> list[ActionValue]:
    """The acts with the best outcome."""
    return [value for value in values if value.outcome == values[0].outcome]


def right_acts(state: State, seat: int) -> int:
    """Number of a seat's acts that keep its best outcome; a large number where it has no choice."""
    if state.result is not None or state.position.turn != seat or len(state.legal()) < 2:
        return 99
    return len(best_of(value_acts(state)))
