"""Rules expanded once into numbers that the kernel functions index."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from chouine.rules.combinations import FIGURE_CARDS, FIGURE_CARDS_OF_THREE
from chouine.rules.options import Rules

NEVER, FULL, DIFFERENCE = 0, 1, 2


class RuleTable(NamedTuple):
    """One set of rules as ints. Flags are 0 or 1; fields in the order of the rule book."""

    seats: int
    hand: int
    """Cards in a hand (§3)."""
    tricks: int
    """Tricks in a partie (§5)."""
    drawing: int
    """Tricks followed by a draw (§5)."""
    hidden: int
    """Talon cards lying face down (§3)."""
    turned: int
    """Whether a card is turned up (§3; not in Mondoubleau §17)."""
    head_always: int
    overruff: int
    declare_lead: int
    figure_held: int
    again: int
    seven_lead: int
    au_sept: int
    seven_last: int
    fixing_double: int
    figure_cards: tuple[int, ...]


@cache
def rule_table_of(rules: Rules) -> RuleTable:
    """The table of these rules; cached.

    >>> rule_table = rule_table_of(Rules.parse("three"))
    >>> rule_table.seats, rule_table.hand, rule_table.drawing, rule_table.tricks
    (3, 3, 7, 10)
    """
    hand = 5 if rules.seats == 2 else 3
    talon = 32 - rules.seats * hand
    drawing = talon // rules.seats
    return RuleTable(
        seats=rules.seats,
        hand=hand,
        tricks=drawing + hand,
        drawing=drawing,
        hidden=talon - (not rules.mondoubleau),
        turned=int(not rules.mondoubleau),
        head_always=int(rules.head == "always"),
        overruff=int(rules.overruff == "yes"),
        declare_lead=int(rules.declare == "lead"),
        figure_held=int(rules.figure == "held"),
        again=("never", "full", "difference").index(rules.again),
        seven_lead=int(rules.seven == "lead"),
        au_sept=int(rules.au_sept == "yes"),
        seven_last=int(rules.seven_last == "yes"),
        fixing_double=int(rules.fixing == "double"),
        figure_cards=FIGURE_CARDS if rules.seats == 2 else FIGURE_CARDS_OF_THREE,
    )
