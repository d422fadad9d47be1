"""Parties that a Monte Carlo player plays against itself, with what it thought of each act: what a network learns from.

Two seats. Kernel Python: a seat is told here what `partie.View` would tell it, and no more.

    python -m chouine.ai.training.selfplay classic FOLDER --minutes 40
"""

from __future__ import annotations

import argparse
from array import array
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.foresight import acted, swapped
from chouine.ai.montecarlo import SAID, SWAP, done, list_acts
from chouine.ai.playout import ending, outcome, play_out, solved
from chouine.cards import ALL_CARDS
from chouine.fast.bits import advance, below, high_half, low_half, lowest, mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.playout import NOTHING, dealt_hands, dealt_turnup, shuffle
from chouine.fast.seats import Seats, seated, seats
from chouine.fast.seen import Seen
from chouine.players.thumb import thumb_table
from chouine.rules.book import Book, book_of
from chouine.rules.options import Rules
from chouine.rules.play import exchanger, start
from chouine.rules.position import NONE, Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

MOST_ACTS = 24
SEAT = 14
FACTS = SEAT + 1
"""Numbers that tell a decision: see `write_facts`."""
HALVES = float(1 << 32)


class Harvest(NamedTuple):
    """Decisions, a row each."""

    facts: Any
    acts: Any
    """The acts open, as in `ai.montecarlo`; NONE beyond them."""
    values: Any
    """What each was found to be worth."""
    won: Any
    """What the partie came to for the seat."""


class Room(NamedTuple):
    """Room to work in, and how parties are played out."""

    cards: Any
    talon: Any
    acts: Any
    sums: Any
    weights: Any
    nodes: Any


@kernel
def write_facts(facts: Any, row: int, p: Position, seat: int, seen: Seen) -> None:
    """What a seat knows, in numbers: the cards it holds, the other is known to hold, fallen or laid, and so on."""
    other = 1 - seat
    facts[row, 0] = p.hands[seat]
    facts[row, 1] = seen.known[other]
    facts[row, 2] = seen.played[0] | seen.played[1]
    facts[row, 3] = p.table & 63
    facts[row, 4] = p.turnup
    facts[row, 5] = p.trump
    facts[row, 6] = p.said[seat]
    facts[row, 7] = p.said[other]
    facts[row, 8] = p.points[seat]
    facts[row, 9] = p.points[other]
    facts[row, 10] = p.declared[seat]
    facts[row, 11] = p.declared[other]
    facts[row, 12] = p.tricks
    facts[row, 13] = p.leader == seat
    facts[row, SEAT] = seat


@kernel
def sample(
    book: Book, p: Position, seat: int, gone: int, known: int, cards: Any, talon: Any, stream: int
) -> tuple[Position, int]:
    """A world that the seat cannot tell from the true one, all as likely."""
    other = 1 - seat
    turned = 1 << p.turnup if p.turnup >= 0 else 0
    unseen, many = ALL_CARDS & ~(p.hands[seat] | gone | known | turned), 0
    while unseen:
        cards[many] = lowest(unseen)
        unseen &= unseen - 1
        many += 1
    laid = p.table != 0 and p.leader == other
    room = book.hand - (1 if laid else 0)
    hand, place = known, min(p.tricks * book.seats, book.hidden)
    left = room
    for _ in range(5):
        if known:
            left -= 1
            known &= known - 1
    for nth in range(many - 1, -1, -1):
        stream = advance(stream)
        at = below(high_half(mixed(stream)), nth + 1)
        card = cards[at]
        cards[at] = cards[nth]
        if left > 0:
            hand |= 1 << card
            left -= 1
        else:
            talon[place] = card
            place += 1
    if seat == 0:
        return Position(Seats(p.hands[0], hand, 0, 0), *p[1:]), stream
    return Position(Seats(hand, p.hands[1], 0, 0), *p[1:]), stream


