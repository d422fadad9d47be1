"""Compare acts in batches of shared worlds, and the interface of players that estimate. Needs no numpy.

While a `Race` has more than one act alive, `race.add(player.try_batch(view, race.alive, race.done))` tries those in one
more batch, and `race.drop()` drops what is behind.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import hypot, inf, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple, Protocol

from chouine.ai.deduced import chouine_decides, winning_declarations
from chouine.ai.macro_actions import action_of, legal_acts, own_seat
from chouine.ai.search import BATCH, SWINDLES, compute, words_of
from chouine.errors import ChouineError
from chouine.fast.kernels import AVAILABLE
from chouine.notation.tokens import token
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.players.endgame import known_position

if TYPE_CHECKING:
    from chouine.ai.determinization import Worlds
    from chouine.ai.network import Network

Z = NormalDist().inv_cdf(0.975)
"""A normal variable lies within this many standard deviations with probability 95 %."""


ELIMINATION = 2.0
"""An act this many standard errors behind the best is eliminated."""
CLEAR = 4.0
"""An act this many standard errors behind the best needs no more precise report."""
FIRST = 8
"""Batches before an act may be eliminated: from fewer, errors are hardly known."""


class Limit(NamedTuple):
    """How long to search. Without `seconds` no clock is read, so that any machine answers alike."""

    seconds: float | None = None
    worlds: int | None = None
    """Worlds in which each act is tried, at most."""


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

    def __str__(self) -> str:
        return f"{token(self.action)} {self.win:.1%} ± {Z * self.win_error:.1%} · {self.worlds} worlds"


class Race:
    """Acts tried in the same worlds, batch by batch; those that cannot be the best are dropped."""

    def __init__(
        self, acts: Sequence[int], bonus: Mapping[int, float] | None = None, at_once: int = BATCH
    ) -> None:
        self.alive, self.at_once = list(acts), at_once
        self.bonus = bonus or dict.fromkeys(acts, 0.0)
        """What is added to an act's mean result when the best act is chosen."""
        self.results: dict[int, list[float]] = {act: [] for act in acts}
        """Each act's mean result in each batch in which it was tried."""

    @property
    def done(self) -> int:
        """Number of batches."""
        return max(map(len, self.results.values()))

    def add(self, means: Sequence[float]) -> None:
        """Add a batch: the mean result of each act alive."""
        for act, mean in zip(self.alive, means, strict=False):
            self.results[act].append(mean)

    def best_of(self, acts: Collection[int]) -> int:
        """The act with the best score among these, the first if equal."""
        return max(acts, key=lambda act: average(self.results[act]) + self.bonus[act])

    def gap(self, one: int, other: int) -> tuple[float, float]:
        """By how much an act is better than another where both were tried, and the standard error of that."""
        gaps = [a - b for a, b in zip(self.results[one], self.results[other], strict=False)]
        return average(gaps), standard_error(gaps, self.at_once)

    def drop(self, precision: float = inf, kept: Collection[int] = ()) -> None:
        """Drop acts that are behind, except `kept`, and those whose gap is neither clear nor as precise as asked.

        Whether they are is looked at when the number of batches has doubled.
        """
        if self.done < FIRST or self.done & (self.done - 1):
            return  # looked at after every batch, a good act is sooner or later behind by chance
        best = self.best_of(self.alive)
        self.alive = [act for act in self.alive if act in (best, *kept) or self.is_open(best, act, precision)]

    def is_open(self, best: int, act: int, precision: float) -> bool:
        """Whether an act may still be the best, or its gap to that needs more worlds."""
        ahead, error = self.gap(best, act)
        may_win = ahead + self.bonus[best] - self.bonus[act] <= ELIMINATION * error
        return may_win or (error > precision and ahead < CLEAR * error)

    def estimates(self, fresh: Sequence[float] = ()) -> list[Estimate]:
        """Estimates, best first; for each first action its best act, those dropped last.

        The best act's probability comes from `fresh` batches where given: in the batches by which it was chosen it did
        better than it will on average. The others' come from their gap to it in the same worlds.
        """
        best = self.best_of(self.alive)
        results = fresh or self.results[best]
        win, error = min(1.0, max(0.0, average(results))), win_error(results, self.at_once)
        found = dict[Action | None, Estimate]()
        for act in sorted(
            self.results, key=lambda act: (act != best, act not in self.alive, self.gap_of(act))
        ):
            tried = len(self.results[act]) * self.at_once
            gap_error = 0.0 if act == best else max(self.gap(best, act)[1], 1 / tried)
            behind = max(0.0, self.gap_of(act))
            worlds = len(results) * self.at_once if act == best else tried
            estimate = Estimate(
                action_of(act), max(0.0, win - behind), gap_error, hypot(error, gap_error), worlds
            )
            found.setdefault(estimate.action, estimate)
        return list(found.values())

    def gap_of(self, act: int) -> float:
        """By how much an act is behind the best one."""
        return self.gap(self.best_of(self.alive), act)[0]


