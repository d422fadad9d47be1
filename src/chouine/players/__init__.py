"""Players, from those who play anything to those who count: each a function of its seat's view."""

from __future__ import annotations

from random import Random

from chouine.players.base import Player, UnknownPlayer, close
from chouine.players.heuristic import HeuristicPlayer
from chouine.players.pipe import PipePlayer
from chouine.players.uniform import RandomPlayer

__all__ = ["HeuristicPlayer", "PipePlayer", "Player", "RandomPlayer", "UnknownPlayer", "close", "player_of"]


def player_of(spec: str, rng: Random) -> Player:
    """The player a text names: `random`, `heuristic`, `pipe:COMMAND` for a program; `close` it when done."""
    kind, colon, command = spec.partition(":")
    if kind == "pipe" and colon:
        return PipePlayer(command)
    if spec == "random":
        return RandomPlayer(rng)
    if spec == "heuristic":
        return HeuristicPlayer()
    raise UnknownPlayer("player/unknown", token=spec, known="random, heuristic, pipe:COMMAND")
