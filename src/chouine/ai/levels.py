"""Levels 1 to 8, from a child's first evening to the best this program can do.

Lower levels do not blunder by the roll of a die: they forget what has fallen, waver between what looks alike to them,
and do not work the last tricks out. Level 6 does, by rules of thumb until then. Levels 7 and 8 think ahead in many
worlds; in a browser without a network, and on a desktop without a compiler, level 7 is the network and level 8
`ai.light`. `docs/strength.md` tells how far they are apart.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from chouine.errors import ChouineError
from chouine.players.base import Player
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules.options import Rules

if TYPE_CHECKING:
    from chouine.ai.racing import Evaluator

LEVELS = range(1, 9)
UNAIDED = 6
"""The highest level that needs nothing but Python."""
NAMED = {f"level:{number}": number for number in LEVELS}
"""Levels as texts name them."""
WORLDS = 200
"""In how many worlds level 7 thinks ahead."""
WELCOME = 3
"""Whom a host seats with somebody not known here."""


class UnknownLevel(ChouineError, ValueError):
    """A number that is no level."""


class NeedsFast(ChouineError):
    """A level that cannot be played with what is installed."""


@cache
def looks_ahead() -> bool:
    """Whether what is installed can think ahead: that needs the extra `fast`."""
    return bool(find_spec("numpy") and find_spec("numba"))


def looks_back(rules: Rules) -> bool:
    """Whether a partie by these rules can be looked back on here: by what thinks ahead, or by the machine lent."""
    from chouine.ai import light

    return looks_ahead() or (has_light_backend() and light.has_network(rules))


def highest() -> int:
    """The highest level that can be played here: levels 7 and 8 think ahead, or have a backend (`ai.light`)."""
    return LEVELS[-1] if looks_ahead() or has_light_backend() else UNAIDED


def has_light_backend() -> bool:
    """Whether levels 7 and 8 are `ai.light`, in WebAssembly: in a browser, or where there is no compiler."""
    from chouine.ai import light, light_wasm  # late: they import numba where that is

    return light.has_backend() or (not looks_ahead() and light_wasm.available())


def check(number: int) -> None:
    """Raise `UnknownLevel` for no level, `NeedsFast` for one that cannot be played with what is installed."""
    if number not in LEVELS:
        raise UnknownLevel("level/unknown", number=number, levels=f"1-{LEVELS[-1]}")
    if number > highest():
        raise NeedsFast("level/needs-fast", number=number)


def level(number: int, rules: Rules, seed: int, seconds: float | None = None) -> Player:
    """The player of a level, if it can be played here: see `check`."""
    check(number)
    if number < UNAIDED:
        from chouine.ai.handicap import HANDICAPS, HANDICAPS_MULTIPLAYER, HandicappedPlayer

        return HandicappedPlayer((HANDICAPS if rules.seats == 2 else HANDICAPS_MULTIPLAYER)[number], seed)
    if number == UNAIDED:
        return HeuristicPlayer()
    if has_light_backend():
        from chouine.ai.light import LightNetworkPlayer, LightPlayer, has_network

        if not has_network(rules):
            return HeuristicPlayer()
        return LightNetworkPlayer() if number < LEVELS[-1] else LightPlayer(seed)
    if number < LEVELS[-1]:
        from chouine.ai.montecarlo import MonteCarloPlayer

        return MonteCarloPlayer(WORLDS, seed, seconds)
    return strongest(rules, seed, seconds)


def strongest(rules: Rules, seed: int, seconds: float | None = None) -> Evaluator:
    """The best player there is for these rules."""
    from chouine.ai.light import has_network
    from chouine.ai.montecarlo import MonteCarloPlayer

    if has_network(rules):
        from chouine.ai.neural import FullPlayer

        return FullPlayer(rules, seed, seconds)
    return MonteCarloPlayer(1_000, seed, seconds)


def level_of(spec: str) -> int:
    """The level that a seat's text names, such as `level:3`; 0 if it names another player."""
    return NAMED.get(spec, 0)
