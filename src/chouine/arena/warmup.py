"""What a player loads or compiles at its first decisions is done before any is timed."""

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
    """Have a player play a partie against itself, once in every process. A program is let be.

    Parties played at random would not do: what solves the last tricks is asked only after acts that look like its own.
    """
    players = [player_of(spec, rules, 0, seconds) for _ in range(rules.seats)]
    if not isinstance(players[0], PipePlayer):
        play_partie(rules, Deal.random(rules, 0, Random(0)), players)
