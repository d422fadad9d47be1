"""A position and a deal as pictures, for notebooks and files. Each draws only what it is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chouine.cards import PACK, Card, CardSet, Suit
from chouine.deck import GOLD, HEIGHT, LINEN, WIDTH, Canvas, draw_film
from chouine.partie.deal import SEATS, Deal, SeenHand
from chouine.partie.events import Played
from chouine.partie.view import SeenPosition
from chouine.phrases import Language
from chouine.rules.position import NONE, Position

if TYPE_CHECKING:
    from chouine.partie.view import View

BREADTH, MARGIN, LINE = 420, 16, 26
"""The drawing's width, its edge, and the height of a line of words."""
ROOM = BREADTH - 2 * MARGIN
LONGEST = 36
"""Letters that fit beside the sign of trumps: rules with many options are longer."""


def draw_position(seen: SeenPosition, *, text: str, near: int = 0, language: Language = "en") -> str:
    """An SVG: the others' hands, the talon and the trick, the hand of seat `near`. `text` is its alternative."""
    canvas = Canvas(language)
    height = lay_position(canvas, seen, near=near)
    return canvas.svg(BREADTH, height, text)


def draw_partie(
    scenes: Sequence[tuple[View, Played | None]], *, seconds: float, text: str, language: Language = "en"
) -> str:
    """An SVG that shows what these views tell in turn, for ever, some with a card that fills the trick.

    `text` is its alternative.
    """
    frames, height = [], 0
    for view, played in scenes:
        canvas, seen = Canvas(language), view.seen_position
        if played is not None:
            seen.hands[played.seat] = hand_without(seen.hands[played.seat], played.card)
            seen.table.append(played.card)
            seen = seen._replace(p=seen.p._replace(turn=NONE))
        height = lay_position(canvas, seen, near=view.observer or 0, steady=True)
        frames.append(canvas)
    return draw_film(frames, seconds, BREADTH, height, text)


def hand_without(hand: SeenHand, card: Card) -> SeenHand:
    """A hand that has laid a card, which may have been an unknown one."""
    known = CardSet(hand.known.mask & ~(1 << card))
    return SeenHand(known, hand.unknown - (card not in hand.known))


def lay_position(canvas: Canvas, seen: SeenPosition, *, near: int, steady: bool = False) -> int:
    """Lay the cards as `draw_position` says; returns the height. `steady` keeps a place for what is no longer there."""
    rules, p, hands, table, talon, result = seen
    seats, counted = rules.seats, seen.points

    def draw_hand(seat: int, x: float, y: float, room: float) -> None:
        acts = seat == p.turn and not result
        label = f"{'▸ ' if acts else ''}{SEATS[seat]} · {counted[seat]} pts"
        canvas.write(label, x, y + 17, colour=GOLD if acts else LINEN)
        canvas.lay_row([*hands[seat].known, *[None] * hands[seat].unknown], x, y + LINE, room)

    head = f"{result.text} · {rules}" if result else str(rules)
    canvas.write(head if len(head) <= LONGEST else f"{head[: LONGEST - 1]}…", MARGIN, 28)
    if p.trump >= 0:
        canvas.mark(Suit(p.trump), BREADTH - MARGIN - 26, 9)
    top = 46.0
    room = (ROOM - MARGIN * (seats - 2)) / (seats - 1)
    for nth in range(1, seats):
        draw_hand((near + nth) % seats, MARGIN + (nth - 1) * (room + MARGIN), top, room)
    played_out = not steady and not any(map(len, hands))
    top += LINE + (0 if played_out else HEIGHT + MARGIN)
    if steady or table or talon:
        draw_middle(canvas, p, table, talon, seats, top)
        top += HEIGHT + LINE + 6
    draw_hand(near, MARGIN, top, ROOM)
    return round(top + LINE + MARGIN + (0 if played_out else HEIGHT))


def draw_middle(
    canvas: Canvas, p: Position, table: Sequence[Card], talon: int, seats: int, top: float
) -> None:
    """The talon with its number of cards and the turnup; the trick, each card above its seat's letter."""
    turnup = talon and p.turnup >= 0
    if talon > bool(turnup):
        canvas.lay(None, MARGIN, top)
    if turnup:
        canvas.lay(PACK[p.turnup], MARGIN + 36, top)
    if talon:
        canvas.write(f"× {talon}", MARGIN, top + HEIGHT + 18)
    left = BREADTH - MARGIN - seats * (WIDTH + 4) + 4
    for nth, card in enumerate(table):
        canvas.lay(card, left + nth * (WIDTH + 4), top)
        seat = SEATS[(p.leader + nth) % seats]
        canvas.write(seat, left + nth * (WIDTH + 4) + WIDTH / 2, top + HEIGHT + 18, anchor="middle")


def draw_deal(deal: Deal) -> str:
    """An SVG of all hands and of the talon in drawing order, eight cards a row, the turnup last."""
    canvas, top = Canvas(), 10.0
    half = (ROOM - MARGIN) / 2
    for seat, hand in enumerate(deal.hands):
        wide = len(deal.hands) == 2
        x = MARGIN if wide or seat % 2 == 0 else MARGIN * 2 + half
        canvas.write(f"{SEATS[seat]}{' (dealer)' if seat == deal.dealer else ''}", x, top + 17)
        canvas.lay_row(hand, x, top + LINE, ROOM if wide else half)
        if wide or seat % 2 or seat == len(deal.hands) - 1:
            top += LINE + HEIGHT + 6
    rest = [*deal.talon, *([] if deal.turnup is None else [deal.turnup])]
    canvas.write(f"× {len(rest)}", MARGIN, top + 17)
    top += LINE
    for first in range(0, len(rest), 8):
        row = rest[first : first + 8]
        canvas.lay_row(row, MARGIN, top, WIDTH + (ROOM - WIDTH) / 7 * (len(row) - 1))
        top += HEIGHT + 6
    return canvas.svg(BREADTH, round(top + 10), str(deal))
