"""Build parties and endgames as rule books do: by card names, with seat a on lead by default."""

from __future__ import annotations

from collections.abc import Iterable

from chouine.cards import Card, CardSet
from chouine.partie import Deal, Exchange, Play, State
from chouine.rules import Rules, rule_table_of
from chouine.rules.explain import explain
from chouine.rules.play import lay, playable, start
from chouine.rules.position import NONE, Position
from tests.lines import SEATS, cards, play

NOTHING = "..."
FILLERS = [Card(rank + suit) for rank in "897JQTKA" for suit in "shdc"]
"""The cards that fill up hands and talon, in order."""


def partie(
    rules: str, hands: str, turnup: str = "-", drawn: str = "", actions: str = "", dealer: str = ""
) -> State:
    """A partie from hands in hand notation, separated by `|` and filled up; the next cards drawn; the actions."""
    chosen = Rules.parse(rules)
    rule_table = rule_table_of(chosen)
    held = [list(CardSet(hand or NOTHING)) for hand in hands.split("|")]
    next_cards = list(cards(drawn))
    named = {card for hand in held for card in hand} | set(next_cards)
    named |= set() if turnup == "-" else {Card(turnup)}
    rest = [card for card in FILLERS if card not in named]
    for hand in held:
        while len(hand) < rule_table.hand:
            hand.append(rest.pop(0))
    deal = Deal(
        SEATS.index(dealer) if dealer else chosen.seats - 1,
        tuple(map(CardSet, held)),
        None if turnup == "-" else Card(turnup),
        (*next_cards, *rest),
    )
    return play(State.new(chosen, deal), actions)


def marking_time(state: State, tricks: int, keep: str = "") -> State:
    """Play on without declarations until `tricks` are taken, keeping the cards `keep` in hand."""
    kept = set(cards(keep))
    while state.position.tricks < tricks:
        plain = [act for act in state.legal() if isinstance(act, Play) and act.declaration is None]
        state = state.play(next(act for act in plain if act.card not in kept))
    return state


def may_exchange(state: State, seat: str) -> bool:
    return Exchange() in state.legal(SEATS.index(seat))


def endgame(rules: str, hands: str, trump: str = "-", table: str = "") -> Position:
    """A position of §8: the talon is empty, with these hands; `table` was laid by seat a and those after it."""
    rule_table = rule_table_of(Rules.parse(rules))
    laid = cards(table)
    held = [CardSet(hand or NOTHING) for hand in hands.split("|")]
    held = [hand | CardSet([laid[seat]] if seat < len(laid) else []) for seat, hand in enumerate(held)]
    masks = [hand.mask for hand in held] + [0, 0]
    begun = start(rule_table, (masks[0], masks[1], masks[2], masks[3]), NONE, len(held) - 1)
    p = begun._replace(trump="shdc".find(trump), tricks=rule_table.drawing)
    for card in laid:
        p = lay(rule_table, (), p, card)
    return p


def may_play(rules: str, hands: str, trump: str = "-", table: str = "") -> str:
    """The cards that the seat on turn may play, in hand notation."""
    rule_table = rule_table_of(Rules.parse(rules))
    return str(CardSet(playable(rule_table, endgame(rules, hands, trump, table))))


def refusal(rules: str, p: Position, card: str) -> str | None:
    """The code that refuses a card to the seat on turn, or None."""
    return explain(rule_table_of(Rules.parse(rules)), p, p.turn, Card(card))


def names(of: Iterable[Card]) -> str:
    return " ".join(map(str, of))
