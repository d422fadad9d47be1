"""Worlds weighed by how likely a model makes all that the others did: any number of seats, by sampling.

    made = weighed(view, Tempered(model), 1_000, seed)

Worlds are drawn as the deal makes them, and with each a way in which every card came to its seat; its weight is how
likely the model makes what the others then did with the hands they held. With two seats `beliefs` is exact instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chouine.ai.beliefs import Stage, public
from chouine.ai.likelihood import Ints, Model, Moment
from chouine.ai.worlds import Worlds, hidden, worlds
from chouine.fast.bits import advance, below, low_half, lowest, mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.events import Dealt, Declared, Drawn, Event, Exchanged, Played, Shown
from chouine.partie.view import View
from chouine.rules.combinations import BRISQUE_FIGURES
from chouine.rules.play import au_sept, start
from chouine.rules.position import NONE

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

STILL = 1 << 30
"""Later than any event: a card not laid yet."""


@dataclass
class Holding:
    """One seat's cards as a view tells of them; times are numbers of events."""

    places: list[int] = field(default_factory=list)
    """When each card came whose face was not seen."""
    seen: dict[int, int] = field(default_factory=dict)
    """By card since let see, the first time that it was there."""
    fixed: dict[int, int] = field(default_factory=dict)
    """By card taken from the turnup's place, when."""
    left: dict[int, int] = field(default_factory=dict)
    """By card laid, when."""
    given: dict[int, int] = field(default_factory=dict)
    """By card left for the turnup, when; it may be drawn again."""

    def see(self, cards: int, at: int) -> None:
        for card in range(32):
            if cards >> card & 1 and card not in self.fixed:
                self.seen[card] = min(at, self.seen.get(card, at))


def weighed(view: View, model: Model, many: int, seed: int) -> Worlds:
    """So many worlds, with how likely each is under the model; alike where it holds all for impossible."""
    made = worlds(view, many, seed)
    others = [seat for seat in range(view.rules.seats) if seat != view.observer]
    kept = made.hands & hidden(view).cards
    came = {
        seat: arrivals(each, kept[:, seat].copy(), signed(mixed(seed + 1 + seat)))
        for seat, each in enumerate(holdings(view))
        if seat in others
    }
    logs = np.zeros(many)
    for seat, moment, at in acts_of(view):
        if seat in came:
            with np.errstate(divide="ignore"):
                logs += np.log(model.likelihood(moment, came[seat].hands(at)))
    weights = np.exp(logs - logs.max()) if np.isfinite(logs.max(initial=-np.inf)) else np.ones(many)
    return made._replace(weights=weights / max(weights.sum(), 1e-300))


def holdings(view: View) -> list[Holding]:
    """What the view tells of each seat's cards."""
    found = [Holding() for _ in range(view.rules.seats)]
    said_at: dict[tuple[int, int], int] = {}
    for at, event in enumerate(view.events):
        match event:
            case Dealt():
                for each in found:
                    each.places += [at] * view.book.hand
            case Drawn(seat=seat, card=card, turnup=True) if card is not None:
                found[seat].fixed[card] = at
            case Drawn(seat=seat):
                found[seat].places.append(at)
            case Exchanged(seat=seat, card=card) if seat is not None:
                found[seat].see(1 << 8 * card.suit, at)
                found[seat].given[8 * card.suit] = at
                found[seat].fixed[card] = at
            case Declared(seat=seat, declaration=declaration):
                said_at[seat, declaration] = at
                if not 1 << declaration & BRISQUE_FIGURES:
                    found[seat].see(declaration.cards(view.book).mask, at)
            case Shown(seat=seat, declaration=declaration, cards=cards) if cards is not None:
                found[seat].see(cards.mask, said_at[seat, declaration])
            case Played(seat=seat, card=card):
                found[seat].see(1 << card, at)
                found[seat].left[card] = at
            case _:
                pass
    return found


def acts_of(view: View) -> list[tuple[int, Moment, int]]:
    """Every act of any seat, with what an onlooker knew before it, and when; who let an exchange pass as well (§11)."""
    turnup, found = view.deal.turnup, list[tuple[int, Moment, int]]()
    p = start(view.book, (0, 0, 0, 0), NONE if turnup is None else turnup, view.deal.dealer)
    stage = Stage(view.book, p, 0, None, (), 0, 0, np.ones(1))
    for at, event in enumerate(view.events):
        for seat, act in acts_in(event, stage):
            found.append((seat, Moment(view.rules, stage.p, seat, stage.gone, act), at))
        stage = public(stage, event)
    return found


def acts_in(event: Event, stage: Stage) -> list[tuple[int, Action | None]]:
    """Who acted when this happened, and how."""
    if isinstance(event, Exchanged) and event.seat is not None:
        return [(event.seat, Exchange())]
    if isinstance(event, Played):
        passing = au_sept(stage.book, stage.p)
        others = [seat for seat in range(stage.book.seats) if passing and seat != event.seat]
        return [*((seat, None) for seat in others), (event.seat, Play(event.card, stage.said))]
    return []


@dataclass
class Arrivals:
    """When each card came to a seat, by world, and when it left."""

    cards: Ints
    """By world and card, as sets of one."""
    came: Ints
    left: Ints
    """By card."""

    def hands(self, at: int) -> Ints:
        """By world, the hand at a time."""
        there = (self.came < at) & (self.left >= at)
        hands: Ints = np.where(there, self.cards, 0).sum(1)
        return hands


def arrivals(held: Holding, kept: Ints, stream: int) -> Arrivals:
    """A way for every card to have come, each as likely: those seen early have fewer places, which later ones leave."""
    seen = sorted(held.seen.items(), key=lambda each: each[1])
    places = np.array(held.places, np.int64)
    limits = np.array([sum(place < at for place in held.places) for _, at in seen], np.int64)
    many, fixed = len(places), list(held.fixed.items())
    cards = np.zeros((len(kept), many + len(fixed)), np.int64)
    came = np.zeros_like(cards)
    put_in_places(np.array([card for card, _ in seen], np.int64), limits, places, kept, stream, cards, came)
    for nth, (card, at) in enumerate(fixed):
        cards[:, many + nth], came[:, many + nth] = 1 << card, at
    left = [held.given.get(card, held.left.get(card, STILL)) for card, _ in seen]
    left += [STILL] * (many - len(seen)) + [held.left.get(card, STILL) for card, _ in fixed]
    return Arrivals(cards, came, np.array(left, np.int64))


@compiled
def put_in_places(seen: Any, limits: Any, places: Any, kept: Any, stream: int, cards: Any, came: Any) -> None:
    """By world, the cards seen and then those kept, each with the time of a place of its own."""
    free = np.zeros(len(places), np.int64)
    for row in range(len(kept)):
        left, rest = len(places), kept[row]
        for nth in range(left):
            free[nth] = places[nth]
        for nth in range(len(places)):
            stream = advance(stream)
            among = limits[nth] - nth if nth < len(seen) else left
            place = below(low_half(mixed(stream)), among)
            if nth < len(seen):
                cards[row, nth] = 1 << seen[nth]
            else:
                cards[row, nth] = 1 << lowest(rest)
                rest &= rest - 1
            came[row, nth] = free[place]
            for later in range(place, left - 1):
                free[later] = free[later + 1]
            left -= 1
