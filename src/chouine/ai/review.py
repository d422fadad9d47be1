"""Post-game review: what each act cost, by what the seat could know then and not by how the cards fell.

Nothing here looks at a clock, and no verdict depends on another: they are the same on any machine, in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.determinization import Worlds, every
from chouine.ai.levels import strongest
from chouine.ai.macro_actions import action_of, legal_acts, own_seat
from chouine.ai.mistakes import LEAST, SIGNIFICANT, cost_of, label_of
from chouine.ai.racing import (
    ELIMINATION,
    Estimate,
    Evaluator,
    certain_first,
    exact_values,
    gaps_to_best,
    ordered,
    win_error,
)
from chouine.ai.reasons import Reason, reasons
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.rules.options import Rules

ROUNDS = 8
"""Number of rounds the worlds are split into; after each, acts that cannot be the best are dropped."""
GLANCE = 64
"""Worlds for a first look."""
EXPLAINED = 500
"""Worlds from which reasons are computed."""


class Verdict(NamedTuple):
    """A seat's act and the best act it had."""

    seat: int
    done: Estimate
    best: Estimate
    reasons: list[Reason]
    options: Sequence[Estimate] = ()
    """Every act, best first; acts dropped early were tried in fewer worlds."""

    @property
    def cost(self) -> float:
        """Win probability lost; 0 if the difference is not significant."""
        return cost_of(self.best.win - self.done.win, self.done.gap_error)

    @property
    def label(self) -> str | None:
        """`blunder`, `mistake`, `inaccuracy`, or None."""
        return label_of(self.cost)

    @property
    def exact(self) -> bool:
        """Whether the estimates are exact: no worlds were sampled."""
        return not self.done.worlds


class Reviewer:
    """Judge acts with the strongest player for these rules, trying each act in at most so many worlds."""

    def __init__(self, rules: Rules, worlds: int, seed: int) -> None:
        self.rules, self.worlds, self.seed = rules, worlds, seed
        self.scout = strongest(rules, seed)

    def verdict(self, view: View, action: Action | None) -> Verdict:
        """Judge a seat's act by its view at the time."""
        seat, player = own_seat(view), strongest(self.rules, self.seed + len(view.events))
        if exact := exactly(view, action, player.exact_estimates(view)):
            return exact
        worlds = player.sample_worlds(view, self.worlds)
        estimates = certain_first(view, compared(player, view, action, worlds))
        done = next(each for each in estimates if each.action == action)
        verdict = Verdict(seat, done, estimates[0], [], estimates)
        if verdict.label is None:
            return verdict
        among = every(worlds, max(1, self.worlds // EXPLAINED))
        return verdict._replace(reasons=reasons(view, verdict.best.action, action, among, player.network))

    def glance(self, view: View, action: Action | None, worlds: int = GLANCE) -> Verdict | float:
        """A first look: the number of standard errors by which the act's cost exceeds the least cost of a mistake.

        The verdict instead if it is exact. Calls in order of play are quickest, since ranges are continued.
        """
        if exact := exactly(view, action, exact_values(view) or []):
            return exact
        acts = legal_acts(view.book, view.position, own_seat(view))
        values = self.scout.rollout_values(view, acts, self.scout.sample_worlds(view, worlds))
        own = np.array([action_of(act) == action for act in acts])
        done, rival = (values[rows][values[rows].mean(axis=1).argmax()] for rows in (own, ~own))
        ahead = rival - done
        needed = max(LEAST, SIGNIFICANT * ahead.std() / np.sqrt(self.worlds))
        return float((ahead.mean() - needed) * np.sqrt(worlds) / max(ahead.std(), LEAST))


def exactly(view: View, action: Action | None, exact: Sequence[Estimate]) -> Verdict | None:
    """The verdict where values are exact."""
    done = next((each for each in exact if each.action == action), None)
    if done is None:
        return None
    options = sorted(exact, key=lambda each: -each.win)
    return Verdict(own_seat(view), done, max(exact, key=lambda each: each.win), [], options)


def compared(player: Evaluator, view: View, action: Action | None, worlds: Worlds) -> list[Estimate]:
    """Each act's estimate, best first, from a race in shared worlds.

    The race ends early once the act done can hardly become a significant mistake.
    """
    acts, total = legal_acts(view.book, view.position, own_seat(view)), len(worlds.hands)
    own = np.array([action_of(act) == action for act in acts])
    alive, values = np.arange(len(acts)), np.empty((len(acts), 0))
    for nth in range(ROUNDS):
        among = every(worlds, ROUNDS, nth)
        part = np.full((len(acts), len(among.hands)), np.nan)
        part[alive] = player.rollout_values(view, [acts[each] for each in alive], among)
        values = np.concatenate((values, part), axis=1)
        alive = contenders(values, own)
        rivals = [each for each in alive if not own[each]]
        if not rivals or not may_come_out(values, own, rivals, total):
            break
    return ranked(acts, values)


def contenders(values: Any, own: Any) -> Any:
    """Acts that may still be the best, and those beginning with the act done that may be its best."""
    tried = ~np.isnan(values[:, -1])
    kept = tried & ~behind(values)
    rows = np.flatnonzero(own & tried)
    kept[rows] |= ~behind(values[rows])
    return np.flatnonzero(kept)


def behind(values: Any) -> Any:
    """Acts far enough behind the best of these to be dropped."""
    _, gaps, errors = gaps_to_best(values, np.zeros(len(values)))
    return gaps > ELIMINATION * errors


def may_come_out(values: Any, own: Any, rivals: list[int], total: int) -> bool:
    """Whether one of these acts may become significantly better than the act done within `total` worlds."""
    rows = np.flatnonzero(own & ~np.isnan(values[:, -1]))
    done = values[rows[np.nanmean(values[rows], axis=1).argmax()]]
    ahead = values[rivals] - done
    spread, count = np.nanstd(ahead, axis=1), ahead.shape[1]
    still = np.sqrt(np.maximum(0.0, 1 / count - 1 / total))  # the part of the final mean that is still open
    needed = np.maximum(LEAST, SIGNIFICANT * spread / np.sqrt(total))
    return bool((np.nanmean(ahead, axis=1) + ELIMINATION * spread * still >= needed).any())


def ranked(acts: list[int], values: Any) -> list[Estimate]:
    """Estimates from these results, best first; an act dropped early is placed by its gap to the best there."""
    best, gaps, errors = gaps_to_best(values, np.zeros(len(acts)))
    counts = (~np.isnan(values)).sum(axis=1)
    means = np.clip(float(np.nanmean(values[best])) - gaps, 0.0, 1.0)
    return ordered(acts, means, means, errors, win_error(means, counts), counts)
