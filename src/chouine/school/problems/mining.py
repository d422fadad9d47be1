"""Find problems: play parties, examine their decisions, keep at most one sound problem of each.

In a partie levels play one another; its number and a seed determine it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from chouine.ai.levels import LEVELS, level
from chouine.notation.lines import partie_line
from chouine.notation.setup import Setup
from chouine.partie.actions import Action
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players.base import Player
from chouine.rules.options import Rules
from chouine.school.problems.fixed_budget import FixedBudgetPlayer
from chouine.school.problems.level_rates import HANDICAPPED_LEVELS, success_rate, success_rates
from chouine.school.problems.problem import Kind, Problem
from chouine.school.problems.replies import next_act
from chouine.school.problems.search import likely_best
from chouine.school.problems.solving import asks, continued, kind_of, sound
from chouine.school.problems.soundness import Sound
from chouine.school.problems.symmetry import named
from chouine.school.problems.themes import themes_of

OFTEN = (20, 20, 20, 20, 20, 20, 2, 1)
"""Weights of levels 1 to 8 when players are drawn for classic parties of two: levels 7 and 8 are slow."""
SELDOM = (200, 200, 200, 200, 200, 200, 20, 1)
"""Weights of the levels under all other rules, where level 8, which weighs all hands of its opponents, is slower
still."""
WORLDS = 128
"""Sampled worlds per decision of level 8 here; the equilibrium solver is off."""
MISSED = 0.5
"""At least one handicapped level must find the right act at most this often; otherwise it is too easy."""


def mined(rules: Rules, kind: Kind, seed: str, first: int = 0) -> Iterator[tuple[int, Problem | None]]:
    """Yield (number, problem or None) for each partie from a number on, without end."""
    number = first
    while True:
        yield number, one_of(rules, kind, f"{seed} {kind}", number)
        number += 1


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
    found = endings(states) if kind == "ending" else hidden(states, Random(f"{seed} {number}"))
    return next(
        (problem_of(each, kind) for each in found if missed(view_of(each.state), each.sound.best)), None
    )


def endings(states: list[State]) -> list[Candidate]:
    """Sound endings of a partie, those with the longest solution and the most legal acts first."""
    found = [candidate(state, verdict) for state in states if (verdict := sound(state))]
    return sorted(found, key=lambda each: (-len(each.solution), -len(each.state.legal())))


def hidden(states: list[State], rng: Random) -> Iterator[Candidate]:
    """Sound positions with hidden cards; positions that fail a quick first test are skipped."""
    for state in rng.sample(states, len(states)):
        best = likely_best(view_of(state))
        if best is not None and missed(view_of(state), best) and (verdict := sound(state)):
            yield candidate(state, verdict)


def candidate(state: State, verdict: Sound) -> Candidate:
    return Candidate(state, verdict, continued(state, verdict.best))


def view_of(state: State) -> View:
    """The view of the seat on turn."""
    return state.view(state.position.turn)


def missed(view: View, best: Action) -> bool:
    """Whether at least one handicapped level mostly misses an act."""
    return any(success_rate(number, view, best) <= MISSED for number in HANDICAPPED_LEVELS)


def problem_of(found: Candidate, kind: Kind) -> Problem:
    """The problem to store; its difficulty is fitted later, over all problems."""
    state, view = found.state, view_of(found.state)
    return Problem(
        id=named(Setup.of(state if kind == "ending" else view)),
        kind=kind,
        partie=partie_line(state),
        solution=tuple(map(str, found.solution)),
        gap=round(found.sound.gap, 4),
        themes=themes_of(state, found.solution),
        solved=success_rates(view, found.sound.best),
    )


def decisions(rules: Rules, seed: str, partie: int) -> Iterator[State]:
    """Yield the state of a partie whenever a seat is to lay a card, and at its end."""
    rng = Random(f"{seed} {rules} {partie}")
    state = State.new(rules, Deal.random(rules, rng.randrange(rules.seats), rng))
    numbers = rng.choices(LEVELS, OFTEN if rules.preset == "classic" else SELDOM, k=rules.seats)
    players = [seated(number, rules, rng.randrange(1 << 30)) for number in numbers]
    while state.result is None:
        seat, action = next_act(state, players)
        if seat == state.position.turn:
            yield state
        state = state.play(action, seat)


def seated(number: int, rules: Rules, seed: int) -> Player:
    """A player of a level that is quick and uses no clock."""
    return (
        FixedBudgetPlayer(rules, seed, WORLDS, iterations=0)
        if number == LEVELS[-1]
        else level(number, rules, seed)
    )
