"""Judge acts with the light player's backend, where numba is missing.

All acts are tried in the same worlds, batch by batch, until no act can become a significant mistake. The amount
depends on the position alone, so results are the same on any machine.
"""

from __future__ import annotations

from math import sqrt
from random import Random
from typing import NamedTuple

from chouine.ai.forced_win import chouine_decides, winning_declarations
from chouine.ai.light import compute, words_of
from chouine.ai.macro_actions import action_of, legal_acts, own_seat
from chouine.ai.mistakes import LEAST, cost_of
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.players.endgame import known

BATCHES = 24
"""Most batches of 32 worlds (`ai.light_kernels`) in which an act is tried."""
FIRST = 4
"""Batches before the first act may be dropped."""
CANDIDATES = 160
"""Hands of the opponent that are weighed for each batch."""
BEHIND = 2.0
"""An act this many standard errors behind the best is dropped."""


class Tried(NamedTuple):
    """An act, its win probability, and its difference to the best with the standard error of that."""

    action: Action | None
    win: float
    behind: float = 0.0
    error: float = 0.0


class Chances(NamedTuple):
    """The values of a seat's acts at a decision."""

    options: tuple[Tried, ...]
    """Every act, the best first."""
    done: Tried
    exact: bool

    @property
    def best(self) -> Tried:
        return self.options[0]

    @property
    def cost(self) -> float:
        """Win probability lost by the act done; 0 if not significant."""
        return cost_of(self.done.behind, self.done.error)


def chances(view: View, done: Action | None, seed: int) -> Chances:
    """The win probability of each act of a view, and the loss by the act done."""
    worth = certain(view)
    exact = worth is not None
    options = ranked(worth) if worth is not None else estimated(view, done, seed)
    return Chances(options, next(one for one in options if one.action == done), exact)


def certain(view: View) -> dict[Action | None, float] | None:
    """Exact results of the acts if a chouine decides or all cards are known; else None."""
    acts = legal_acts(view.book, view.position, own_seat(view))
    if chouine_decides(view):
        won = set(winning_declarations(view))
        return {action_of(act): float(action_of(act) in won) for act in acts}
    whole = known(view)
    if whole is None or view.observer != view.turn:
        return None
    values = compute("end", view.rules.preset, words_of(view, whole, acts))
    worth = dict[Action | None, float]()
    for nth, act in enumerate(acts):
        win = 0.5 + 0.5 * ((values[nth] > 0) - (values[nth] < 0))
        worth[action_of(act)] = max(win, worth.get(action_of(act), 0.0))
    return worth


def ranked(worth: dict[Action | None, float]) -> tuple[Tried, ...]:
    best = max(worth.values())
    found = (Tried(action, win, best - win) for action, win in worth.items())
    return tuple(sorted(found, key=lambda each: -each.win))


def estimated(view: View, done: Action | None, seed: int) -> tuple[Tried, ...]:
    """Estimates from worlds weighted by the opponent's acts."""
    acts = legal_acts(view.book, view.position, own_seat(view))
    rng = Random(f"{seed} {len(view.events)} {own_seat(view)}")
    results: dict[int, list[float]] = {act: [] for act in acts}
    alive = acts
    for nth in range(BATCHES):
        chance = rng.getrandbits(63)
        for act in alive:
            words = words_of(view, view.position, [act], 1, chance, CANDIDATES)
            results[act].append(compute("try", view.rules.preset, words)[0])
        if nth + 1 >= FIRST:
            alive = contenders(results, alive, done)
            if not may_be_mistake(results, alive, done):
                break
    return of_actions(results)


def compared(one: list[float], other: list[float]) -> tuple[float, float]:
    """Mean difference of two acts over the worlds in which both were tried, and its standard error."""
    gaps = [a - b for a, b in zip(one, other, strict=False)]
    mean = sum(gaps) / len(gaps)
    spread = sum((gap - mean) ** 2 for gap in gaps) / max(1, len(gaps) - 1)
    return mean, sqrt(spread / len(gaps))


def average(results: list[float]) -> float:
    return sum(results) / len(results)


def contenders(results: dict[int, list[float]], alive: list[int], done: Action | None) -> list[int]:
    """Acts that may still be the best, and the best of those that begin with the act done."""
    best = max(alive, key=lambda act: average(results[act]))
    own = max((act for act in alive if action_of(act) == done), key=lambda act: average(results[act]))
    kept = []
    for act in alive:
        ahead, error = compared(results[best], results[act])
        if act in (best, own) or ahead <= BEHIND * error:
            kept.append(act)
    return kept


def may_be_mistake(results: dict[int, list[float]], alive: list[int], done: Action | None) -> bool:
    """Whether some other act may still become significantly better than the act done."""
    own = max((act for act in alive if action_of(act) == done), key=lambda act: average(results[act]))
    rivals = (compared(results[act], results[own]) for act in alive if action_of(act) != done)
    return any(ahead + BEHIND * error >= LEAST for ahead, error in rivals)


def of_actions(results: dict[int, list[float]]) -> tuple[Tried, ...]:
    """For each first action its best act; one tried in fewer worlds is placed by its gap to the best there."""
    most = max(map(len, results.values()))
    best = max((act for act in results if len(results[act]) == most), key=lambda act: average(results[act]))
    found = dict[Action | None, Tried]()
    for act, tried in results.items():
        behind, error = compared(results[best], tried)
        told = Tried(action_of(act), min(1.0, max(0.0, average(results[best]) - behind)), behind, error)
        if told.action not in found or told.behind < found[told.action].behind:
            found[told.action] = told
    return tuple(sorted(found.values(), key=lambda each: each.behind))
