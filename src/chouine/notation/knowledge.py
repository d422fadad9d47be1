"""Legality with unknown cards.

For a partly known hand an action is refused only if the known cards forbid it. With all cards known these are the
rules themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from chouine.cards import ALL_CARDS, BRISQUES
from chouine.partie.actions import Action, Exchange, Play, refusal
from chouine.rules.combinations import EXCHANGE, MARIAGE, QUINTE, TRENTE
from chouine.rules.play import au_sept, exchanger, legal
from chouine.rules.position import NONE, UNKNOWN, Position, put
from chouine.rules.rule_table import RuleTable


def hand_size(rule_table: RuleTable, p: Position, seat: int) -> int:
    """Number of cards a seat holds (§3, §5) while the partie goes on."""
    laid = p.table != 0 and (seat - p.leader) % rule_table.seats < (p.turn - p.leader) % rule_table.seats
    return rule_table.hand - max(0, p.tricks - rule_table.drawing) - laid


def count_unknown(rule_table: RuleTable, p: Position, seat: int) -> int:
    """Number of a seat's unknown cards while the partie goes on."""
    return hand_size(rule_table, p, seat) - p.hands[seat].bit_count()


def unseen_cards(rule_table: RuleTable, talon: Sequence[int], p: Position, fallen: int) -> int:
    """The cards with an unknown place: not played, not known in a hand or in the talon."""
    seen = fallen
    for hand in p.hands:
        seen |= hand
    if p.turnup >= 0:
        seen |= 1 << p.turnup
    for card in talon[p.tricks * rule_table.seats :]:
        if card != UNKNOWN:
            seen |= 1 << card
    return ALL_CARDS & ~seen


def objection(
    rule_table: RuleTable, talon: Sequence[int], p: Position, fallen: int, action: Action
) -> str | None:
    """The reason why the seat on turn cannot do this, as `rules.explain` gives it; None if nothing forbids it."""
    if p.turn < 0:
        return "illegal/over"
    free = unseen_cards(rule_table, talon, p, fallen)
    if isinstance(action, Exchange):
        seat, hand = exchanging_seat(rule_table, p, free)
    else:
        seat, hand = p.turn, suppose_hand(rule_table, p, free, action)
    return refusal(rule_table, p._replace(hands=put(p.hands, seat, hand)), seat, action)


def suppose_hand(rule_table: RuleTable, p: Position, free: int, action: Play) -> int:
    """The hand to play, with the cards that the action implies added if it has unknown cards."""
    known = p.hands[p.turn]
    room = count_unknown(rule_table, p, p.turn)
    card = 1 << action.card & free if room else 0
    if action.declaration is None:
        return known | card
    if action.declaration in (QUINTE, TRENTE):
        hand = with_brisques(known | card, free, rule_table.hand)
    else:
        hand = known | card | rule_table.figure_cards[action.declaration - MARIAGE] & free
    return hand if (hand & ~known).bit_count() <= room else known | card


def with_brisques(hand: int, free: int, many: int) -> int:
    """A hand completed with brisques it may hold, as a quinte or a trente requires (§9)."""
    brisques = BRISQUES & free & ~hand
    while brisques and hand.bit_count() < many:
        hand |= brisques & -brisques
        brisques &= brisques - 1
    return hand


def exchanging_seat(rule_table: RuleTable, p: Position, free: int) -> tuple[int, int]:
    """The seat that exchanges (§11) and its known cards: the seven's known holder, else the first seat that may."""
    holders = may_exchange(rule_table, p, free)
    seat = holders[0] if holders else p.turn
    seven = 1 << 8 * p.trump if holders else 0
    return seat, p.hands[seat] | seven


def may_exchange(rule_table: RuleTable, p: Position, free: int) -> list[int]:
    """The seats that may hold the seven and could exchange it now: a single one if the holder is known."""
    if not rule_table.turned:
        return []
    asked = range(rule_table.seats) if au_sept(rule_table, p) else (p.turn,)
    seven = 1 << 8 * p.trump
    known = [seat for seat in asked if p.hands[seat] & seven]
    if known or not free & seven:
        return known
    return [seat for seat in asked if count_unknown(rule_table, p, seat)]


def actor(
    rule_table: RuleTable, talon: Sequence[int], p: Position, fallen: int, action: Action
) -> int | None:
    """The seat that takes an action; None for an exchange by an unknown seat (§11, "au sept")."""
    if not isinstance(action, Exchange):
        return p.turn
    holders = may_exchange(rule_table, p, unseen_cards(rule_table, talon, p, fallen))
    return holders[0] if len(holders) == 1 else None


def certain_actions(rule_table: RuleTable, p: Position) -> int:
    """The actions certainly legal, as a set: those of completely known hands, and the exchange by a known holder."""
    if p.turn < 0 or not count_unknown(rule_table, p, p.turn):
        return legal(rule_table, p)
    return 1 << EXCHANGE if exchanger(rule_table, p) != NONE else 0
