"""Find problems: play parties, examine their decisions, keep at most one sound problem of each.

In a partie levels play one another; its number and a seed determine it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import count, permutations, tee
from random import Random
from typing import NamedTuple

from chouine.ai.levels import LEVELS, level
from chouine.arena.partie import asking, play_on
from chouine.cards import PACK, Card, CardSet
from chouine.jobs import Crew, in_this_process
from chouine.notation.lines import partie_line
from chouine.notation.setup import Setup
from chouine.partie.actions import Action
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.rules.options import Rules
from chouine.school.problems.problem import Kind, Problem, Sound
from chouine.school.problems.solving import asks, continue_solution, kind_of, likely_best, sound
from chouine.school.problems.themes import themes_of

ATTEMPTS = dict(zip(LEVELS, (12, 12, 12, 12, 12, 1, 4, 1), strict=True))
"""Attempts per level. Levels without a handicap nearly always repeat their choice."""
HANDICAPPED_LEVELS = range(1, 6)
"""The levels that play with a handicap (`ai/levels.py`)."""


def success_rates(view: View, best: Action) -> tuple[float, ...]:
    """For each level, the share of its attempts that find the act."""
    return tuple(success_rate(number, view, best) for number in LEVELS)


def success_rate(number: int, view: View, best: Action) -> float:
    """The share of a level's attempts that find an act, each attempt by a new player."""
    times = ATTEMPTS[number]
    return round(sum(level(number, view.rules, seed).act(view) == best for seed in range(times)) / times, 4)


ORDERS = tuple(permutations(range(4)))


def shape(setup: Setup) -> str:
    """A canonical text of what a problem shows, seats counted from the one on turn: equal up to renaming of suits.

    Tricks taken and declarations are left out, so that problems that differ only in those count as equal.
    """
    return min(rename_suits(setup, order) for order in ORDERS)


def canonical_name(setup: Setup) -> str:
    """The id of a problem: ten hexadecimal digits of its shape's digest."""
    return sha256(shape(setup).encode()).hexdigest()[:10]


def rename_suits(setup: Setup, order: tuple[int, ...]) -> str:
    """The rules, hands, table, and turnup or trump as text, with suits renamed by `order`."""
    seats = setup.rules.seats
    hands = (setup.hands[(setup.to_act + nth) % seats] for nth in range(seats))
    fields = [
        str(setup.rules),
        "|".join(
            f"{CardSet([with_suit_renamed(card, order) for card in hand.known])}+{hand.unknown}"
            for hand in hands
        ),
        "".join(str(with_suit_renamed(card, order)) for card in setup.table),
        "-" if setup.turnup is None else str(with_suit_renamed(setup.turnup, order)),
        "-" if setup.trump is None else str(order[setup.trump]),
    ]
    return " ".join(fields)


def with_suit_renamed(card: Card, order: tuple[int, ...]) -> Card:
    """The card with its suit renamed."""
    return PACK[8 * order[card.suit] + card.rank]


OFTEN = (20, 20, 20, 20, 20, 20, 2, 1)
"""Weights of levels 1 to 8 when players are drawn for classic parties of two: levels 7 and 8 are slow."""
SELDOM = (200, 200, 200, 200, 200, 200, 20, 1)
"""Weights of the levels under all other rules, where level 8, which weighs all hands of its opponents, is slower
still."""
MISSED = 0.5
"""At least one handicapped level must find the right act at most this often; otherwise it is too easy."""


def mine(
    rules: Rules, kind: Kind, seed: str, first: int = 0, crew: Crew = in_this_process
) -> Iterator[tuple[int, Problem | None]]:
    """Yield (number, problem or None) for each partie from a number on, without end."""
    seen, numbers = tee(count(first))
    yield from zip(seen, crew(partial(one_of, rules, kind, f"{seed} {kind}"), numbers), strict=False)


class Candidate(NamedTuple):
    """A sound position, and the acts that solve it."""

    state: State
    sound: Sound
    solution: tuple[Action, ...]


def one_of(rules: Rules, kind: Kind, seed: str, number: int) -> Problem | None:
    """The problem of a partie, or None."""
    states = [
        state
        for state in decisions(rules, seed, number)
        if asks(view := state.view(state.position.turn)) and kind_of(view) == kind
    ]
    found = endings(states) if kind == "ending" else sound_hidden(states, Random(f"{seed} {number}"))
    return next(
        (problem_of(each, kind) for each in found if is_missed(view_of(each.state), each.sound.best)), None
    )


def endings(states: list[State]) -> list[Candidate]:
    """Sound endings of a partie, those with the longest solution and the most legal acts first."""
    found = [candidate(state, verdict) for state in states if (verdict := sound(state))]
    return sorted(found, key=lambda each: (-len(each.solution), -len(each.state.legal())))


def sound_hidden(states: list[State], rng: Random) -> Iterator[Candidate]:
    """Sound positions with hidden cards; positions that fail a quick first test are skipped."""
    for state in rng.sample(states, len(states)):
        best = likely_best(view_of(state))
        if best is not None and is_missed(view_of(state), best) and (verdict := sound(state)):
            yield candidate(state, verdict)


def candidate(state: State, verdict: Sound) -> Candidate:
    return Candidate(state, verdict, continue_solution(state, verdict.best))


def view_of(state: State) -> View:
    """The view of the seat on turn."""
    return state.view(state.position.turn)


def is_missed(view: View, best: Action) -> bool:
    """Whether at least one handicapped level mostly misses an act."""
    return any(success_rate(number, view, best) <= MISSED for number in HANDICAPPED_LEVELS)


def problem_of(found: Candidate, kind: Kind) -> Problem:
    """The problem to store; its difficulty is fitted later, over all problems."""
    state, view = found.state, view_of(found.state)
    return Problem(
        id=canonical_name(Setup.of(state if kind == "ending" else view)),
        kind=kind,
        partie=partie_line(state),
        solution=tuple(map(str, found.solution)),
        gap=round(found.sound.gap, 4),
        themes=themes_of(state, found.solution),
        solved=success_rates(view, found.sound.best),
        acts=len(view.legal),
    )


def decisions(rules: Rules, seed: str, partie: int) -> list[State]:
    """The states of a partie in which a seat is to lay a card."""
    rng = Random(f"{seed} {rules} {partie}")
    state = State.new(rules, Deal.random(rules, rng.randrange(rules.seats), rng))
    numbers = rng.choices(LEVELS, OFTEN if rules.preset == "classic" else SELDOM, k=rules.seats)
    ask = asking([level(number, rules, rng.randrange(1 << 30)) for number in numbers])
    states = list[State]()

    def decide(state: State, seat: int) -> Action | None:
        action = ask(state, seat)
        if seat == state.position.turn:
            states.append(state)
        return action

    play_on(state, decide)
    return states
