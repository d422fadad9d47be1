"""A player that declares and exchanges whatever it can, and otherwise plays at random."""

from __future__ import annotations

from random import Random

from chouine.fast.declarations import eager_card
from chouine.partie.actions import Action, Exchange
from chouine.partie.view import View
from chouine.players.heuristic import as_play
from chouine.rules.combinations import EXCHANGING
from chouine.rules.play import legal_for


class EagerPlayer:
    """Exchanges the seven when it may; lays any legal card, each as likely, with the best declaration it allows."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def act(self, view: View) -> Action | None:
        seat = view.observer
        actions = 0 if seat is None or view.result else legal_for(view.rule_table, view.position, seat)
        if not actions:
            return None
        if actions & EXCHANGING:
            return Exchange()
        return as_play(*eager_card(view.rule_table, view.position, self.rng.getrandbits(32)))
