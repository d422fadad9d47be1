"""Deals: `dealer hands turnup talon`, complete or with `?` for unknown cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chouine.cards import Card
from chouine.errors import NotationError, check_type
from chouine.notation.tokens import (
    CARDS,
    Word,
    card_words,
    read_card,
    read_cards,
    read_hand,
    read_seat,
    read_word,
    words,
)
from chouine.partie.deal import Deal, SeenDeal, counts_of
from chouine.rules.options import Rules
from chouine.rules.rule_table import rule_table_of

FORM = "dealer hands turnup talon"
FIELDS = len(FORM.split())


def read_deal(text: str, rules: Rules) -> SeenDeal:
    """Parse a deal's text and check that these rules could have dealt it."""
    check_type("rules", rules, Rules, "Rules, such as Rules.parse('three')")
    found = words(text)
    deal = deal_of(found, rules, 1, len(text) + 1)
    if len(found) > FIELDS:
        raise NotationError("syntax/surplus", 1, found[FIELDS].column, found[FIELDS].text)
    return deal


def deal_of(found: Sequence[Word], rules: Rules, line: int, end: int, form: str = FORM) -> SeenDeal:
    """The deal in the first words of a line; the error for too short a line has column `end`, and tells the `form`."""
    if len(found) < FIELDS:
        raise NotationError("syntax/short", line, end, form=form)
    deal = lengthen(
        SeenDeal(
            read_word(read_seat, found[0], line),
            tuple(read_word(read_hand, hand, line) for hand in by_seat(found[1])),
            None if found[2].text == "-" else read_word(read_card, found[2], line),
            read_word(read_cards, found[3], line),
        ),
        rules,
    )
    for reason in deal.faults(rules)[:1]:
        fault = place_of(reason, deal, found, rules)
        raise NotationError(reason, line, fault.column, fault.text, **counts_of(rules))
    return deal


def lengthen(deal: SeenDeal, rules: Rules) -> SeenDeal:
    """Append unknown talon cards, which a deal with unknown cards may leave out at its end."""
    if complete_deal(deal):
        return deal
    left_out = rule_table_of(rules).hidden - len(deal.talon)
    return replace(deal, talon=deal.talon + (None,) * left_out)


def by_seat(word: Word) -> list[Word]:
    """The `|`-separated parts of a word."""
    parts, column = [], word.column
    for part in word.text.split("|"):
        parts.append(Word(part, column))
        column += len(part) + 1
    return parts


def place_of(reason: str, deal: SeenDeal, found: Sequence[Word], rules: Rules) -> Word:
    """The word of a deal's text that an error is about."""
    dealer, hands, turnup, talon = found[:FIELDS]
    rule_table = rule_table_of(rules)
    match reason:
        case "deal/seats":
            return hands
        case "deal/seat":
            return dealer
        case "deal/hand-size":
            sizes = zip(by_seat(hands), deal.hands, strict=True)
            return next(word for word, hand in sizes if len(hand) != rule_table.hand)
        case "deal/turnup":
            return turnup
        case "deal/talon-size":
            return talon
        case _:
            return second_of(list(placed_cards(hands, turnup, talon)))


def placed_cards(*fields: Word) -> Iterator[tuple[Card, Word]]:
    """Every known card of these fields, with its place in the text."""
    for field in fields:
        yield from placed_in_hands(field) if "." in field.text else placed_in_row(field)


def placed_in_hands(field: Word) -> Iterator[tuple[Card, Word]]:
    """The known cards of hands, one letter each."""
    for hand in by_seat(field):
        suit = 0
        for column, letter in enumerate(hand.text.partition("+")[0], hand.column):
            suit += letter == "."
            card = CARDS.get(letter + "shdc"[suit])
            if card is not None:
                yield card, Word(letter, column)


def placed_in_row(field: Word) -> Iterator[tuple[Card, Word]]:
    """The known cards of a talon, a table or a turnup."""
    for word in card_words(field.text):
        if word.text in CARDS:
            yield CARDS[word.text], Word(word.text, field.column + word.column - 1)


def second_of(placed: Sequence[tuple[Card, Word]]) -> Word:
    """The place of the first repeated card."""
    cards = [card for card, _ in placed]
    return next(word for nth, (card, word) in enumerate(placed) if card in cards[:nth])


def complete_deal(deal: SeenDeal) -> Deal | None:
    """The deal if it is complete, else None."""
    check_type("the deal", deal, SeenDeal, "a SeenDeal, such as deal.seen_by(0)")
    cards = [card for card in deal.talon if card is not None]
    if len(cards) < len(deal.talon) or any(hand.unknown for hand in deal.hands):
        return None
    return Deal(deal.dealer, tuple(hand.known for hand in deal.hands), deal.turnup, tuple(cards))
