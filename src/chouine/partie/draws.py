"""Duplicate draws: a seat draws the same cards wherever a deal is played, whoever takes the tricks.

The hidden talon is dealt out beforehand: of each trick's draws one card is for each seat. The cards of one trick's
draws lie in an order nobody knows and any order is as likely, so putting them into the order in which the seats will
draw changes no chance and tells nobody anything. What the seats then have drawn is an ordinary deal, which replays as
any other. A draw that ends with the turnup is left as it lies: that card is known (§5, §11).
"""

from __future__ import annotations

from dataclasses import replace

from chouine.partie.actions import Action, Play
from chouine.partie.state import State
from chouine.rules.play import beats
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable


def fixed_draws(rule_table: RuleTable) -> int:
    """The number of first tricks after which each seat draws cards fixed for it, whoever took the trick."""
    return min(rule_table.drawing, rule_table.hidden // rule_table.seats)


def arrange_draw(state: State, action: Action) -> State:
    """The state, with the coming draw in the talon reordered so that each seat draws its own cards.

    Only an action that completes a trick, and is thus followed by a draw, changes anything.
    """
    p, rule_table = state.position, state.rule_table
    if not isinstance(action, Play) or p.tricks >= fixed_draws(rule_table) or not completes(rule_table, p):
        return state
    taker = p.turn if beats(action.card, p.best, p.trump) else p.taker
    first = p.tricks * rule_table.seats
    talon = state.deal.talon
    own = talon[first : first + rule_table.seats]
    drawn = (*own[taker:], *own[:taker])
    talon = (*talon[:first], *drawn, *talon[first + rule_table.seats :])
    return state._replace(deal=replace(state.deal, talon=talon))


def completes(rule_table: RuleTable, p: Position) -> bool:
    """Whether the next card is the trick's last."""
    return (p.turn + 1) % rule_table.seats == p.leader
