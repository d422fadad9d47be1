"""Levels 1 to 8, from a child's first evening to the best this program can do.

Lower levels do not blunder by the roll of a die: they forget what has fallen, waver between what looks alike to them,
and do not work the last tricks out. Higher ones think ahead, in more and more worlds.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from random import Random
from typing import NamedTuple

from chouine.cards import BRISQUES, SUIT_CARDS
from chouine.errors import ChouineError
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.events import Played, Taken
from chouine.partie.view import View
from chouine.players.base import Player
from chouine.players.heuristic import HeuristicPlayer
from chouine.players.thumb import thumb_table, worth
from chouine.rules.options import Rules
from chouine.rules.position import NONE

LEVELS = range(1, 9)


class UnknownLevel(ChouineError, ValueError):
    """A number that is no level."""


class Frailty(NamedTuple):
    """What keeps a player from playing its best."""

    wavering: float
    """How far off it is in what speaks for a card: the standard deviation, in points."""
    forgetting: float
    """The share of fallen cards that it does not think of; brisques and trumps half as often, the last trick never."""


FRAILTIES = {1: Frailty(26.0, 0.9), 2: Frailty(15.0, 0.7), 3: Frailty(8.0, 0.45), 4: Frailty(3.5, 0.2)}
"""The levels that are less than the rules of thumb by which level 5 plays."""
WORLDS = {6: 24, 7: 200}
"""How many worlds a level thinks ahead in."""


class FrailPlayer:
    """Rules of thumb, by a player who forgets and wavers: the same way throughout a partie, by its seed."""

    def __init__(self, frailty: Frailty, seed: int) -> None:
        self.frailty, self.seed = frailty, seed

    def act(self, view: View) -> Action | None:
        legal = view.legal
        if not legal:
            return None
        if Exchange() in legal:
            return Exchange()
        chance = Random(f"{self.seed} {len(view.events)}")
        table, unseen = thumb_table(view.rules), self.unseen(view)
        return max(
            (act for act in legal if isinstance(act, Play)),
            key=lambda act: (
                worth(
                    view.book,
                    table,
                    view.position,
                    unseen,
                    act.card,
                    NONE if act.declaration is None else act.declaration,
                )
                + chance.gauss(0, self.frailty.wavering)
            ),
        )

    def unseen(self, view: View) -> int:
        """The cards it takes to be still about: those it has not seen, and those it does not think of."""
        return view.unseen.mask | sum(1 << card for card in fallen_before(view) if self.forgets(view, card))

    def forgets(self, view: View, card: int) -> bool:
        trumps = SUIT_CARDS[view.position.trump] if view.position.trump >= 0 else 0
        striking = (BRISQUES | trumps) >> card & 1
        rate = self.frailty.forgetting * (0.5 if striking else 1.0)
        return Random(f"{self.seed} {card}").random() < rate


def fallen_before(view: View) -> Iterator[int]:
    """Cards of tricks before the last one taken."""
    taken = 0
    for event in reversed(view.events):
        taken += isinstance(event, Taken)
        if taken > 1 and isinstance(event, Played):
            yield int(event.card)


def highest() -> int:
    """The highest level that can be played with what is installed: thinking ahead needs the extra `fast`."""
    return LEVELS[-1] if find_spec("numpy") and find_spec("numba") else 5


def level(number: int, rules: Rules, seed: int, seconds: float | None = None) -> Player:
    """The player of a level."""
    if number in FRAILTIES:
        return FrailPlayer(FRAILTIES[number], seed)
    if number == 5:
        return HeuristicPlayer()
    if number in WORLDS:
        from chouine.ai.montecarlo import MonteCarloPlayer

        return MonteCarloPlayer(WORLDS[number], seed, seconds)
    if number == LEVELS[-1]:
        return strongest(rules, seed, seconds)
    raise UnknownLevel("level/unknown", number=number, levels=f"1-{LEVELS[-1]}")


def strongest(rules: Rules, seed: int, seconds: float | None = None) -> Player:
    """The best player there is for these rules."""
    from chouine.ai.montecarlo import MonteCarloPlayer
    from chouine.ai.network import trained

    if trained(rules):
        from chouine.ai.neural import FullPlayer

        return FullPlayer(rules, seed, seconds)
    return MonteCarloPlayer(1_000, seed, seconds)


class Level:
    """A level's player, whatever the rules: it is made when they are known."""

    def __init__(self, number: int, seed: int) -> None:
        self.number, self.seed = number, seed
        self.players: dict[Rules, Player] = {}

    def act(self, view: View) -> Action | None:
        if view.rules not in self.players:
            self.players[view.rules] = level(self.number, view.rules, self.seed)
        return self.players[view.rules].act(view)
