"""The player who plays anything."""

from __future__ import annotations

from random import Random

from chouine.partie.actions import Action
from chouine.partie.view import View


class RandomPlayer:
    """Each of its legal actions is as likely as another."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def act(self, view: View) -> Action | None:
        legal = view.legal
        return self.rng.choice(legal) if legal else None
