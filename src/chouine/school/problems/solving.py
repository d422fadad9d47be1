"""Solve positions by the method that fits what is hidden, and extend solutions.

Where equilibria are out of reach, one act must lead clearly in sampled worlds, under two models of the hands. In two
seats' last hidden tricks a problem is one where an equilibrium nearly always plays one act, and others lose.
"""

from __future__ import annotations

from typing import NamedTuple

from chouine.ai.beliefs import Range, tracker_of, uniform_range
from chouine.ai.deduced import chouine_decides, public_view
from chouine.ai.equilibrium.last_tricks import ActStrategy, solvable, solve_with_budget
from chouine.ai.macro_actions import action_of, legal_acts, own_seat
from chouine.ai.racing import Race
from chouine.ai.search import HEURISTIC, Search, compute, has_network, words_of
from chouine.fast.bits import as_int64, splitmix64
from chouine.partie.actions import Action
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.rules.play import au_sept
from chouine.rules.position import NONE
from chouine.school.problems.answer import reply
from chouine.school.problems.ending import solve_ending
from chouine.school.problems.problem import Kind, Sound

FIRST, BATCHES, MOST = 6, 16, 128
"""Number of batches of worlds at first, at each further step, and at most."""
UNIFORM, WEIGHED = 0, 256
"""The two models: worlds as the rules allow them; weighed by the others' acts, so many for each batch."""
AHEAD, SURE = 0.05, 5.0
"""Least lead of the right act, in shares of a partie and in standard errors."""
HOPELESS = 1.0
"""The search goes on while the lead is at most this many standard errors short of `AHEAD`."""
SEEDS = 1, 2
"""Random seeds, one for each model."""


class Lead(NamedTuple):
    """The lead of the best act over the second, with its standard error."""

    best: Action
    gap: float
    error: float


def search_best(view: View) -> Sound | None:
    """The act that is clearly best under both models and with both seeds; None if there is none."""
    first = find_lead(view, UNIFORM, SEEDS[0])
    second = find_lead(view, WEIGHED, SEEDS[1]) if first else None
    if first is None or second is None or first.best != second.best:
        return None
    return Sound(first.best, min(first.gap, second.gap))


def likely_best(view: View) -> Action | None:
    """The act that may lead by enough, from a first small sample."""
    leader = lead(try_acts(view, UNIFORM, SEEDS[0], FIRST))
    return leader.best if leader and leader.gap >= AHEAD - HOPELESS * leader.error else None


def find_lead(view: View, candidates: int, seed: int) -> Lead | None:
    """The lead once it is established, in as many worlds as that takes; None if it is not large enough."""
    race = try_acts(view, candidates, seed, FIRST)
    while race.done < MOST:
        leader = lead(race)
        if leader is None or leader.gap < AHEAD - HOPELESS * leader.error:
            return None
        if race.done > FIRST and leader.gap >= AHEAD and leader.gap >= SURE * leader.error:
            return leader
        try_acts(view, candidates, seed, BATCHES, race)
    return None


def try_acts(view: View, candidates: int, seed: int, batches: int, race: Race | None = None) -> Race:
    """A race in which every act was tried in so many further batches; without a network all play as level 6."""
    race = race or Race(legal_acts(view.rule_table, view.position, own_seat(view)))
    only = NONE if has_network(view.rules) else HEURISTIC
    for nth in range(race.done, race.done + batches):
        search = Search(as_int64(splitmix64(seed + (nth << 20))), candidates=candidates, only=only)
        race.add(compute("try", view.rules.preset, words_of(view, view.position, race.alive, search)))
    return race


def lead(race: Race) -> Lead | None:
    """The lead of the best act, with acts that share a first action merged; None if there is one act only."""
    best = race.best_of(race.alive)
    others = [act for act in race.alive if action_of(act) != action_of(best)]
    action = action_of(best)
    if not others or action is None:
        return None
    return Lead(action, *race.gap(best, race.best_of(others)))


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
