"""Solve positions by the method that fits what is hidden, and extend solutions.

In two seats' last hidden tricks a problem is one where an equilibrium nearly always plays one act, and others lose.
"""

from __future__ import annotations

from chouine.ai.action_model import tracker_of
from chouine.ai.beliefs import Range, uniform_range
from chouine.ai.deduced import public_view
from chouine.ai.equilibrium.last_tricks import ActStrategy, solvable, solve_with_budget
from chouine.ai.forced_win import chouine_decides
from chouine.partie.actions import Action
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.rules.play import au_sept
from chouine.school.problems.ending import solve_ending
from chouine.school.problems.problem import Kind, Sound
from chouine.school.problems.replies import reply
from chouine.school.problems.search import search_best

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
    return tracker_of(view.rules).public_ranges(view)


def played_nearly_always(acts: dict[Action | None, ActStrategy] | None) -> Sound | None:
    """The act an equilibrium plays almost alone while any other loses; None if there is none."""
    if not acts:
        return None
    best = max(acts.items(), key=lambda each: each[1].probability)
    gap = best[1].win - max(chance.win for act, chance in acts.items() if act != best[0])
    if best[0] is None or best[1].probability < OFTEN or gap < LOSING:
        return None
    return Sound(best[0], gap)


def kind_of(view: View) -> Kind:
    """The method by which a position is solved."""
    if view.rules.seats == 2 and not view.talon:
        return "ending"
    return "equilibrium" if solvable(view) else "search"


def asks(view: View) -> bool:
    """Whether the seat on turn has a choice now, with nobody else's exchange possible before it."""
    return len(view.legal) > 1 and not chouine_decides(view) and not may_be_forestalled(view)


def may_be_forestalled(view: View) -> bool:
    """Whether another seat may exchange the seven before this seat leads (§11, "au sept")."""
    seven = 1 << 8 * view.position.trump if view.position.trump >= 0 else 0
    elsewhere = view.unseen.mask | sum(view.position.hands) & ~view.hand.mask
    return au_sept(view.rule_table, view.position) and bool(elsewhere & seven)


def sound(state: State) -> Sound | None:
    """The only right act of the seat on turn; None if there is not exactly one."""
    view = state.view(state.position.turn)
    match kind_of(view):
        case "ending":
            return solve_ending(state)
        case "equilibrium":
            found = at_equilibrium(view)
            tried = search_best(view) if found else None
            return found if found and tried and found.best == tried.best else None
        case "search":
            return search_best(view)


def continue_solution(state: State, best: Action) -> tuple[Action, ...]:
    """The solution: the right act and what follows while the seat has exactly one right act.

    The others' acts are those of `reply`. Forced acts at the end are left out.
    """
    line, kept, seat = [best], 1, state.position.turn
    here = state.play(best)
    while here.result is None:
        if here.position.turn != seat:
            act = reply(here, seat)
            if act is None:
                break
        elif len(here.legal(seat)) == 1:
            act = here.legal(seat)[0]
        else:
            found = sound(here) if asks(here.view(seat)) else None
            if found is None:
                break
            act, kept = found.best, len(line) + 1
        line.append(act)
        here = here.play(act)
    return tuple(line[:kept])
