"""What speaks for and against a play, each on its own, in points: the heuristic adds them up."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from chouine.cards import BRISQUES, POINTS, SUIT_CARDS
from chouine.players.prospects import CHOUINE_WORTH, brisque_prospects, prospects, suit_prospects
from chouine.players.situation import Situation
from chouine.rules.play import DIX_DE_DER, beats, figure_suit
from chouine.rules.position import Position

TRUMP_WORTH = (18.0, 18.0, 19.0, 20.0, 22.0, 24.0, 27.0, 32.0)
"""What a trump is worth kept for the last tricks, seven to ace, beyond its points."""
LONG_WAIT = 0.5
"""How much less that is when the talon is still whole."""
TEN_WORTH, ACE_WORTH = 3.0, 6.0
"""What a plain brisque is worth kept: it may be cashed, or lost."""
FREE_TEN_WORTH, FREE_ACE_WORTH = 6.0, 15.0
"""The same while there is no trump (§17): nothing can ruff it in the last tricks."""
DISCARD = 1.0
"""Points another seat gives to a trick it lets go, while it chooses freely."""
BOUND_DISCARD = 3.0
"""The same once §8 binds."""
CASHED = 4.0
"""Points another seat brings home by taking a trick with a card of its own."""
LEAD_COST = 1.0
"""Leading while the talon serves tells first."""
LEAD_TO_DECLARE = 0.4
"""Of a figure that needs the lead to be declared (§9, §17), what having the lead is worth."""
OWN_SUIT = 3.0
"""In Mondoubleau (§17), each card held in the suit that becomes trump, above the average."""


class Candidate(NamedTuple):
    """A play to be weighed."""

    card: int
    declaration: int
    """NONE for none."""
    said: Position
    """The position once the declaration, if any, is said."""
    taking: float
    """How likely the card is to take the trick."""


def candidate(s: Situation, card: int, declaration: int, said: Position) -> Candidate:
    p = s.p
    taking = 0.0
    if not p.table or beats(card, p.best, said.trump):
        taking = 1.0
        stake = p.pot + POINTS[card & 7]
        for seat in s.behind:
            taking *= 1 - s.beaten_by(seat, card, said.trump, stake)
    return Candidate(card, declaration, said, taking)


def declared(s: Situation, c: Candidate) -> float:
    """What is said counts at once; a chouine wins (§9, §10)."""
    if c.said.chouine == s.seat:
        return 2 * CHOUINE_WORTH
    return c.said.declared[s.seat] - s.p.declared[s.seat]


def figures_kept(s: Situation, c: Candidate) -> float:
    """What may be declared afterwards, less what might have been: figures are not broken up needlessly."""
    before, after = s.p.said[s.seat], c.said.said[s.seat]
    kept = s.hand & ~(1 << c.card)
    suits = {c.card >> 3, figure_suit(c.declaration) if c.declaration >= 0 else c.card >> 3}
    if c.said.trump != s.p.trump:
        return prospects(s, kept, after, c.said.trump) - prospects(s, s.hand, before, s.p.trump)
    change = brisque_prospects(s, kept, after) - brisque_prospects(s, s.hand, before)
    for suit in suits - {-1}:
        change += suit_prospects(s, suit, kept, after, c.said.trump)
        change -= suit_prospects(s, suit, s.hand, before, s.p.trump)
    return change


def trick_points(s: Situation, c: Candidate) -> float:
    """Points the trick is likely to bring, or cost."""
    stake = s.p.pot + POINTS[c.card & 7]
    if s.p.tricks == s.book.tricks - 1:
        stake += DIX_DE_DER
    others = len(s.behind)
    won = stake + others * (DISCARD if s.serving else BOUND_DISCARD)
    lost = stake + (CASHED if others else 0.0)
    return c.taking * won - (1 - c.taking) * lost / (s.book.seats - 1)


def card_kept(s: Situation, c: Candidate) -> float:
    """Trumps are for the last tricks, and plain brisques for a trick they take."""
    rank, suit = c.card & 7, c.card >> 3
    if suit == c.said.trump:
        return -TRUMP_WORTH[rank] * (1 - LONG_WAIT * s.draws / s.book.drawing)
    if not 1 << c.card & BRISQUES:
        return 0.0
    if c.said.trump < 0:
        return -(FREE_ACE_WORTH if rank == 7 else FREE_TEN_WORTH)
    return -(ACE_WORTH if rank == 7 else TEN_WORTH)


def lead_gained(s: Situation, c: Candidate) -> float:
    """Whether to be on lead next."""
    if not s.draws:
        return 0.0
    worth = -LEAD_COST
    if s.book.declare_lead:
        kept = s.hand & ~(1 << c.card)
        worth += LEAD_TO_DECLARE * prospects(s, kept, c.said.said[s.seat], c.said.trump)
    return c.taking * worth


def turnup_drawn(s: Situation, c: Candidate) -> float:
    """Who takes the last trick with a draw leaves the turnup to the last to draw (§5)."""
    if s.draws != 1 or s.p.turnup < 0 or s.book.seats == 3:
        return 0.0
    rank = s.p.turnup & 7
    return -c.taking * (TRUMP_WORTH[rank] + POINTS[rank] / 2) / (s.book.seats - 1)


def trump_chosen(s: Situation, c: Candidate) -> float:
    """§17: the suit that becomes trump had better be a long one."""
    trump = c.said.trump
    if trump == s.p.trump:
        return 0.0
    held = s.hand & SUIT_CARDS[trump]
    expected = (s.unseen & SUIT_CARDS[trump]).bit_count() * s.book.hand / max(1, s.unseen.bit_count())
    return OWN_SUIT * (held.bit_count() - expected)


Consideration = Callable[[Situation, Candidate], float]
CONSIDERATIONS: tuple[Consideration, ...] = (
    declared,
    figures_kept,
    trick_points,
    card_kept,
    lead_gained,
    turnup_drawn,
    trump_chosen,
)
