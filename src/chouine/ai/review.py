"""A look back at what was done: what it cost, by what the seat could know then, and never by how the cards fell."""

from __future__ import annotations

from typing import NamedTuple

from chouine.ai.acts import acts_open, own_seat
from chouine.ai.judging import Judged, certain_first, judged
from chouine.ai.levels import strongest
from chouine.ai.reasons import Reason, reasons
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.rules.options import Rules

SURE = 3.0
"""Standard errors beyond which a difference is told of. By two, what is as good is now and then called a mistake: the
best of several acts looks better than it is in the worlds in which it was found the best."""
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


class Reviewer:
    """Judges acts by the best that these rules can be played with: the network in likely worlds, or rules of thumb."""

    def __init__(self, rules: Rules, many: int, seed: int) -> None:
        self.many, self.player = many, strongest(rules, seed)

    def verdict(self, view: View, action: Action | None) -> Verdict:
        """Judge an act that a seat did, by its view then."""
        seat, sure = own_seat(view), self.player.surely(view)
        told = {each.action: each for each in sure}
        if action in told:
            return Verdict(seat, told[action], max(sure, key=lambda each: each.win), [])
        acts = acts_open(view.book, view.position, seat)
        among = self.player.likely(view, self.many)
        found = certain_first(view, judged(acts, self.player.tried(view, acts, among)))
        told = {each.action: each for each in found}
        plain = Verdict(seat, told[action], found[0], [])
        if plain.label is None:
            return plain
        return plain._replace(reasons=reasons(view, plain.best.action, action, among, self.player.network))


def luck(result: float, seats: int, cost: float, others_cost: float) -> float:
    """What the cards, and with more than two seats the others' play, gave a seat that began with a fair share.

    Result less the fair share = luck, less what its own mistakes cost, plus what those of the others gave it.
    """
    return result - 1 / seats + cost - others_cost
