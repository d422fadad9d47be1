"""Replay a text's actions from a complete or partly known deal, checking each of them.

For a partly known hand an action is refused only if the known cards forbid it. With all cards known these are the
rules themselves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeVar

from chouine.cards import ALL_CARDS, BRISQUES, CardSet
from chouine.errors import IllegalAction, NotationError
from chouine.notation.deals import complete_deal
from chouine.notation.tokens import WrittenAction
from chouine.partie.actions import Action, Exchange, Play, illegal_action, refusal
from chouine.partie.deal import SeenDeal, drawing_order, four_hands, turnup_number
from chouine.partie.events import Dealt, Event, Shown, take_action
from chouine.rules.combinations import EXCHANGE, MARIAGE, QUINTE, TRENTE, brisques_needed
from chouine.rules.options import Rules
from chouine.rules.play import au_sept, companions, declare, exchange, exchanger, lay, legal, start
from chouine.rules.position import NONE, UNKNOWN, Position, put
from chouine.rules.rule_table import RuleTable, rule_table_of


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
        hands = [hand]
    else:
        seat, hands = p.turn, suppose_hands(rule_table, p, free, action)
    refusals = (
        refusal(rule_table, p._replace(hands=put(p.hands, seat, hand)), seat, action) for hand in hands
    )
    first = next(refusals)
    return None if first is None or None in refusals else first


def suppose_hands(rule_table: RuleTable, p: Position, free: int, action: Play) -> list[int]:
    """Every smallest hand that the seat on turn may hold with this action: its known cards, and those it must have.

    A quinte or a trente leaves a choice of brisques, and in the last tricks some brisques would forbid the card (§8).
    """
    known = p.hands[p.turn]
    room = count_unknown(rule_table, p, p.turn)
    hand = known | (1 << action.card & free if room else 0)
    implied = [0]
    if action.declaration in (QUINTE, TRENTE):
        missing = max(0, brisques_needed(action.declaration) - (hand & BRISQUES).bit_count())
        others = [1 << card for card in CardSet(BRISQUES & free & ~hand)]
        implied = [sum(brisques) for brisques in combinations(others, missing)]
    elif action.declaration is not None:
        implied = [rule_table.figure_cards[action.declaration - MARIAGE] & free]
    return [hand | more for more in implied if ((hand | more) & ~known).bit_count() <= room] or [hand]


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


Step = TypeVar("Step")
Told = tuple[Position, tuple[Event, ...]]


def positions(rules: Rules, deal: SeenDeal, actions: Sequence[Action]) -> Iterator[Position]:
    """The opening, then the position after each action. Raises `IllegalAction` at the first illegal one."""
    if complete_deal(deal) is None:
        for p, _ in replay_with_events(rules, deal, actions):
            yield p
        return
    rule_table, talon = rule_table_of(rules), drawing_order(deal.talon)
    p = opening_position(rules, deal)
    yield p
    for action in actions:
        if not permits(rule_table, legal(rule_table, p), action):
            refuse(rules, talon, p, 0, action)
        if isinstance(action, Exchange):
            p = exchange(p, exchanger(rule_table, p))
        elif action.declaration is None:
            p = lay(rule_table, talon, p, action.card)
        else:
            p = lay(rule_table, talon, declare(rule_table, p, action.declaration), action.card)
        yield p


def replay_with_events(rules: Rules, deal: SeenDeal, actions: Sequence[Action]) -> Iterator[Told]:
    """Each position with the events since the last one, as far as a partly known deal determines them."""
    rule_table, talon = rule_table_of(rules), drawing_order(deal.talon)
    p = opening_position(rules, deal)
    events: list[Event] = [Dealt(deal.dealer, deal.hands, deal.turnup, len(deal.talon))]
    yield p, (events[0],)
    fallen = 0
    for action in actions:
        refuse(rules, talon, p, fallen, action)
        seat = actor(rule_table, talon, p, fallen, action)
        p, new_events = take_action(rule_table, talon, events, p, seat, action)
        fallen |= 1 << action.card if isinstance(action, Play) else 0
        p = as_shown(p, new_events, fallen)
        events += new_events
        yield p, new_events


def opening_position(rules: Rules, deal: SeenDeal) -> Position:
    """The position after the deal."""
    hands = four_hands([hand.known for hand in deal.hands])
    return start(rule_table_of(rules), hands, turnup_number(deal.turnup), deal.dealer)


def permits(rule_table: RuleTable, legal_set: int, action: Action) -> bool:
    """Whether an action may be legal."""
    if isinstance(action, Exchange):
        return bool(legal_set >> EXCHANGE & 1)
    if action.declaration is None:
        return bool(legal_set >> action.card & 1)
    both = legal_set >> action.card & legal_set >> action.declaration & 1
    return bool(both and companions(rule_table, action.declaration) >> action.card & 1)


def refuse(rules: Rules, talon: Sequence[int], p: Position, fallen: int, action: Action) -> None:
    """Raise `IllegalAction` if the known cards forbid an action."""
    code = objection(rule_table_of(rules), talon, p, fallen, action)
    if code:
        raise illegal_action(p, action, code)


def as_shown(p: Position, new_events: tuple[Event, ...], fallen: int) -> Position:
    """The position with cards shown for a declaration known to be in that hand."""
    for event in new_events:
        if isinstance(event, Shown) and event.cards is not None:
            held = p.hands[event.seat] | event.cards.mask & ~fallen
            p = p._replace(hands=put(p.hands, event.seat, held))
    return p


def final(rules: Rules, deal: SeenDeal, actions: Sequence[WrittenAction]) -> Position:
    """The position after these actions."""
    steps = positions(rules, deal, [written.action for written in actions])
    return deque(place_actions(steps, actions), maxlen=1).pop()


def place_actions(steps: Iterator[Step], actions: Sequence[WrittenAction]) -> Iterator[Step]:
    """The steps of these actions; the error of an illegal one has its place in the text."""
    done = -1
    try:
        for step in steps:
            yield step
            done += 1
    except IllegalAction as error:
        raise refusal_error(error, actions[done]) from None


def refusal_error(error: IllegalAction, written: WrittenAction) -> NotationError:
    """The error of an illegal action, with its place in the text."""
    return NotationError(error.code, written.line, written.column, written.token, **error.data)
