"""What a seat is shown, for OpenSpiel: what it sees now, or all it has been told.

What it sees now is laid out by `chouine.envs.encode`; all it has been told by `history` here.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from chouine.cards import CardSet
from chouine.envs.encode import CARDS, FIGURES, layout, row_of
from chouine.envs.spiel.course import Course, Setting
from chouine.envs.spiel.worlds import world_of
from chouine.envs.turns import LET_PASS
from chouine.rules.combinations import EXCHANGE, MARIAGE


class Piece(NamedTuple):
    """A part of a tensor."""

    name: str
    shape: tuple[int, ...]
    meaning: str


@cache
def history(setting: Setting) -> tuple[Piece, ...]:
    """The table of all a seat has been told."""
    book = setting.book
    return (
        Piece("player", (book.seats,), "which seat this is"),
        Piece("dealt", (CARDS,), "its hand as it was dealt"),
        Piece("turnup", (CARDS,), "the card turned up"),
        Piece("drawn", (book.drawing, CARDS), "the hidden card it drew after each trick"),
        Piece("cards", (book.tricks, book.seats, CARDS), "each trick's cards, in the order laid"),
        Piece("said", (book.tricks, book.seats, FIGURES), "the declarations made with them"),
        Piece("shown", (book.seats, CARDS), "the brisques each seat laid open for a quinte or trente"),
        Piece(
            "exchange", (book.drawing, book.seats), "the trick of the exchange, and the cards on the table"
        ),
        Piece("exchanger", (book.seats,), "who exchanged"),
        Piece("passed", (1,), 'whether it let "au sept" pass'),
    )


class Observer:
    """OpenSpiel's `PyObserver`."""

    def __init__(self, setting: Setting, kind: Any, parameters: Any) -> None:
        if parameters or not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("an observer sees what is public and one seat's own")
        self.perfect_recall: bool = kind.perfect_recall
        seats = setting.book.seats
        shapes = (
            [(piece.name, piece.shape) for piece in history(setting)]
            if self.perfect_recall
            else [(field.name, (field.times, field.size)) for field in layout(seats)]
        )
        self.tensor = np.zeros(sum(int(np.prod(shape)) for _, shape in shapes), np.float32)
        self.dict: dict[str, Any] = {}
        start = 0
        for name, shape in shapes:
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[start : start + size].reshape(shape)
            start += size

    def set_from(self, state: Any, player: int) -> None:
        course: Course = state.course
        if self.perfect_recall:
            self.tensor.fill(0)
            recall(course, player, self.dict)
        else:
            self.tensor[:] = row_of(course.setting.book, course.p, course.seen, player)

    def string_from(self, state: Any, player: int) -> str:
        course: Course = state.course
        return course.told[player] if self.perfect_recall else seen_now(course, player)


def recall(course: Course, player: int, pieces: dict[str, Any]) -> None:
    """All that a seat has been told, in empty pieces."""
    book = course.setting.book
    pieces["player"][player] = 1
    marked(pieces["dealt"], world_of(course).hands[player])
    pieces["turnup"][list(course.dealt[book.seats * book.hand :])] = 1
    for place, drawer in enumerate(course.drawers):
        if drawer == player:
            pieces["drawn"][place // book.seats, course.drawn[place]] = 1
    for act in course.acts:
        if act.action < EXCHANGE:
            pieces["cards"][act.trick, act.place, act.action] = 1
        elif act.action == EXCHANGE:
            pieces["exchange"][act.trick, act.place] = 1
            pieces["exchanger"][act.seat] = 1
        elif act.action != LET_PASS:
            pieces["said"][act.trick, act.place, act.action - MARIAGE] = 1
        elif act.seat == player:
            pieces["passed"][0] = 1
    for seat in range(book.seats):
        marked(pieces["shown"][seat], course.shown[seat])


def marked(row: Any, cards: int) -> None:
    row[:] = [cards >> card & 1 for card in range(CARDS)]


def seen_now(course: Course, player: int) -> str:
    """An observation in words: its fields by name, those that are empty left out."""
    seats = course.setting.book.seats
    row = row_of(course.setting.book, course.p, course.seen, player).tolist()
    told = []
    for field in layout(seats):
        for nth in range(field.times):
            numbers = row[field.start + nth * field.size :][: field.size]
            if any(numbers):
                told.append(f"{field.name}{nth if field.times > 1 else ''}={in_text(numbers)}")
    return " ".join(told)


def in_text(numbers: list[int]) -> str:
    if len(numbers) == CARDS:
        return str(CardSet(sum(mark << card for card, mark in enumerate(numbers))))
    if len(numbers) == 1:
        return str(numbers[0])
    return ",".join(str(place) for place, mark in enumerate(numbers) if mark)
