"""Sample another deal consistent with a view (§14), from the view alone.

Hidden places (cards of a dealt hand, places of the talon) are refilled with the cards whose place the seat cannot
know. A card that a seat played, showed or exchanged must have reached that seat before. Replaying the actions verifies
the others' obligations.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from chouine.cards import BRISQUES, PACK, Card, CardSet
from chouine.errors import IllegalAction
from chouine.partie import (
    Deal,
    Declaration,
    Declared,
    Drawn,
    Exchange,
    Exchanged,
    Figure,
    Play,
    Played,
    Shown,
    State,
    View,
)

TRIES = 60
BRISQUES_NEEDED = {Figure.QUINTE: 5, Figure.TRENTE: 3}


@dataclass(frozen=True)
class Place:
    """The place of a hidden card: in a dealt hand, or in the talon until `seat` draws it."""

    seat: int | None
    """None: not drawn yet, or never."""
    since: int
    """The number of the event that gave the card to its seat."""
    talon: int | None
    """The index in the talon; None for a hand."""


@dataclass(frozen=True)
class SeenCard:
    """A card known to be in a seat's hand at event `by` or earlier."""

    card: Card
    seat: int
    by: int


def another_world(view: View, rng: Random) -> State | None:
    """A random state consistent with the view; None if none was found."""
    room, cards = places(view), hidden_cards(view)
    for _ in range(TRIES):
        filling = fill(room, sightings(view, rng), cards, rng)
        state = replay(view, fill_deal(view, room, filling)) if filling else None
        if state is not None:
            return state
    return None


def places(view: View) -> list[Place]:
    """All places whose initial card is hidden from the view."""
    hands = view.deal.hands
    found = [Place(seat, 0, None) for seat, hand in enumerate(hands) for _ in range(hand.unknown)]
    drawn = [(at, event) for at, event in enumerate(view.events) if isinstance(event, Drawn)]
    face_down = [(at, event) for at, event in drawn if not event.turnup]
    found += [Place(event.seat, at, nth) for nth, (at, event) in enumerate(face_down) if event.card is None]
    found += [Place(None, 0, nth) for nth in range(len(face_down), len(view.deal.talon))]
    return found


def hidden_cards(view: View) -> list[Card]:
    """The cards whose initial place is hidden from the view."""
    told = {card for hand in view.deal.hands for card in hand.known}
    told |= {card for card in (*view.deal.talon, view.deal.turnup) if card is not None}
    return [card for card in PACK if card not in told]


def sightings(view: View, rng: Random) -> list[SeenCard]:
    """The cards each seat is known to have held, and when; unshown brisques of declarations are guessed."""
    found: list[SeenCard] = []
    for at, event in enumerate(view.events):
        match event:
            case Played(seat, card):
                found.append(SeenCard(card, seat, at))
            case Exchanged(seat, card) if seat is not None:
                found.append(SeenCard(Card(8 * card.suit), seat, at))
            case Declared(seat, declaration) if declaration.suit is not None:
                found += [SeenCard(card, seat, at) for card in declaration.cards(view.rule_table)]
            case Declared(seat, declaration):
                found += [SeenCard(card, seat, at) for card in brisques(view, seat, declaration, at, rng)]
            case _:
                pass
    return found


def brisques(view: View, seat: int, declaration: Declaration, at: int, rng: Random) -> list[Card]:
    """The brisques of a quinte or trente: those shown, or before that a random consistent choice."""
    for event in view.events[at:]:
        if isinstance(event, Shown) and event.seat == seat and event.declaration == declaration:
            return list(event.cards or ())
    known = list(CardSet(view.position.hands[seat]))
    known += [event.card for event in view.events[at:] if isinstance(event, Played) and event.seat == seat]
    known = [card for card in known if BRISQUES >> card & 1]
    free = list(view.unseen & CardSet(BRISQUES))
    missing = max(0, BRISQUES_NEEDED[declaration.figure] - len(known))
    return known + rng.sample(free, min(missing, len(free)))


def fill(room: list[Place], seen: list[SeenCard], cards: list[Card], rng: Random) -> list[Card] | None:
    """A card for each place: first the cards seen, in order, in possible places; then the others. None on failure."""
    left, placed = set(cards), dict[int, Card]()
    for sight in sorted(seen, key=lambda sight: sight.by):
        if sight.card not in left:
            continue
        fitting = [
            at
            for at, place in enumerate(room)
            if at not in placed and place.seat == sight.seat and place.since <= sight.by
        ]
        if not fitting:
            return None
        placed[rng.choice(fitting)] = sight.card
        left.remove(sight.card)
    rest = rng.sample(sorted(left), len(left))
    return [placed[at] if at in placed else rest.pop() for at in range(len(room))]


def fill_deal(view: View, room: list[Place], filling: list[Card]) -> Deal:
    """The complete deal, with the hidden places filled."""
    seen = view.deal
    hands, talon = [hand.known for hand in seen.hands], list(seen.talon)
    for place, card in zip(room, filling, strict=True):
        if place.talon is not None:
            talon[place.talon] = card
        elif place.seat is not None:
            hands[place.seat] |= CardSet([card])
    return Deal(seen.dealer, tuple(hands), seen.turnup, tuple(card for card in talon if card is not None))


def replay(view: View, deal: Deal) -> State | None:
    """The state after the same actions from another deal; None if a rule or a shown card contradicts it."""
    state = State.new(view.rules, deal)
    said: Declaration | None = None
    for at, event in enumerate(view.events):
        try:
            match event:
                case Declared(seat, declaration):
                    said = declaration
                    if declaration.suit is None and not agrees(view, at, CardSet(state.position.hands[seat])):
                        return None
                case Exchanged(seat):
                    state = state.play(Exchange(), seat)
                case Played(seat, card):
                    state, said = state.play(Play(card, said), seat), None
                case _:
                    pass
        except IllegalAction:
            return None
    return state


def agrees(view: View, at: int, hand: CardSet) -> bool:
    """Whether the hand's brisques are those shown for the quinte or trente declared at event `at`, if any."""
    declared = view.events[at]
    assert isinstance(declared, Declared)
    said = (declared.seat, declared.declaration)
    for event in view.events[at:]:
        if isinstance(event, Shown) and (event.seat, event.declaration) == said:
            return event.cards == hand & CardSet(BRISQUES)
    return True
