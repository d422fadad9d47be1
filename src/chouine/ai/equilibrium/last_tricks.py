"""A seat's equilibrium strategy in the last tricks with hidden cards, and its exploitability.

    solution = solve_last(view, range_mine, range_other, seconds=1.0)
    solution.acts             # probability and win probability of each act
    solution.exploitability   # win probability a best response could gain, on average of both seats

Two seats with a turnup, two or four cards left in the talon; ranges are public (`beliefs.public_view`). Cards,
declarations and exchanges are all choices, except that the last hidden answer declares what it can: nothing is hidden
afterwards, so that costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.beliefs import Range
from chouine.ai.deduced import public_view
from chouine.ai.equilibrium.answers import BEST_RESPONSE, SLOTS
from chouine.ai.equilibrium.subgame import Subgame
from chouine.ai.equilibrium.tree import WHOLE, DecisionNode, Scope, TooManyPositions
from chouine.ai.macro_actions import own_seat
from chouine.ai.subsets import subsets
from chouine.fast.driver import best_with
from chouine.partie.actions import Action, Play
from chouine.partie.view import View
from chouine.players.base import as_play
from chouine.rules.play import declarable
from chouine.rules.position import Position, put

TARGET = 1e-5
"""Exploitability at which iterations stop."""
MIN_WEIGHT = 1e-4
"""Minimum probability of one's own hand in the range."""
FIRST_ITERATIONS = 8
"""Iterations before exploitability is first measured."""
SECONDS_PER_POSITION = 1e-4
"""Estimated time to build one position with a last hidden answer."""
BUILD_SHARE = 0.75
"""The share of the time limit that building may take."""
FIXED_POSITIONS = 1_000
"""Without a clock: positions with a last hidden answer, at most; what needs more is given up."""
FIXED_ROUND, FIXED_ITERATIONS = 16, 128
"""Without a clock: iterations between two looks at how near it is, and altogether."""
FIXED_TARGET = 1e-4
"""Without a clock: exploitability at which iterations stop."""


class ActStrategy(NamedTuple):
    """An act at equilibrium."""

    probability: float
    """How often to play it."""
    win: float
    """Win probability with optimal play afterwards; a nulle counts one half."""


Strategy = dict[Action | None, ActStrategy]
"""The acts of one hand; None: letting "au sept" pass (§11)."""


@dataclass(frozen=True, slots=True)
class LastTricks:
    """The equilibrium strategy of one hand."""

    acts: Strategy
    exploitability: float
    """Win probability that a best response gains, on average of both seats."""
    iterations: int
    """CFR iterations."""


def solvable(view: View) -> bool:
    """Whether the view's seat may act in last tricks that can be solved.

    Two or four talon cards left, standard options.
    """
    rule_table, p = view.rule_table, view.position
    plain = view.rules.again == "never" and view.rules.figure == "played"
    in_answer = rule_table.seven_last and not rule_table.au_sept and not rule_table.seven_lead
    two_seats = rule_table.seats == 2 and rule_table.turned and plain and not in_answer
    return bool(two_seats and view.legal and 1 <= rule_table.drawing - p.tricks <= 2 and p.chouine < 0)


def solve_last(
    view: View, mine: Range, other: Range, seconds: float = 1.0, target: float = TARGET
) -> LastTricks | None:
    """The seat's equilibrium strategy given public ranges of both hands; None if it cannot be solved in time."""
    until = perf_counter() + seconds
    game = subgame(view, (mine, other), int(BUILD_SHARE * seconds / SECONDS_PER_POSITION))
    if game is None:
        return None
    exploitability = iterate_until(game, until, target)
    return LastTricks(strategy_of(game, view), exploitability, game.iterations)


def solve_with_budget(view: View, ranges: tuple[Range, Range]) -> Strategy | None:
    """The acts of the view's seat at equilibrium, its own range given first; None if that takes too much.

    Nothing here looks at a clock: the answer is the same on any machine.
    """
    game = subgame(view, ranges, FIXED_POSITIONS)
    while game is not None and game.iterations < FIXED_ITERATIONS:
        for _ in range(FIXED_ROUND):
            game.iterate()
        if game.exploitability() <= FIXED_TARGET:
            return strategy_of(game, view)
    return None


def with_hand(hand_range: Range, hand: int) -> Range:
    """The range with at least `MIN_WEIGHT` on this hand, so that a strategy is learned for it."""
    here = hand_range.hands == hand
    if hand_range.weights[here].sum() >= MIN_WEIGHT:
        return hand_range
    return Range(np.append(hand_range.hands[~here], hand), np.append(hand_range.weights[~here], MIN_WEIGHT))


