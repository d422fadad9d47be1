"""A class of the user's as a player: what it does wrong is its fault, not an error from inside."""

from __future__ import annotations

import sys
from traceback import extract_tb
from types import NoneType
from typing import Any

from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.view import View
from chouine.plaintext import escape_controls, message_of, repr_of, shorten
from chouine.players.base import Player, close
from chouine.players.pipe import PipePlayer
from chouine.players.process import EngineFault

LONGEST = 200
"""Most characters of an error's or an act's text."""


class GuardedPlayer:
    """Plays as another player; an exception or an illegal act is an `EngineFault`."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def __getattr__(self, name: str) -> Any:
        """All else is the player's own."""
        if name.startswith("__"):
            raise AttributeError(name)  # a copy asks before it has a player
        return getattr(self.player, name)

    def act(self, view: View) -> Action | None:
        try:
            action = self.player.act(view)
        except (Exception, SystemExit) as error:
            raise self.fault_of(error) from error
        name = type(self.player).__name__
        if type(action) not in (Play, Exchange, NoneType):
            raise EngineFault("player/not-an-act", player=name, answer=repr_of(action))
        passes = action is None and (view.turn != view.observer or not view.legal)
        if not passes and action not in view.legal:
            raise EngineFault("player/illegal-act", player=name, action=one_line(str(action)))
        return action

    def close(self) -> None:
        """Dispose of the player."""
        try:
            close(self.player)
        except (Exception, SystemExit) as error:
            raise self.fault_of(error) from error

    def fault_of(self, error: BaseException) -> EngineFault:
        """The fault of a player whose method raised an error."""
        kind, message = type(error).__name__, message_of(error)
        what = one_line(kind if message == kind else f"{kind}: {message}")
        place = place_of(error, self.player)
        return EngineFault("player/raised", player=type(self.player).__name__, error=what, place=place)


def guard_player(player: Player) -> Player:
    """The player, guarded if its class is the user's: an error of our own players is a bug."""
    ours = type(player).__module__.partition(".")[0] == __package__.partition(".")[0]
    return player if ours or isinstance(player, PipePlayer) else GuardedPlayer(player)


def place_of(error: BaseException, player: Player) -> str:
    """`FILE:LINE`, the last line of the player's own module that the error passed; or of any, if there is none."""
    module = sys.modules.get(type(player).__module__)
    frames = extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == getattr(module, "__file__", None)]
    last = (own or frames)[-1]
    return f"{last.filename}:{last.lineno}"


def one_line(text: str) -> str:
    """A text on one line, cut to a sensible length."""
    return shorten(escape_controls(" ".join(text.split())), LONGEST)
