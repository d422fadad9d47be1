"""From a game's parameters to what is played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chouine.cards import Rank
from chouine.envs.spiel.course import Setting
from chouine.errors import ChouineError
from chouine.rules import OPTIONS, Rules, book_of
from chouine.rules.book import Book
from chouine.rules.options import text_name

BY_PRESET = "preset"
RANKS = "ATKQJ987"
PARAMETERS: dict[str, str | int] = {
    "preset": "classic",
    **dict.fromkeys(OPTIONS, BY_PRESET),
    "ranks": RANKS,
    "suits": 4,
    "hand": 0,
}
"""Each with its default; `preset` leaves an option as the preset has it."""


class BadPack(ChouineError, ValueError):
    """A pack that cannot be dealt."""


def rules_of(parameters: Mapping[str, Any]) -> Rules:
    """The rules that are named; `NotationError` for what is not among them."""
    given = [option for option in OPTIONS if parameters[option] != BY_PRESET]
    settings = [f"{text_name(option)}={parameters[option]}" for option in given]
    return Rules.parse(";".join([parameters["preset"], *settings]))


def setting_of(parameters: Mapping[str, Any]) -> Setting:
    """The rules' book and the pack, made smaller where that is asked for."""
    book = book_of(rules_of(parameters))
    ranks = {Rank(rank) for rank in Rank if rank.letter in parameters["ranks"]}
    pack = sum(1 << 8 * suit + rank for suit in range(parameters["suits"]) for rank in ranks)
    hand = parameters["hand"] or book.hand
    return Setting(smaller(book, pack.bit_count(), hand), pack)


def smaller(book: Book, cards: int, hand: int) -> Book:
    """The book for so many cards; `BadPack` if they do not suffice, or a hand is larger than the rules have it."""
    talon = cards - book.seats * hand
    if not 1 <= hand <= book.hand or not book.turned <= talon or cards > 32:
        raise BadPack("research/pack", cards=cards, hand=hand, seats=book.seats, most=book.hand)
    drawing = talon // book.seats
    return book._replace(hand=hand, tricks=drawing + hand, drawing=drawing, hidden=talon - book.turned)
