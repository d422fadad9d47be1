"""Post-game review: what each act cost, by what the seat could know then and not by how the cards fell.

Nothing here looks at a clock, and no verdict depends on another: they are the same on any machine, in any order. All
acts are tried in the same worlds, batch by batch, until no other can become a significantly better one. In a browser
the same code judges, except that the last hidden tricks are not solved there, and that its reasons have no averages.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from chouine.ai.facts import Reason, certain_reasons
from chouine.ai.levels import looks_ahead, strongest
from chouine.ai.macro_actions import action_of, legal_acts, own_seat
from chouine.ai.racing import ELIMINATION, FIRST, Estimate, Evaluator, Race, certain_first, exact_values
from chouine.ai.search import BATCH
from chouine.partie.actions import Action
from chouine.partie.view import View

SIGNIFICANT = 3.0
"""Standard errors from which a difference counts. At two, good acts are now and then called mistakes: the best of
several estimates is biased upwards."""
LABELS = ((0.12, "blunder"), (0.05, "mistake"), (0.02, "inaccuracy"))
"""Names of mistakes by the win probability lost."""
LEAST = LABELS[-1][0]


def label_of(cost: float) -> str | None:
    """`blunder`, `mistake`, `inaccuracy`, or None."""
    return next((label for least, label in LABELS if cost >= least), None)


def cost_of(lost: float, error: float) -> float:
    """Win probability lost by an act that is so much behind, with this standard error; 0 if that is not sure."""
    return lost if lost > SIGNIFICANT * error and lost > 0 else 0.0


GLANCE = 4
"""Batches of worlds for a first look."""
EXPLAINED = 500
"""Worlds from which reasons are computed."""


class Verdict(NamedTuple):
    """A seat's act and the best act it had."""

    options: Sequence[Estimate]
    """Every act, best first; acts dropped early were tried in fewer worlds."""
    done: Estimate
    reasons: Sequence[Reason] = ()

    @property
    def best(self) -> Estimate:
        return self.options[0]

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


def judge_act(view: View, action: Action | None, worlds: int, seed: int) -> Verdict:
    """Judge a seat's act by its view at the time, by the strongest player, in at most so many worlds.

    Raises `ValueError` for an act that was not open to it.
    """
    player = strongest(view.rules, seed)
    exact = player.exact_estimates(view)
    if action in [each.action for each in exact]:
        return with_facts(view, verdict_of(exact, action))
    race = compare_acts(player, view, action, ceil(worlds / BATCH))
    verdict = verdict_of(certain_first(view, race.estimates()), action)
    if verdict.label is None or not looks_ahead():
        return with_facts(view, verdict)
    from chouine.ai.reasons import reasons

    among = player.sample_worlds(view, min(worlds, EXPLAINED))
    return verdict._replace(reasons=reasons(view, verdict.best.action, action, among, player.network))


def with_facts(view: View, verdict: Verdict) -> Verdict:
    """The verdict with what is certain of a mistake and the better act."""
    if verdict.label is None:
        return verdict
    return verdict._replace(reasons=certain_reasons(view, verdict.best.action, verdict.done.action))


def verdict_of(estimates: Sequence[Estimate], action: Action | None) -> Verdict:
    """The verdict on one of these acts."""
    done = next(each for each in estimates if each.action == action)
    return Verdict(sorted(estimates, key=lambda each: -each.win), done)


def glance(view: View, action: Action | None, seed: int, batches: int = GLANCE) -> Verdict | float:
    """A first look: the number of standard errors by which the act's cost exceeds the least cost of a mistake.

    The verdict instead if it is exact.
    """
    if exact := exact_values(view):
        return with_facts(view, verdict_of(exact, action))
    player = strongest(view.rules, seed)
    race = Race(legal_acts(view.rule_table, view.position, own_seat(view)))
    for nth in range(batches):
        race.add(player.try_batch(view, race.alive, nth))
    own, others = begun_with(race, action)
    ahead, error = race.gap(race.best_of(others), race.best_of(own))
    return (ahead - LEAST) / max(error, LEAST)


def begun_with(race: Race, action: Action | None) -> tuple[list[int], list[int]]:
    """The acts alive that begin with an action, and the others."""
    own = [act for act in race.alive if action_of(act) == action]
    return own, [act for act in race.alive if act not in own]


def compare_acts(player: Evaluator, view: View, action: Action | None, batches: int) -> Race:
    """A race between the acts, which ends early once the act done can hardly become a significant mistake."""
    race = Race(legal_acts(view.rule_table, view.position, own_seat(view)))
    if not begun_with(race, action)[0]:
        raise ValueError(f"{action} is not open to this seat")
    while race.done < batches:
        race.add(player.try_batch(view, race.alive, race.done))
        own, _ = begun_with(race, action)
        race.drop(kept=[race.best_of(own)])
        own, others = begun_with(race, action)
        if race.done >= FIRST and not any(may_be_mistake(race, act, race.best_of(own)) for act in others):
            break
    return race


def may_be_mistake(race: Race, rival: int, own: int) -> bool:
    """Whether an act may become better than the act done by the least cost of a mistake."""
    ahead, error = race.gap(rival, own)
    return ahead + ELIMINATION * error >= LEAST
