"""An observer's view is updated act by act instead of being rebuilt."""

from __future__ import annotations

from itertools import pairwise

from chouine.partie import State
from chouine.table.snapshot import Watcher, leads_to
from tests.server.matches import Table, opening, playing


def states() -> list[State]:
    """Several states of one partie, one act apart."""
    table, found = Table.set(opening("classic", "1x1"), 1).until(playing), list[State]()
    for _ in range(6):
        assert table.table.state is not None
        found.append(table.table.state)
        table.step()
    return found


def test_a_state_leads_to_those_that_came_of_it() -> None:
    """`leads_to` holds for a state and its successor object, not backwards, and not for equal copies."""
    own, others = states(), states()
    assert own == others
    for past, state in pairwise(own):
        assert leads_to(past, state)
        assert not leads_to(state, past)
    assert not any(leads_to(past, state) for past, state in zip(others, own, strict=True))


def test_a_board_is_kept_while_nothing_happens() -> None:
    watcher, state = Watcher(0), states()[-1]
    assert watcher.board(state) is watcher.board(state)
