"""Worlds that a seat cannot tell from the true one, each as likely as the deal makes it (§14).

    worlds(view, 1_000, seed)      # hands now, and the talon in the order in which it will be drawn

Every pack order being equally likely, what is hidden now may lie in any way that the view allows, all ways alike:
however a seat came by a card that it has kept, it came by any other in as many ways. `others` draws them by
what the others' play tells.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.cards import ALL_CARDS, BRISQUES
from chouine.fast.bits import advance, below, low_half, mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.partie.course import current_trick
from chouine.partie.events import Declared, Drawn, Played, Shown
from chouine.partie.view import View
from chouine.rules.book import Book
from chouine.rules.combinations import BRISQUE_FIGURES
from chouine.rules.play import bound, declare, lay, start
from chouine.rules.position import NONE, UNKNOWN, Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled


TALON_PLACES = 32
"""More than any talon has; the places beyond one stay 0."""


class Worlds(NamedTuple):
    """Many worlds, a row each, all as likely."""

    hands: Ints
    """What each of four seats holds now, as a set."""
    talons: Ints
    """The hidden talon in drawing order; places already drawn hold nothing that counts."""


class Hidden(NamedTuple):
    """What a view leaves open: unseen cards, and the places they lie in."""

    cards: int
    """The unseen cards, as a set."""
    hands: tuple[int, ...]
    """By seat, the cards known to be in its hand."""
    rooms: tuple[int, ...]
    """By seat, how many unseen cards its hand holds."""
    barred: tuple[int, ...]
    """By seat, unseen cards that its hand cannot hold."""
    drawn: int
    """Places of the hidden talon already drawn; unseen cards lie in those from here to its end."""


def hidden(view: View) -> Hidden:
    """What this view leaves open."""
    held = [view.held(seat) for seat in range(view.rules.seats)]
    drawn = sum(isinstance(event, Drawn) and not event.turnup for event in view.events)
    said = [just_said(view, seat) & ~hand.known.mask for seat, hand in enumerate(held)]
    known = tuple(hand.known.mask | cards for hand, cards in zip(held, said, strict=True))
    rooms = tuple(hand.unknown - cards.bit_count() for hand, cards in zip(held, said, strict=True))
    return Hidden(view.unseen.mask & ~sum(said), known, rooms, barred(view), drawn)


def just_said(view: View, seat: int) -> int:
    """§9.5: cards of a declaration of the trick on the table, which all know of before they are shown."""
    cards, laid = 0, 0
    for event in current_trick(view.events):
        match event:
            case Declared(seat=who, declaration=declaration) if who == seat:
                cards |= 0 if 1 << declaration & BRISQUE_FIGURES else declaration.cards(view.book).mask
            case Played(card=card):
                laid |= 1 << card
            case _:
                pass
    return cards & ~laid


def barred(view: View) -> tuple[int, ...]:
    """By seat, the cards that it cannot hold, having answered as it did (§8) or said what it has yet to show (§9.5)."""
    book, shut = view.book, [0] * view.rules.seats
    turnup, unknown = view.deal.turnup, (UNKNOWN,) * view.book.hidden
    p = start(book, (0, 0, 0, 0), NONE if turnup is None else turnup, view.deal.dealer)
    for event in view.events:
        match event:
            case Declared(seat=seat, declaration=declaration):
                p = declare(book, p, declaration)
                if 1 << declaration & BRISQUE_FIGURES:
                    shut[seat] |= ALL_CARDS & ~BRISQUES
            case Shown(seat=seat, declaration=declaration) if 1 << declaration & BRISQUE_FIGURES:
                shut[seat] &= BRISQUES
            case Played(seat=seat, card=card):
                if p.table and p.tricks >= book.drawing:
                    shut[seat] |= passed_over(book, p, card)
                p = lay(book, unknown, p, card)
            case _:
                pass
    return tuple(shut)


def passed_over(book: Book, p: Position, card: int) -> int:
    """§8: cards that a seat would have had to answer with rather than with this one."""
    over = 0
    while True:
        first = bound(book, p, ALL_CARDS & ~over)
        if first >> card & 1:
            return over
        over |= first


def worlds(view: View, many: int, seed: int) -> Worlds:
    """So many worlds, each as likely as any other that the view allows; with replacement."""
    left = hidden(view)
    hands, talons = np.zeros((many, 4), np.int64), np.zeros((many, TALON_PLACES), np.int64)
    hands[:, : len(left.hands)] = left.hands
    sharing = Sharing.of(left)
    deal_out(
        sharing.cards,
        sharing.shut,
        sharing.steps,
        sharing.ways,
        left.drawn,
        signed(mixed(seed)),
        hands,
        talons,
    )
    return Worlds(hands, talons)


class Sharing(NamedTuple):
    """All ways to share unseen cards out among hands, the rest being the talon's, counted from each point on."""

    cards: Ints
    shut: Ints
    """By card, the seats that cannot hold it, as a set."""
    steps: Ints
    """By seat, by how much a card given to it lowers the number that stands for the rooms left."""
    ways: Floats
    """By card and rooms left: the ways to share out this card and those after it."""

    @classmethod
    def of(cls, left: Hidden) -> Sharing:
        cards = [card for card in range(32) if left.cards >> card & 1]
        shut = [
            sum((left.barred[seat] >> card & 1) << seat for seat in range(len(left.rooms))) for card in cards
        ]
        steps = np.cumprod([1, *[room + 1 for room in left.rooms]])
        ways = np.zeros((len(cards) + 1, steps[-1]))
        sharing = cls(np.array(cards, np.int64), np.array(shut, np.int64), steps.astype(np.int64), ways)
        count_ways(sharing.shut, sharing.steps, ways)
        return sharing


