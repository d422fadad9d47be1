"""What a view does not show, and what all know: deduced from the events, without a compiler or arrays."""

from __future__ import annotations

from typing import NamedTuple

from chouine.cards import ALL_CARDS, BRISQUES
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.partie.events import Declared, Drawn, Played, Shown, current_trick, played_by_seat, redact
from chouine.partie.view import View
from chouine.rules.combinations import BRISQUE_FIGURES
from chouine.rules.play import bound_cards, declare, lay, start
from chouine.rules.position import NONE, UNKNOWN, Position, put
from chouine.rules.rule_table import RuleTable


class HiddenCards(NamedTuple):
    """The unseen cards of a view and where they may lie."""

    cards: int
    """Unseen cards, as a set."""
    hands: tuple[int, ...]
    """By seat, the cards known to be in its hand."""
    vacancies: tuple[int, ...]
    """By seat, how many unseen cards its hand holds."""
    excluded: tuple[int, ...]
    """By seat, unseen cards that its hand cannot contain."""
    drawn: int
    """Talon places already drawn; unseen cards fill the places from here on."""

    @property
    def barred(self) -> bool:
        """Whether a seat that has unseen cards cannot hold some of them."""
        seats = zip(self.excluded, self.vacancies, strict=True)
        return any(vacancies and excluded & self.cards for excluded, vacancies in seats)


def hidden_cards(view: View) -> HiddenCards:
    """What this view does not show."""
    held = [view.held(seat) for seat in range(view.rules.seats)]
    drawn = sum(isinstance(event, Drawn) and not event.turnup for event in view.events)
    announced = [announced_cards(view, seat) & ~hand.known.mask for seat, hand in enumerate(held)]
    known = tuple(hand.known.mask | cards for hand, cards in zip(held, announced, strict=True))
    vacancies = tuple(hand.unknown - cards.bit_count() for hand, cards in zip(held, announced, strict=True))
    return HiddenCards(view.unseen.mask & ~sum(announced), known, vacancies, excluded_cards(view), drawn)


def announced_cards(view: View, seat: int) -> int:
    """Cards of declarations in the current trick: public before they are shown (§9.5)."""
    cards, laid = 0, 0
    for event in current_trick(view.events):
        match event:
            case Declared(seat=who, declaration=declaration) if who == seat:
                cards |= 0 if 1 << declaration & BRISQUE_FIGURES else declaration.cards(view.rule_table).mask
            case Played(card=card):
                laid |= 1 << card
            case _:
                pass
    return cards & ~laid


def excluded_cards(view: View) -> tuple[int, ...]:
    """By seat, the cards it cannot hold, given its answers (§8) and figures announced but not yet shown (§9.5)."""
    rule_table, excluded = view.rule_table, [0] * view.rules.seats
    turnup, unknown = view.deal.turnup, (UNKNOWN,) * view.rule_table.hidden
    p = start(rule_table, (0, 0, 0, 0), NONE if turnup is None else turnup, view.deal.dealer)
    for event in view.events:
        match event:
            case Declared(seat=seat, declaration=declaration):
                p = declare(rule_table, p, declaration)
                if 1 << declaration & BRISQUE_FIGURES:
                    excluded[seat] |= ALL_CARDS & ~BRISQUES
            case Shown(seat=seat, declaration=declaration) if 1 << declaration & BRISQUE_FIGURES:
                excluded[seat] &= BRISQUES
            case Played(seat=seat, card=card):
                if p.table and p.tricks >= rule_table.drawing:
                    excluded[seat] |= ruled_out(rule_table, p, card)
                p = lay(rule_table, unknown, p, card)
            case _:
                pass
    return tuple(excluded)


def ruled_out(rule_table: RuleTable, p: Position, card: int) -> int:
    """Cards that the seat does not hold, since §8 would have required one of them instead of this card."""
    ruled = 0
    while True:
        first = bound_cards(rule_table, p, ALL_CARDS & ~ruled)
        if first >> card & 1:
            return ruled
        ruled |= first


def public_view(view: View) -> View:
    """The view of an onlooker."""
    return View(view.rules, None, tuple(redact(event, None) for event in view.events))


def plain_public_knowledge(view: View) -> PublicKnowledge:
    """Public knowledge of a view, also within a trick; for a quinte or trente any brisque may be shown."""
    showing = (0, 0, 0, 0)
    for event in current_trick(view.events):
        if isinstance(event, Declared):
            hidden = 1 << event.declaration & BRISQUE_FIGURES
            cards = BRISQUES if hidden else event.declaration.cards(view.rule_table).mask
            showing = put(showing, event.seat, cards)
    return PublicKnowledge(public_view(view).position.hands, showing, played_by_seat(view.events))
