"""What a player is: a function of what its seat knows. It never holds a State, so it cannot peek."""

from __future__ import annotations

from typing import Protocol

from chouine.errors import ChouineError
from chouine.partie.actions import Action
from chouine.partie.view import View


class Player(Protocol):
    """Sits at a seat and acts there, whoever asks: the same view may be given to it at any time."""

    def act(self, view: View) -> Action | None:
        """One of `view.legal`; None when it may not act, or when asked at "au sept" it lets that pass (§11).

        After an exchange the same seat is asked again, with a new view.
        """


def close(player: Player) -> None:
    """Let a player go, once it will not be asked any more: one that drives a process ends it."""
    leave = getattr(player, "close", None)
    if leave is not None:
        leave()


class UnknownPlayer(ChouineError, ValueError):
    """A text that names no player; `token` is the text, `known` the texts there are."""
