"""A class of the user's as a player: what would be a program's fault is its fault, and ends no duel."""

from __future__ import annotations

import sys
from traceback import extract_tb

from chouine.errors import escape_controls
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.view import View
from chouine.players.base import Player
from chouine.players.pipe import PipePlayer
from chouine.players.process import EngineFault, shorten

LONGEST = 200
"""Most characters of an error's or an act's text."""


class GuardedPlayer:
    """Plays as another player; an exception or an illegal act is an `EngineFault`."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def act(self, view: View) -> Action | None:
        name = type(self.player).__name__
        try:
            action = self.player.act(view)
        except (Exception, SystemExit) as error:
            what = one_line(f"{type(error).__name__}: {error}")
            raise EngineFault(
                "player/raised", player=name, error=what, place=place_of(error, self.player)
            ) from error
        if not isinstance(action, Play | Exchange | None):
            raise EngineFault("player/not-an-act", player=name, answer=one_line(repr(action)))
        passes = action is None and (view.turn != view.observer or not view.legal)
        if not passes and action not in view.legal:
            raise EngineFault("player/illegal-act", player=name, action=one_line(str(action)))
        return action


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