@kernel
def think(
    book: Book, p: Position, seen: Seen, acts: Any, many: int, worlds: int, room: Room, stream: int
) -> int:
    """Find what each act wins, on average over so many worlds, into `room.sums`; the stream's next state."""
    seat, gone = p.turn, seen.played[0] | seen.played[1]
    for nth in range(many):
        room.sums[nth] = 0.0
    for _ in range(worlds):
        world, stream = sample(book, p, seat, gone, seen.known[1 - seat], room.cards, room.talon, stream)
        for nth in range(many):
            q = done(book, room.talon, world, seat, acts[nth])
            fell = gone | 1 << (acts[nth] & 63)
            room.sums[nth] += play_out(book, room.talon, q, fell, seat, room.weights, room.nodes)
    return stream


@kernel
def chosen_act(values: Any, row: int, many: int, wavering: float, stream: int) -> tuple[int, int]:
    """The act that is worth most, give or take; the stream's next state."""
    best, top = 0, -1e9
    for nth in range(many):
        stream = advance(stream)
        bits = mixed(stream)
        value = values[row, nth] + ((high_half(bits) + low_half(bits)) / HALVES - 1.0) * wavering
        if value > top:
            top, best = value, nth
    return best, stream


@compiled
def selfplay(
    book: Book, room: Room, pack: Any, worlds: int, wavering: float, stream: int, harvest: Harvest
) -> int:
    """Play parties until there is no room for another's decisions; how many there are."""
    row, dealer = 0, 0
    talon = pack[book.seats * book.hand :]
    while row + 2 * book.drawing < len(harvest.won):
        first = row
        stream = shuffle(pack, stream)
        p = seated(start(book, dealt_hands(book, pack), dealt_turnup(book, pack), dealer))
        dealer = 1 - dealer
        seen = Seen(seats(NOTHING), seats(NOTHING), seats(NOTHING))
        while p.turn >= 0 and not solved(book, p):
            holder = exchanger(book, p)
            if holder >= 0 and holder != p.turn:
                p, seen = swapped(book, p, seen, holder)
            seat, best = p.turn, 0
            many = list_acts(book, p, seat, room.acts)
            if many > 1 and p.tricks < book.drawing:
                write_facts(harvest.facts, row, p, seat, seen)
                stream = think(book, p, seen, room.acts, many, worlds, room, stream)
                for nth in range(many):
                    harvest.acts[row, nth] = room.acts[nth]
                    harvest.values[row, nth] = room.sums[nth] / worlds
                best, stream = chosen_act(harvest.values, row, many, wavering, stream)
                row += 1
            act = room.acts[best]
            if act & SWAP:
                p, seen = swapped(book, p, seen, seat)
            declaration = act >> SAID & 63
            p, seen = acted(book, talon, p, seen, act & 63, declaration or NONE)
        result = ending(book, p, 0, room.nodes) if p.turn >= 0 else outcome(book, p, 0)
        for nth in range(first, row):
            harvest.won[nth] = 1.0 - result if harvest.facts[nth, SEAT] else result
    return row


def harvested(rules: Rules, decisions: int, worlds: int, wavering: float, seed: int) -> Harvest:
    """About so many decisions, the acts that were not far behind the best being done now and then."""
    book = book_of(rules)
    rows = Harvest(
        np.zeros((decisions, FACTS), np.int64),
        np.full((decisions, MOST_ACTS), NONE, np.int16),
        np.zeros((decisions, MOST_ACTS), np.float32),
        np.zeros(decisions, np.float32),
    )
    room = Room(
        np.zeros(32, np.int64),
        np.zeros(32, np.int64),
        np.zeros(MOST_ACTS, np.int64),
        np.zeros(MOST_ACTS),
        thumb_table(rules),
        memoryview(array("q", [0])),
    )
    pack = np.arange(32, dtype=np.int64)
    many = selfplay(book, room, pack, worlds, wavering, signed(mixed(seed)), rows)
    return Harvest(*(part[:many] for part in rows))


def main() -> None:
    """Harvest until the time is over, a file at a time: stopped, it loses one at most; it goes on by another seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", type=Rules.parse)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--worlds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    until, nth = monotonic() + 60 * args.minutes, 0
    while monotonic() < until:
        rows = harvested(args.rules, 8_000, args.worlds, 0.06, args.seed * 100_000 + nth)
        np.savez_compressed(args.folder / f"{args.seed}-{nth}.npz", **rows._asdict())
        nth += 1


if __name__ == "__main__":
    main()
