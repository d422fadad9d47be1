"""Replay a text's actions from a complete or partly known deal, checking each of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import TypeVar

from chouine.errors import IllegalAction, NotationError
from chouine.notation.deals import complete_deal
from chouine.notation.knowledge import actor, objection
from chouine.notation.tokens import Written
from chouine.partie.actions import Action, Exchange, Play, illegal_action
from chouine.partie.apply import take_action
from chouine.partie.deal import SeenDeal, drawing_order, four_hands, turnup_number
from chouine.partie.events import Dealt, Event, Shown
from chouine.rules.combinations import EXCHANGE
from chouine.rules.options import Rules
from chouine.rules.play import companions, declare, exchange, exchanger, lay, legal, start
from chouine.rules.position import Position, put
from chouine.rules.rule_table import RuleTable, rule_table_of

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


def final(rules: Rules, deal: SeenDeal, actions: Sequence[Written]) -> Position:
    """The position after these actions."""
    steps = positions(rules, deal, [written.action for written in actions])
    return deque(place_actions(steps, actions), maxlen=1).pop()


def place_actions(steps: Iterator[Step], actions: Sequence[Written]) -> Iterator[Step]:
    """The steps of these actions; the error of an illegal one has its place in the text."""
    done = -1
    try:
        for step in steps:
            yield step
            done += 1
    except IllegalAction as error:
        raise refusal_error(error, actions[done]) from None


def refusal_error(error: IllegalAction, written: Written) -> NotationError:
    """The error of an illegal action, with its place in the text."""
    return NotationError(error.code, written.line, written.column, written.token, **error.data)
