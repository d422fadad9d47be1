"""A player with a tuned linear evaluation: it counts cards, scores each play, and solves the last tricks exactly."""

from __future__ import annotations

from chouine.cards import PACK
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.course import fallen
from chouine.partie.view import View
from chouine.players.endgame import MarginTable, best_action, known
from chouine.players.evaluation import heuristic_card, weight_table
from chouine.rules.book import Book
from chouine.rules.combinations import EXCHANGE, EXCHANGING
from chouine.rules.options import Rules
from chouine.rules.play import declare, legal_for
from chouine.rules.position import NONE, Position


class HeuristicPlayer:
    """Deterministic: the same view gives the same action."""

    def __init__(self) -> None:
        self.solved: MarginTable = {}
        self.rules: Rules | None = None

    def act(self, view: View) -> Action | None:
        seat, p = view.observer, view.position
        actions = 0 if seat is None or view.result else legal_for(view.book, p, seat)
        if not actions:
            return None
        if actions & EXCHANGING:  # always better: the turnup beats the seven and costs nothing (§11)
            return Exchange()
        whole = known(view)
        if whole is None or view.rules != self.rules:
            self.solved, self.rules = {}, view.rules
        if whole is not None:
            return self.solve(view.book, whole)
        return as_play(*heuristic_card(view.book, weight_table(view.rules), p, fallen(view.events)))

    def solve(self, book: Book, p: Position) -> Play:
        """The best play when all cards are known. Results are cached for the next tricks."""
        action = best_action(book, p, self.solved)
        if action < EXCHANGE:
            return as_play(action, NONE)
        return as_play(best_action(book, declare(book, p, action), self.solved), action)


def as_play(card: int, declaration: int) -> Play:
    """A card and a declaration (or NONE) as a `Play`."""
    return Play(PACK[card], Declaration(declaration) if declaration >= 0 else None)