def subgame(view: View, ranges: tuple[Range, Range], max_positions: int) -> Subgame | None:
    """The subgame of a view, its seat's range given first; None if it cannot be solved within `max_positions`.

    Later exchanges and declarations are dropped if it would be larger.
    """
    if not solvable(view):
        return None
    mine, other = with_hand(ranges[0], view.hand.mask), ranges[1]
    ranges = (mine, other) if view.observer == 0 else (other, mine)
    known = public_view(view)
    p = known.position
    cards = known.unseen.mask | p.hands[0] | p.hands[1]
    pool = tuple(card for card in range(32) if cards >> card & 1)
    p = p._replace(hands=(0, 0, 0, 0))
    seat = view.observer or 0
    own = (view.hand.mask >> 8 * p.trump & 1) << seat
    smaller = [WHOLE._replace(exchange_later=0), Scope(own, 0, declaring=True, max_positions=0)]
    if p.turnup & 7 == 0 or 8 * p.trump not in pool:  # nobody can exchange, so these scopes save nothing
        smaller = []
    for scope in (WHOLE, *smaller, Scope(own, 0, declaring=False, max_positions=0)):
        try:
            return Subgame(view.rule_table, p, pool, ranges, scope._replace(max_positions=max_positions))
        except TooManyPositions:
            continue
    return None


def iterate_until(game: Subgame, until: float, target: float) -> float:
    """Iterate until exploitability reaches the target or time runs out; returns the exploitability."""
    count = FIRST_ITERATIONS
    while True:
        began = perf_counter()
        for _ in range(count):
            game.iterate()
        seconds_each = (perf_counter() - began) / count
        exploitability = game.exploitability()
        left = until - perf_counter()
        count = min(2 * count, int(left / seconds_each) - 3)
        if exploitability <= target or count < 1:
            return exploitability


def strategy_of(game: Subgame, view: View) -> Strategy:
    """The strategy of the view's seat; call after `Subgame.use_averages`."""
    seat, hand = own_seat(view), view.hand.mask
    game.evaluate(seat, BEST_RESPONSE, game.sides[1 - seat].answer_profile)
    acts: Strategy = {}
    left, on_turn = 1.0, game.root.p.turn == seat

    def add(found: Strategy) -> None:
        acts.update({act: ActStrategy(left * each.probability, each.win) for act, each in found.items()})

    for choice in game.tree.choices:
        if choice.seat == seat:
            found = node_strategy(game, choice, hand)
            if choice.acts[-1] is None and on_turn and found:
                kept = found.pop(None)  # the value of keeping the seven is that of the acts that follow
                add(found)
                left = kept.probability
            else:
                add(found)
    if on_turn and not any(isinstance(act, Play) for act in acts):
        add(answer_strategy(game, seat, hand))
    return acts


def node_strategy(game: Subgame, choice: DecisionNode, hand: int) -> Strategy:
    """The strategy of a hand at one decision; empty if it has none there."""
    side, at = game.sides[choice.seat], choice.at
    number = hand_number(at.pool, at.hand_sizes[choice.seat], hand)
    rows = np.flatnonzero(choice.links.source == number)
    opposing = game.opposing_weight(at, choice.seat)[number]
    links = choice.first + rows
    values, chances = side.values[side.links.target[links]], side.profile[links]
    return {
        choice.acts[edge]: ActStrategy(float(chance), win_probability(value, opposing))
        for edge, chance, value in zip(choice.links.edge[rows].tolist(), chances, values, strict=True)
    }


def answer_strategy(game: Subgame, seat: int, hand: int) -> Strategy:
    """The strategy of a hand answering the last hidden trick at the root."""
    side, (pool, held, p) = game.sides[seat], (game.root.pool, game.root.hand_sizes[seat], game.root.p)
    first = hand_number(pool, held, hand) * SLOTS
    opposing = game.opposing_weight(game.root, seat)[first // SLOTS]
    worth = game.answer_values(seat)
    cards = [card for card in range(32) if hand >> card & 1]
    return {
        best_play(game, p, seat, hand, card): ActStrategy(
            float(side.answer_profile[0, first + slot, 0]), win_probability(worth[first + slot], opposing)
        )
        for slot, card in enumerate(cards)
    }


def best_play(game: Subgame, p: Position, seat: int, hand: int, card: int) -> Play:
    """A card with the best declaration it can accompany."""
    rule_table = game.tree.rule_table
    may = declarable(rule_table, p._replace(hands=put(p.hands, seat, hand)), hand)
    return as_play(card, best_with(rule_table, may, card))


def hand_number(pool: tuple[int, ...], held: int, hand: int) -> int:
    return int(np.searchsorted(subsets(pool, held), hand))


def win_probability(value: Any, opposing: float) -> float:
    """Win probability from a counterfactual value and the opposing reach."""
    return float(min(1.0, max(0.0, (1 + float(value) / opposing) / 2))) if opposing > 0 else 0.5
