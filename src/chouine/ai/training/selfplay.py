"""Parties that a Monte Carlo player plays against itself, with what it thought of each act: what a network learns from.

Kernel Python: a seat is told here what `partie.View` would tell it, and no more. Whoever can exchanges the seven.

    python -m chouine.ai.training.selfplay classic FOLDER --minutes 40
"""

from __future__ import annotations

import argparse
from array import array
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.acts import SAID, done, list_acts
from chouine.ai.features import MARKS, SPOKEN, renamed
from chouine.ai.foresight import acted
from chouine.ai.playout import play_out, solved
from chouine.ai.training.rollout import dealt, exchanged
from chouine.ai.training.shown import Shown, room_to_show, show
from chouine.cards import ALL_CARDS
from chouine.fast.bits import advance, below, high_half, how_many, low_half, lowest, mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.playout import shuffle
from chouine.fast.seats import seats
from chouine.fast.seen import Seen, all_played
from chouine.players.thumb import thumb_table
from chouine.rules.book import Book, book_of
from chouine.rules.options import Rules
from chouine.rules.position import NONE, Position, put

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

MOST_ACTS = 24
HALVES = float(1 << 32)


class Room(NamedTuple):
    """Room to work in, and how parties are played out."""

    cards: Any
    talon: Any
    acts: Any
    sums: Any
    """What each act wins, on average."""
    marks: Any
    weights: Any
    nodes: Any


@kernel
def sample(book: Book, p: Position, seen: Seen, room: Room, stream: int) -> tuple[Position, int]:
    """A world as the seat on turn may think it to be, but for what §8 would tell it; all as likely."""
    seat, turned = p.turn, 1 << p.turnup if p.turnup >= 0 else 0
    held, hands = 0, p.hands
    for other in range(book.seats):
        held |= p.hands[seat] if other == seat else seen.known[other]
    unseen, many = ALL_CARDS & ~(held | all_played(seen) | turned), 0
    while unseen:
        stream = advance(stream)
        at = below(high_half(mixed(stream)), many + 1)
        room.cards[many] = room.cards[at]
        room.cards[at] = lowest(unseen)
        unseen &= unseen - 1
        many += 1
    for other in range(book.seats):
        if other != seat:
            hand = seen.known[other]
            for _ in range(how_many(p.hands[other]) - how_many(hand)):
                many -= 1
                hand |= 1 << room.cards[many]
            hands = seats(put(hands, other, hand))
    first = min(p.tricks, book.drawing) * book.seats
    for place in range(first, book.hidden):
        room.talon[place] = room.cards[place - first]
    return Position(hands, *p[1:]), stream


@kernel
def think(book: Book, p: Position, seen: Seen, many: int, worlds: int, room: Room, stream: int) -> int:
    """Find what each act wins, on average over so many worlds, into `room.sums`; the stream's next state."""
    seat, gone = p.turn, all_played(seen)
    for nth in range(many):
        room.sums[nth] = 0.0
    for _ in range(worlds):
        world, stream = sample(book, p, seen, room, stream)
        for nth in range(many):
            q = done(book, room.talon, world, seat, room.acts[nth])
            fell = gone | 1 << (room.acts[nth] & 63)
            won = play_out(book, room.talon, q, fell, seat, room.weights, room.nodes)
            room.sums[nth] += won / worlds
    return stream


@kernel
def write_found(harvest: Shown, row: int, order: int, room: Room, many: int) -> None:
    """What each act was found to be worth: a card's best declaration stands for all that it could be laid with."""
    target, is_open = harvest.target[row], harvest.is_open[row]
    for nth in range(many):
        slot = renamed(room.acts[nth] & 63, order) + (SPOKEN if room.acts[nth] >> SAID & 63 else 0)
        if not is_open[slot] or room.sums[nth] > target[slot]:
            target[slot] = room.sums[nth]
        is_open[slot] = 1


@kernel
def chosen_act(values: Any, many: int, wavering: float, stream: int) -> tuple[int, int]:
    """The act that is worth most, give or take; the stream's next state."""
    best, top = 0, -1e9
    for nth in range(many):
        stream = advance(stream)
        bits = mixed(stream)
        value = values[nth] + ((high_half(bits) + low_half(bits)) / HALVES - 1.0) * wavering
        if value > top:
            top, best = value, nth
    return best, stream


@compiled
def selfplay(
    book: Book, room: Room, pack: Any, worlds: int, wavering: float, stream: int, harvest: Shown
) -> int:
    """Play parties until there is no room for another's decisions; how many there are."""
    row, dealer = 0, 0
    talon = pack[book.seats * book.hand :]
    while row + book.seats * book.tricks <= len(harvest.marks):
        stream = shuffle(pack, stream)
        p, seen = dealt(book, pack, dealer)
        dealer = (dealer + 1) % book.seats
        while p.turn >= 0 and not solved(book, p):
            p, seen = exchanged(book, p, seen)
            best, many = 0, list_acts(book, p, p.turn, room.acts)
            if many > 1:
                order = show(book.seats, p, seen, harvest.marks[row], harvest.numbers[row], room.marks)
                stream = think(book, p, seen, many, worlds, room, stream)
                write_found(harvest, row, order, room, many)
                best, stream = chosen_act(room.sums, many, wavering, stream)
                row += 1
            declaration = room.acts[best] >> SAID & 63
            p, seen = acted(book, talon, p, seen, room.acts[best] & 63, declaration or NONE)
    return row


def room_for(rules: Rules) -> Room:
    """Room to think of these rules' parties in."""
    return Room(
        np.zeros(32, np.int64),
        np.zeros(32, np.int64),
        np.zeros(MOST_ACTS, np.int64),
        np.zeros(MOST_ACTS),
        np.zeros(MARKS, np.int64),
        thumb_table(rules),
        memoryview(array("q", [0])),
    )


def harvested(rules: Rules, decisions: int, worlds: int, wavering: float, seed: int) -> Shown:
    """About so many decisions, the acts that were not far behind the best being done now and then."""
    rows, pack = room_to_show(rules, decisions), np.arange(32, dtype=np.int64)
    many = selfplay(book_of(rules), room_for(rules), pack, worlds, wavering, signed(mixed(seed)), rows)
    return Shown(*(part[:many] for part in rows))


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
