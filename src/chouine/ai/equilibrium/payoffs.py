"""Who wins after the last answer given while cards are hidden: for every position, answer, hand and hidden card.

What comes after is known to both and exact. It is looked up where it has been met before: many ways lead to the same
two hands.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.arrays import Ints
from chouine.ai.equilibrium.answers import CARDS, REST, SLOTS, WIDE, Numbers, numbers
from chouine.ai.equilibrium.endings import CHOUINE_WINS, MORE, best_said, ending, may_declare, then_shut
from chouine.ai.subsets import subsets
from chouine.fast.cardplay import TAKING, WORTH, table_of
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.rules.book import Book

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

MET = 20
"""Endings are kept by so many bits; one that would lie on another takes its place."""
FIELD = 1 << 15


class Answering(NamedTuple):
    """A public position at which the last hidden answer is to be given."""

    lead: int
    """The card led."""
    cards: tuple[int, ...]
    """The ten cards that may be in either hand or hidden."""
    turnup: int
    ahead: int
    """By how many points who answers is ahead, what lies on the table not counted."""
    shut: int
    """What the leader may not declare any more."""
    shut_answering: int
    may: Any
    """Which hands the leader may hold, and below who answers; of others nothing is told."""
    may_answering: Any


class Positions(NamedTuple):
    """Many of them, a row each: cards as numbered in the universe, whatever else is a number, and who may hold what."""

    cards: Ints
    told: Ints
    may: Any
    may_answering: Any


class Universe(NamedTuple):
    """Every card left in a subgame, numbered from the lowest, and the hands of five of them."""

    cards: Ints
    of: Ints
    """By set of numbers, the cards themselves, as a set."""
    rank: Ints
    """By set of numbers, the number of a hand."""
    could: Ints
    """By set of numbers, what the hand could declare if nothing were shut."""
    met: Ints
    """Endings met: what each is known by, and what its leader gains, in one number so that threads can share them."""


def universe(cards: list[int]) -> Universe:
    total = len(cards)
    of = np.zeros(1 << total, np.int64)
    for place, card in enumerate(cards):
        of[1 << place : 2 << place] = of[: 1 << place] | 1 << card
    hands = subsets(range(total), 5)
    rank = np.zeros(1 << total, np.int64)
    rank[hands] = np.arange(len(hands))
    could = np.zeros(1 << total, np.int64)
    all_declared(of, could)
    return Universe(np.array(cards), of, rank, could, np.full(1 << MET, -1, np.int64))


@compiled
def all_declared(of: Any, could: Any) -> None:
    for hand in range(len(of)):
        could[hand] = may_declare(of[hand], 0)


def payoffs(book: Book, trump: int, of: Universe, positions: list[Answering], threads: int) -> Any:
    """By row of positions, answer and pair of hands: 1 where who answers wins, -1 where the leader does, 0 a nulle."""
    rows = -(-len(positions) // WIDE)
    found = np.zeros((rows, CARDS, 5 * REST, WIDE), np.int8)
    if not positions:
        return found
    place = {card: nth for nth, card in enumerate(of.cards.tolist())}
    asked = Positions(
        np.array([[place[card] for card in each.cards] for each in positions]),
        np.array(
            [
                (each.lead, place[each.turnup], each.ahead, each.shut, each.shut_answering)
                for each in positions
            ]
        ),
        np.array([each.may for each in positions]),
        np.array([each.may_answering for each in positions]),
    )
    table = table_of(book, trump)

    def share(nth: int) -> None:
        judge(
            table, trump, book.declare_lead, of, asked, numbers(),
            found.reshape(rows, -1, WIDE), nth, threads,
        )  # fmt: skip

    if threads == 1:
        share(0)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(share, range(threads)))
    return found


@kernel
def sign(number: int) -> int:
    return 1 if number > 0 else (-1 if number < 0 else 0)


@kernel
def margin_of(
    table: int,
    trump: int,
    lead_only: int,
    every: Universe,
    leading: int,
    answering: int,
    shut: int,
    shut_answering: int,
) -> int:
    """What the leader gains from here on, looked up if it was met before."""
    of, rank, met = every.of, every.rank, every.met
    matters, matters_answering = shut & every.could[leading], shut_answering & every.could[answering]
    key = ((rank[leading] << 11 | rank[answering]) << 5 | matters) << 5 | matters_answering
    at = (key * 0x9E3779B1 >> 13) & (1 << MET) - 1
    known = met[at]
    if known >> 16 == key:
        return int(known & 0xFFFF) - FIELD
    gain = ending(table, trump, lead_only, of[leading], of[answering], shut, shut_answering, -MORE, MORE)
    met[at] = key << 16 | gain + FIELD
    return gain


@kernel
def judge_one(
    table: int,
    trump: int,
    lead_only: int,
    every: Universe,
    positions: Positions,
    numbers: Numbers,
    nth: int,
    found: Any,
) -> None:
    """Fill the payoffs of one position."""
    lead_of, answer_of, beside, _, hidden, kept_of = numbers
    nine = np.zeros(9, np.int64)
    cards, told = positions.cards[nth], positions.told[nth]
    may, may_answering = positions.may[nth], positions.may_answering[nth]
    lead, turnup = told[0], 1 << told[1]
    ahead, shut, shut_answering = told[2], told[3], told[4]
    for card in range(CARDS):
        answer = every.cards[cards[card]]
        for place in range(9):
            nine[place] = cards[place + (place >= card)]
        everything = 0
        for place in range(9):
            everything |= 1 << nine[place]
        takes = TAKING[table + lead] >> answer & 1
        trick = WORTH[lead] + WORTH[answer]
        for rest in range(REST):
            if not may_answering[answer_of[card, rest] // SLOTS]:
                continue
            kept = 0
            for place in range(4):
                kept |= 1 << nine[kept_of[rest, place]]
            said = 0
            if not lead_only:
                said = best_said(every.of[kept] | 1 << answer, answer, shut_answering, trump)
            first = 5 * (card * REST + rest)
            if said >= CHOUINE_WINS:
                found[first : first + 5] = 1
                continue
            after = then_shut(shut_answering, answer, said)
            for pair in range(5):
                if not may[lead_of[card, beside[rest, pair]]]:
                    continue
                drawn = 1 << nine[hidden[rest, pair]]
                others = everything & ~kept & ~drawn
                if takes:
                    gain = margin_of(
                        table, trump, lead_only, every, kept | drawn, others | turnup, after, shut
                    )
                    total = ahead + said + trick + gain
                else:
                    gain = margin_of(
                        table, trump, lead_only, every, others | drawn, kept | turnup, shut, after
                    )
                    total = ahead + said - trick - gain
                found[first + pair] = sign(total)


@compiled
def judge(
    table: int,
    trump: int,
    lead_only: int,
    every: Universe,
    positions: Positions,
    numbers: Numbers,
    found: Any,
    start: int,
    stride: int,
) -> None:
    """Fill the payoffs of every `stride`th row of positions from `start`: one by one, then side by side."""
    each = np.zeros((WIDE, CARDS * 5 * REST), np.int8)
    for row in range(start, found.shape[0], stride):
        many = min(WIDE, len(positions.told) - row * WIDE)
        each[:] = 0
        for at in range(many):
            nth = row * WIDE + at
            judge_one(table, trump, lead_only, every, positions, numbers, nth, each[at])
        there = found[row]
        for place in range(each.shape[1]):
            for at in range(many):
                there[place, at] = each[at, place]
