"""A player who knows the rules of thumb, and forgets and wavers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from chouine.cards import BRISQUES, SUIT_CARDS
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.events import Played, Taken
from chouine.partie.view import View
from chouine.players.thumb import thumb_table, worth
from chouine.rules.position import NONE


class Frailty(NamedTuple):
    """What keeps a player from playing its best."""

    wavering: float
    """How far off it is in what speaks for a card: the standard deviation, in points."""
    forgetting: float
    """The share of fallen cards that it does not think of; brisques and trumps half as often, the last trick never."""


FRAILTIES = {
    1: Frailty(34.0, 0.95),
    2: Frailty(19.0, 0.78),
    3: Frailty(12.0, 0.62),
    4: Frailty(7.0, 0.45),
    5: Frailty(2.0, 0.12),
}
"""The levels that are less than the rules of thumb by which level 6 plays."""
FRAILTIES_OF_SEVERAL = {
    1: Frailty(60.0, 1.0),
    2: Frailty(26.0, 0.88),
    3: Frailty(16.5, 0.72),
    4: Frailty(10.5, 0.57),
    5: Frailty(6.0, 0.42),
}
"""The same with three and four seats, where level 6 does not work the last tricks out, and chance weighs more."""


class FrailPlayer:
    """Rules of thumb, by a player who forgets and wavers: the same way throughout a partie, by its seed."""

    def __init__(self, frailty: Frailty, seed: int) -> None:
        self.frailty, self.seed = frailty, seed

    def act(self, view: View) -> Action | None:
        legal = view.legal
        if not legal:
            return None
        if Exchange() in legal:
            return Exchange()
        chance = Random(f"{self.seed} {len(view.events)}")
        plays = [act for act in legal if isinstance(act, Play)]
        # between cards, not between what is declared with one: a figure held is seen
        off = {act.card: chance.gauss(0, self.frailty.wavering) for act in plays}
        table, unseen = thumb_table(view.rules), self.unseen(view)
        return max(
            plays,
            key=lambda act: (
                worth(
                    view.book,
                    table,
                    view.position,
                    unseen,
                    act.card,
                    NONE if act.declaration is None else act.declaration,
                )
                + off[act.card]
            ),
        )

    def unseen(self, view: View) -> int:
        """The cards it takes to be still about: those it has not seen, and those it does not think of."""
        return view.unseen.mask | sum(1 << card for card in fallen_before(view) if self.forgets(view, card))

    def forgets(self, view: View, card: int) -> bool:
        trumps = SUIT_CARDS[view.position.trump] if view.position.trump >= 0 else 0
        striking = (BRISQUES | trumps) >> card & 1
        rate = self.frailty.forgetting * (0.5 if striking else 1.0)
        return Random(f"{self.seed} {card}").random() < rate


def fallen_before(view: View) -> Iterator[int]:
    """Cards of tricks before the last one taken."""
    taken = 0
    for event in reversed(view.events):
        taken += isinstance(event, Taken)
        if taken > 1 and isinstance(event, Played):
            yield int(event.card)
