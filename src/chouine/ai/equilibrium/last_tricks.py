"""What a seat does in the last tricks with hidden cards, and how near that is to an equilibrium.

    told = solve_last(view, range_mine, range_other, seconds=1.0)
    told.acts          # what this seat may do: how often, and how likely it wins then
    told.exploitable   # by how much of a partie one who knew both strategies could do better

Two seats with a turnup, two or four cards left in the talon; the ranges are an onlooker's (`beliefs.onlooker`).
Everything is a choice: the card, declaring or keeping a declaration back, exchanging the seven or not; except that who
answers the last hidden trick declares what can be declared, which costs nothing, as nothing is hidden afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.beliefs import Range, onlooker
from chouine.ai.equilibrium.answers import BEST, SLOTS
from chouine.ai.equilibrium.positions import WHOLE, Choice, Scope, TooMany
from chouine.ai.equilibrium.subgame import Subgame
from chouine.ai.subsets import subsets
from chouine.cards import PACK
from chouine.partie.actions import Action, Declaration, Play
from chouine.partie.view import View
from chouine.rules.combinations import ACTIONS, CHOUINE, FIGURE_VALUES, MARIAGE, QUINTE
from chouine.rules.play import companions, declarable
from chouine.rules.position import Position, put

ENOUGH = 1e-5
"""Nobody need come nearer to an equilibrium than this much of a partie."""
LEAST = 1e-4
"""How likely one's own hand is taken to be, whatever a model says."""
AT_FIRST = 8
"""Turns before it is looked at how near it is."""
PER_POSITION = 1e-4
"""Seconds that a position with a last hidden answer takes to be laid out."""
LAYING_OUT = 0.75
"""The part of the time that laying out may take."""


class ActShare(NamedTuple):
    """An act at equilibrium."""

    chance: float
    """How often to choose it."""
    win: float
    """How likely it wins, a nulle counting half, if played on as well as can be."""


@dataclass(frozen=True, slots=True)
class LastTricks:
    """What a seat does in the last tricks with hidden cards."""

    acts: dict[Action | None, ActShare]
    """None: letting an exchange pass when another is on turn (§11)."""
    exploitable: float
    """How much likelier one who knew the other's strategy would win, on average of both seats."""
    turns: int
    """Turns of learning."""
    whole: bool
    """Whether every exchange and declaration that may come later was reckoned with."""


def solvable(view: View) -> bool:
    """Whether these are last tricks that can be solved: this seat to act, two or four cards left in the talon."""
    book, p = view.book, view.position
    plain = view.rules.again == "never" and view.rules.figure == "played"
    in_answer = book.seven_last and not book.au_sept and not book.seven_lead
    two_seats = book.seats == 2 and book.turned and plain and not in_answer
    return bool(two_seats and view.legal and 1 <= book.drawing - p.tricks <= 2 and p.chouine < 0)


def solve_last(
    view: View, mine: Range, other: Range, seconds: float = 1.0, enough: float = ENOUGH
) -> LastTricks | None:
    """What the view's seat does, from what everyone knows of both hands; None where this cannot be solved in time."""
    if not solvable(view) or view.observer is None:
        return None
    until = perf_counter() + seconds
    mine = with_hand(mine, view.hand.mask)
    ranges = (mine, other) if view.observer == 0 else (other, mine)
    game = subgame(view, ranges, int(LAYING_OUT * seconds / PER_POSITION))
    if game is None:
        return None
    exploitable = learn_until(game, until, enough)
    acts = choices_of(game, view.observer, view.hand.mask)
    return LastTricks(acts, exploitable, game.turns, game.tree.scope[:3] == WHOLE[:3])


def with_hand(told: Range, hand: int) -> Range:
    """A range that reckons with this hand at least a little: what it does is learnt only if it may be there."""
    here = told.hands == hand
    if told.weights[here].sum() >= LEAST:
        return told
    return Range(np.append(told.hands[~here], hand), np.append(told.weights[~here], LEAST))


def subgame(view: View, ranges: tuple[Range, Range], most: int) -> Subgame | None:
    """The subgame from here, of so many positions at most; what may come later is left out if it must be smaller."""
    known = onlooker(view)
    p = known.position
    cards = known.unseen.mask | p.hands[0] | p.hands[1]
    pool = tuple(card for card in range(32) if cards >> card & 1)
    p = p._replace(hands=(0, 0, 0, 0))
    seat = view.observer or 0
    own = (view.hand.mask >> 8 * p.trump & 1) << seat
    smaller = [WHOLE._replace(later=0), Scope(own, 0, declaring=True, most=0)]
    if p.turnup & 7 == 0 or 8 * p.trump not in pool:  # nobody will exchange: they would leave out nothing
        smaller = []
    for scope in (WHOLE, *smaller, Scope(own, 0, declaring=False, most=0)):
        try:
            return Subgame(view.book, p, pool, ranges, scope._replace(most=most))
        except TooMany:
            continue
    return None


