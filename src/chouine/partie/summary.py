"""A position as a few lines of text, for whoever prints a `State` or a `View`."""

from __future__ import annotations

from collections.abc import Sequence

from chouine.cards import PACK, Card, Suit
from chouine.partie.deal import SEATS, SeenHand
from chouine.partie.result import Result, points_of
from chouine.rules.options import Rules
from chouine.rules.position import Position
from chouine.rules.rule_table import rule_table_of


def summarize(
    rules: Rules,
    p: Position,
    hands: Sequence[SeenHand],
    table: Sequence[Card],
    talon: int,
    result: Result | None,
) -> str:
    """The rules, then a line a seat with its hand (♠.♥.♦.♣) and points, `>` before the one on turn, then the trick.

    `talon` is its number of cards, the turnup included.
    """
    trump = Suit(p.trump).symbol if p.trump >= 0 else "none yet"
    head = [str(rules), f"trump {trump}", f"talon {talon}"]
    head += [f"turnup {PACK[p.turnup]}"] if p.turnup >= 0 and talon else []
    counted = result.points if result else points_of(rule_table_of(rules), p)
    width = max(len(str(hand)) for hand in hands)
    lines = [
        f"{'>' if seat == p.turn and not result else ' '} {SEATS[seat]}  {hand!s:{width}}  {points:3} points"
        for seat, (hand, points) in enumerate(zip(hands, counted, strict=True))
    ]
    trick = " ".join(map(str, table)) or "none yet"
    end = f"{result.text} ({result.by})" if result else f"trick: {trick}"
    return "\n".join([" · ".join(head), *lines, end])
