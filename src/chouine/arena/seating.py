"""Make the players of a partie; external programs are kept running from one partie to the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from chouine.jobs import at_exit
from chouine.players.base import Player, close
from chouine.players.pipe import PipePlayer
from chouine.registry import player_of
from chouine.rules.options import Rules

Kept = dict[tuple[str, int, float | None], Player]
_programs: Kept = {}
"""Running programs by command, seat and time limit; to start one costs more than a partie. Each seat has a process
of its own, so that no program sees two hands of one partie."""


class Wanted(NamedTuple):
    """The player asked for at a seat."""

    spec: str
    seed: int
    seconds: float | None
    """Time limit per decision; None: unlimited."""


@contextmanager
def seat_players(wanted: Sequence[Wanted], rules: Rules) -> Iterator[list[Player]]:
    """Players for one partie, seat by seat."""
    players = [
        program(one, seat, rules) or player_of(one.spec, rules, one.seed, one.seconds)
        for seat, one in enumerate(wanted)
    ]
    for player in players:
        if isinstance(player, PipePlayer):
            player.prepare()
    yield players
    for key, player in list(_programs.items()):
        if isinstance(player, PipePlayer) and player.fault is not None:
            del _programs[key]


def program(one: Wanted, seat: int, rules: Rules) -> Player | None:
    """The program running for a seat, started if it is not; None if the name is no program's."""
    if not one.spec.startswith("pipe:"):
        return None
    key = (one.spec, seat, one.seconds)
    if key not in _programs:
        _programs[key] = player_of(one.spec, rules, 0, one.seconds)
    return _programs[key]


@at_exit
def dismiss() -> None:
    """End all running programs."""
    while _programs:
        close(_programs.popitem()[1])
