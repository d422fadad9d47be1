"""Levels 1 to 8, from a beginner to the strongest player.

Levels 1 to 5 are the heuristic with noise and forgetting, without exact last tricks; level 6 is the heuristic. Level 8
is the strongest player everywhere; level 7 searches in sampled worlds, and in a browser without a network or on a
desktop without numba it is the network alone. `docs/strength.md` gives their win rates.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from chouine.cards import BRISQUES, SUIT_CARDS
from chouine.errors import ChouineError
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.events import Played, Taken
from chouine.partie.view import View
from chouine.players.base import Player
from chouine.players.heuristic import HeuristicPlayer, evaluate_play, weight_table
from chouine.rules.options import Rules
from chouine.rules.position import NONE

if TYPE_CHECKING:
    from chouine.ai.racing import Evaluator


class Handicap(NamedTuple):
    """Parameters of a weakened player."""

    noise: float
    """Standard deviation, in points, of the noise added to each card's score."""
    forgetting: float
    """Probability of forgetting a played card; half for brisques and trumps, zero for the last trick."""


HANDICAPS = {
    1: Handicap(34.0, 0.95),
    2: Handicap(19.0, 0.78),
    3: Handicap(12.0, 0.62),
    4: Handicap(7.0, 0.45),
    5: Handicap(2.0, 0.12),
}
"""Levels 1 to 5, two seats; level 6 is the plain heuristic."""
HANDICAPS_MULTIPLAYER = {
    1: Handicap(60.0, 1.0),
    2: Handicap(26.0, 0.88),
    3: Handicap(16.5, 0.72),
    4: Handicap(10.5, 0.57),
    5: Handicap(6.0, 0.42),
}
"""Levels 1 to 5 with three and four seats: larger, since level 6 does not solve the last tricks there and luck
weighs more."""


class HandicappedPlayer:
    """The heuristic with noise and forgetting, consistent throughout a partie for a given seed."""

    def __init__(self, handicap: Handicap, seed: int) -> None:
        self.handicap, self.seed = handicap, seed

    def act(self, view: View) -> Action | None:
        legal = view.legal
        if not legal:
            return None
        if Exchange() in legal:
            return Exchange()
        rng = Random(f"{self.seed} {len(view.events)}")
        plays = [act for act in legal if isinstance(act, Play)]
        # noise per card, not per declaration: it never overlooks a figure it holds
        noise = {act.card: rng.gauss(0, self.handicap.noise) for act in plays}
        table, unseen = weight_table(view.rules), self.cards_in_play(view)
        return max(
            plays,
            key=lambda act: (
                evaluate_play(
                    view.rule_table,
                    table,
                    view.position,
                    unseen,
                    act.card,
                    NONE if act.declaration is None else act.declaration,
                )
                + noise[act.card]
            ),
        )

    def cards_in_play(self, view: View) -> int:
        """Cards it believes are still in play: the unseen and the forgotten."""
        return view.unseen.mask | sum(
            1 << card for card in cards_of_earlier_tricks(view) if self.forgets(view, card)
        )

    def forgets(self, view: View, card: int) -> bool:
        trumps = SUIT_CARDS[view.position.trump] if view.position.trump >= 0 else 0
        memorable = (BRISQUES | trumps) >> card & 1
        rate = self.handicap.forgetting * (0.5 if memorable else 1.0)
        return Random(f"{self.seed} {card}").random() < rate


def cards_of_earlier_tricks(view: View) -> Iterator[int]:
    """Cards of all tricks but the last one taken."""
    taken = 0
    for event in reversed(view.events):
        taken += isinstance(event, Taken)
        if taken > 1 and isinstance(event, Played):
            yield int(event.card)


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
        return HandicappedPlayer((HANDICAPS if rules.seats == 2 else HANDICAPS_MULTIPLAYER)[number], seed)
    if number == UNAIDED:
        return HeuristicPlayer()
    if runs_webassembly():
        from chouine.ai.search import has_network
        from chouine.ai.strongest import NetworkPlayer

        if not has_network(rules):
            return HeuristicPlayer()
        return NetworkPlayer() if number < LEVELS[-1] else strongest(rules, seed)
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
