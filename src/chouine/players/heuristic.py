"""A player by rules of thumb: counts the cards, and adds up what speaks for each play."""

from __future__ import annotations

from collections.abc import Iterator

from chouine.cards import PACK
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.view import View
from chouine.players.considerations import CONSIDERATIONS, Candidate, candidate
from chouine.players.endgame import Solved, best_action, known
from chouine.players.situation import Situation
from chouine.rules.book import Book
from chouine.rules.combinations import EXCHANGE, EXCHANGING, MARIAGE
from chouine.rules.play import companions, declare, legal_for
from chouine.rules.position import NONE, Position


class HeuristicPlayer:
    """The same view gives the same action."""

    def __init__(self) -> None:
        self.solved: Solved = {}

    def act(self, view: View) -> Action | None:
        seat, p = view.observer, view.position
        actions = 0 if seat is None or view.result else legal_for(view.book, p, seat)
        if seat is None or not actions:
            return None
        if actions & EXCHANGING:  # the turnup is the better trump whatever it is, and costs nothing (§11)
            return Exchange()
        whole = known(view)
        if whole is not None:
            return self.solve(view.book, whole)
        self.solved.clear()
        s = Situation.of(view, seat)
        best = max(candidates(s, actions), key=lambda c: worth(s, c))
        return spoken(best.card, best.declaration)

    def solve(self, book: Book, p: Position) -> Play:
        """The play that ends best, all cards being known; what is found out serves for the next tricks."""
        action = best_action(book, p, self.solved)
        if action < EXCHANGE:
            return spoken(action, NONE)
        return spoken(best_action(book, declare(book, p, action), self.solved), action)


def spoken(card: int, declaration: int) -> Play:
    """A play as an act; the declaration may be NONE."""
    return Play(PACK[card], Declaration(declaration) if declaration >= 0 else None)


def worth(s: Situation, c: Candidate) -> float:
    """A play's considerations together, in points."""
    return sum(consideration(s, c) for consideration in CONSIDERATIONS)


def candidates(s: Situation, actions: int) -> Iterator[Candidate]:
    """Every legal play: a card alone, and each card that may go with each declaration."""
    cards = [card for card in range(32) if actions >> card & 1]
    for card in cards:
        yield candidate(s, card, NONE, s.p)
    declarations = actions >> MARIAGE
    while declarations:
        low = declarations & -declarations
        declarations ^= low
        declaration = MARIAGE + low.bit_length() - 1
        said = declare(s.book, s.p, declaration)
        with_it = companions(s.book, declaration)
        for card in cards:
            if with_it >> card & 1:
                yield candidate(s, card, declaration, said)
