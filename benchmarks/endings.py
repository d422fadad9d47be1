"""Brute-force solver of endings on `State.play` alone: slow, and independent of the product's solver."""

from __future__ import annotations

from chouine.partie import Action, State
from chouine.rules.position import Position

WIN, NULLE = 1, 0


def right_acts(state: State) -> list[Action]:
    """The acts that force a win for the seat on turn, of two seats; if there are none, those that force a nulle."""
    acts, seat = state.legal(), state.position.turn
    for target in (WIN, NULLE):
        seen: dict[Position, bool] = {}
        right = [act for act in acts if reached(state.play(act), seat, target, seen)]
        if right:
            return right
    return list(acts)


def reached(state: State, seat: int, target: int, seen: dict[Position, bool]) -> bool:
    """Whether a seat can force this result."""
    if state.result is not None:
        return state.result.winner == seat or (target == NULLE and state.result.winner is None)
    if state.position not in seen:
        after = (reached(state.play(act), seat, target, seen) for act in state.legal())
        seen[state.position] = any(after) if state.position.turn == seat else all(after)
    return seen[state.position]
