"""Players in their chairs: made for a partie, or kept from one to the next if they are programs."""

from __future__ import annotations

import atexit
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from chouine.arena.entrants import entrant
from chouine.players.base import Player, close
from chouine.players.pipe import PipePlayer
from chouine.rules.options import Rules

Kept = dict[tuple[str, int, float | None], Player]
_programs: Kept = {}
"""Programs that are running, by command, seat and time: starting one anew for every partie would cost more than
the partie. A seat has its own, so that no program is told two hands of one partie."""


@contextmanager
def seated(wanted: Sequence[tuple[str, int]], rules: Rules, seconds: float | None) -> Iterator[list[Player]]:
    """Players by name and seed for one partie, seat by seat."""
    players = [
        program(spec, seat, rules, seconds) or entrant(spec, rules, seed, seconds)
        for seat, (spec, seed) in enumerate(wanted)
    ]
    yield players
    for key, player in list(_programs.items()):
        if isinstance(player, PipePlayer) and player.fault is not None:
            del _programs[key]


def program(spec: str, seat: int, rules: Rules, seconds: float | None) -> Player | None:
    """The program running for a seat, started if it is not; None if the name is no program's."""
    if not spec.startswith("pipe:"):
        return None
    key = (spec, seat, seconds)
    if key not in _programs:
        _programs[key] = entrant(spec, rules, 0, seconds)
    return _programs[key]


@atexit.register
def dismiss() -> None:
    """Let every program go."""
    while _programs:
        close(_programs.popitem()[1])
