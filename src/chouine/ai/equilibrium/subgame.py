"""Counterfactual regret minimisation with predictions (PCFR+: Farina, Kroer and Sandholm 2021), seats updated in turn.

The average strategy weights iteration t by t^`AVERAGING_POWER`.
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
    BEST_RESPONSE,
    HANDS,
    LANES,
    LEADS,
    SLOTS,
    UPDATE,
    PayoffRow,
    evaluate_answers,
    evaluate_leads,
    hand_index,
)
from chouine.ai.equilibrium.payoffs import fill_payoffs, hand_tables
from chouine.ai.equilibrium.transitions import (
    backup_values,
    disjoint_weights,
    f32,
    normalise,
    propagate_reach,
    uniform_strategy,
)
from chouine.ai.equilibrium.tree import ANSWER_BASE, LEAD_BASE, WHOLE, PublicState, Scope, SubgameTree
from chouine.ai.subsets import subsets
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable

THREADS = 2
AVERAGING_POWER = 8
"""Exponent of the averaging weights."""
PARALLEL_ROWS = 4
"""Rows of positions from which threads share the work."""


@cache
def thread_pool() -> ThreadPoolExecutor:
    """The threads shared by all subgames."""
    return ThreadPoolExecutor(THREADS)


class Side:
    """One seat's entries, links, regrets and strategies."""

    def __init__(self, tree: SubgameTree, seat: int) -> None:
        self.links = tree.sides[seat].arrays()
        own, other = (-(-len(tree.answering[each]) // LANES) for each in (seat, 1 - seat))
        self.count = tree.sides[seat].entries
        self.answers = slice(self.count, self.count + own * HANDS * LANES)
        self.leads = slice(self.answers.stop, self.answers.stop + other * LEADS * LANES)
        target = self.links.target
        target[target >= LEAD_BASE] += self.leads.start - LEAD_BASE
        target[target >= ANSWER_BASE] += self.answers.start - ANSWER_BASE
        self.reach = np.zeros(self.leads.stop, f32)
        self.values = np.zeros(self.leads.stop, f32)
        self.strategy = uniform_strategy(self.links)
        self.regrets, self.strategy_sums = np.zeros_like(self.strategy), np.zeros_like(self.strategy)
        self.root = self.reach[:0]
        shape = own, HANDS * SLOTS, LANES
        self.answer_strategy = np.full(shape, 1 / SLOTS, f32)
        self.answer_regrets, self.answer_sums = np.zeros(shape, f32), np.zeros(shape, f32)

        self.profile, self.answer_profile = self.strategy, self.answer_strategy

    def average_strategy(self) -> tuple[Any, Any]:
        """Average strategy by link, and by answer."""
        by_hand = self.answer_sums.reshape(-1, HANDS, SLOTS, LANES)
        totals = by_hand.sum(2, keepdims=True)
        parts = np.divide(by_hand, totals, out=np.full_like(by_hand, 1 / SLOTS), where=totals > 0)
        return normalise(self.links, self.strategy_sums), parts.reshape(self.answer_sums.shape)


class Subgame:
    """Two public ranges at a state with few hidden cards, and the strategies from there."""

    def __init__(
        self,
        rule_table: RuleTable,
        p: Position,
        pool: tuple[int, ...],
        ranges: tuple[Range, Range],
        scope: Scope = WHOLE,
    ) -> None:
        laid = p.table != 0
        held = (rule_table.hand - (laid and p.leader == 0), rule_table.hand - (laid and p.leader == 1))
        weights = [
            range_weights(hand_range, subsets(pool, many))
            for hand_range, many in zip(ranges, held, strict=True)
        ]
        self.tree = SubgameTree(rule_table, p.tricks, scope)
        self.root = self.tree.root(p, pool, held, (weights[0] > 0, weights[1] > 0))
        self.sides = (Side(self.tree, 0), Side(self.tree, 1))
        self.scratch = [np.zeros((HANDS * SLOTS, LANES), f32) for _ in range(THREADS)]
        all_cards = hand_tables(sorted({*pool, p.turnup}))
        self.payoffs = [
            fill_payoffs(rule_table, p.trump, all_cards, each, THREADS) for each in self.tree.answering
        ]
        self.iterations = 0
        for seat, side in enumerate(self.sides):
            side.root = weights[seat]
            self.update_reach(seat, side.strategy, side.strategy_sums, 0.0)
        self.mass = float(self.opposing_weight(self.root, 0) @ self.sides[0].root)
        """How much of the ranges can be together, in every order that the hidden cards may lie in."""

    def opposing_weight(self, at: PublicState, seat: int) -> Any:
        """By hand of a seat, the weight of opposing hands disjoint from it, over all orders of the hidden cards."""
        own, other = (subsets(at.pool, at.hand_sizes[each]) for each in (seat, 1 - seat))
        base = at.first_entry[1 - seat]
        reach = self.sides[1 - seat].reach[base : base + len(other)].astype(np.float64)
        live = np.flatnonzero(reach)
        opposing = np.zeros(len(own))
        disjoint_weights(own, other[live], reach[live], opposing)
        return opposing * factorial(len(at.pool) - sum(at.hand_sizes))

    def iterate(self) -> None:
        """One iteration: update each seat in turn."""
        self.iterations += 1
        weight = float(self.iterations**AVERAGING_POWER)
        for seat, side in enumerate(self.sides):
            self.evaluate(seat, UPDATE, self.sides[1 - seat].answer_strategy, weight)
            self.update_reach(seat, side.strategy, side.strategy_sums, weight)

    def update_reach(self, seat: int, strategy: Any, strategy_sums: Any, weight: float) -> None:
        side = self.sides[seat]
        side.reach[:] = 0
        side.reach[: len(side.root)] = side.root
        propagate_reach(side.links, strategy, side.reach, strategy_sums, weight)

    def evaluate(self, seat: int, mode: int, answer_strategy: Any, weight: float = 0.0) -> None:
        """Counterfactual value of each entry of a seat against the other's reach and answers."""
        side, other = self.sides[seat], self.sides[1 - seat]
        side.values[:] = 0
        answers, leads = side.values[side.answers], side.values[side.leads]
        met, given = other.reach[other.leads], other.reach[other.answers]

        def answer(row: int, thread: int) -> None:
            a, b = row * HANDS * LANES, row * LEADS * LANES
            evaluate_answers(
                PayoffRow(self.payoffs[seat][row], hand_index(), self.scratch[thread]),
                met[b : b + LEADS * LANES].reshape(LEADS, LANES),
                answers[a : a + HANDS * LANES].reshape(HANDS, LANES),
                side.answer_strategy[row], side.answer_regrets[row], mode,
            )  # fmt: skip

        def lead(row: int, thread: int) -> None:
            a, b = row * HANDS * LANES, row * LEADS * LANES
            evaluate_leads(
                PayoffRow(self.payoffs[1 - seat][row], hand_index(), self.scratch[thread]),
                given[a : a + HANDS * LANES].reshape(HANDS, LANES),
                leads[b : b + LEADS * LANES].reshape(LEADS, LANES),
                answer_strategy[row], other.answer_sums[row], weight,
            )  # fmt: skip

        self.each_row(answer, len(self.payoffs[seat]))
        self.each_row(lead, len(self.payoffs[1 - seat]))
        self.evaluate_chouines(seat)
        backup_values(
            side.links, side.strategy if mode == UPDATE else side.profile, side.values, side.regrets, mode
        )

    def each_row(self, work: Callable[[int, int], None], rows: int) -> None:
        def share(thread: int) -> None:
            for row in range(thread, rows, THREADS):
                work(row, thread)

        if rows < PARALLEL_ROWS:
            for row in range(rows):
                work(row, 0)
        else:
            list(thread_pool().map(share, range(THREADS)))

    def answer_values(self, seat: int) -> Any:
        """By hand and card, the value of an immediate answer, where the root is the last hidden answer."""
        self.evaluate(seat, BEST_RESPONSE, self.sides[1 - seat].answer_profile)
        return self.scratch[0][:, 0]

    def evaluate_chouines(self, seat: int) -> None:
        """§10: the declaring seat wins unless a better chouine answers."""
        side, other = self.sides[seat], self.sides[1 - seat]
        for each in self.tree.chouines:
            if each.seat == seat:
                met = other.reach[each.others : each.others + each.many]
                side.values[each.entry] = met.sum() - (2 * met[each.better] if each.better >= 0 else 0)
            else:
                side.values[each.others : each.others + each.many] = -other.reach[each.entry]
                if each.better >= 0:
                    side.values[each.others + each.better] = other.reach[each.entry]

    def use_averages(self) -> None:
        """Switch both seats to their average strategies."""
        for seat, side in enumerate(self.sides):
            side.profile, side.answer_profile = side.average_strategy()
            self.update_reach(seat, side.profile, side.strategy_sums, 0.0)

    def best_response(self, seat: int) -> float:
        """Value of a seat's best response to the other's average, from -1 to 1; call after `use_averages`."""
        self.evaluate(seat, BEST_RESPONSE, self.sides[1 - seat].answer_profile)
        side = self.sides[seat]
        return float(side.values[: len(side.root)].astype(np.float64) @ side.root) / self.mass

    def exploitability(self) -> float:
        """Win probability that best responses gain, on average of both seats."""
        self.use_averages()
        return (self.best_response(0) + self.best_response(1)) / 4


def range_weights(hand_range: Range, hands: Ints) -> Any:
    """`float32[hands]`: the range's weight of each hand."""
    weights = np.zeros(len(hands), f32)
    weights[np.searchsorted(hands, hand_range.hands)] = hand_range.weights
    return weights
