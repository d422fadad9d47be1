"""The player of one ply that other programs of Chouine are: no counting of cards, no looking ahead."""

from __future__ import annotations

from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.view import View
from chouine.rules.play import beats

STAKE = 10
"""Card points for which it takes a trick at any price."""
CHEAP = 8
"""What it gives for less."""
TRUMP_WORTH = 10
"""How much dearer than another card a trump is to it."""


class GreedyPlayer:
    """Exchanges and declares whenever it can, takes what pays, and otherwise lets its least card go."""

    def act(self, view: View) -> Action | None:
        legal = view.legal
        if not legal:
            return None
        if Exchange() in legal:
            return Exchange()
        plays = [action for action in legal if isinstance(action, Play)]
        most = max(worth_said(play) for play in plays)
        plays = [play for play in plays if worth_said(play) == most]
        taking = [play for play in plays if takes(view, play)]
        if taking:
            cheapest = min(taking, key=lambda play: dearness(view, play))
            stake = view.position.pot + cheapest.card.points
            if stake >= STAKE or dearness(view, cheapest) < CHEAP:
                return cheapest
        return min(plays, key=lambda play: dearness(view, play))


def worth_said(play: Play) -> int:
    """What is declared with a card; a chouine is above all."""
    if play.declaration is None:
        return 0
    return play.declaration.value or 1000


def takes(view: View, play: Play) -> bool:
    """Whether a card answered beats what lies on the table."""
    p = view.position
    return bool(p.table) and beats(play.card, p.best, p.trump)


def dearness(view: View, play: Play) -> float:
    """How loath it is to part with a card: its points, its rank, and more for a trump."""
    card = play.card
    return card.points + card.rank / 10 + (TRUMP_WORTH if card.suit == view.trump else 0)
