"""Rank acts by sampled results.

Successive elimination, exact values, and the interface of players that evaluate acts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, NamedTuple, Protocol

import numpy as np

from chouine.ai.determinization import Worlds
from chouine.ai.endgame import solve_view
from chouine.ai.forced_win import chouine_decides, winning_declarations
from chouine.ai.macro_actions import action_of
from chouine.ai.network import Network
from chouine.ai.swindle import card_swindle_value
from chouine.errors import ChouineError
from chouine.fast.kernels import AVAILABLE
from chouine.partie.actions import Action, Play
from chouine.partie.view import View
from chouine.players.endgame import known

OUTCOME_VALUES = {"win": 1.0, "tie": 0.5, "loss": 0.0}
ELIMINATION = 2.0
"""An act this many standard errors behind the best is eliminated."""
CLEAR = 4.0
"""An act this many standard errors behind the best needs no more precise report."""


class Estimate(NamedTuple):
    """An act's estimated win probability."""

    action: Action | None
    """None: decline to exchange at "au sept" (§11)."""
    win: float
    """Win probability; a nulle, which is replayed, counts as a fair share."""
    gap_error: float = 0.0
    """Standard error of the difference to the best act; 0 if exact, and for the best."""
    win_error: float = 0.0
    """Standard error of `win` itself."""
    worlds: int = 0
    """Worlds in which it was tried; 0 if exact. The best act's are those that gave `win`."""


def rank_by_mean(acts: Sequence[int], values: Any) -> list[Estimate]:
    """Estimates from `values: float[acts, worlds]`, best first; acts with the same first action are merged."""
    means = values.mean(axis=1, dtype=np.float64)
    best = int(means.argmax())
    differences = values - values[best]
    count = np.full(len(acts), values.shape[1])
    errors = differences.std(axis=1, dtype=np.float64) / np.sqrt(count)
    return ordered(acts, means, means, gap_error(errors, count, best), win_error(means, count), count)


def rank_race(acts: Sequence[int], values: Any, bonus: Any, fresh_values: Any) -> list[Estimate]:
    """Estimates from a race, in which eliminated acts (NaN) were tried in the first worlds only.

    The best act's probability comes from fresh worlds (`fresh_values`), to avoid selection bias; the others' from their
    paired difference to it. Eliminated acts come last.
    """
    best, gaps, errors = gaps_to_best(values, bonus)
    counts = (~np.isnan(values)).sum(axis=1)
    errors = gap_error(errors, counts, best)
    counts[best] = len(fresh_values)
    win_rate = float(fresh_values.mean())
    means = np.clip(win_rate - gaps + bonus[best] - bonus, 0.0, win_rate)
    win_errors = np.hypot(win_error(win_rate, len(fresh_values)), errors)
    return ordered(acts, means, -gaps - 2.0 * np.isnan(values[:, -1]), errors, win_errors, counts)


def win_error(win_rate: Any, count: Any) -> Any:
    """Standard error of a win rate from `count` worlds; never 0, even if all were won or lost."""
    return np.sqrt(np.maximum(win_rate * (1 - win_rate), 1 / count) / count)


def gap_error(errors: Any, count: Any, best: int) -> Any:
    """Standard errors to report for gaps from `count` worlds: 0 for the best act alone, even if all worlds agree."""
    reported = np.maximum(errors, 1 / count)
    reported[best] = 0.0
    return reported


def gaps_to_best(values: Any, bonus: Any) -> tuple[int, Any, Any]:
    """Index of the best surviving act, each act's mean gap to it over shared worlds, and standard errors."""
    scores = np.where(np.isnan(values[:, -1]), -np.inf, np.nanmean(values, axis=1) + bonus)
    best = int(scores.argmax())
    differences = values[best] + bonus[best] - values - bonus[:, None]
    counts = (~np.isnan(differences)).sum(axis=1)
    return best, np.nanmean(differences, axis=1), np.nanstd(differences, axis=1) / np.sqrt(counts)


