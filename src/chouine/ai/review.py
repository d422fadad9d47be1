"""A look back at what was done: what it cost, by what the seat could know then, and never by how the cards fell."""

from __future__ import annotations

from typing import NamedTuple

from chouine.ai.montecarlo import (
    Judged,
    action_of,
    acts_open,
    exactly,
    judged,
    need_compiler,
    own_seat,
    played_out,
)
from chouine.ai.reasons import Reason, reasons
from chouine.ai.worlds import worlds
from chouine.partie.actions import Action
from chouine.partie.view import View

SURE = 2.0
"""Standard errors beyond which a difference is told of."""
LABELS = ((0.12, "blunder"), (0.05, "mistake"), (0.02, "inaccuracy"))
"""What an act that costs so much is called."""


class Verdict(NamedTuple):
    """What a seat did, and what it could have done."""

    seat: int
    done: Judged
    best: Judged
    reasons: list[Reason]

    @property
    def cost(self) -> float:
        """The chance to win that was given away; 0 where no difference is sure."""
        lost = self.best.win - self.done.win
        return lost if lost > SURE * self.done.error and lost > 0 else 0.0

    @property
    def label(self) -> str | None:
        """`blunder`, `mistake`, `inaccuracy`, or None."""
        return next((label for least, label in LABELS if self.cost >= least), None)


def verdict(view: View, action: Action | None, many: int, seed: int) -> Verdict:
    """Judge an act that a seat did, by its view then."""
    need_compiler()
    seat = own_seat(view)
    if (exact := exactly(view)) is not None:
        told = {each.action: each for each in exact}
        return Verdict(seat, told[action], exact[0], [])
    acts, among = acts_open(view.book, view.position, seat), worlds(view, many, seed)
    values = judged(acts, played_out(view, acts, among), among.weights)
    told = {each.action: each for each in values}
    found = Verdict(seat, told[action], values[0], [])
    if found.label is None:
        return found
    first = {action_of(act): act for act in reversed(acts)}
    return found._replace(reasons=reasons(view, first[found.best.action], first[action], among))


def luck(result: float, seats: int, cost: float, others_cost: float) -> float:
    """What the cards, and with more than two seats the others' play, gave a seat that began with a fair share.

    Result less the fair share = luck, less what its own mistakes cost, plus what those of the others gave it.
    """
    return result - 1 / seats + cost - others_cost
