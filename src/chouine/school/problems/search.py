"""Problems with hidden cards: in sampled worlds one act must lead clearly, under two models of the hands."""

from __future__ import annotations

from typing import NamedTuple

from chouine.ai.macro_actions import action_of, legal_acts, own_seat
from chouine.ai.racing import Race
from chouine.ai.search import HEURISTIC, Search, compute, has_network, words_of
from chouine.fast.bits import as_int64, splitmix64
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.rules.position import NONE
from chouine.school.problems.problem import Sound

FIRST, BATCHES, MOST = 6, 16, 128
"""Number of batches of worlds at first, at each further step, and at most."""
UNIFORM, WEIGHED = 0, 256
"""The two models: worlds as the rules allow them; weighed by the others' acts, so many for each batch."""
AHEAD, SURE = 0.05, 5.0
"""Least lead of the right act, in shares of a partie and in standard errors."""
HOPELESS = 1.0
"""The search goes on while the lead is at most this many standard errors short of `AHEAD`."""
SEEDS = 1, 2
"""Random seeds, one for each model."""


class Lead(NamedTuple):
    """The lead of the best act over the second, with its standard error."""

    best: Action
    gap: float
    error: float


def search_best(view: View) -> Sound | None:
    """The act that is clearly best under both models and with both seeds; None if there is none."""
    first = find_lead(view, UNIFORM, SEEDS[0])
    second = find_lead(view, WEIGHED, SEEDS[1]) if first else None
    if first is None or second is None or first.best != second.best:
        return None
    return Sound(first.best, min(first.gap, second.gap))


def likely_best(view: View) -> Action | None:
    """The act that may lead by enough, from a first small sample."""
    leader = lead(try_acts(view, UNIFORM, SEEDS[0], FIRST))
    return leader.best if leader and leader.gap >= AHEAD - HOPELESS * leader.error else None


def find_lead(view: View, candidates: int, seed: int) -> Lead | None:
    """The lead once it is established, in as many worlds as that takes; None if it is not large enough."""
    race = try_acts(view, candidates, seed, FIRST)
    while race.done < MOST:
        leader = lead(race)
        if leader is None or leader.gap < AHEAD - HOPELESS * leader.error:
            return None
        if race.done > FIRST and leader.gap >= AHEAD and leader.gap >= SURE * leader.error:
            return leader
        try_acts(view, candidates, seed, BATCHES, race)
    return None


def try_acts(view: View, candidates: int, seed: int, batches: int, race: Race | None = None) -> Race:
    """A race in which every act was tried in so many further batches; without a network all play as level 6."""
    race = race or Race(legal_acts(view.rule_table, view.position, own_seat(view)))
    only = NONE if has_network(view.rules) else HEURISTIC
    for nth in range(race.done, race.done + batches):
        search = Search(as_int64(splitmix64(seed + (nth << 20))), candidates=candidates, only=only)
        race.add(compute("try", view.rules.preset, words_of(view, view.position, race.alive, search)))
    return race


def lead(race: Race) -> Lead | None:
    """The lead of the best act, with acts that share a first action merged; None if there is one act only."""
    best = race.best_of(race.alive)
    others = [act for act in race.alive if action_of(act) != action_of(best)]
    action = action_of(best)
    if not others or action is None:
        return None
    return Lead(action, *race.gap(best, race.best_of(others)))
