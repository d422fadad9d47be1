"""A simulated beginner that knows only the first lessons, to measure what the lessons are worth in play.

Each lesson adds a habit of the same name. Where no habit applies the choice is random.

    Beginner(4, Random(1))      # has done lessons 1 to 4, two seats
"""

from __future__ import annotations

from random import Random

from chouine.cards import SUIT_CARDS, CardSet
from chouine.partie.actions import Action, Exchange, Figure, Play
from chouine.partie.events import fallen_cards
from chouine.partie.view import View
from chouine.rules.play import ABOVE, beats
from chouine.school.exercises import worth

TAKES, POINTS, FREE_PLAY, _, DECLARATIONS, COUNT, CHOUINE_LESSON, SEVEN = range(1, 9)
HOLD_BACK, KEEP_TRUMPS, FALLEN_CARDS = range(9, 12)
"""Numbers of the lessons that teach a habit of play."""
RICH = 10
"""Points from which a trick is worth a trump (lesson 10)."""
MARIAGES = tuple(0b110000 << 8 * suit for suit in range(4))
"""King and queen of each suit (§9)."""
CHOUINE_RANKS = 0xF8F8F8F8
"""Ace, ten, king, queen and jack of every suit (§9)."""
PATIENCE = 6
"""Cards in the talon from which waiting for a chouine may pay (lesson 9)."""


class Beginner:
    """Plays a two-seat partie by the habits of lessons 1 to `lessons`."""

    def __init__(self, lessons: int, rng: Random) -> None:
        self.lessons = lessons
        self.rng = rng

    def act(self, view: View) -> Action | None:
        """One of `view.legal`; None lets "au sept" pass."""
        may = view.legal
        if Exchange() in may:
            if self.lessons >= SEVEN:
                return Exchange()
            may = tuple(act for act in may if act != Exchange())
        plays = [act for act in may if isinstance(act, Play)]
        if not plays:
            return None
        return self.declaration(view, plays) or self.card(
            view, [act for act in plays if act.declaration is None]
        )

    def declaration(self, view: View, plays: list[Play]) -> Play | None:
        """Lesson 5: say what counts most, with its cheapest card. Lesson 7: a chouine first of all."""
        said = [act for act in plays if act.declaration is not None]
        chouines = [act for act in said if act.declaration and act.declaration.figure is Figure.CHOUINE]
        if chouines and self.lessons >= CHOUINE_LESSON:
            return chouines[0]
        said = [act for act in said if act not in chouines]
        if self.lessons < DECLARATIONS or not said:
            return None
        if self.lessons >= HOLD_BACK:
            said = [act for act in said if act.card not in self.awaited_cards(view)]
        if not said:
            return None
        most = max(points_said(view, act) for act in said)
        return self.cheapest_play(view, [act for act in said if points_said(view, act) == most])

    def card(self, view: View, plays: list[Play]) -> Play:
        """The card to lay without a declaration: to take the trick, to leave it, or to lead."""
        if self.lessons >= HOLD_BACK:
            plays = [act for act in plays if act.card not in self.kept_cards(view)] or plays
        if not view.table:
            return self.lead(view, plays)
        if self.lessons < TAKES:
            return self.rng.choice(plays)
        p = view.position
        takers = [act for act in plays if beats(act.card, p.best, p.trump)]
        if not takers:
            return self.cheapest_play(view, plays)
        taker = self.cheapest_play(view, takers)
        if self.worth_taking(view, taker):
            return taker
        leaving = [act for act in plays if act not in takers]
        return self.cheapest_play(view, leaving or takers)

    def lead(self, view: View, plays: list[Play]) -> Play:
        """Lesson 2: lead what is worth nothing. Lessons 10 and 11, talon empty: masters, the last trump last."""
        if self.lessons < POINTS:
            return self.rng.choice(plays)
        if view.talon or self.lessons < KEEP_TRUMPS:
            return self.cheapest_play(view, plays)
        plain = [act for act in plays if int(act.card.suit) != view.position.trump]
        if self.lessons >= FALLEN_CARDS:
            masters = [act for act in plain if not view.unseen.mask & ABOVE[act.card]]
            if masters and not view.unseen.mask & SUIT_CARDS[view.position.trump]:
                return max(masters, key=lambda act: act.card.points)
        return self.cheapest_play(view, plain or plays)

    def worth_taking(self, view: View, taker: Play) -> bool:
        """Lesson 2: a trick with points. Lesson 10: a trump only for a rich one."""
        p = view.position
        if self.lessons < POINTS:
            return True
        stake = p.pot + taker.card.points
        ruffs = int(taker.card.suit) == p.trump and p.best >> 3 != p.trump
        if ruffs and view.talon and self.lessons >= KEEP_TRUMPS:
            return p.pot >= RICH
        return stake > 0 or not ruffs

    def cheapest_play(self, view: View, plays: list[Play]) -> Play:
        """Lesson 2: the card with fewest points, then the lowest; a trump is dearer."""
        if self.lessons < POINTS:
            return self.rng.choice(plays)
        trump = view.position.trump
        dear = RICH if self.lessons >= FREE_PLAY else 0
        return min(
            plays, key=lambda act: (act.card.points + dear * (int(act.card.suit) == trump), act.card.rank)
        )

    def kept_cards(self, view: View) -> CardSet:
        """Lesson 9: cards not to be thrown while the talon lasts: pairs of king and queen, and a chouine begun."""
        if not view.talon:
            return CardSet()
        hand = view.hand.mask
        pairs = sum(pair for pair in MARIAGES if hand & pair == pair)
        return CardSet(pairs) | self.awaited_cards(view)

    def awaited_cards(self, view: View) -> CardSet:
        """Lesson 9: four cards of a chouine whose fifth may still come."""
        gone, hand = fallen_cards(view.events), view.hand.mask
        waited = 0
        for suit in range(4):
            whole = SUIT_CARDS[suit] & CHOUINE_RANKS
            missing = whole & ~hand
            if view.talon >= PATIENCE and missing.bit_count() == 1 and not missing & gone:
                waited |= whole & hand
        return CardSet(waited)


def points_said(view: View, act: Play) -> int:
    """The points that a declaration would count now."""
    return worth(act.declaration, view.trump) if act.declaration is not None else 0
