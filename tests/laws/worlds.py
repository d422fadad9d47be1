"""Another world in which a seat has seen, and knows, exactly the same (§14): made from its view alone.

Hidden places (cards of a hand as dealt, places of the talon) are filled anew with the cards whose place the
seat cannot know. A card seen played, shown or exchanged by a seat must have come to that seat before; that
others obeyed their obligations is checked by playing the same actions through the rules.
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
    """Where one hidden card lies: in a hand as dealt, or in the talon until `seat` draws it."""

    seat: int | None
    """None: not drawn yet, or never."""
    since: int
    """The event that brought the card to its seat."""
    talon: int | None
    """Its place in the talon; None for a hand."""


@dataclass(frozen=True)
class Seen:
    """A card that a seat is known to have held no later than the event `by`."""

    card: Card
    seat: int
    by: int


def another_world(view: View, rng: Random) -> State | None:
    """A truth that agrees with the view, drawn at random; None when none was found."""
    room, cards = places(view), hidden(view)
    for _ in range(TRIES):
        filling = fill(room, sightings(view, rng), cards, rng)
        state = replayed(view, dealt(view, room, filling)) if filling else None
        if state is not None:
            return state
    return None


def places(view: View) -> list[Place]:
    """Every place whose first card the seat was not told."""
    hands = view.deal.hands
    found = [Place(seat, 0, None) for seat, hand in enumerate(hands) for _ in range(hand.unknown)]
    drawn = [(at, event) for at, event in enumerate(view.events) if isinstance(event, Drawn)]
    face_down = [(at, event) for at, event in drawn if not event.turnup]
    found += [Place(event.seat, at, nth) for nth, (at, event) in enumerate(face_down) if event.card is None]
    found += [Place(None, 0, nth) for nth in range(len(face_down), len(view.deal.talon))]
    return found


def hidden(view: View) -> list[Card]:
    """The cards whose first place the seat was not told."""
    told = {card for hand in view.deal.hands for card in hand.known}
    told |= {card for card in (*view.deal.talon, view.deal.turnup) if card is not None}
    return [card for card in PACK if card not in told]


def sightings(view: View, rng: Random) -> list[Seen]:
    """What each seat is known to have held by when; brisques said and not yet shown are guessed."""
    found: list[Seen] = []
    for at, event in enumerate(view.events):
        match event:
            case Played(seat, card):
                found.append(Seen(card, seat, at))
            case Exchanged(seat, card) if seat is not None:
                found.append(Seen(Card(8 * card.suit), seat, at))
            case Declared(seat, declaration) if declaration.suit is not None:
                found += [Seen(card, seat, at) for card in declaration.cards(view.book)]
            case Declared(seat, declaration):
                found += [Seen(card, seat, at) for card in brisques(view, seat, declaration, at, rng)]
            case _:
                pass
    return found


def brisques(view: View, seat: int, declaration: Declaration, at: int, rng: Random) -> list[Card]:
    """The brisques of a quinte or trente: those shown, or until then as many as may be there."""
    for event in view.events[at:]:
        if isinstance(event, Shown) and event.seat == seat and event.declaration == declaration:
            return list(event.cards or ())
    known = list(CardSet(view.position.hands[seat]))
    known += [event.card for event in view.events[at:] if isinstance(event, Played) and event.seat == seat]
    known = [card for card in known if BRISQUES >> card & 1]
    free = list(view.unseen & CardSet(BRISQUES))
    missing = max(0, BRISQUES_NEEDED[declaration.figure] - len(known))
    return known + rng.sample(free, min(missing, len(free)))


def fill(room: list[Place], seen: list[Seen], cards: list[Card], rng: Random) -> list[Card] | None:
    """A card for each place: those seen, the earliest first, where they can have been; then the rest."""
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


def dealt(view: View, room: list[Place], filling: list[Card]) -> Deal:
    """The whole deal, hidden places filled."""
    seen = view.deal
    hands, talon = [hand.known for hand in seen.hands], list(seen.talon)
    for place, card in zip(room, filling, strict=True):
        if place.talon is not None:
            talon[place.talon] = card
        elif place.seat is not None:
            hands[place.seat] |= CardSet([card])
    return Deal(seen.dealer, tuple(hands), seen.turnup, tuple(card for card in talon if card is not None))


def replayed(view: View, deal: Deal) -> State | None:
    """The same actions from another deal; None where a rule, or what was shown, says it cannot have been."""
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
    """Whether a hand's brisques are those shown for the quinte or trente said at event `at`, if any were."""
    declared = view.events[at]
    assert isinstance(declared, Declared)
    said = (declared.seat, declared.declaration)
    for event in view.events[at:]:
        if isinstance(event, Shown) and (event.seat, event.declaration) == said:
            return event.cards == hand & CardSet(BRISQUES)
    return True
