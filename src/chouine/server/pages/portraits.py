"""Portraits: the people of the valley with their moods, and visitors' emblems from the deck.

A mood follows from public information: the trick on the table or just taken, declarations, the partie's end, whose
turn it is. It says nothing of a hand or of a computer's thinking.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, get_args, get_type_hints

from markupsafe import Markup

from chouine.ai.levels import level_of
from chouine.partie import Result
from chouine.phrases.personas import PERSONAS
from chouine.server.pages.env import environment
from chouine.server.pages.visit import Settings
from chouine.table.entries import SeatHolder
from chouine.table.snapshot import SeatBoard

Mood = Literal["calm", "pleased", "vexed", "thinking"]
EMBLEMS = tuple(filter(None, get_args(get_type_hints(Settings)["emblem"])))
"""The emblems that a visitor may choose."""
TELLING = 10
"""Points of a trick or a declaration from which it changes a mood."""
FACE, HEAD = "0 0 128 128", "64 28 112 112"
"""The visible parts (SVG view boxes) of a portrait, and of a card's figure."""


def portrait(holder: SeatHolder, mood: Mood = "calm") -> Markup:
    """The portrait of a seat; empty for a person without an emblem and for computers without a character."""
    if holder.player == "person":
        return emblem(holder.emblem)
    level = level_of(holder.player)
    return person(level, nth_of_family(level, holder.name), mood) if level else Markup()


def portrait_at(
    holder: SeatHolder, board: SeatBoard, seat: int, taker: int | None, *, awaited: bool
) -> Markup:
    """The portrait of a seat in a partie: a person's emblem shows no mood."""
    if holder.player == "person":
        return emblem(holder.emblem)
    return portrait(holder, mood_at(board, seat, taker, awaited=awaited))


def nth_of_family(level: int, name: str) -> int:
    """The index of the relative with this name, numbered or not; 0 (the first face) for other names."""
    family = PERSONAS[level - 1]
    return next((nth for nth, known in enumerate(family) if name.rstrip(" 0123456789") == known), 0)


@cache
def person(level: int, nth: int = 0, mood: Mood = "calm") -> Markup:
    """The portrait of a person of the valley."""
    return draw_portrait("faces", f"face-{level}{'abcd'[nth]}", FACE, mood)


@cache
def emblem(figure: str) -> Markup:
    """The picture of an emblem; empty for none."""
    return draw_portrait("deck", f"card-{figure}", HEAD, "") if figure in EMBLEMS else Markup()


def draw_portrait(sheet: str, symbol: str, seen: str, mood: str) -> Markup:
    """The SVG markup, without text."""
    page = environment("en").get_template("portrait.html")
    return Markup(page.render(sheet=f"deck/{sheet}.svg", symbol=symbol, seen=seen, mood=mood).strip())  # noqa: S704


def mood_at(board: SeatBoard, seat: int, taker: int | None, *, awaited: bool) -> Mood:
    """A seat's mood in a partie; `taker` is the seat that takes the complete trick on the table."""
    for said in board.said:
        if said.seat == seat:
            return "pleased"
        if said.counts > TELLING * len(board.taken):
            return "vexed"
    if taker is not None:
        laid = {each.seat: each.card.points for each in board.trick}
        return after_trick(laid, seat, taker)
    if board.last is not None and not board.trick and board.called is None:
        last = board.last
        seats = ((last.leader + nth) % len(board.taken) for nth in range(len(last.cards)))
        mood = after_trick(
            dict(zip(seats, (card.points for card in last.cards), strict=True)), seat, last.seat
        )
        if mood != "calm":
            return mood
    return "thinking" if awaited else "calm"


def after_trick(laid: dict[int, int], seat: int, taker: int) -> Mood:
    """Moods after a trick: pleased to take another seat's brisque, vexed to lose one."""
    if seat == taker:
        return "pleased" if sum(laid.values()) - laid[seat] >= TELLING else "calm"
    return "vexed" if laid[seat] >= TELLING else "calm"


def mood_after(result: Result | None, seat: int) -> Mood:
    """A seat's mood at the count."""
    if result is None or result.winner is None:
        return "calm"
    return "pleased" if result.winner == seat else "vexed"