def race(bonus: Any, attempt: Callable[[Any, int], Any], precision: float = inf) -> Any:
    """Successive elimination: `float[acts, worlds]`, NaN where an act was not tried.

    `attempt(acts, worlds_done)` returns results of these acts in further worlds, or None to stop. An act is left out
    only while the standard error of its gap to the best is at most `precision`, or the gap is clear without the bonus.
    """
    alive, values = np.arange(len(bonus)), np.empty((len(bonus), 0))
    while not values.size or len(alive) > 1:
        estimates = attempt(alive, values.shape[1])
        if estimates is None:
            break
        part = np.full((len(bonus), estimates.shape[1]), np.nan)
        part[alive] = estimates
        values = np.concatenate((values, part), axis=1)
        alive = contenders(values, bonus, precision)
    return values


def contenders(values: Any, bonus: Any, precision: float = inf) -> Any:
    """Indices of acts that may still be the best, or whose gap to it is neither clear nor as precise as asked."""
    best, gaps, errors = gaps_to_best(values, bonus)
    unclear = gaps - bonus[best] + bonus < CLEAR * errors
    hopeful = (gaps <= ELIMINATION * errors) & ~np.isnan(values[:, -1])
    return np.flatnonzero(hopeful | (errors > precision) & unclear)


def ordered(
    acts: Sequence[int], means: Any, scores: Any, errors: Any, win_errors: Any, counts: Any
) -> list[Estimate]:
    """Estimates ordered by score; acts with the same first action are merged."""
    by_action: dict[Action | None, Estimate] = {}
    for nth in np.argsort(-scores, kind="stable"):
        action = action_of(acts[nth])
        estimates = float(means[nth]), float(errors[nth]), float(win_errors[nth]), int(counts[nth])
        by_action.setdefault(action, Estimate(action, *estimates))
    return list(by_action.values())


def exact_values(view: View) -> list[Estimate] | None:
    """Estimates of a seat that knows every card or answers a chouine; else None.

    Acts with equal value under optimal play are ordered by their value against an opponent who errs.
    """
    if chouine_decides(view):
        winning = winning_declarations(view)
        return [
            Estimate(act, float(act in winning))
            for act in sorted(view.legal, key=lambda act: act not in winning)
        ]
    solved, p = solve_view(view), known(view)
    if solved is None or p is None:
        return None
    acts: dict[Action | None, tuple[float, float]] = {}
    for value in solved.values:  # ties are ordered by margin
        if isinstance(value.action, Play):  # the turnup is gone, so there is no exchange
            acts[value.action] = OUTCOME_VALUES[value.outcome], card_swindle_value(view.book, p, value.action)
    return [Estimate(act, acts[act][0]) for act in sorted(acts, key=acts.__getitem__, reverse=True)]


def certain_first(view: View, estimates: Sequence[Estimate]) -> list[Estimate]:
    """The estimates, with certainly winning acts first at probability 1."""
    winning = winning_declarations(view)
    return [Estimate(act, 1.0) for act in winning] + [
        each for each in estimates if each.action not in winning
    ]


class NoCompiler(ChouineError):
    """Search needs compiled code."""


def need_compiler() -> None:
    """Raise `NoCompiler` without numba."""
    if not AVAILABLE:
        raise NoCompiler("thinking/no-compiler")


class Evaluator(Protocol):
    """A player that estimates each act's win probability."""

    network: Network
    """Its rollout policy."""

    def act(self, view: View) -> Action | None:
        """The best act."""

    def evaluate(self, view: View, seconds: float | None = None, worlds: int | None = None) -> list[Estimate]:
        """Win probability of each act, best first, within a time or a number of worlds, or by its defaults."""

    def exact_estimates(self, view: View) -> list[Estimate]:
        """Exact estimates where the position can be solved, else an empty list."""

    def sample_worlds(self, view: View, count: int) -> Worlds:
        """`count` worlds from its beliefs."""

    def rollout_values(self, view: View, acts: Sequence[int], among: Worlds) -> Any:
        """Each act's result in each world: `float32[acts, worlds]`."""
