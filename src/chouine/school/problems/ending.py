"""Endings of two seats with the talon empty: exactly one act wins, or exactly one saves the nulle."""

from __future__ import annotations

from chouine.ai.endgame import NODE_LIMIT, ActionValue, OpenCardsSolver
from chouine.partie.actions import Action
from chouine.partie.state import State
from chouine.school.problems.soundness import Sound

WORTH = {"win": 1.0, "tie": 0.5, "loss": 0.0}
"""Shares of a partie; `ai.racing` has the same, and needs numpy."""


def solved(state: State) -> Sound | None:
    """The one act that wins, or saves the nulle where nothing wins; None where there is not exactly one."""
    best, second = valued(state)[:2]
    gap = WORTH[best.outcome] - WORTH[second.outcome]
    return Sound(best.action, gap) if gap > 0 else None


def hardest_reply(state: State) -> Action:
    """Of the best replies, the one after which the fewest acts keep what the other seat has."""
    other = 1 - state.position.turn
    return min(
        best_of(valued(state)),
        key=lambda value: (right_acts(state.play(value.action), other), -value.margin),
    ).action


def valued(state: State) -> tuple[ActionValue, ...]:
    """What every act comes to, the best first."""
    return OpenCardsSolver(state.rules, state.position, (), NODE_LIMIT).values(
        state.position, state.position.turn
    )


def ends(state: State) -> tuple[tuple[Action, State], ...]:
    """What best play by both comes to after the best act, and after the next best."""
    cards, seat = OpenCardsSolver(state.rules, state.position, (), NODE_LIMIT), state.position.turn
    found = []
    for value in cards.values(state.position, seat)[:2]:
        after = state.play(value.action)
        for act in cards.line(after.position, seat):
            after = after.play(act)
        found.append((value.action, after))
    return tuple(found)


def best_of(values: tuple[ActionValue, ...]) -> list[ActionValue]:
    """The acts that come to the best outcome."""
    return [value for value in values if value.outcome == values[0].outcome]


def right_acts(state: State, seat: int) -> int:
    """How many acts of a seat keep the best outcome it has; many where it has no choice to make."""
    if state.result is not None or state.position.turn != seat or len(state.legal()) < 2:
        return 99
    return len(best_of(valued(state)))
