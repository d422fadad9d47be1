"""Have players load and compile what they need before any decision is timed."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from math import inf
from random import Random

from chouine.arena.guarded import guarded
from chouine.arena.partie import OutOfTime, interrupted_after, play_partie
from chouine.partie.deal import Deal
from chouine.players.pipe import PipePlayer
from chouine.registry import player_of
from chouine.rules.options import Rules

PATIENCE = 300.0
"""Seconds: compiling everything takes half a minute of a free core, minutes of a busy one."""


@cache
def warm(spec: str, rules: Rules, seconds: float | None) -> None:
    """Have a player play a partie against itself, once per process. External programs are left alone.

    Random parties would not do: kernels for the last tricks are only reached after acts like its own. With a limit a
    player that does not end is given up after `PATIENCE`.
    """
    players = [guarded(spec, player_of(spec, rules, 0, seconds)) for _ in range(rules.seats)]
    if not isinstance(players[0], PipePlayer):
        with suppress(OutOfTime), interrupted_after(inf if seconds is None else PATIENCE):
            play_partie(rules, Deal.random(rules, 0, Random(0)), players)
