"""A subgame solved by counterfactual regrets: each seat learns in turn, foreseeing what it learns next (PCFR+).

Farina, Kroer and Sandholm 2021; later turns count more on average.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import factorial
from typing import Any

import numpy as np

from chouine.ai.arrays import Ints
from chouine.ai.beliefs import Range
from chouine.ai.equilibrium.answers import (
    BEST,
    HANDS,
    LEADS,
    LEARN,
    SLOTS,
    WIDE,
    judge_answers,
    judge_leads,
    numbers,
)
from chouine.ai.equilibrium.links import add_apart, come_up, equally, f32, normalised, run_down
from chouine.ai.equilibrium.payoffs import payoffs, universe
from chouine.ai.equilibrium.positions import WHOLE, Public, Scope
from chouine.ai.equilibrium.tree import ANSWERS, LEADING, Tree
from chouine.ai.subsets import subsets
from chouine.rules.book import Book
from chouine.rules.position import Position

THREADS = 2
POWER = 8
"""Turn n counts n to this power on average."""
MANY_ROWS = 4
"""Rows of positions from which it is worth to share them out among threads."""


@cache
def crew() -> ThreadPoolExecutor:
    """The threads that all subgames share."""
    return ThreadPoolExecutor(THREADS)


class Side:
    """One seat's entries, its links, and the answers it gives and meets."""

    def __init__(self, tree: Tree, seat: int) -> None:
        self.laid = tree.sides[seat].laid_out()
        own, other = (-(-len(tree.answering[each]) // WIDE) for each in (seat, 1 - seat))
        self.count = tree.sides[seat].entries
        self.answers = slice(self.count, self.count + own * HANDS * WIDE)
        self.leads = slice(self.answers.stop, self.answers.stop + other * LEADS * WIDE)
        target = self.laid.target
        target[target >= LEADING] += self.leads.start - LEADING
        target[target >= ANSWERS] += self.answers.start - ANSWERS
        self.reach = np.zeros(self.leads.stop, f32)
        self.values = np.zeros(self.leads.stop, f32)
        self.chances = equally(self.laid)
        self.regrets, self.sums = np.zeros_like(self.chances), np.zeros_like(self.chances)
        self.root = self.reach[:0]
        shape = own, HANDS * SLOTS, WIDE
        self.replies = np.full(shape, 1 / SLOTS, f32)
        self.reply_regrets, self.reply_sums = np.zeros(shape, f32), np.zeros(shape, f32)

        self.played, self.answered = self.chances, self.replies

    def averages(self) -> tuple[Any, Any]:
        """What it has chosen on average: by link, and by answer."""
        by_hand = self.reply_sums.reshape(-1, HANDS, SLOTS, WIDE)
        totals = by_hand.sum(2, keepdims=True)
        parts = np.divide(by_hand, totals, out=np.full_like(by_hand, 1 / SLOTS), where=totals > 0)
        return normalised(self.laid, self.sums), parts.reshape(self.reply_sums.shape)


class Subgame:
    """Two seats' ranges at a public position with a few hidden cards left, and what they do from there."""

    def __init__(
        self,
        book: Book,
        p: Position,
        pool: tuple[int, ...],
        ranges: tuple[Range, Range],
        scope: Scope = WHOLE,
    ) -> None:
        laid = p.table != 0
        held = (5 - (laid and p.leader == 0), 5 - (laid and p.leader == 1))
        weights = [weighed(told, subsets(pool, many)) for told, many in zip(ranges, held, strict=True)]
        self.tree = Tree(book, p.tricks, scope)
        self.root = self.tree.root(p, pool, held, (weights[0] > 0, weights[1] > 0))
        self.sides = (Side(self.tree, 0), Side(self.tree, 1))
        self.numbers = numbers()
        self.scratch = [np.zeros((HANDS * SLOTS, WIDE), f32) for _ in range(THREADS)]
        all_cards = universe(sorted({*pool, p.turnup}))
        self.payoffs = [payoffs(book, p.trump, all_cards, each, THREADS) for each in self.tree.answering]
        self.turns = 0
        for seat, side in enumerate(self.sides):
            side.root = weights[seat]
            self.down(seat, side.chances, side.sums, 0.0)
        self.mass = float(self.together(self.root, 0) @ self.sides[0].root)
        """How much of the ranges can be together, in every order that the hidden cards may lie in."""

    def together(self, at: Public, seat: int) -> Any:
        """By hand of a seat at a position, how much of the other's range can be beside it, in every order."""
        own, other = (subsets(at.pool, at.held[each]) for each in (seat, 1 - seat))
        base = at.base[1 - seat]
        reach = self.sides[1 - seat].reach[base : base + len(other)].astype(np.float64)
        live = np.flatnonzero(reach)
        beside = np.zeros(len(own))
        add_apart(own, other[live], reach[live], beside)
        return beside * factorial(len(at.pool) - sum(at.held))

    def learn(self) -> None:
        """One turn of each seat."""
        self.turns += 1
        weight = float(self.turns**POWER)
        for seat, side in enumerate(self.sides):
            self.judge(seat, LEARN, self.sides[1 - seat].replies, weight)
            self.down(seat, side.chances, side.sums, weight)

    def down(self, seat: int, chances: Any, sums: Any, weight: float) -> None:
        side = self.sides[seat]
        side.reach[:] = 0
        side.reach[: len(side.root)] = side.root
        run_down(*side.laid, chances, side.reach, sums, weight)

    def judge(self, seat: int, mode: int, against: Any, weight: float = 0.0) -> None:
        """What each of a seat's entries is worth against the other's range and these replies of it."""
        side, other = self.sides[seat], self.sides[1 - seat]
        side.values[:] = 0
        answers, leads = side.values[side.answers], side.values[side.leads]
        met, given = other.reach[other.leads], other.reach[other.answers]

        def answer(row: int, thread: int) -> None:
            a, b = row * HANDS * WIDE, row * LEADS * WIDE
            judge_answers(
                self.payoffs[seat][row], met[b : b + LEADS * WIDE].reshape(LEADS, WIDE),
                answers[a : a + HANDS * WIDE].reshape(HANDS, WIDE), side.replies[row], side.reply_regrets[row],
                self.numbers[:4], self.scratch[thread], mode,
            )  # fmt: skip

        def lead(row: int, thread: int) -> None:
            a, b = row * HANDS * WIDE, row * LEADS * WIDE
            judge_leads(
                self.payoffs[1 - seat][row], given[a : a + HANDS * WIDE].reshape(HANDS, WIDE),
                leads[b : b + LEADS * WIDE].reshape(LEADS, WIDE), against[row], other.reply_sums[row],
                self.numbers[:4], self.scratch[thread], weight,
            )  # fmt: skip

        self.each_row(answer, len(self.payoffs[seat]))
        self.each_row(lead, len(self.payoffs[1 - seat]))
        self.judge_chouines(seat)
        come_up(*side.laid, side.chances if mode == LEARN else side.played, side.values, side.regrets, mode)

    def each_row(self, work: Callable[[int, int], None], rows: int) -> None:
        def share(thread: int) -> None:
            for row in range(thread, rows, THREADS):
                work(row, thread)

        if rows < MANY_ROWS:
            for row in range(rows):
                work(row, 0)
        else:
            list(crew().map(share, range(THREADS)))

    def worth_of_answers(self, seat: int) -> Any:
        """By hand and card, what an answer at once is worth, where the root is the last hidden answer."""
        self.judge(seat, BEST, self.sides[1 - seat].answered)
        return self.scratch[0][:, 0]

    def judge_chouines(self, seat: int) -> None:
        """§10: who says one wins, but against a better."""
        side, other = self.sides[seat], self.sides[1 - seat]
        for each in self.tree.chouines:
            if each.seat == seat:
                met = other.reach[each.others : each.others + each.many]
                side.values[each.entry] = met.sum() - (2 * met[each.better] if each.better >= 0 else 0)
            else:
                side.values[each.others : each.others + each.many] = -other.reach[each.entry]
                if each.better >= 0:
                    side.values[each.others + each.better] = other.reach[each.entry]

    def settle(self) -> None:
        """Let both play what they have learnt, on average."""
        for seat, side in enumerate(self.sides):
            side.played, side.answered = side.averages()
            self.down(seat, side.played, side.sums, 0.0)

    def best(self, seat: int) -> float:
        """What a seat gains by its best play against what the other has learnt, from -1 to 1; after `settle`."""
        self.judge(seat, BEST, self.sides[1 - seat].answered)
        side = self.sides[seat]
        return float(side.values[: len(side.root)].astype(np.float64) @ side.root) / self.mass

    def exploitable(self) -> float:
        """How much likelier a seat that knew what the other has learnt would win, on average of both seats."""
        self.settle()
        return (self.best(0) + self.best(1)) / 4


def weighed(told: Range, hands: Ints) -> Any:
    """By hand, how likely a range holds it."""
    weights = np.zeros(len(hands), f32)
    weights[np.searchsorted(hands, told.hands)] = told.weights
    return weights
