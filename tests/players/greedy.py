"""A one-ply reference player."""

from __future__ import annotations

from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.view import View
from chouine.rules.play import beats


class GreedyPlayer:
    """Declares everything, takes a trick worth ten points or more, otherwise plays its lowest card."""

    def act(self, view: View) -> Action | None:
        legal = view.legal
        if not legal:
            return None
        if Exchange() in legal:
            return Exchange()
        plays = [action for action in legal if isinstance(action, Play)]
        return max(plays, key=lambda play: self.rank(view, play))

    def rank(self, view: View, play: Play) -> tuple[bool, int, bool, int, int]:
        said, p = play.declaration, view.position
        chouine = said is not None and said.value == 0
        takes = bool(p.table) and p.pot >= 10 and beats(play.card, p.best, p.trump)
        return chouine, said.value if said else 0, takes, -play.card.points, -play.card.rank
