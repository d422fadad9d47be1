"""Weakened heuristic players for the lower levels: noisy evaluation, imperfect memory."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from chouine.cards import BRISQUES, SUIT_CARDS
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.events import Played, Taken
from chouine.partie.view import View
from chouine.players.evaluation import evaluate_play, weight_table
from chouine.rules.position import NONE


class Handicap(NamedTuple):
    """Parameters of a weakened player."""

    noise: float
    """Standard deviation, in points, of the noise added to each card's score."""
    forgetting: float
    """Probability of forgetting a played card; half for brisques and trumps, zero for the last trick."""


HANDICAPS = {
    1: Handicap(34.0, 0.95),
    2: Handicap(19.0, 0.78),
    3: Handicap(12.0, 0.62),
    4: Handicap(7.0, 0.45),
    5: Handicap(2.0, 0.12),
}
"""Levels 1 to 5, two seats; level 6 is the plain heuristic."""
HANDICAPS_MULTIPLAYER = {
    1: Handicap(60.0, 1.0),
    2: Handicap(26.0, 0.88),
    3: Handicap(16.5, 0.72),
    4: Handicap(10.5, 0.57),
    5: Handicap(6.0, 0.42),
}
"""Levels 1 to 5 with three and four seats: larger, since level 6 does not solve the last tricks there and luck
weighs more."""


class HandicappedPlayer:
    """The heuristic with noise and forgetting, consistent throughout a partie for a given seed."""

    def __init__(self, handicap: Handicap, seed: int) -> None:
        self.handicap, self.seed = handicap, seed

    def act(self, view: View) -> Action | None:
        legal = view.legal
        if not legal:
            return None
        if Exchange() in legal:
            return Exchange()
        rng = Random(f"{self.seed} {len(view.events)}")
        plays = [act for act in legal if isinstance(act, Play)]
        # noise per card, not per declaration: it never overlooks a figure it holds
        noise = {act.card: rng.gauss(0, self.handicap.noise) for act in plays}
        table, unseen = weight_table(view.rules), self.cards_in_play(view)
        return max(
            plays,
            key=lambda act: (
                evaluate_play(
                    view.rule_table,
                    table,
                    view.position,
                    unseen,
                    act.card,
                    NONE if act.declaration is None else act.declaration,
                )
                + noise[act.card]
            ),
        )

    def cards_in_play(self, view: View) -> int:
        """Cards it believes are still in play: the unseen and the forgotten."""
        return view.unseen.mask | sum(
            1 << card for card in cards_of_earlier_tricks(view) if self.forgets(view, card)
        )

    def forgets(self, view: View, card: int) -> bool:
        trumps = SUIT_CARDS[view.position.trump] if view.position.trump >= 0 else 0
        memorable = (BRISQUES | trumps) >> card & 1
        rate = self.handicap.forgetting * (0.5 if memorable else 1.0)
        return Random(f"{self.seed} {card}").random() < rate


def cards_of_earlier_tricks(view: View) -> Iterator[int]:
    """Cards of all tricks but the last one taken."""
    taken = 0
    for event in reversed(view.events):
        taken += isinstance(event, Taken)
        if taken > 1 and isinstance(event, Played):
            yield int(event.card)
