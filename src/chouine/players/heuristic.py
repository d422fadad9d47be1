"""A player with a tuned linear evaluation: it counts cards, scores each play, and solves the last tricks exactly."""

from __future__ import annotations

from chouine.cards import PACK
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.events import fallen_cards
from chouine.partie.view import View
from chouine.players.endgame import MarginTable, best_action, known_position
from chouine.players.evaluation import heuristic_card, weight_table
from chouine.rules.combinations import EXCHANGE, EXCHANGING
from chouine.rules.options import Rules
from chouine.rules.play import declare, legal_for
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable


class HeuristicPlayer:
    """Deterministic: the same view gives the same action."""

    def __init__(self) -> None:
        self.solved: MarginTable = {}
        self.rules: Rules | None = None

    def act(self, view: View) -> Action | None:
        seat, p = view.observer, view.position
        actions = 0 if seat is None or view.result else legal_for(view.rule_table, p, seat)
        if not actions:
            return None
        if actions & EXCHANGING:  # always better: the turnup beats the seven and costs nothing (§11)
            return Exchange()
        whole = known_position(view)
        if whole is None or view.rules != self.rules:
            self.solved, self.rules = {}, view.rules
        if whole is not None:
            return self.solve(view.rule_table, whole)
        return as_play(
            *heuristic_card(view.rule_table, weight_table(view.rules), p, fallen_cards(view.events))
        )

    def solve(self, rule_table: RuleTable, p: Position) -> Play:
        """The best play when all cards are known. Results are cached for the next tricks."""
        action = best_action(rule_table, p, self.solved)
        if action < EXCHANGE:
            return as_play(action, NONE)
        return as_play(best_action(rule_table, declare(rule_table, p, action), self.solved), action)


def as_play(card: int, declaration: int) -> Play:
    """A card and a declaration (or NONE) as a `Play`."""
    return Play(PACK[card], Declaration(declaration) if declaration >= 0 else None)
