"""Problems from two seats' last hidden tricks: at equilibrium one act is nearly always played, and others lose."""

from __future__ import annotations

from chouine.ai.beliefs import Range, uniform_range
from chouine.ai.deduced import public_view
from chouine.ai.equilibrium.last_tricks import ActStrategy, solve_with_budget
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.school.problems.search import opponent_model
from chouine.school.problems.soundness import Sound

OFTEN, LOSING = 0.95, 0.05
"""Least probability of the right act at equilibrium, and least loss by any other act."""


def by_rules(view: View) -> tuple[Range, Range]:
    """Ranges of both hands from the rules alone, the view's seat first."""
    known, seat = public_view(view), view.observer or 0
    return uniform_range(known, seat), uniform_range(known, 1 - seat)


def at_equilibrium(view: View) -> Sound | None:
    """The act that is right at equilibrium both with ranges inferred from play and with ranges from the rules alone."""
    first = played_nearly_always(solve_with_budget(view, by_play(view)))
    second = played_nearly_always(solve_with_budget(view, by_rules(view))) if first else None
    if first is None or second is None or first.best != second.best:
        return None
    return Sound(first.best, min(first.gap, second.gap))


def by_play(view: View) -> tuple[Range, Range]:
    """Ranges of both hands inferred from play, the view's seat first."""
    return opponent_model(view.rules).types[0].ranges.public_ranges(view)


def played_nearly_always(acts: dict[Action | None, ActStrategy] | None) -> Sound | None:
    """The act an equilibrium plays almost alone while any other loses; None if there is none."""
    if not acts:
        return None
    best = max(acts.items(), key=lambda each: each[1].probability)
    gap = best[1].win - max(chance.win for act, chance in acts.items() if act != best[0])
    if best[0] is None or best[1].probability < OFTEN or gap < LOSING:
        return None
    return Sound(best[0], gap)
