"""Tokens: cards, hands, declarations, actions.

They are written in one form and read in several: `10d`, `R♠ D♥ V♣` and other ranks with a Unicode suit, in actions
and talons too. An invalid token raises a `NotationError` whose column points at the wrong letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from chouine.cards import PACK, Card, CardSet, Rank, Suit
from chouine.errors import NotationError, check_type
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.deal import SEATS, SeenHand
from chouine.rules.combinations import ACTIONS, MARIAGE

Value = TypeVar("Value")

PASS = "-"
"""The answer of a seat that lets an "au sept" pass (§11)."""
FRENCH_RANKS = {Rank.KING: "R", Rank.QUEEN: "D", Rank.JACK: "V"}


def _forms(card: Card) -> list[str]:
    """All spellings of cards."""
    ranks = [card.rank.letter] + ["10"] * (card.rank is Rank.TEN)
    french = [FRENCH_RANKS[card.rank]] if card.rank in FRENCH_RANKS else []
    return [rank + card.suit.letter for rank in ranks] + [rank + card.suit.symbol for rank in ranks + french]


CARDS = {form: card for card in PACK for form in _forms(card)}
DECLARATIONS = {
    form: declaration
    for declaration in map(Declaration, range(MARIAGE, ACTIONS))
    for form in {
        str(declaration),
        str(declaration)[:-1] + (declaration.suit.symbol if declaration.suit is not None else "0"),
    }
}
_ACTIONS: dict[str, Action] = {"7x": Exchange()}
_ACTIONS |= {str(card): Play(card) for card in PACK}
_ACTIONS |= {
    f"{card}+{said}": Play(card, Declaration(said))
    for card in PACK
    for said in map(str, map(Declaration, range(MARIAGE, ACTIONS)))
}
_CARD = re.compile(r"10[shdc♠♥♦♣]|\?\?|..?", re.DOTALL)
_WORD = re.compile(r"\S+")


class Word(NamedTuple):
    """A word and its column."""

    text: str
    column: int


class WrittenAction(NamedTuple):
    """An action and its place in the text."""

    action: Action
    token: str
    line: int
    column: int


def words(text: str) -> list[Word]:
    """The words of a line with their columns."""
    check_type("the line", text, str, "a text")
    return [Word(match.group(), match.start() + 1) for match in _WORD.finditer(text)]


def read_word(read: Callable[[str], Value], word: Word, line: int = 1) -> Value:
    """Parse a word; errors carry its column."""
    try:
        return read(word.text)
    except NotationError as error:
        raise error.at(line, word.column) from None


def read_written(word: Word, line: int = 1) -> WrittenAction:
    """Parse a word as an action."""
    action = _ACTIONS.get(word.text)
    if action is None:
        action = read_word(read_action, word, line)
    return WrittenAction(action, word.text, line, word.column)


def read_card(text: str) -> Card:
    """Read a card: `Td`, `10d`, `10♦`, `R♠`. Raises `NotationError`."""
    check_type("the card", text, str, "a text, such as 'Td'")
    try:
        return CARDS[text]
    except KeyError:
        raise NotationError("syntax/card", 1, 1, text) from None


def read_cards(text: str) -> tuple[Card | None, ...]:
    """Read a talon's cards; None for `??`."""
    return tuple([None if word.text == "??" else read_word(read_card, word) for word in card_words(text)])


def card_words(text: str) -> list[Word]:
    """Split a talon into cards."""
    check_type("the cards", text, str, "a text, such as 'TdAh'")
    return [Word(match.group(), match.start() + 1) for match in _CARD.finditer(text)]


def read_hand(text: str) -> SeenHand:
    """Read a hand: `A.AT.T.A`, `?5`, `..J.+?4`. Raises `NotationError`."""
    check_type("the hand", text, str, "a text, such as 'A.AT.T.A'")
    if text.startswith("?"):
        return SeenHand(CardSet(), read_unknown(text))
    known, plus, unknown = text.partition("+")
    cards = read_suits(known)
    return SeenHand(cards, read_word(read_unknown, Word(unknown, len(known) + 2)) if plus else 0)


def read_unknown(text: str) -> int:
    """Read `?5`, a number of unknown cards."""
    if not re.fullmatch(r"\?[1-9]", text):
        raise NotationError("syntax/unknown", 1, 1, text)
    return int(text[1])


def read_suits(text: str) -> CardSet:
    """Read `A.AT.T.A`, the known cards of a hand, ♠.♥.♦.♣."""
    if text.count(".") != len(Suit) - 1:
        raise NotationError("syntax/hand", 1, 1, text)
    mask, suit = 0, 0
    for column, letter in enumerate(text, 1):
        if letter == ".":
            suit += 1
            continue
        card = CARDS.get(letter + "shdc"[suit])
        if card is None:
            raise NotationError("syntax/rank", 1, column, letter)
        if mask >> card & 1:
            raise NotationError("deal/card-twice", 1, column, letter)
        mask |= 1 << card
    return CardSet(mask)


def token(action: Action | None) -> str:
    """Write an action; None, declining at "au sept", is `-`."""
    return PASS if action is None else str(action)


def read_act(text: str) -> Action | None:
    """The act of a token; None for `PASS`. Raises `NotationError`."""
    return None if text == PASS else read_action(text)


def read_seat(text: str) -> int:
    """Read a seat's letter, `a` to `d`."""
    if len(text) != 1 or text not in SEATS:
        raise NotationError("syntax/seat", 1, 1, text)
    return SEATS.index(text)


def read_declaration(text: str) -> Declaration:
    """Read a declaration: `20d`, `50`, `chs`. Raises `NotationError`."""
    check_type("the declaration", text, str, "a text, such as '20d'")
    try:
        return DECLARATIONS[text]
    except KeyError:
        raise NotationError("syntax/declaration", 1, 1, text) from None


def read_action(text: str) -> Action:
    """Read an action: `Qd`, `Qd+20d`, `7x`. Raises `NotationError`."""
    check_type("the action", text, str, "a text, such as 'Qd+20d'")
    known = _ACTIONS.get(text)
    if known is not None:
        return known
    card, plus, said = text.partition("+")
    if not plus and card not in CARDS:
        raise NotationError("syntax/action", 1, 1, text)
    return Play(read_card(card), read_word(read_declaration, Word(said, len(card) + 2)) if plus else None)
