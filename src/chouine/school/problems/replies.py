"""The other players' acts in a problem, chosen with full knowledge. Needs the standard library only."""

from __future__ import annotations

from collections.abc import Sequence

from chouine.partie.actions import Action
from chouine.partie.state import State
from chouine.players.base import Player
from chouine.players.heuristic import HeuristicPlayer


def next_act(state: State, players: Sequence[Player]) -> tuple[int, Action]:
    """The next act: an exchange at "au sept" (§11), else the act of the seat on turn."""
    seat, action = state.next_act(lambda seat: players[seat].act(state.view(seat)))
    if action is None:
        raise ValueError("a player on turn that does nothing")
    return seat, action


def reply(state: State, seat: int) -> Action | None:
    """Another seat's act: with two seats and an empty talon the best reply that is hardest to answer, else level 6's.

    None where `seat` itself is asked, at "au sept".
    """
    if state.rules.seats == 2 and state.position.tricks >= state.rule_table.drawing:
        from chouine.school.problems.ending import hardest_reply  # it loads the compiler, where there is one

        return hardest_reply(state)
    who, act = next_act(state, [HeuristicPlayer() for _ in range(state.rules.seats)])
    return None if who == seat else act
