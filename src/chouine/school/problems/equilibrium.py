"""The last hidden tricks of two seats: an equilibrium plays one act nearly always, and any other loses by it."""

from __future__ import annotations

from chouine.ai.beliefs import Range, uniform_range
from chouine.ai.deduced import public_view
from chouine.ai.equilibrium.last_tricks import ActStrategy, solve_steadily
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.school.problems.search import opponent_model
from chouine.school.problems.soundness import Sound

OFTEN, LOSING = 0.95, 0.05
"""How often the right act must be played at equilibrium, and what any other must lose."""


def by_rules(view: View) -> tuple[Range, Range]:
    """Both hands as the rules alone tell of them, the view's seat first."""
    known, seat = public_view(view), view.observer or 0
    return uniform_range(known, seat), uniform_range(known, 1 - seat)


def at_equilibrium(view: View) -> Sound | None:
    """The act that equilibria play, with both hands as their play tells of them and as the rules alone do."""
    first = played_nearly_always(solve_steadily(view, by_play(view)))
    second = played_nearly_always(solve_steadily(view, by_rules(view))) if first else None
    if first is None or second is None or first.best != second.best:
        return None
    return Sound(first.best, min(first.gap, second.gap))


def by_play(view: View) -> tuple[Range, Range]:
    """Both hands as what they have done tells of them, the view's seat first."""
    return opponent_model(view.rules).types[0].ranges.public_ranges(view)


def played_nearly_always(acts: dict[Action | None, ActStrategy] | None) -> Sound | None:
    """The act that an equilibrium plays, if it plays no other and any other loses."""
    if not acts:
        return None
    best = max(acts.items(), key=lambda each: each[1].probability)
    gap = best[1].win - max(told.win for act, told in acts.items() if act != best[0])
    if best[0] is None or best[1].probability < OFTEN or gap < LOSING:
        return None
    return Sound(best[0], gap)
