"""What a hand may yet declare (§9), as points to be expected."""

from __future__ import annotations

from chouine.cards import BRISQUES, SUIT_CARDS
from chouine.players.situation import Situation
from chouine.rules.book import FULL, NEVER
from chouine.rules.combinations import CHOUINE, FIGURE_VALUES, MARIAGE, QUINTE, SUIT_FIGURES, TRENTE

CHOUINE_WORTH = 150.0
"""A chouine wins the partie (§10): about what it takes to win one by points."""
READY, READY_ON_LEAD = 0.95, 0.8
"""How sure a figure held is to be declared later, by any seat or only when on lead (§9.1)."""
PATIENCE = 0.6
"""For each card missing: keeping the others costs room in the hand."""
TURNUP_EXPECTED = 0.35
"""How likely the turnup comes to a seat that does not hold the seven (§11)."""


def prospects(s: Situation, hand: int, said: int, trump: int) -> float:
    """All that this seat may hope to declare from this hand, having said `said`."""
    by_suit = sum(suit_prospects(s, suit, hand, said, trump) for suit in range(4))
    return by_suit + brisque_prospects(s, hand, said)


def suit_prospects(s: Situation, suit: int, hand: int, said: int, trump: int) -> float:
    """The figures of one suit. Each contains the one before, so each adds what it counts above it (§9.4)."""
    held = hand & SUIT_CARDS[suit]
    key = (suit, held, said, trump)
    known = s.prospects.get(key)
    if known is None:
        known = s.prospects[key] = weigh_suit(s, suit, held, said, trump)
    return known


def weigh_suit(s: Situation, suit: int, held: int, said: int, trump: int) -> float:
    book = s.book
    doubled = 2.0 if suit == trump else 1.0
    hoped = chance(s, book.figure_cards[CHOUINE + suit - MARIAGE] & ~held) * CHOUINE_WORTH
    counted = 0.0
    closed = said >> suit & SUIT_FIGURES >> suit & 0x111 << MARIAGE
    if closed and book.again == NEVER:
        return hoped
    for declaration in range(MARIAGE + suit, QUINTE if book.seats == 2 else MARIAGE + 4, 4):
        value = FIGURE_VALUES[declaration - MARIAGE] * doubled
        if said >> declaration & 1:
            counted = max(counted, value)
            continue
        likely = chance(s, book.figure_cards[declaration - MARIAGE] & ~held)
        hoped += likely * (value if book.again == FULL else max(0.0, value - counted))
        counted = max(counted, value)
    return hoped


def brisque_prospects(s: Situation, hand: int, said: int) -> float:
    """The quinte, or with three and four seats the trente."""
    declaration, many = (QUINTE, 5) if s.book.seats == 2 else (TRENTE, 3)
    if said >> declaration & 1:
        return 0.0
    value = FIGURE_VALUES[declaration - MARIAGE]
    missing = many - (hand & BRISQUES).bit_count()
    if missing <= 0:
        return value * ready(s)
    left = (s.unseen & BRISQUES).bit_count()
    unseen = s.unseen.bit_count()
    if missing > min(left, s.draws) or missing > 2:
        return 0.0
    likely = 1.0
    for nth in range(missing):
        likely *= min(1.0, s.draws * (left - nth) / (unseen * (nth + 1))) * PATIENCE
    return value * likely


def chance(s: Situation, missing: int) -> float:
    """How likely the cards missing from a figure are to come."""
    if not missing:
        return ready(s)
    turnup = 1 << s.p.turnup if s.p.turnup >= 0 else 0
    if missing & ~(s.unseen | turnup):
        return 0.0
    likely = 1.0
    if missing & turnup:
        missing ^= turnup
        likely = TURNUP_EXPECTED * PATIENCE
    unseen = s.unseen.bit_count()
    for nth in range(missing.bit_count()):
        likely *= max(0, s.draws - nth) / (unseen - nth) * PATIENCE
    return likely * ready(s)


def ready(s: Situation) -> float:
    return READY_ON_LEAD if s.book.declare_lead else READY
