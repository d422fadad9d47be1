"""Have players load and compile what they need before any decision is timed."""

from __future__ import annotations

from functools import cache
from random import Random

from chouine.arena.partie import play_partie
from chouine.partie.deal import Deal
from chouine.players.pipe import PipePlayer
from chouine.registry import player_of
from chouine.rules.options import Rules


@cache
def warm(spec: str, rules: Rules, seconds: float | None) -> None:
    """Have a player play a partie against itself, once per process. External programs are left alone.

    Random parties would not do: kernels for the last tricks are only reached after acts like its own.
    """
    players = [player_of(spec, rules, 0, seconds) for _ in range(rules.seats)]
    if not isinstance(players[0], PipePlayer):
        play_partie(rules, Deal.random(rules, 0, Random(0)), players)
