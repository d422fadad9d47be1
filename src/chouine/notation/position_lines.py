"""The position line, `rules to-act hands table turnup|trump talon taken said`, for problems and set tables.

Once the partie is over the field `to-act` has the seat that took the last trick; or, after a chouine, the seat that
led its trick, whose cards stay on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chouine.cards import Card, CardSet, Suit
from chouine.errors import NotationError
from chouine.notation.deals import by_seat, placed_cards, second_of
from chouine.notation.lines import parse_rules
from chouine.notation.setup import Setup
from chouine.notation.tokens import (
    Value,
    Word,
    card_words,
    read_card,
    read_cards,
    read_declaration,
    read_hand,
    read_seat,
    read_suits,
    read_word,
    words,
)
from chouine.partie.actions import Declaration
from chouine.partie.deal import SeenHand
from chouine.rules.options import Rules

FORM = "rules to-act hands table turnup|trump talon taken said"
FIELDS = len(FORM.split())
TO_ACT, HANDS, TABLE, TURNUP, TALON, TAKEN, SAID = range(1, FIELDS)
PLACES = {
    "deal/seat": TO_ACT,
    "deal/table": TABLE,
    "deal/taken": TAKEN,
    "deal/turnup": TURNUP,
    "deal/trump": TURNUP,
    "deal/talon-size": TALON,
    "deal/said": SAID,
}


def read_position(text: str) -> Setup:
    """Read a reachable position. Raises `NotationError` or `InvalidDeal`."""
    found = words(text)
    if len(found) < FIELDS:
        raise NotationError("syntax/short", 1, len(text.rstrip()) + 1, form=FORM)
    if len(found) > FIELDS:
        raise NotationError("syntax/surplus", 1, found[FIELDS].column, found[FIELDS].text)
    setup = read_setup(found)
    for reason in setup.faults()[:1]:
        fault = place_of(reason, setup, found)
        raise NotationError(reason, 1, fault.column, fault.text, **setup.counts)
    return setup


def read_setup(found: Sequence[Word]) -> Setup:
    """Read a position without checking that it is reachable. Raises `NotationError`."""
    rules = read_word(parse_rules, found[0])
    turnup, trump = read_word(read_trump, found[TURNUP])
    return Setup(
        rules,
        read_word(read_seat, found[TO_ACT]),
        read_fields(found[HANDS], rules, read_hand, SeenHand(CardSet(), 0)),
        tuple(read_word(read_card, card) for card in cards_of(found[TABLE])),
        turnup,
        trump,
        () if found[TALON].text == "-" else read_word(read_cards, found[TALON]),
        read_fields(found[TAKEN], rules, read_suits, CardSet()),
        read_fields(found[SAID], rules, read_said, ()),
    )


def read_fields(word: Word, rules: Rules, read: Callable[[str], Value], empty: Value) -> tuple[Value, ...]:
    """A field's parts by seat; `-` for an empty part, or for an empty field."""
    if word.text == "-":
        return (empty,) * rules.seats
    return tuple(empty if part.text == "-" else read_word(read, part) for part in by_seat(word))


def cards_of(word: Word) -> list[Word]:
    """The cards of a field, apart; none for `-`."""
    if word.text == "-":
        return []
    return [Word(card.text, word.column + card.column - 1) for card in card_words(word.text)]


def read_trump(text: str) -> tuple[Card | None, Suit | None]:
    """The turnup and the trump suit: both while the turnup lies there, else the suit alone or neither."""
    if text == "-":
        return None, None
    if len(text) == 1 and text in "shdc":
        return None, Suit("shdc".index(text))
    try:
        turnup = read_card(text)
    except NotationError:
        raise NotationError("syntax/trump", 1, 1, text) from None
    return turnup, turnup.suit


def read_said(text: str) -> tuple[Declaration, ...]:
    """`20d,50`."""
    column, said = 1, []
    for part in text.split(","):
        said.append(read_word(read_declaration, Word(part, column)))
        column += len(part) + 1
    return tuple(said)


def place_of(reason: str, setup: Setup, found: Sequence[Word]) -> Word:
    """The word of a position line that an error is about."""
    match reason:
        case "deal/seats":
            counts = {HANDS: len(setup.hands), TAKEN: len(setup.taken), SAID: len(setup.said)}
            return found[next(place for place, count in counts.items() if count != setup.rules.seats)]
        case "deal/hand-size" if found[HANDS].text != "-":
            return by_seat(found[HANDS])[setup.wrong_hands[0]]
        case "deal/hand-size":
            return found[HANDS]
        case "deal/card-twice":
            return second_of(list(placed_cards(*found[HANDS:SAID])))
        case _:
            return found[PLACES[reason]]
