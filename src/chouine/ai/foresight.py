"""Looking ahead with the network: every act in the same worlds, played on as the network would, the end exactly."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np

from chouine.ai.acts import NO_CARD, SAID, SWAP, own_seat
from chouine.ai.beliefs import onlooker
from chouine.ai.features import SPOKEN, renamed
from chouine.ai.hope import hope
from chouine.ai.manner import Manner, by_network, card_by
from chouine.ai.network import Network, consult
from chouine.ai.others import Imagined
from chouine.ai.playout import ending, outcome, solved
from chouine.ai.worlds import Worlds
from chouine.cards import BRISQUES
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.seats import Seats, seated, seats
from chouine.fast.seen import Seen, seen_after
from chouine.partie.course import current_trick, played_by_seat
from chouine.partie.events import Declared
from chouine.partie.view import View
from chouine.rules.book import Book
from chouine.rules.combinations import BRISQUE_FIGURES, EXCHANGE
from chouine.rules.play import declare, exchange, exchanger, lay
from chouine.rules.position import NONE, Position, put

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled


@kernel
def in_world(p: Position, seen: Seen, hands: Any) -> tuple[Position, Seen]:
    """A position as one world has it, and what has been seen there: what is to be laid open is what is held."""
    here = Seats(hands[0], hands[1], hands[2], hands[3])
    showing = Seats(
        seen.showing[0] & here[0],
        seen.showing[1] & here[1],
        seen.showing[2] & here[2],
        seen.showing[3] & here[3],
    )
    return Position(here, *p[1:]), Seen(seen.known, showing, seen.played)


@kernel
def acted(
    book: Book, talon: Sequence[int], p: Position, seen: Seen, card: int, declaration: int
) -> tuple[Position, Seen]:
    """The seat on turn lays a card, perhaps declaring with it; and what has been seen then."""
    seat = p.turn
    if declaration >= 0:
        said = declare(book, p, declaration)
        seen = seen_after(book, p, said, seat, declaration, seen)
        p = said
    after = lay(book, talon, p, card)
    return after, seen_after(book, p, after, seat, card, seen)


@kernel
def swapped(book: Book, p: Position, seen: Seen, seat: int) -> tuple[Position, Seen]:
    """A seat exchanges the seven; and what has been seen then."""
    after = exchange(p, seat)
    return after, seen_after(book, p, after, seat, EXCHANGE, seen)


@kernel
def entered(
    book: Book, talon: Sequence[int], p: Position, seen: Seen, seat: int, act: int
) -> tuple[Position, Seen]:
    """An act by a seat; and what has been seen then."""
    if act & SWAP:
        p, seen = swapped(book, p, seen, seat)
    if act & 63 != NO_CARD:
        p, seen = acted(book, talon, p, seen, act & 63, (act >> SAID & 63) or NONE)
    return p, seen


@kernel
def carried_on(
    book: Book, talon: Sequence[int], p: Position, seen: Seen, manner: Manner, passed: int
) -> tuple[Position, Seen, int]:
    """What is done next as `card_by` would, the seven exchanged by who can unless that was just let pass; the act."""
    holder, swap = exchanger(book, p), 0
    if holder >= 0 and not passed:
        p, seen = swapped(book, p, seen, holder)
        swap = SWAP
    card, declaration = card_by(book, manner, p, seen)
    p, seen = acted(book, talon, p, seen, card, declaration)
    return p, seen, card | max(declaration, 0) << SAID | swap


@kernel
def play_on(
    book: Book,
    talon: Sequence[int],
    p: Position,
    seen: Seen,
    seat: int,
    manners: tuple[Manner, ...],
    kinds: Any,
    nodes: memoryview,
) -> float:
    """What comes of a position for a seat, each playing in its manner; of two, who is greedy errs at the end too."""
    while p.turn >= 0:
        if solved(book, p):
            errs = manners[kinds[1 - seat]].greedy
            return hope(book, p, seat, 0.0, nodes) if errs else ending(book, p, seat, nodes)
        p, seen, _ = carried_on(book, talon, p, seen, manners[kinds[p.turn]], 0)
    return outcome(book, p, seat)


@compiled
def look_ahead_as(
    book: Book,
    p: Position,
    seen: Seen,
    seat: int,
    acts: Sequence[int],
    hands: Any,
    talons: Any,
    manners: tuple[Manner, ...],
    kinds: Any,
    nodes: memoryview,
    values: Any,
) -> None:
    """What comes of each act (row) in each world (column), each seat playing on in its manner there."""
    for world in range(len(hands)):
        talon = talons[world]
        here, before = in_world(p, seen, hands[world])
        for nth in range(len(acts)):
            q, told = entered(book, talon, here, before, seat, acts[nth])
            if acts[nth] == NO_CARD:  # "au sept" was let pass
                q, told, _ = carried_on(book, talon, q, told, manners[kinds[world, q.turn]], 1)
            values[nth, world] = play_on(book, talon, q, told, seat, manners, kinds[world], nodes)


@compiled
def lean(
    book: Book, p: Position, seen: Seen, seat: int, acts: Sequence[int], network: Network, leanings: Any
) -> None:
    """How far the network holds each act below the best, without looking ahead."""
    for swap in range(2):
        many, top = 0, -1e9
        for nth in range(len(acts)):
            many += acts[nth] & 63 != NO_CARD and (acts[nth] & SWAP != 0) == swap
        if many == 0:
            continue
        if swap:
            p, seen = swapped(book, p, seen, seat)
        order = consult(book.seats, network, p, seat, seen.known, seen.played)
        for nth in range(len(acts)):
            if acts[nth] & 63 != NO_CARD and (acts[nth] & SWAP != 0) == swap:
                slot = renamed(acts[nth] & 63, order) + (SPOKEN if acts[nth] >> SAID & 63 else 0)
                leanings[nth] = network.told[slot]
                top = max(top, leanings[nth])
        for nth in range(len(acts)):
            if acts[nth] & 63 != NO_CARD and (acts[nth] & SWAP != 0) == swap:
                leanings[nth] -= top


def leanings_of(view: View, seen: Seen, acts: Sequence[int], network: Network) -> Any:
    """How far the network holds each act below the best: (acts), in shares of a partie, 0 or less."""
    leanings = np.zeros(len(acts))
    lean(
        view.book,
        seated(view.position),
        seen,
        own_seat(view),
        memoryview(array("q", acts)),
        network,
        leanings,
    )
    return leanings


def seated_sight(view: View) -> Seen:
    """What everybody has seen, as compiled code takes it."""
    seen = seen_by_all(view)
    return Seen(seats(seen.known), seats(seen.showing), seats(seen.played))


def seen_by_all(view: View) -> Seen:
    """What everybody has seen, in the middle of a trick too; of a quinte or a trente any brisque may be laid open."""
    showing = (0, 0, 0, 0)
    for event in current_trick(view.events):
        if isinstance(event, Declared):
            hidden = 1 << event.declaration & BRISQUE_FIGURES
            cards = BRISQUES if hidden else event.declaration.cards(view.book).mask
            showing = put(showing, event.seat, cards)
    return Seen(onlooker(view).position.hands, showing, played_by_seat(view.events))


@compiled
def go_on(
    book: Book,
    p: Position,
    seen: Seen,
    seat: int,
    act: int,
    hands: Any,
    talons: Any,
    manner: Manner,
    found: Any,
) -> None:
    """What is done after an act in each world (row), act by act (column); -1 where the partie is over."""
    for world in range(len(hands)):
        talon = talons[world]
        here, before = in_world(p, seen, hands[world])
        q, told = entered(book, talon, here, before, seat, act)
        passed = act == NO_CARD
        for nth in range(found.shape[1]):
            found[world, nth] = -1
            if q.turn >= 0:
                q, told, done = carried_on(book, talon, q, told, manner, passed)
                found[world, nth] = done
                passed = False


def foreseen(
    view: View, seen: Seen, acts: Sequence[int], imagined: Imagined, manners: tuple[Manner, ...]
) -> Any:
    """What comes of each act in each world: (acts, worlds), 1 for a partie won."""
    among = imagined.worlds
    values = np.zeros((len(acts), len(among.hands)), np.float32)
    look_ahead_as(
        view.book,
        seated(view.position),
        seen,
        own_seat(view),
        memoryview(array("q", acts)),
        among.hands,
        among.talons,
        manners,
        imagined.kinds,
        memoryview(array("q", [0])),
        values,
    )
    return values


def followed(view: View, act: int, among: Worlds, network: Network, many: int) -> Any:
    """What is done after an act in each world: (worlds, many), as ints, -1 where the partie is over."""
    found = np.zeros((len(among.hands), many), np.int64)
    go_on(
        view.book,
        seated(view.position),
        seated_sight(view),
        own_seat(view),
        act,
        among.hands,
        among.talons,
        by_network(view.rules, network),
        found,
    )
    return found
