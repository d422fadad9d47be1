"""The end of a partie solved exactly.

    solved = solve(rules, p)            # two seats, the talon empty, as both then know it
    solved.margin, solved.outcome       # for the seat to act: what it ends ahead by, and win, tie or loss
    solved.values                       # every action it may take, the best first
    solved.line                         # best play by all, to the end

`solve` also answers from any earlier point, talon given, as if all cards lay open (double dummy): right for replays
and problems, never for a player. With three and four seats no single value is right: `sure` is what a seat can be
sure of whatever the others do together (the paranoid value), `each_for_itself` what comes of everyone playing for
itself alone (max-n).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chouine.errors import ChouineError
from chouine.fast.openplay import CHOUINE_MARGIN, FAR, max_n, open_margin
from chouine.fast.seats import seated
from chouine.partie.actions import Action, Exchange, Play, spelled
from chouine.partie.view import View
from chouine.players.endgame import known
from chouine.rules.book import Book, book_of
from chouine.rules.options import Rules
from chouine.rules.play import declare, exchange, exchanger, lay, legal, legal_for
from chouine.rules.position import Position

__all__ = [
    "CHOUINE_MARGIN",
    "NotOpen",
    "Solved",
    "TooDeep",
    "Value",
    "each_for_itself",
    "solve",
    "solve_view",
    "sure",
]

NODES = 20_000_000
"""Positions looked at before giving up: some seconds compiled."""

Outcome = Literal["win", "tie", "loss"]


class NotOpen(ChouineError, ValueError):
    """Not all cards are known, or not the number of seats this is for."""


class TooDeep(ChouineError):
    """More positions than were allowed, so that nothing exact can be said."""


@dataclass(frozen=True, slots=True)
class Value:
    """What an action leads to, all playing their best after it."""

    action: Action
    margin: int
    """What the seat to act ends ahead by; `CHOUINE_MARGIN` when a chouine decides."""

    @property
    def outcome(self) -> Outcome:
        return outcome(self.margin)


@dataclass(frozen=True, slots=True)
class Solved:
    """The end worked out for one seat."""

    seat: int
    margin: int
    """What it ends ahead by."""
    values: tuple[Value, ...]
    """Every action it may take now, best first, equal ones by their text; the others pass if they could exchange."""
    line: tuple[Action, ...]
    """Best play by all to the end."""

    @property
    def outcome(self) -> Outcome:
        return outcome(self.margin)


def outcome(margin: int) -> Outcome:
    return "win" if margin > 0 else "tie" if margin == 0 else "loss"


def solve(rules: Rules, p: Position, talon: Sequence[int] = (), nodes: int = NODES) -> Solved:
    """Two seats, for the seat on turn. Exact, or `TooDeep`; `talon` in drawing order if any is left to draw."""
    if rules.seats != 2:
        raise NotOpen("endgame/two-seats")
    return sure(rules, p, p.turn, talon, nodes)


def solve_view(view: View, nodes: int = NODES) -> Solved | None:
    """What a seat can work out from its view: two seats, the talon empty; None if it cannot know all cards or act."""
    p = known(view)
    if p is None or view.observer != view.turn:
        return None
    return solve(view.rules, p, nodes=nodes)


def line_after(view: View, act: Action) -> tuple[Action, ...] | None:
    """Best play by all once this is done, to the end; None where `solve_view` tells nothing."""
    p = known(view)
    if p is None or view.observer is None or view.observer != view.turn:
        return None
    cards = OpenCards(view.rules, p, (), NODES)
    return cards.line(cards.after(p, act), view.observer)


def sure(rules: Rules, p: Position, seat: int, talon: Sequence[int] = (), nodes: int = NODES) -> Solved:
    """What a seat can be sure of, all cards open, whatever the others do together (paranoid with three or four)."""
    cards = OpenCards(rules, p, talon, nodes)
    return Solved(seat, cards.margin(p, seat), cards.values(p, seat), cards.line(p, seat))


def each_for_itself(
    rules: Rules, p: Position, talon: Sequence[int] = (), nodes: int = NODES
) -> tuple[int, ...]:
    """By seat, what it ends ahead by when everyone sees all cards and plays for itself alone (max-n)."""
    cards = OpenCards(rules, p, talon, nodes)
    told = max_n(cards.book, cards.talon, seated(p), cards.left)
    cards.check_finished()
    return tuple(told[: rules.seats])


class OpenCards:
    """A partie whose cards all lie open, and how many more positions may be looked at."""

    def __init__(self, rules: Rules, p: Position, talon: Sequence[int], nodes: int) -> None:
        self.book = book_of(rules)
        check_open(self.book, p, talon)
        self.talon = memoryview(array("q", talon))
        self.left = memoryview(array("q", [nodes]))

    def check_finished(self) -> None:
        if self.left[0] <= 0:
            raise TooDeep("endgame/too-deep")

    def margin(self, p: Position, seat: int) -> int:
        margin = open_margin(self.book, self.talon, seated(p), seat, -FAR, FAR, self.left)
        self.check_finished()
        return margin

    def after(self, p: Position, act: Action) -> Position:
        if isinstance(act, Exchange):
            return exchange(p, exchanger(self.book, p))
        if act.declaration is not None:
            p = declare(self.book, p, act.declaration)
        return lay(self.book, self.talon, p, act.card)

    def acts(self, p: Position) -> list[Action]:
        """Whatever may be done now; the exchange first, which at "au sept" comes before the lead (§11)."""
        return sorted(
            spelled(self.book, legal(self.book, p)), key=lambda act: (isinstance(act, Play), str(act))
        )

    def values(self, p: Position, seat: int) -> tuple[Value, ...]:
        by_seat = legal_for(self.book, p, seat) if p.turn >= 0 else 0
        values = [Value(act, self.margin(self.after(p, act), seat)) for act in spelled(self.book, by_seat)]
        return tuple(sorted(values, key=lambda value: -value.margin))

    def line(self, p: Position, seat: int) -> tuple[Action, ...]:
        """Acts by whoever may take them, each keeping what `seat` is sure of."""
        margin, line = self.margin(p, seat), []
        while p.turn >= 0:
            act = next(act for act in self.acts(p) if self.margin(self.after(p, act), seat) == margin)
            line.append(act)
            p = self.after(p, act)
        return tuple(line)


def check_open(book: Book, p: Position, talon: Sequence[int]) -> None:
    """Raise `NotOpen` if a hand or a talon card still to be drawn is not known."""
    laid = 0 if p.turn < 0 or p.table == 0 else (p.turn - p.leader) % book.seats
    for place in range(book.seats if p.turn >= 0 else 0):
        seat = (p.leader + place) % book.seats
        held = min(book.hand, book.tricks - p.tricks) - (place < laid)
        if p.hands[seat].bit_count() != held:
            raise NotOpen("endgame/hand-unknown", seat="abcd"[seat])
    to_draw = range(min(p.tricks, book.drawing) * book.seats, min(book.hidden, book.drawing * book.seats))
    if any(place >= len(talon) or not 0 <= talon[place] < 32 for place in to_draw):
        raise NotOpen("endgame/talon-unknown")
