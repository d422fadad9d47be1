"""The players a duel can name, in one table. What a player needs is imported only when it is asked for.

A player is made anew for every chair of every partie, so that nothing it learned in one is known in another:
making one should cost little, and what is heavy (weights, compiled code) be kept by its module.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

from chouine.cards import PACK
from chouine.players.base import Player, UnknownPlayer, close
from chouine.players.pipe import PipePlayer
from chouine.players.process import EngineFault
from chouine.rules.options import Rules


class Order(NamedTuple):
    """What a player is made for."""

    argument: str
    """What follows the colon of its name: `300` in `pimc:300`; empty without a colon."""
    rules: Rules
    seed: int
    seconds: float | None
    """Time for a decision, for those that take time; None: as long as it takes by its argument."""


Factory = Callable[[Order], Player]


def plain_random(order: Order) -> Player:
    from chouine.players.uniform import RandomPlayer

    return RandomPlayer(Random(order.seed))


def greedy(_: Order) -> Player:
    from chouine.players.greedy import GreedyPlayer

    return GreedyPlayer()


def heuristic(_: Order) -> Player:
    from chouine.players.heuristic import HeuristicPlayer

    return HeuristicPlayer()


def monte_carlo(order: Order) -> Player:
    from chouine.ai.montecarlo import MonteCarloPlayer

    return MonteCarloPlayer(number(order), order.seed, order.seconds)


def pimc(order: Order) -> Player:
    from chouine.ai.pimc import PimcPlayer

    if order.rules.seats != 2:
        raise UnknownPlayer("arena/two-seats", token="pimc")
    return PimcPlayer(number(order), order.seed)


def net(order: Order) -> Player:
    from chouine.ai.neural import NetworkPlayer

    return NetworkPlayer(order.rules)


def weights(order: Order) -> Player:
    """The best acts of a network that is not shipped."""
    from chouine.ai.network import read
    from chouine.ai.neural import NetworkPlayer

    return NetworkPlayer(order.rules, read(Path(order.argument), order.rules.seats))


def local_best_response(order: Order) -> Player:
    """What would be best against the network here, from the first card on, if both played on as it does; two seats."""
    from chouine.ai.neural import FullPlayer

    if order.rules.seats != 2:
        raise UnknownPlayer("arena/two-seats", token="lbr")
    return FullPlayer(order.rules, order.seed, order.seconds, early=len(PACK), knowing=True)


def full(order: Order) -> Player:
    from chouine.ai.neural import FullPlayer

    return FullPlayer(order.rules, order.seed, order.seconds)


def ismcts(order: Order) -> Player:
    from chouine.ai.ismcts import IsmctsPlayer

    return IsmctsPlayer(number(order), order.seed)


def by_level(order: Order) -> Player:
    from chouine.ai.levels import level

    return level(number(order), order.rules, order.seed, order.seconds)


def pipe(order: Order) -> Player:
    """A program has a second for a decision unless told otherwise."""
    return PipePlayer(order.argument, milliseconds=max(1, round(1000 * (order.seconds or 1.0))))


def number(order: Order) -> int:
    """What follows the colon, a number from 1 on; `UnknownPlayer` if it is none."""
    if not order.argument.isascii() or not order.argument.isdigit() or int(order.argument) < 1:
        raise UnknownPlayer("arena/number", token=order.argument)
    return int(order.argument)


class Entry(NamedTuple):
    """A line of the table."""

    factory: Factory
    argument: str = ""
    """What its argument is called; empty if it takes none."""


ENTRANTS: dict[str, Entry] = {
    "random": Entry(plain_random),
    "greedy": Entry(greedy),
    "heuristic": Entry(heuristic),
    "pimc": Entry(pimc, "WORLDS"),
    "mc": Entry(monte_carlo, "WORLDS"),
    "net": Entry(net),
    "weights": Entry(weights, "FILE"),
    "full": Entry(full),
    "lbr": Entry(local_best_response),
    "ismcts": Entry(ismcts, "SIMULATIONS"),
    "level": Entry(by_level, "NUMBER"),
    "pipe": Entry(pipe, "COMMAND"),
}


def entrant(spec: str, rules: Rules, seed: int, seconds: float | None = None) -> Player:
    """The player a text names, such as `heuristic` or `pipe:COMMAND`; `UnknownPlayer` if there is none."""
    name, _, argument = spec.partition(":")
    entry = ENTRANTS.get(name)
    if entry is None or bool(entry.argument) != bool(argument):
        raise UnknownPlayer("player/unknown", token=spec, known=known())
    try:
        return entry.factory(Order(argument, rules, seed, seconds))
    except ModuleNotFoundError as missing:
        raise UnknownPlayer("arena/missing", token=spec, package=missing.name) from None


def ready(spec: str, rules: Rules, seconds: float | None = None) -> None:
    """Raise a `ChouineError` if a text names no player, or a program that does not start or play these rules."""
    player = entrant(spec, rules, 0, seconds)
    try:
        if isinstance(player, PipePlayer):
            player.greeted()
            if player.presets and rules.preset not in player.presets:
                raise EngineFault("engine/rules", command=player.command, rules=rules)
    finally:
        close(player)


def known() -> str:
    """The names there are."""
    return ", ".join(
        f"{name}:{entry.argument}" if entry.argument else name for name, entry in ENTRANTS.items()
    )
