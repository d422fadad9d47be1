"""Levels 1 to 8, from a beginner to the strongest player.

Levels 1 to 5 are the heuristic with noise and forgetting, without exact last tricks; level 6 is the heuristic. Level 8
is the strongest player everywhere; level 7 searches in sampled worlds, and in a browser without a network or on a
desktop without numba it is the network alone. `docs/strength.md` gives their win rates.
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
"""The highest level that needs the standard library alone."""
NAMED = {f"level:{number}": number for number in LEVELS}
"""Level numbers by registry name."""
WORLDS = 200
"""Number of sampled worlds per decision of level 7."""
WELCOME = 3
"""The level seated with a visitor of unknown strength."""


class UnknownLevel(ChouineError, ValueError):
    """The number is not a level."""


class NeedsFast(ChouineError):
    """The level needs packages that are not installed."""


@cache
def looks_ahead() -> bool:
    """Whether search is available, which needs the extra `fast`."""
    return bool(find_spec("numpy") and find_spec("numba"))


def looks_back(rules: Rules) -> bool:
    """Whether parties by these rules can be reviewed here."""
    if looks_ahead():
        return True
    from chouine.ai.search import has_network

    return runs_webassembly() and has_network(rules)


def highest_level() -> int:
    """The highest level available here: 8 with compiled kernels (`ai.search`), else 6."""
    return LEVELS[-1] if looks_ahead() or runs_webassembly() else UNAIDED


def runs_webassembly() -> bool:
    """Whether the kernels run in WebAssembly: in a browser, or without numba."""
    from chouine.ai import search, search_wasm  # imported late: they load numba if it is installed

    return search.has_backend() or (not looks_ahead() and search_wasm.available())


def check(number: int) -> None:
    """Raise `UnknownLevel` or `NeedsFast` if the level does not exist or is not available here."""
    if number not in LEVELS:
        raise UnknownLevel("level/unknown", number=number, levels=f"1-{LEVELS[-1]}")
    if number > highest_level():
        raise NeedsFast("level/needs-fast", number=number)


def level(number: int, rules: Rules, seed: int, seconds: float | None = None) -> Player:
    """The player of a level. Raises `UnknownLevel` or `NeedsFast`."""
    check(number)
    if number < UNAIDED:
        from chouine.ai.handicap import HANDICAPS, HANDICAPS_MULTIPLAYER, HandicappedPlayer

        return HandicappedPlayer((HANDICAPS if rules.seats == 2 else HANDICAPS_MULTIPLAYER)[number], seed)
    if number == UNAIDED:
        return HeuristicPlayer()
    if runs_webassembly():
        from chouine.ai.search import has_network
        from chouine.ai.strongest import PlainNetworkPlayer

        if not has_network(rules):
            return HeuristicPlayer()
        return PlainNetworkPlayer() if number < LEVELS[-1] else strongest(rules, seed)
    if number < LEVELS[-1]:
        from chouine.ai.montecarlo import MonteCarloPlayer

        return MonteCarloPlayer(WORLDS, seed, seconds)
    return strongest(rules, seed, seconds)


def strongest(rules: Rules, seed: int, seconds: float | None = None) -> Evaluator:
    """The strongest player for these rules; without a network it needs the extra `fast`."""
    from chouine.ai.search import has_network

    if has_network(rules):
        from chouine.ai.racing import Limit
        from chouine.ai.strongest import StrongestPlayer

        return StrongestPlayer(rules, seed, Limit(seconds))
    from chouine.ai.montecarlo import MonteCarloPlayer

    return MonteCarloPlayer(1_000, seed, seconds)


def level_of(spec: str) -> int:
    """The number in a registry name such as `level:3`; 0 for any other name."""
    return NAMED.get(spec, 0)
