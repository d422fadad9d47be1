"""A card as people type or say it, in French or English: `dame de cœur`, `DC`, `d♥`, `the queen of hearts`.

The program's own notation comes first. Elsewhere case, accents and articles count for nothing, and letters are read in
one language where they can be: C is cœur after R, D or V, clubs after K, Q, J or T. What may be several cards is
refused with all of them, never guessed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

from chouine.cards import Card, Rank, Suit
from chouine.errors import ChouineError
from chouine.names import APOSTROPHES, words_of
from chouine.notation.tokens import CARDS

SPELLINGS: tuple[tuple[Rank | Suit, str, str, str], ...] = (
    (Rank.ACE, "a 1", "as las", "ace"),
    (Rank.TEN, "10", "dix", "t ten"),
    (Rank.KING, "", "r roi", "k king"),
    (Rank.QUEEN, "", "d dame reine", "q queen"),
    (Rank.JACK, "", "v valet", "j jack knave"),
    (Rank.NINE, "9", "neuf", "nine"),
    (Rank.EIGHT, "8", "huit", "eight"),
    (Rank.SEVEN, "7", "sept cet cette set", "seven"),
    (Suit.SPADES, "", "p pi pic pics pique piques", "s spade spades"),
    (Suit.HEARTS, "", "c co coeur coeurs choeur choeurs", "h heart hearts"),
    (Suit.DIAMONDS, "", "k ca careau caro carreau carreaus carreaux", "d diamond diamonds"),
    (Suit.CLUBS, "", "t tr trefle trefles treffle", "c club clubs"),
)
"""As written in both languages, in French, in English, and as a telephone takes it down that hears what is said. A
French ace has a 1 in its corners."""
SYMBOLS = {"♠♤": "spade", "♥♡❤": "heart", "♦♢": "diamond", "♣♧": "club"}
WORDS = str.maketrans({sign: f" {word} " for signs, word in SYMBOLS.items() for sign in signs})
FILLERS = {"le", "la", "les", "un", "une", "the", "an", "de", "du", "des", "of", "est", "its", "it", "is"}
COLOURS = {"rouge", "noir", "red", "black"}
OUTSIDE = {"2", "3", "4", "5", "6", "deux", "trois", "quatre", "cinq", "six", "two", "three", "four", "five"}
OUTSIDE |= {"joker", "jokers", "cavalier", "excuse"}


class CardUnclear(ChouineError, ValueError):
    """A text that is no card of the pack, or may be several; `code` is `card/…`."""


def said_card(text: str) -> Card:
    """The one card that a text stands for. Raises `CardUnclear`."""
    if (card := CARDS.get(text.strip())) is not None:
        return card
    words = words_apart(text)
    tries = ["".join(words), *("".join(words[1:]) for first in words[:1] if first in ("a", "l"))]
    said = next((one for one in tries if one in BARE or one in cards_by_spelling()), "")
    if said in BARE:
        raise CardUnclear("card/open", token=text, cards=readings(BARE[said]))
    agreeing, others = cards_by_spelling().get(said, ((), ()))
    found = agreeing or others
    if not found:
        rest = {*words} - OUTSIDE
        outside = rest < {*words} and all(word in COLOURS or is_suit(word) for word in rest)
        raise CardUnclear("card/outside" if outside else "card/unknown", token=text)
    if len(found) > 1:
        raise CardUnclear("card/open", token=text, cards=found)
    return found[0]


def is_suit(word: str) -> bool:
    return any(isinstance(value, Suit) for value in BARE.get(word, ()))


def words_apart(text: str) -> list[str]:
    """The words and numbers of a text, without "of", "the" and the like."""
    plain = re.sub(r"\b[lcd][’']", " ", text.translate(APOSTROPHES).casefold())
    spaced = plain.translate(WORDS)
    return [word for word in re.findall(r"\d+|[^\d ]+", " ".join(words_of(spaced))) if word not in FILLERS]


def spellings_of(kind: type[Rank | Suit]) -> Iterator[tuple[str, str, Rank | Suit]]:
    """Each spelling of ranks or suits, the languages in which it is one, and what it stands for."""
    for value, *spellings in SPELLINGS:
        if isinstance(value, kind):
            for languages, words in zip(("fe", "f", "e"), spellings, strict=True):
                yield from ((word, languages, value) for word in words.split())


def spellings_alone() -> dict[str, list[Rank | Suit]]:
    found: dict[str, list[Rank | Suit]] = defaultdict(list)
    for word, _, value in (*spellings_of(Rank), *spellings_of(Suit)):
        found[word].append(value)
    found["c"].insert(
        1, Suit.DIAMONDS
    )  # nobody writes a C for carreau in a card, but alone it is its initial
    return dict(found)


BARE = spellings_alone()
"""What a rank or a suit without the other may stand for."""


@cache
def cards_by_spelling() -> Mapping[str, tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """The cards of each spelling of rank and suit without blanks: those of one language, and those of two.

    Either may come first, but of two letters the rank does, with a joining word or without.
    """
    found: dict[str, tuple[list[Card], list[Card]]] = defaultdict(lambda: ([], []))
    for (rank, ours, high), (suit, theirs, of) in product(spellings_of(Rank), spellings_of(Suit)):
        orders = {rank + suit, f"{rank}de{suit}", f"{rank}of{suit}"} | (
            {suit + rank} if len(rank + suit) > 2 else set()
        )
        for order in orders:
            found[order][not set(ours) & set(theirs)].append(Card(8 * of + high))
    return {order: (tuple(agreeing), tuple(others)) for order, (agreeing, others) in found.items()}


def readings(values: list[Rank | Suit]) -> tuple[Card | Rank | Suit, ...]:
    """The cards that ranks and suits leave open, or these themselves if that is shorter."""
    if len(values) > 1:
        return tuple(values)
    (value,) = values
    return tuple(
        Card(8 * suit + rank) for suit in Suit for rank in reversed(Rank) if value is suit or value is rank
    )