def average(results: Sequence[float]) -> float:
    return sum(results) / len(results)


def standard_error(results: Sequence[float], at_once: int) -> float:
    """Standard error of the mean of batches of so many worlds; a generous one for a single batch."""
    count = len(results)
    if count < 2:
        return 1 / sqrt(at_once)
    mean = average(results)
    return sqrt(sum((each - mean) ** 2 for each in results) / (count - 1) / count)


def win_error(results: Sequence[float], at_once: int) -> float:
    """Standard error of a win probability from such batches; never 0, even if all was won or lost."""
    worlds, win = len(results) * at_once, average(results)
    return max(standard_error(results, at_once), sqrt(max(win * (1 - win), 1 / worlds) / worlds))


def batch_size(worlds: int) -> int:
    """The size of batches by which as many of these worlds as possible are used."""
    return max(range(min(worlds, BATCH // 2), BATCH + 1), key=lambda size: (worlds // size * size, size))


def exact_values(view: View) -> list[Estimate] | None:
    """Estimates of a seat that knows every card or answers a chouine, best first; else None.

    Acts with equal value under optimal play are ordered by their value against an opponent who errs, then by points,
    then by text.
    """
    if chouine_decides(view):
        winning = winning_declarations(view)
        return [
            Estimate(act, float(act in winning))
            for act in sorted(view.legal, key=lambda act: act not in winning)
        ]
    whole = known_position(view)
    if whole is None or view.observer != view.turn:
        return None
    acts = legal_acts(view.rule_table, whole, own_seat(view))
    margins = compute("end", view.rules.preset, words_of(view, whole, acts))

    def worth(nth: int) -> tuple[float, float, float]:
        won = 0.5 + 0.5 * ((margins[nth] > 0) - (margins[nth] < 0))
        return won, margins[SWINDLES + nth], margins[nth]

    by_text = sorted(range(len(acts)), key=lambda nth: str(action_of(acts[nth])))
    order = sorted(by_text, key=worth, reverse=True)
    return [Estimate(action_of(acts[nth]), worth(nth)[0]) for nth in order]


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

    @property
    def network(self) -> Network:
        """Its rollout policy; needs numpy."""

    def act(self, view: View) -> Action | None:
        """The best act."""

    def evaluate(self, view: View, limit: Limit | None = None) -> list[Estimate]:
        """Win probability of each act, best first, within a limit, or by its defaults."""

    def exact_estimates(self, view: View) -> list[Estimate]:
        """Exact estimates where the position can be solved, else an empty list."""

    def try_batch(self, view: View, acts: Sequence[int], nth: int) -> Sequence[float]:
        """Each act's mean result in the `nth` batch of worlds, which are the same for all acts; more may follow."""

    def sample_worlds(self, view: View, count: int) -> Worlds:
        """`count` worlds from its beliefs; needs numpy."""