def learn_until(game: Subgame, until: float, enough: float) -> float:
    """Learn until this is near enough or the time is over; how near it is."""
    many = AT_FIRST
    while True:
        began = perf_counter()
        for _ in range(many):
            game.learn()
        a_turn = (perf_counter() - began) / many
        exploitable = game.exploitable()
        left = until - perf_counter()
        many = min(2 * many, int(left / a_turn) - 3)
        if exploitable <= enough or many < 1:
            return exploitable


def choices_of(game: Subgame, seat: int, hand: int) -> dict[Action | None, ActShare]:
    """What a seat with this hand may do; `game` settled."""
    game.judge(seat, BEST, game.sides[1 - seat].answered)
    acts: dict[Action | None, ActShare] = {}
    left, on_turn = 1.0, game.root.p.turn == seat
    for choice in game.tree.choices:
        if choice.seat != seat:
            continue
        found = act_shares(game, choice, hand)
        if (
            choice.acts[-1] is None and on_turn and found
        ):  # what keeping the seven comes to is told by what follows
            kept = found.pop(None)
            acts |= found
            left = kept.chance
        else:
            acts |= {act: ActShare(left * told.chance, told.win) for act, told in found.items()}
    if on_turn and not any(isinstance(act, Play) for act in acts):
        acts |= {
            act: ActShare(left * told.chance, told.win) for act, told in replies(game, seat, hand).items()
        }
    return acts


def act_shares(game: Subgame, choice: Choice, hand: int) -> dict[Action | None, ActShare]:
    """One choice as a hand has it; nothing if it has none there."""
    side, at = game.sides[choice.seat], choice.at
    number = number_of(at.pool, at.held[choice.seat], hand)
    rows = np.flatnonzero(choice.links.source == number)
    beside = game.together(at, choice.seat)[number]
    links = choice.first + rows
    values, chances = side.values[side.laid.target[links]], side.played[links]
    return {
        choice.acts[edge]: ActShare(float(chance), winning(value, beside))
        for edge, chance, value in zip(choice.links.edge[rows].tolist(), chances, values, strict=True)
    }


def replies(game: Subgame, seat: int, hand: int) -> dict[Action | None, ActShare]:
    """What a hand may answer in the last hidden trick, which is the root."""
    side, (pool, held, p) = game.sides[seat], (game.root.pool, game.root.held[seat], game.root.p)
    first = number_of(pool, held, hand) * SLOTS
    beside = game.together(game.root, seat)[first // SLOTS]
    worth = game.worth_of_answers(seat)
    cards = [card for card in range(32) if hand >> card & 1]
    return {
        best_with(game, p, seat, hand, card): ActShare(
            float(side.answered[0, first + slot, 0]), winning(worth[first + slot], beside)
        )
        for slot, card in enumerate(cards)
    }


def best_with(game: Subgame, p: Position, seat: int, hand: int, card: int) -> Play:
    """A card with the best declaration that can go with it."""
    book = game.tree.book
    may = declarable(book, p._replace(hands=put(p.hands, seat, hand)), hand)
    numbers = [nth for nth in range(MARIAGE, ACTIONS) if may >> nth & 1 and companions(book, nth) >> card & 1]
    return Play(
        PACK[card], Declaration(max(numbers, key=lambda nth: counts(nth, p.trump))) if numbers else None
    )


def counts(number: int, trump: int) -> int:
    """What a declaration is worth, a chouine most."""
    if number >= CHOUINE:
        return 1000
    doubled = number < QUINTE and (number - MARIAGE) % 4 == trump
    return FIGURE_VALUES[number - MARIAGE] * (1 + doubled)


def number_of(pool: tuple[int, ...], held: int, hand: int) -> int:
    return int(np.searchsorted(subsets(pool, held), hand))


def winning(value: Any, beside: float) -> float:
    """From what an act is worth against all that may be beside it, how likely it wins."""
    return float(min(1.0, max(0.0, (1 + float(value) / beside) / 2))) if beside > 0 else 0.5
