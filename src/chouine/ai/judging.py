"""What acts are worth: by how they did in many worlds, or exactly; and what a player is that can tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from chouine.ai.acts import action_of
from chouine.ai.certain import decided, winning
from chouine.ai.endgame import solve_view
from chouine.ai.hope import hoped
from chouine.ai.network import Network
from chouine.ai.worlds import Worlds
from chouine.errors import ChouineError
from chouine.fast.compiler import AVAILABLE
from chouine.partie.actions import Action, Play
from chouine.partie.view import View
from chouine.players.endgame import known

WORTH = {"win": 1.0, "tie": 0.5, "loss": 0.0}
GIVEN_UP = 2.0
"""Standard errors behind the best act at which another is not tried any more."""


class Judged(NamedTuple):
    """What an act is worth, as far as the seat can know."""

    action: Action | None
    """None: let "au sept" pass (§11)."""
    win: float
    """How likely the seat wins the partie; a nulle, to be played again, counts as its fair share of one."""
    error: float = 0.0
    """Standard error of its difference to the best act's; 0 where the answer is exact."""
    unsure: float = 0.0
    """Standard error of `win` itself."""
    worlds: int = 0
    """In how many worlds it was tried; 0 where the answer is exact."""


def judged(acts: Sequence[int], values: Any) -> list[Judged]:
    """Acts by what they are worth, best first; of those that begin alike only the best."""
    means = values.mean(axis=1, dtype=np.float64)
    beside = values - values[int(means.argmax())]
    many = np.full(len(acts), values.shape[1])
    spread = beside.std(axis=1, dtype=np.float64) / np.sqrt(many)
    return in_order(acts, means, means, spread, unsure_of(means, many), many)


def ranked(acts: Sequence[int], values: Any, leanings: Any, afresh: Any) -> list[Judged]:
    """The same by worlds all as likely, of which acts given up (NaN) were tried in the first ones only.

    How often the best wins is told by worlds of its own, `afresh`; the others by how they did beside it where both were
    tried. Those given up come last.
    """
    best, gaps, errors = behind(values, leanings)
    tried = (~np.isnan(values)).sum(axis=1)
    tried[best] = len(afresh)
    wins = float(afresh.mean())
    means = np.clip(wins - gaps + leanings[best] - leanings, 0.0, wins)
    unsure = np.hypot(unsure_of(wins, len(afresh)), errors)
    return in_order(acts, means, -gaps - 2.0 * np.isnan(values[:, -1]), errors, unsure, tried)


def unsure_of(wins: Any, many: Any) -> Any:
    """The standard error of how often an act wins, found in so many worlds; never 0, though all were won or lost."""
    return np.sqrt(np.maximum(wins * (1 - wins), 1 / many) / many)


def behind(values: Any, leanings: Any) -> tuple[int, Any, Any]:
    """The best act not given up, how far each is behind it in the worlds where it was tried, and standard errors."""
    marks = np.where(np.isnan(values[:, -1]), -np.inf, np.nanmean(values, axis=1) + leanings)
    best = int(marks.argmax())
    beside = values[best] + leanings[best] - values - leanings[:, None]
    tried = (~np.isnan(beside)).sum(axis=1)
    return best, np.nanmean(beside, axis=1), np.nanstd(beside, axis=1) / np.sqrt(tried)


def race(leanings: Any, attempt: Callable[[Any, int], Any]) -> Any:
    """Acts tried in more and more worlds, those surely behind given up on the way: (acts, worlds), NaN where not tried.

    `attempt(acts, so many worlds done)` tries acts in some more, or tells by None that it is enough.
    """
    alive, values = np.arange(len(leanings)), np.empty((len(leanings), 0))
    while not values.size or len(alive) > 1:
        found = attempt(alive, values.shape[1])
        if found is None:
            break
        part = np.full((len(leanings), found.shape[1]), np.nan)
        part[alive] = found
        values = np.concatenate((values, part), axis=1)
        alive = within_reach(values, leanings)
    return values


def within_reach(values: Any, leanings: Any) -> Any:
    """Acts still tried that may be the best."""
    _, gaps, errors = behind(values, leanings)
    return np.flatnonzero((gaps <= GIVEN_UP * errors) & ~np.isnan(values[:, -1]))


def in_order(
    acts: Sequence[int], means: Any, marks: Any, errors: Any, unsure: Any, tried: Any
) -> list[Judged]:
    """Acts by their marks, best first; of those that begin alike only the best."""
    told: dict[Action | None, Judged] = {}
    for nth in np.argsort(-marks, kind="stable"):
        action = action_of(acts[nth])
        found = float(means[nth]), float(errors[nth]), float(unsure[nth]), int(tried[nth])
        told.setdefault(action, Judged(action, *found))
    return list(told.values())


def exactly(view: View) -> list[Judged] | None:
    """The acts of a seat that knows every card, two seats' last tricks, or that answers a chouine; None for any other.

    Of acts that come to the same if the other makes no mistake, first the one after which mistakes would help most.
    """
    if decided(view):
        sure = winning(view)
        return [
            Judged(act, float(act in sure)) for act in sorted(view.legal, key=lambda act: act not in sure)
        ]
    solved, p = solve_view(view), known(view)
    if solved is None or p is None:
        return None
    acts: dict[Action | None, tuple[float, float]] = {}
    for value in solved.values:  # of equal ones that comes first which ends furthest ahead
        if isinstance(value.action, Play):  # there is no turnup left to exchange
            acts[value.action] = WORTH[value.outcome], hoped(view.book, p, value.action)
    return [Judged(act, acts[act][0]) for act in sorted(acts, key=acts.__getitem__, reverse=True)]


def certain_first(view: View, found: Sequence[Judged]) -> list[Judged]:
    """The same acts, those that win for certain told as such."""
    sure = winning(view)
    return [Judged(act, 1.0) for act in sure] + [each for each in found if each.action not in sure]


class NoCompiler(ChouineError):
    """Thinking ahead in many worlds needs compiled code."""


def need_compiler() -> None:
    """Raise `NoCompiler` where numba is missing."""
    if not AVAILABLE:
        raise NoCompiler("thinking/no-compiler")


class Judge(Protocol):
    """A player that can tell what each act is worth."""

    network: Network
    """Which it plays on by."""

    def act(self, view: View) -> Action | None:
        """The best."""

    def judge(self, view: View, seconds: float | None = None, many: int | None = None) -> list[Judged]:
        """What each act is worth, best first; found in so much time or so many worlds, or as it always does."""

    def surely(self, view: View) -> list[Judged]:
        """The same where the answer is exact; else empty."""

    def likely(self, view: View, many: int) -> Worlds:
        """So many worlds, as likely as they are held to be."""

    def tried(self, view: View, acts: Sequence[int], among: Worlds) -> Any:
        """What comes of every act in each world: (acts, worlds)."""
