"""The themes of a problem: predicates on its position and its right act."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from chouine.ai.endgame import Solution, solve
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.events import Taken
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.rules.combinations import CHOUINE, MARIAGE
from chouine.rules.play import beats

NARROW = 10
"""Points of dix de der (§12), and the margin below which only an exact count decides."""


class Scene:
    """A problem's position, its solution, and in an ending the value of each act."""

    def __init__(self, state: State, solution: Sequence[Action]) -> None:
        self.state, self.solution, self.seat = state, solution, state.position.turn
        self.best = solution[0]
        self.legal = state.legal(self.seat)
        self.in_ending = state.rules.seats == 2 and state.position.tricks >= state.rule_table.drawing

    @cached_property
    def view(self) -> View:
        return self.state.view(self.seat)

    @cached_property
    def solved(self) -> Solution:
        return solve(self.state.rules, self.state.position)

    @cached_property
    def last(self) -> State:
        """The final state under best play."""
        state = self.state.play(self.best)
        for act in solve(state.rules, state.position).line if state.result is None else ():
            state = state.play(act)
        return state

    @property
    def plays(self) -> list[Play]:
        return [act for act in self.legal if isinstance(act, Play)]

    def is_trump(self, act: Action) -> bool:
        return isinstance(act, Play) and act.card.suit == self.state.position.trump

    def takes(self, act: Action) -> bool:
        """Whether an act surely takes the trick: as the last answer, or whatever a known hand answers."""
        p = self.state.position
        if not isinstance(act, Play):
            return False
        if p.table and (p.turn + 1) % self.state.rules.seats == p.leader:
            return beats(act.card, p.best, p.trump)
        if not self.in_ending or p.table:
            return False
        led = self.state.play(act)
        return all(
            led.play(reply).position.leader == self.seat for reply in led.legal() if isinstance(reply, Play)
        )


def seven(scene: Scene) -> bool:
    """The seven may be exchanged, now or in what follows."""
    return Exchange() in (*scene.legal, *scene.solution)


def hold(scene: Scene) -> bool:
    """A declaration may be made, and it is right not to make one."""
    may = any(act.declaration is not None for act in scene.plays)
    return may and isinstance(scene.best, Play) and scene.best.declaration is None


def trumps(scene: Scene) -> bool:
    """A trump is legal, and the best act plays another suit."""
    may = any(map(scene.is_trump, scene.plays))
    return may and isinstance(scene.best, Play) and not scene.is_trump(scene.best)


def der(scene: Scene) -> bool:
    """The seat takes the last trick and needs its ten points for the outcome."""
    if not scene.in_ending or scene.solved.margin > NARROW:
        return False
    last = [event for event in scene.last.events if isinstance(event, Taken)][-1]
    return last.seat == scene.seat and scene.last.position.chouine < 0


def ruff(scene: Scene) -> bool:
    """The lead of another suit makes the other ruff (§8)."""
    if not scene.in_ending or scene.state.position.table or scene.is_trump(scene.best):
        return False
    after = scene.state.play(scene.best)
    return bool(after.legal()) and all(map(scene.is_trump, after.legal()))


def chouine(scene: Scene) -> bool:
    """A seat is known to hold a chouine, or to lack one card of it that may still come (§10)."""
    rule_table, view = scene.state.rule_table, scene.view
    for seat, hand in enumerate(view.position.hands[: view.rules.seats]):
        may_come = view.talon > 0 or view.held(seat).unknown > 0
        for declaration in range(CHOUINE, CHOUINE + 4):
            missing = rule_table.figure_cards[declaration - MARIAGE] & ~hand
            if not missing or (missing.bit_count() == 1 and may_come and missing & view.unseen.mask):
                return True
    return False


def lead(scene: Scene) -> bool:
    """The trick could be taken, but the right act leaves it, and the next lead, to another."""
    if scene.state.position.tricks < scene.state.rule_table.drawing or scene.takes(scene.best):
        return False
    return any(map(scene.takes, scene.plays))


def count(scene: Scene) -> bool:
    """The margin is so small that only the exact count tells the right act from the second best."""
    if not scene.in_ending:
        return False
    best, second = scene.solved.values[:2]
    return best.margin <= NARROW and second.margin >= -NARROW


THEMES: dict[str, Callable[[Scene], bool]] = {
    "seven": seven,
    "hold": hold,
    "trumps": trumps,
    "der": der,
    "ruff": ruff,
    "chouine": chouine,
    "lead": lead,
    "count": count,
}


def themes_of(state: State, solution: Sequence[Action]) -> tuple[str, ...]:
    """The themes of a position and the acts that solve it."""
    scene = Scene(state, solution)
    return tuple(name for name, holds in THEMES.items() if holds(scene))
