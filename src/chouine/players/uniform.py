"""The uniformly random player."""

from __future__ import annotations

from random import Random

from chouine.partie.actions import Action
from chouine.partie.view import View


class RandomPlayer:
    """Choose among the legal actions with equal probability."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def act(self, view: View) -> Action | None:
        legal = view.legal
        return self.rng.choice(legal) if legal else None
