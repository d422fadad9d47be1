"""Perfect information Monte Carlo: every act tried in many worlds, each played on with its cards laid open.

From a first decision no world can be solved in time: there both play by rules of thumb until one trick with hidden
cards is left, and as well as can be with every card open from there. It is a player to measure others by: it takes for
granted that one will know what one cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chouine.ai.acts import acts_open, own_seat
from chouine.ai.judging import Judged, exactly, judged, need_compiler
from chouine.ai.montecarlo import begun, played_out
from chouine.ai.playout import open_ending, outcome, turn_by_thumb
from chouine.ai.worlds import worlds
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.seats import Seats
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.rules.book import Book
from chouine.rules.position import Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

LAID_OPEN = 1
"""Tricks with hidden cards still to come when they are laid open."""


@kernel
def play_out_open(
    book: Book,
    talon: Sequence[int],
    p: Position,
    gone: int,
    seat: int,
    weights: Sequence[float],
    nodes: memoryview,
) -> float:
    """What comes of a position for a seat of two, cards laid open near the end."""
    while p.turn >= 0:
        if p.tricks >= book.drawing - LAID_OPEN and p.pending < 0:
            return open_ending(book, talon, p, seat, nodes)
        p, gone = turn_by_thumb(book, talon, p, gone, weights)
    return outcome(book, p, seat)


@compiled
def look_ahead_open(
    book: Book,
    p: Position,
    seat: int,
    gone: int,
    acts: Sequence[int],
    hands: Any,
    talons: Any,
    weights: Sequence[float],
    nodes: memoryview,
    values: Any,
) -> None:
    """What comes of each act (row) in each world (column)."""
    for world in range(len(hands)):
        talon = talons[world]
        here = Position(Seats(hands[world, 0], hands[world, 1], 0, 0), *p[1:])
        for nth in range(len(acts)):
            q, fell = begun(book, talon, here, seat, acts[nth], gone, weights)
            values[nth, world] = play_out_open(book, talon, q, fell, seat, weights, nodes)


class PimcPlayer:
    """Does what wins most often in `many` worlds with open cards; two seats."""

    def __init__(self, many: int, seed: int) -> None:
        need_compiler()
        self.many, self.seed = many, seed

    def act(self, view: View) -> Action | None:
        return self.judge(view)[0].action if view.legal else None

    def judge(self, view: View) -> list[Judged]:
        """What each act would be worth if all cards were open, best first."""
        exact = exactly(view)
        if exact is not None:
            return exact
        self.seed += 1
        acts, among = acts_open(view.book, view.position, own_seat(view)), worlds(view, self.many, self.seed)
        return judged(acts, played_out(view, acts, among, look_ahead_open))
