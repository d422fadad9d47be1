"""Monte Carlo: every act tried in the same worlds, each played out by rules of thumb, the last tricks exactly.

judged = judge(view, 1_000, seed=1)     # the win probability of each act, best first, with its standard error
MonteCarloPlayer(1_000, seed=1).act(view)
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from chouine.ai.acts import NO_CARD, SWAP, acts_open, done, own_seat
from chouine.ai.judging import Judged, certain_first, exactly, judged, need_compiler
from chouine.ai.network import NOBODY
from chouine.ai.playout import lay_by_thumb, play_out
from chouine.ai.worlds import Worlds, worlds
from chouine.fast.bits import mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.seats import Seats, seated
from chouine.partie.actions import Action
from chouine.partie.course import fallen
from chouine.partie.view import View
from chouine.players.thumb import thumb_table
from chouine.rules.book import Book
from chouine.rules.position import Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

BATCH = 100
"""Worlds between two looks at the clock."""


@kernel
def begun(
    book: Book, talon: Sequence[int], p: Position, seat: int, act: int, gone: int, weights: Sequence[float]
) -> tuple[Position, int]:
    """The position after an act by a seat, from which both can be thought to play on; and the cards gone then."""
    after = done(book, talon, p, seat, act)
    if act & 63 != NO_CARD:
        return after, gone | 1 << (act & 63)
    if act & SWAP:
        return after, gone
    # "Au sept" was let pass: the lead comes before the seven can be asked for again.
    return lay_by_thumb(book, talon, after, gone, weights)


@compiled
def look_ahead(
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
    """What comes of each act (row) in each world (column), played on by rules of thumb."""
    for world in range(len(hands)):
        talon = talons[world]
        here = Position(Seats(hands[world, 0], hands[world, 1], hands[world, 2], hands[world, 3]), *p[1:])
        for nth in range(len(acts)):
            q, fell = begun(book, talon, here, seat, acts[nth], gone, weights)
            values[nth, world] = play_out(book, talon, q, fell, seat, weights, nodes)


def played_out(view: View, acts: Sequence[int], among: Worlds, look: Callable[..., None] = look_ahead) -> Any:
    """What comes of each act in each world: (acts, worlds), 1 for a partie won; `look` plays them on."""
    seat, nodes = own_seat(view), memoryview(array("q", [0]))
    values = np.zeros((len(acts), len(among.hands)), np.float32)
    look(
        view.book,
        seated(view.position),
        seat,
        fallen(view.events),
        memoryview(array("q", acts)),
        among.hands,
        among.talons,
        thumb_table(view.rules),
        nodes,
        values,
    )
    return values


def judge(view: View, many: int, seed: int, seconds: float | None = None) -> list[Judged]:
    """What each act of a seat is worth, best first, by so many worlds, or as many as there is time for."""
    exact = exactly(view)
    if exact is not None:
        return exact
    acts = acts_open(view.book, view.position, own_seat(view))
    if seconds is None:
        among = worlds(view, many, seed)
        return judged(acts, played_out(view, acts, among))
    until = perf_counter() + seconds
    parts: list[Any] = []
    while not parts or perf_counter() < until:
        among = worlds(view, BATCH, signed(mixed(seed + len(parts))))
        parts.append(played_out(view, acts, among))
    return judged(acts, np.concatenate(parts, axis=1))


class MonteCarloPlayer:
    """Does what wins most often in `many` worlds, or in as many as there is time for."""

    network = NOBODY

    def __init__(self, many: int, seed: int, seconds: float | None = None) -> None:
        need_compiler()
        self.many, self.seed, self.seconds = many, seed, seconds

    def act(self, view: View) -> Action | None:
        return self.judge(view)[0].action if view.legal else None

    def judge(self, view: View, seconds: float | None = None, many: int | None = None) -> list[Judged]:
        """What each act is worth, best first."""
        self.seed += 1
        limit = seconds or (None if many else self.seconds)
        return certain_first(view, judge(view, many or self.many, self.seed, limit))

    def surely(self, view: View) -> list[Judged]:
        """The same where the answer is exact; else empty."""
        return exactly(view) or []

    def likely(self, view: View, many: int) -> Worlds:
        """So many worlds, all as likely."""
        self.seed += 1
        return worlds(view, many, self.seed)

    def tried(self, view: View, acts: Sequence[int], among: Worlds) -> Any:
        """What comes of every act in each world: (acts, worlds)."""
        return played_out(view, acts, among)
