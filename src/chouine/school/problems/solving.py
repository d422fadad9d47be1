"""Solve positions by the method that fits what is hidden, and extend solutions."""

from __future__ import annotations

from chouine.ai.equilibrium.last_tricks import solvable
from chouine.ai.forced_win import chouine_decides
from chouine.partie.actions import Action
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.rules.play import au_sept
from chouine.school.problems.ending import solved
from chouine.school.problems.equilibrium import at_equilibrium
from chouine.school.problems.problem import Kind
from chouine.school.problems.replies import reply
from chouine.school.problems.search import searched
from chouine.school.problems.soundness import Sound


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
    return au_sept(view.book, view.position) and bool(elsewhere & seven)


def sound(state: State) -> Sound | None:
    """The only right act of the seat on turn; None if there is not exactly one."""
    view = state.view(state.position.turn)
    match kind_of(view):
        case "ending":
            return solved(state)
        case "equilibrium":
            found = at_equilibrium(view)
            tried = searched(view) if found else None
            return found if found and tried and found.best == tried.best else None
        case "search":
            return searched(view)


def continued(state: State, best: Action) -> tuple[Action, ...]:
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
