"""A player by rules of thumb, tuned: it counts the cards, and adds up what speaks for each play."""

from __future__ import annotations

from chouine.cards import PACK
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.course import fallen
from chouine.partie.view import View
from chouine.players.endgame import Solved, best_action, known
from chouine.rules.book import Book
from chouine.rules.combinations import EXCHANGE, EXCHANGING
from chouine.rules.options import Rules
from chouine.rules.play import declare, legal_for
from chouine.rules.position import NONE, Position


class HeuristicPlayer:
    """The same view gives the same action."""

    def __init__(self) -> None:
        self.solved: Solved = {}
        self.rules: Rules | None = None

    def act(self, view: View) -> Action | None:
        seat, p = view.observer, view.position
        actions = 0 if seat is None or view.result else legal_for(view.book, p, seat)
        if not actions:
            return None
        if actions & EXCHANGING:  # the turnup is the better trump whatever it is, and costs nothing (§11)
            return Exchange()
        whole = known(view)
        if whole is None or view.rules != self.rules:
            self.solved, self.rules = {}, view.rules
        if whole is not None:
            return self.solve(view.book, whole)
        from chouine.players.thumb import thumb_card, thumb_table  # late: numba comes with it

        return spoken(*thumb_card(view.book, thumb_table(view.rules), p, fallen(view.events)))

    def solve(self, book: Book, p: Position) -> Play:
        """The play that ends best, all cards being known; what is found out serves for the next tricks."""
        action = best_action(book, p, self.solved)
        if action < EXCHANGE:
            return spoken(action, NONE)
        return spoken(best_action(book, declare(book, p, action), self.solved), action)


def spoken(card: int, declaration: int) -> Play:
    """A play as an act; the declaration may be NONE."""
    return Play(PACK[card], Declaration(declaration) if declaration >= 0 else None)
