"""Variance reduction by AIVAT (Burch et al. 2018), for the cards dealt and drawn.

A card's luck is the position's value with it, minus the mean value over all cards that could have come. Its
expectation is 0 under any value model, so a score minus its luck is an unbiased estimate of skill; a better model
gives less variance. The model is fixed before the parties are played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chouine.arena.value import Value
from chouine.notation.lines import actions_of
from chouine.partie.actions import Action, Exchange
from chouine.partie.deal import Deal, drawing_order, four_hands, turnup_number
from chouine.partie.state import State
from chouine.rules.play import declare, exchange, exchanger, lay, start
from chouine.rules.position import UNKNOWN, Position, put
from chouine.rules.rule_table import RuleTable

Coming = tuple[Position, int, int, Sequence[int]]
"""A position before a card is dealt or drawn, the seat that gets it, the card, and all cards it could have been."""


def luck(state: State, value: Value) -> list[float]:
    """By seat, the change in win probability caused by the cards dealt and drawn; the sum over the seats is 0."""
    return [dealt + drawn for dealt, drawn in zip(*luck_by_source(state, value), strict=True)]


def luck_by_source(state: State, value: Value) -> tuple[list[float], list[float]]:
    """`luck` in two parts, each by seat: by the cards dealt, and by the cards drawn."""
    seats, in_deal = range(state.rules.seats), state.rules.seats * state.rule_table.hand
    sources = [0.0 for _ in seats], [0.0 for _ in seats]
    for nth, (p, seat, card, cards) in enumerate(cards_coming(state)):
        lucky = sources[nth >= in_deal]
        values = value([with_card(p, seat, other) for other in cards])
        came = values[cards.index(card)]
        for each in seats:
            lucky[each] += came[each] - sum(chances[each] for chances in values) / len(values)
    return sources


def cards_coming(state: State) -> Iterator[Coming]:
    """Every card dealt or drawn in a partie, dealt ones first."""
    rule_table, deal = state.rule_table, state.deal
    yield from dealing_chances(rule_table, deal)
    p = start(rule_table, four_hands(deal.hands), turnup_number(deal.turnup), deal.dealer)
    talon = drawing_order(deal.talon)
    for action in actions_of(state.events):
        before, p = p, after(rule_table, p, action)
        if p.tricks > before.tricks and before.tricks < rule_table.drawing:
            yield from draw_chances(rule_table, talon, before.tricks, p)
            p = with_draws(rule_table, talon, before.tricks, p)


def dealing_chances(rule_table: RuleTable, deal: Deal) -> Iterator[Coming]:
    """The cards of the hands in dealing order, with the turnup known."""
    p = start(rule_table, (0, 0, 0, 0), turnup_number(deal.turnup), deal.dealer)
    hands = [list(map(int, hand)) for hand in deal.hands]
    left = [card for card in range(32) if card != deal.turnup]
    for nth in range(rule_table.hand):
        for seat in range(rule_table.seats):
            card = hands[seat][nth]
            yield p, seat, card, tuple(left)
            left.remove(card)
            p = with_card(p, seat, card)


def draw_chances(rule_table: RuleTable, talon: Sequence[int], tricks: int, p: Position) -> Iterator[Coming]:
    """The hidden cards drawn after a trick, without the talon's last, which is certain."""
    for seat, place in draws(rule_table, tricks, p):
        yield p, seat, talon[place], talon[place:]
        p = with_card(p, seat, talon[place])


def draws(rule_table: RuleTable, tricks: int, p: Position) -> list[tuple[int, int]]:
    """(seat, card) for each hidden card drawn after a trick that `p.leader` took (§5)."""
    places = range(tricks * rule_table.seats, min((tricks + 1) * rule_table.seats, rule_table.hidden))
    return [((p.leader + nth) % rule_table.seats, place) for nth, place in enumerate(places)]


def with_draws(rule_table: RuleTable, talon: Sequence[int], tricks: int, p: Position) -> Position:
    for seat, place in draws(rule_table, tricks, p):
        p = with_card(p, seat, talon[place])
    return p


def with_card(p: Position, seat: int, card: int) -> Position:
    return p._replace(hands=put(p.hands, seat, p.hands[seat] | 1 << card))


def after(rule_table: RuleTable, p: Position, action: Action) -> Position:
    """The position after an action, hidden cards not yet drawn."""
    if isinstance(action, Exchange):
        return exchange(p, exchanger(rule_table, p))
    if action.declaration is not None:
        p = declare(rule_table, p, action.declaration)
    return lay(rule_table, (UNKNOWN,) * rule_table.hidden, p, action.card)
