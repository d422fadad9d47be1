"""Who wins after the last answer given while cards are hidden: for every position, answer, hand and hidden card.

What comes after is known to both and exact. It is looked up where it has been met before: many ways lead to the same
two hands.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.equilibrium_answers import CARDS, REST, WIDE, numbers
from chouine.ai.equilibrium_endings import CHOUINE_WINS, MORE, best_said, ending, may_declare, then_shut
from chouine.ai.likelihood import Ints
from chouine.ai.subsets import subsets
from chouine.fast.cardplay import TAKING, WORTH, table_of
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.rules.book import Book

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

UNKNOWN_MARGIN = -(1 << 15)


class Answering(NamedTuple):
    """A public position at which the last hidden answer is to be given."""

    leader: int
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
    sure: int
    """Cards that the leader is known to hold."""
    sure_answering: int


class Universe(NamedTuple):
    """Every card left in a subgame, numbered from the lowest, and the hands of five of them."""

    cards: Ints
    of: Ints
    """By set of numbers, the cards themselves, as a set."""
    rank: Ints
    """By set of numbers, the number of a hand."""
    could: Ints
    """By set of numbers, what the hand could declare if nothing were shut."""
    shut: Ints
    """By seat, what was shut when the subgame began: what the margins reckon with."""
    margins: Any
    """By seat of who leads and by hands, what the leader gains; filled as they are met."""


def universe(cards: list[int], shut: tuple[int, int]) -> Universe:
    total = len(cards)
    of = np.zeros(1 << total, np.int64)
    for place, card in enumerate(cards):
        of[1 << place : 2 << place] = of[: 1 << place] | 1 << card
    hands = subsets(range(total), 5)
    rank = np.zeros(1 << total, np.int64)
    rank[hands] = np.arange(len(hands))
    could = np.zeros(1 << total, np.int64)
    all_declared(of, could)
    sides = 1 if shut[0] == shut[1] else 2
    margins = np.full((sides, len(hands), len(hands)), UNKNOWN_MARGIN, np.int16)
    return Universe(np.array(cards), of, rank, could, np.array(shut), margins)


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
    cards = np.array([[place[card] for card in each.cards] for each in positions])
    told = np.array([(*each[:2], 0, place[each.turnup], *each[4:]) for each in positions])
    rests = subsets(range(9), 4)
    rest_places = np.array([[nth for nth in range(9) if rest >> nth & 1] for rest in rests.tolist()])
    hidden = numbers().hidden
    table = table_of(book, trump)

    def share(nth: int) -> None:
        judge(
            table, trump, book.declare_lead, of.cards, of.of, of.rank, of.could, of.shut, of.margins,
            cards, told, rest_places, hidden, found, nth, threads,
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
    of: Any,
    rank: Any,
    could: Any,
    began: Any,
    margins: Any,
    leader: int,
    leading: int,
    answering: int,
    shut: int,
    shut_answering: int,
) -> int:
    """What the leader gains from here on, looked up unless something declared meanwhile matters."""
    changed = (shut ^ began[leader]) & could[leading] | (shut_answering ^ began[1 - leader]) & could[
        answering
    ]
    side = leader if len(margins) > 1 else 0
    known = margins[side, rank[leading], rank[answering]]
    if changed or known == UNKNOWN_MARGIN:
        gain = ending(table, trump, lead_only, of[leading], of[answering], shut, shut_answering, -MORE, MORE)
        if changed:
            return gain
        margins[side, rank[leading], rank[answering]] = gain
        return gain
    return int(known)


@compiled
def judge(
    table: int,
    trump: int,
    lead_only: int,
    names: Any,
    of: Any,
    rank: Any,
    could: Any,
    began: Any,
    margins: Any,
    cards: Any,
    told: Any,
    rest_places: Any,
    hidden: Any,
    found: Any,
    start: int,
    stride: int,
) -> None:
    """Fill the payoffs of every `stride`th position from `start`."""
    nine = np.zeros(9, np.int64)
    for nth in range(start, len(cards), stride):
        leader, lead, turnup = told[nth, 0], told[nth, 1], 1 << told[nth, 3]
        ahead, shut, shut_answering = told[nth, 4], told[nth, 5], told[nth, 6]
        sure, sure_answering = told[nth, 7], told[nth, 8]
        row, at = nth // WIDE, nth % WIDE
        for card in range(CARDS):
            answer = names[cards[nth, card]]
            if sure >> answer & 1:
                continue
            for place in range(9):
                nine[place] = cards[nth, place + (place >= card)]
            everything = 0
            for place in range(9):
                everything |= 1 << nine[place]
            takes = TAKING[table + lead] >> answer & 1
            trick = WORTH[lead] + WORTH[answer]
            for rest in range(REST):
                kept = 0
                for place in range(4):
                    kept |= 1 << nine[rest_places[rest, place]]
                if of[kept] & sure or sure_answering & ~(of[kept] | 1 << answer):
                    continue
                said = 0
                if not lead_only:
                    said = best_said(of[kept] | 1 << answer, answer, shut_answering, trump)
                if said >= CHOUINE_WINS:
                    found[row, card, 5 * rest : 5 * rest + 5, at] = 1
                    continue
                after = then_shut(shut_answering, answer, said)
                for pair in range(5):
                    drawn = 1 << nine[hidden[rest, pair]]
                    others = everything & ~kept & ~drawn
                    if takes:
                        gain = margin_of(
                            table, trump, lead_only, of, rank, could, began, margins, 1 - leader, kept | drawn,
                            others | turnup, after, shut,
                        )  # fmt: skip
                        total = ahead + said + trick + gain
                    else:
                        gain = margin_of(
                            table, trump, lead_only, of, rank, could, began, margins, leader, others | drawn,
                            kept | turnup, shut, after,
                        )  # fmt: skip
                        total = ahead + said - trick - gain
                    found[row, card, 5 * rest + pair, at] = sign(total)
