"""Exact endgames.

    solution = solve(rules, p)              # two seats, empty talon: what both then know
    solution.margin, solution.outcome       # for the seat on turn: final margin in points; win, tie or loss
    solution.values                         # every action, best first
    solution.line                           # optimal play to the end

Given a talon, `solve` also answers from earlier positions with all cards open (double dummy): for replays and problems,
never for players. With three and four seats there is no unique value: `paranoid` is what a seat can guarantee against
all others.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chouine.ai.macro_actions import act_of, apply_act
from chouine.errors import ChouineError
from chouine.fast.double_dummy import INFINITY, open_margin
from chouine.fast.soa_layout import compiled_position
from chouine.partie.actions import Action, Play, spell_actions
from chouine.partie.view import View
from chouine.players.endgame import known_position
from chouine.rules.options import Rules
from chouine.rules.play import exchanger, legal, legal_for
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable, rule_table_of

__all__ = [
    "ActionValue",
    "CardsUnknown",
    "SearchLimitReached",
    "Solution",
    "paranoid",
    "solve",
    "solve_view",
]

NODE_LIMIT = 20_000_000
"""Positions searched before giving up: some seconds when compiled."""

Outcome = Literal["win", "tie", "loss"]


class CardsUnknown(ChouineError, ValueError):
    """Not all cards are known, or the number of seats does not fit."""


class SearchLimitReached(ChouineError):
    """The node limit was reached, so there is no exact answer."""


@dataclass(frozen=True, slots=True)
class ActionValue:
    """An action and its value under optimal play."""

    action: Action
    margin: int
    """Final margin of the seat to act; `CHOUINE_MARGIN` if a chouine decides."""

    @property
    def outcome(self) -> Outcome:
        return outcome(self.margin)


@dataclass(frozen=True, slots=True)
class Solution:
    """The solved ending from one seat's point of view."""

    seat: int
    margin: int
    """Its final margin."""
    values: tuple[ActionValue, ...]
    """Every action it may take now, best first, ties by text. Others are assumed to decline exchanges."""
    line: tuple[Action, ...]
    """Optimal play by all to the end."""

    @property
    def outcome(self) -> Outcome:
        return outcome(self.margin)


def outcome(margin: int) -> Outcome:
    return "win" if margin > 0 else "tie" if margin == 0 else "loss"


def solve(rules: Rules, p: Position, talon: Sequence[int] = (), nodes: int = NODE_LIMIT) -> Solution:
    """Solve two seats' ending for the seat on turn; `talon` in drawing order if cards are left to draw.

    Raises `CardsUnknown`, or `SearchLimitReached` after `nodes` positions.
    """
    if rules.seats != 2:
        raise CardsUnknown("endgame/two-seats")
    return paranoid(rules, p, p.turn, talon, nodes)


def solve_view(view: View, nodes: int = NODE_LIMIT) -> Solution | None:
    """Solve the ending that a seat can deduce from its view; None if some card is unknown to it or it may not act."""
    p = known_position(view)
    if p is None or view.observer != view.turn:
        return None
    return solve(view.rules, p, nodes=nodes)


def line_after(view: View, act: Action) -> tuple[Action, ...] | None:
    """Optimal play by all after this act; None where `solve_view` returns None."""
    p = known_position(view)
    if p is None or view.observer is None or view.observer != view.turn:
        return None
    cards = OpenCardsSolver(view.rules, p, (), NODE_LIMIT)
    return cards.line(cards.after(p, act), view.observer)


def paranoid(
    rules: Rules, p: Position, seat: int, talon: Sequence[int] = (), nodes: int = NODE_LIMIT
) -> Solution:
    """What a seat can guarantee with all cards open, whatever the others do together (paranoid search)."""
    cards = OpenCardsSolver(rules, p, talon, nodes)
    return Solution(seat, cards.margin(p, seat), cards.values(p, seat), cards.line(p, seat))


class OpenCardsSolver:
    """Search with all cards open within a node budget."""

    def __init__(self, rules: Rules, p: Position, talon: Sequence[int], nodes: int) -> None:
        self.rule_table = rule_table_of(rules)
        check_open(self.rule_table, p, talon)
        self.talon = memoryview(array("q", talon))
        self.budget = memoryview(array("q", [nodes]))

    def check_finished(self) -> None:
        if self.budget[0] <= 0:
            raise SearchLimitReached("endgame/too-deep")

    def margin(self, p: Position, seat: int) -> int:
        margin = open_margin(
            self.rule_table, self.talon, compiled_position(p), seat, -INFINITY, INFINITY, self.budget
        )
        self.check_finished()
        return margin

    def after(self, p: Position, act: Action) -> Position:
        return apply_act(self.rule_table, self.talon, p, exchanger(self.rule_table, p), act_of(act))

    def acts(self, p: Position) -> list[Action]:
        """All acts open to anyone now; the exchange first, as at "au sept" it precedes the lead (§11)."""
        return sorted(
            spell_actions(self.rule_table, legal(self.rule_table, p)),
            key=lambda act: (isinstance(act, Play), str(act)),
        )

    def values(self, p: Position, seat: int) -> tuple[ActionValue, ...]:
        by_seat = legal_for(self.rule_table, p, seat) if p.turn >= 0 else 0
        values = [
            ActionValue(act, self.margin(self.after(p, act), seat))
            for act in spell_actions(self.rule_table, by_seat)
        ]
        return tuple(sorted(values, key=lambda value: -value.margin))

    def line(self, p: Position, seat: int) -> tuple[Action, ...]:
        """Acts by everyone that preserve what `seat` is guaranteed."""
        margin, line = self.margin(p, seat), []
        while p.turn >= 0:
            act = next(act for act in self.acts(p) if self.margin(self.after(p, act), seat) == margin)
            line.append(act)
            p = self.after(p, act)
        return tuple(line)


def check_open(rule_table: RuleTable, p: Position, talon: Sequence[int]) -> None:
    """Raise `CardsUnknown` if a hand or a talon card still to be drawn is unknown."""
    laid = 0 if p.turn < 0 or p.table == 0 else (p.turn - p.leader) % rule_table.seats
    for place in range(rule_table.seats if p.turn >= 0 else 0):
        seat = (p.leader + place) % rule_table.seats
        held = min(rule_table.hand, rule_table.tricks - p.tricks) - (place < laid)
        if p.hands[seat].bit_count() != held:
            raise CardsUnknown("endgame/hand-unknown", seat="abcd"[seat])
    to_draw = range(
        min(p.tricks, rule_table.drawing) * rule_table.seats,
        min(rule_table.hidden, rule_table.drawing * rule_table.seats),
    )
    if any(place >= len(talon) or not 0 <= talon[place] < 32 for place in to_draw):
        raise CardsUnknown("endgame/talon-unknown")
