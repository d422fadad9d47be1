"""What lies on the table before one observer: a fold of the events it was told, at any moment of a partie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from chouine.cards import Card, CardSet, Suit
from chouine.partie import (
    AuSept,
    Dealt,
    Declared,
    Drawn,
    Exchanged,
    Played,
    Shown,
    Taken,
    TrumpFixed,
    View,
)
from chouine.rules.position import Four


@dataclass(slots=True)
class Scene:
    """Sizes of hands, the talon, the trick in progress and the tricks taken."""

    observer: int | None
    dealer: int
    hand: CardSet
    """The observer's cards at this moment."""
    sizes: list[int]
    """Cards in each hand at this moment."""
    talon: int
    turnup: Card | None
    trump: Suit | None
    trick: list[Played] = field(default_factory=list)
    """The cards on the table, complete or not."""
    said: list[Declared] = field(default_factory=list)
    """Declarations that came with them."""
    shown: dict[int, Shown] = field(default_factory=dict)
    """By seat, what was laid open after them (§9.5)."""
    exchanged: Exchanged | None = None
    """The exchange made since the last trick was taken (§11)."""
    called: int | None = None
    """Who has just said "au sept" (§11)."""
    taken: list[list[Taken]] = field(default_factory=list)
    """Tricks by seat."""
    last: Taken | None = None
    points: Four = (0, 0, 0, 0)
    """Declaration points, which are said aloud."""


def scene_of(view: View) -> Scene:
    """The scene of a view; of a view cut short, the scene at that moment."""
    dealt = view.events[0]
    if not isinstance(dealt, Dealt):
        raise TypeError("a partie begins with its deal")
    turnup = dealt.turnup
    observer = view.observer
    scene = Scene(
        observer=observer,
        hand=CardSet() if observer is None else dealt.hands[observer].known,
        dealer=dealt.dealer,
        sizes=[len(hand) for hand in dealt.hands],
        talon=dealt.talon + (turnup is not None),
        turnup=turnup,
        trump=None if turnup is None else turnup.suit,
        taken=[[] for _ in dealt.hands],
        points=view.position.declared,
    )
    for event in view.events:
        happen(scene, event)
    return scene


def gone_on(past: Scene, view: View, news: Iterable[object]) -> Scene:
    """The scene after more events; the one before stays as it was."""
    scene = Scene(
        observer=past.observer,
        dealer=past.dealer,
        hand=past.hand,
        sizes=past.sizes.copy(),
        talon=past.talon,
        turnup=past.turnup,
        trump=past.trump,
        trick=past.trick.copy(),
        said=past.said.copy(),
        shown=past.shown.copy(),
        exchanged=past.exchanged,
        called=past.called,
        taken=[tricks.copy() for tricks in past.taken],
        last=past.last,
        points=view.position.declared,
    )
    for event in news:
        happen(scene, event)
    return scene


def happen(scene: Scene, event: object) -> None:
    """What one event changes."""
    match event:
        case Played() | Drawn() | Taken() | Exchanged():
            move(scene, event)
        case Declared():
            scene.said.append(event)
        case Shown(seat):
            scene.shown[seat] = event
        case AuSept(seat):
            scene.called = seat
        case TrumpFixed(suit):
            scene.trump = suit


def move(scene: Scene, event: Played | Drawn | Taken | Exchanged) -> None:
    """Cards go elsewhere."""
    match event:
        case Played(seat, card):
            scene.trick.append(event)
            scene.sizes[seat] -= 1
            scene.called = None
            if seat == scene.observer:
                scene.hand -= CardSet([card])
        case Drawn(seat, drawn, turnup):
            scene.sizes[seat] += 1
            scene.talon -= 1
            if turnup:
                scene.turnup = None
            if seat == scene.observer and drawn is not None:
                scene.hand |= CardSet([drawn])
        case Taken(seat):
            scene.taken[seat].append(event)
            scene.last = event
            scene.trick, scene.said, scene.shown, scene.exchanged = [], [], {}, None
        case Exchanged(seat, card):
            scene.exchanged = event
            scene.turnup = Card(8 * card.suit)
            scene.called = None
            if seat is not None and seat == scene.observer:
                scene.hand = scene.hand - CardSet([scene.turnup]) | CardSet([card])