@kernel
def open_to(shut: int, steps: Any, rooms: int, seat: int) -> bool:
    """Whether a seat has room left and may hold a card."""
    return not shut >> seat & 1 and rooms % steps[seat + 1] >= steps[seat]


@compiled
def count_ways(shut: Any, steps: Any, ways: Any) -> None:
    """Fill the table of `Sharing`, from the last card on: in the end no hand has room left."""
    ways[len(shut), 0] = 1.0
    for nth in range(len(shut) - 1, -1, -1):
        for rooms in range(steps[-1]):
            found = ways[nth + 1, rooms]
            for seat in range(len(steps) - 1):
                if open_to(shut[nth], steps, rooms, seat):
                    found += ways[nth + 1, rooms - steps[seat]]
            ways[nth, rooms] = found


@kernel
def chance(stream: int) -> float:
    """A number from 0 to 1, 1 excluded, from a stream's state."""
    return (mixed(stream) >> 11 & 0x1FFFFFFFFFFFFF) / 9007199254740992.0


@compiled
def deal_out(
    cards: Any, shut: Any, steps: Any, ways: Any, drawn: int, stream: int, hands: Any, talons: Any
) -> None:
    """Give each row's hands their unseen cards, every way as likely, and shuffle the rest into the talon."""
    for row in range(len(hands)):
        rooms, place = steps[-1] - 1, drawn
        for nth in range(len(cards)):
            stream = advance(stream)
            turn = chance(stream) * ways[nth, rooms]
            owner = -1
            for seat in range(len(steps) - 1):
                if open_to(shut[nth], steps, rooms, seat):
                    turn -= ways[nth + 1, rooms - steps[seat]]
                    if turn < 0:
                        owner = seat
                        break
            if owner >= 0:
                rooms -= steps[owner]
                hands[row, owner] |= 1 << cards[nth]
            else:
                stream = advance(stream)
                other = drawn + below(low_half(mixed(stream)), place - drawn + 1)
                talons[row, place] = talons[row, other]
                talons[row, other] = cards[nth]
                place += 1
