"""What §14 lets a player look at, less than a perfect memory would know: the default of screens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from chouine.cards import Card, CardSet, Suit
from chouine.partie.actions import Action
from chouine.partie.events import Declared, Played, Taken
from chouine.partie.view import View


@dataclass(frozen=True, slots=True)
class AllowedView:
    """One's own tricks, an opponent's last trick, and points that may be counted."""

    observer: int | None
    turn: int | None
    hand: CardSet
    legal: tuple[Action, ...]
    trump: Suit | None
    turnup: Card | None
    talon: int
    table: tuple[Played, ...]
    said: tuple[Declared, ...]
    own_tricks: tuple[Taken, ...]
    last_tricks: tuple[Taken | None, ...]
    """The last trick each seat has taken."""
    declared: tuple[int, ...]
    """Declaration points of every seat, which are public."""
    own_points: int | None
    """Points of one's own cards and declarations; None for a spectator."""

    @classmethod
    def of(cls, view: View) -> Self:
        """The screen of a view."""
        observer, p = view.observer, view.position
        tricks = view.tricks
        return cls(
            observer=observer,
            turn=view.turn,
            hand=view.hand,
            legal=view.legal,
            trump=view.trump,
            turnup=view.turnup,
            talon=view.talon,
            table=view.table,
            said=view.said,
            own_tricks=tuple(trick for trick in tricks if trick.seat == observer),
            last_tricks=tuple(
                next((trick for trick in reversed(tricks) if trick.seat == seat), None)
                for seat in range(view.rules.seats)
            ),
            declared=p.declared[: view.rules.seats],
            own_points=None if observer is None else view.points[observer],
        )
