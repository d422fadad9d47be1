"""Players, from random to searching ones: each is a function of its seat's view.

`chouine.registry` makes every player by its name.
"""

from __future__ import annotations

from chouine.players.base import Player, UnknownPlayer, close
from chouine.players.heuristic import HeuristicPlayer
from chouine.players.pipe import PipePlayer
from chouine.players.simple import RandomPlayer

__all__ = ["HeuristicPlayer", "PipePlayer", "Player", "RandomPlayer", "UnknownPlayer", "close"]
