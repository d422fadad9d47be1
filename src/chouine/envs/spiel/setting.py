"""A game's parameters as a rules book and a pack."""

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
"""Parameters with their defaults; `preset` means the preset's value."""


class BadPack(ChouineError, ValueError):
    """The pack is too small to be dealt."""


def rules_of(parameters: Mapping[str, Any]) -> Rules:
    """The rules for these parameters. Raises `NotationError`."""
    given = [option for option in OPTIONS if parameters[option] != BY_PRESET]
    settings = [f"{text_name(option)}={parameters[option]}" for option in given]
    return Rules.parse(";".join([parameters["preset"], *settings]))


def setting_of(parameters: Mapping[str, Any]) -> Setting:
    """The rules' book and the pack, reduced if the parameters say so."""
    book = book_of(rules_of(parameters))
    ranks = {Rank(rank) for rank in Rank if rank.letter in parameters["ranks"]}
    pack = sum(1 << 8 * suit + rank for suit in range(parameters["suits"]) for rank in ranks)
    hand = parameters["hand"] or book.hand
    return Setting(smaller(book, pack.bit_count(), hand), pack)


def smaller(book: Book, cards: int, hand: int) -> Book:
    """The book for a smaller pack. Raises `BadPack` for too few cards, or a hand larger than in the rules."""
    talon = cards - book.seats * hand
    if not 1 <= hand <= book.hand or not book.turned <= talon or cards > 32:
        raise BadPack("research/pack", cards=cards, hand=hand, seats=book.seats, most=book.hand)
    drawing = talon // book.seats
    return book._replace(hand=hand, tricks=drawing + hand, drawing=drawing, hidden=talon - book.turned)
