"""The interface of a player: a function of what its seat knows. It never holds a `State`, so it cannot peek."""

from __future__ import annotations

from typing import Protocol

from chouine.cards import PACK
from chouine.errors import ChouineError
from chouine.partie.actions import Action, Declaration, Play
from chouine.partie.view import View


class Player(Protocol):
    """A player. It must answer any view at any time, the same one again included."""

    def act(self, view: View) -> Action | None:
        """One of `view.legal`; None when it may not act, or when asked at "au sept" it lets that pass (§11).

        After an exchange the same seat is asked again, with a new view.
        """


def close(player: Player) -> None:
    """Dispose of a player; one that drives a process ends it."""
    leave = getattr(player, "close", None)
    if leave is not None:
        leave()


def as_play(card: int, declaration: int) -> Play:
    """A card and a declaration (or NONE) as a `Play`."""
    return Play(PACK[card], Declaration(declaration) if declaration >= 0 else None)


class UnknownPlayer(ChouineError, ValueError):
    """A text does not name a player; `token` is the text, `known` lists the possible ones."""
