"""A player that declares and exchanges whatever it can, and otherwise plays at random."""

from __future__ import annotations

from random import Random

from chouine.cards import ALL_CARDS
from chouine.fast.declarations import best_with
from chouine.partie.actions import Action, Exchange
from chouine.partie.view import View
from chouine.players.heuristic import as_play
from chouine.rules.combinations import DECLARATIONS, EXCHANGING
from chouine.rules.play import legal_for


class EagerPlayer:
    """Exchanges the seven when it may; lays any legal card, each as likely, with the best declaration it allows."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def act(self, view: View) -> Action | None:
        seat = view.observer
        actions = 0 if seat is None or view.result else legal_for(view.book, view.position, seat)
        if not actions:
            return None
        if actions & EXCHANGING:
            return Exchange()
        card = self.rng.choice([card for card in range(32) if actions & ALL_CARDS & 1 << card])
        return as_play(card, best_with(view.book, actions & DECLARATIONS, card))
