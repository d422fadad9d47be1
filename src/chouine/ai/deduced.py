"""What a view does not show, what all know, and which chouine wins whatever is hidden (§10).

Deduced from the events, without a compiler or arrays.
"""

from __future__ import annotations

from typing import NamedTuple

from chouine.cards import ALL_CARDS, BRISQUES
from chouine.fast.kernels import kernel
from chouine.fast.public_knowledge import PublicKnowledge, cards_played
from chouine.partie.actions import Exchange, Play
from chouine.partie.events import (
    Declared,
    Drawn,
    Event,
    Exchanged,
    Played,
    Shown,
    current_trick,
    hide_cards,
    played_by_seat,
)
from chouine.partie.view import View
from chouine.rules.combinations import BRISQUE_FIGURES, CHOUINE, CHOUINES, MARIAGE
from chouine.rules.play import bound_cards, declare, exchange, figure_suit, lay, legal_for, start
from chouine.rules.position import NONE, UNKNOWN, Four, Position, put
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


class Onlooker(NamedTuple):
    """What an onlooker knows of a partie's course; each event gives the next."""

    rule_table: RuleTable
    p: Position
    """Hands hold public cards only."""
    played: Four = (0, 0, 0, 0)
    """Cards laid by each seat."""
    said: int = NONE
    """A declaration whose card comes next; not yet in `p`."""

    @classmethod
    def begin(cls, view: View) -> Onlooker:
        """After the deal."""
        turnup = NONE if view.deal.turnup is None else int(view.deal.turnup)
        return cls(view.rule_table, start(view.rule_table, (0, 0, 0, 0), turnup, view.deal.dealer))

    @property
    def declared(self) -> Position:
        """`p` with the declaration just made."""
        return self.p if self.said == NONE else declare(self.rule_table, self.p, self.said)

    def after(self, event: Event) -> Onlooker:
        """After one event more."""
        rule_table, p, played, _ = self
        match event:
            case Declared(declaration=declaration):
                return self._replace(said=int(declaration))
            case Played(seat=seat, card=card):
                p = lay(rule_table, (UNKNOWN,) * rule_table.hidden, self.declared, card)
                return Onlooker(rule_table, p, put(played, seat, played[seat] | 1 << card))
            case Exchanged(seat=seat):
                return self._replace(p=exchange(p, NONE if seat is None else seat))
            case Shown(seat=seat, cards=cards) if cards is not None:
                shown = p.hands[seat] | cards.mask & ~played[seat]
                return self._replace(p=p._replace(hands=put(p.hands, seat, shown)))
            case _:
                return self


def excluded_cards(view: View) -> tuple[int, ...]:
    """By seat, the cards it cannot hold, given its answers (§8) and figures announced but not yet shown (§9.5)."""
    rule_table, excluded = view.rule_table, [0] * view.rules.seats
    known = Onlooker.begin(view)
    for event in view.events:
        match event:
            case Declared(seat=seat, declaration=declaration) if 1 << declaration & BRISQUE_FIGURES:
                excluded[seat] |= ALL_CARDS & ~BRISQUES
            case Shown(seat=seat, declaration=declaration) if 1 << declaration & BRISQUE_FIGURES:
                excluded[seat] &= BRISQUES
            case Played(seat=seat, card=card) if known.p.table and known.p.tricks >= rule_table.drawing:
                excluded[seat] |= ruled_out(rule_table, known.declared, card)
            case _:
                pass
        known = known.after(event)
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
    return View(view.rules, None, tuple(hide_cards(event, None) for event in view.events))


def plain_public_knowledge(view: View) -> PublicKnowledge:
    """Public knowledge of a view, also within a trick; for a quinte or trente any brisque may be shown."""
    showing = (0, 0, 0, 0)
    for event in current_trick(view.events):
        if isinstance(event, Declared):
            hidden = 1 << event.declaration & BRISQUE_FIGURES
            cards = BRISQUES if hidden else event.declaration.cards(view.rule_table).mask
            showing = put(showing, event.seat, cards)
    return PublicKnowledge(public_view(view).position.hands, showing, played_by_seat(view.events))


@kernel
def unseen_by(rule_table: RuleTable, p: Position, seen: PublicKnowledge, seat: int) -> int:
    """The set of cards that may be in other hands or in the talon, as far as a seat knows."""
    located = cards_played(seen) | p.hands[seat] | (1 << p.turnup if p.turnup >= 0 else 0)
    for other in range(rule_table.seats):
        located |= seen.known[other]
    return ALL_CARDS & ~located


@kernel
def wins_for_certain(rule_table: RuleTable, p: Position, seen: PublicKnowledge, declaration: int) -> bool:
    """Whether a declaration is a chouine that no seat still to play can beat (§10)."""
    if declaration < 0 or not 1 << declaration & CHOUINES:
        return False
    after = declare(rule_table, p, declaration)
    if after.chouine != p.turn:
        return False
    if after.trump < 0 or after.trump == figure_suit(declaration):
        return True
    needed = rule_table.figure_cards[CHOUINE - MARIAGE + after.trump]
    unseen = unseen_by(rule_table, p, seen, p.turn)
    laid = (p.turn - p.leader) % rule_table.seats
    for place in range(1, rule_table.seats - laid):
        if (unseen | seen.known[(p.turn + place) % rule_table.seats]) & needed == needed:
            return False
    return True


def winning_declarations(view: View) -> list[Play]:
    """Acts of the seat on turn that declare a chouine which no other can beat."""
    seat, rule_table, p = view.turn, view.rule_table, view.position
    if seat is None or seat != view.observer or not legal_for(rule_table, p, seat) & CHOUINES:
        return []
    seen = plain_public_knowledge(view)
    return [
        act
        for act in view.legal
        if isinstance(act, Play)
        and act.declaration
        and wins_for_certain(rule_table, p, seen, int(act.declaration))
    ]


def chouine_decides(view: View) -> bool:
    """Whether the current trick is decided by another seat's chouine, which the seat on turn beats now or loses to."""
    return view.position.chouine >= 0 and view.turn == view.observer and Exchange() not in view.legal
