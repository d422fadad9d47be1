"""The table of all players that can be named: `heuristic`, `pimc:300`, `level:3`, `pipe:COMMAND`.

    player = player_of("level:3", Rules(), seed=1)
    print(player_names())

The terminal, the server, the engine, duels, pools and the environments all use this table. To add a player, write
its class and add one line to `PLAYERS`; nothing else knows the names.

A player's modules are imported when it is made. Make a new one for every seat of every partie, so that nothing it
learned in one is known in another. That is cheap: modules cache weights and compiled code.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from chouine.ai.levels import LEVELS
from chouine.errors import ChouineError, check_seconds, check_type, count_of, int_of
from chouine.notation.lines import seen_by_turn
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.plaintext import message_of, quote, repr_of
from chouine.players.base import Player, UnknownPlayer, close
from chouine.players.guard import guard_player
from chouine.players.pipe import PipePlayer
from chouine.rules.options import Rules

if TYPE_CHECKING:
    from chouine.ai.advice import Advice

ANY_SEATS = (2, 3, 4)
EXTRAS = {"": (), "fast": ("numba", "numpy")}
"""Packages that a player may need, by the extra that installs them."""
MOST_SAMPLES = 1_000_000
"""Most worlds or simulations of a player: a tree of so many takes 300 MB."""
PIECE = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.|.""", re.DOTALL)
"""A quoted text, an escaped character, or any other character of a command line."""


class Order(NamedTuple):
    """The arguments with which a player is made."""

    argument: str
    """The part of its name after the colon: `300` in `pimc:300`; empty without a colon."""
    rules: Rules
    seed: int
    seconds: float | None
    """Time limit per decision, for players that have one; None: no limit but the argument's."""

    @property
    def number(self) -> int:
        """The argument as a number from 1 to `MOST_SAMPLES`. Raises `UnknownPlayer`."""
        text = self.argument
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
        if not 1 <= number <= MOST_SAMPLES:
            raise UnknownPlayer("arena/number", token=text, most=MOST_SAMPLES)
        return number


Factory = Callable[[Order], Player]


def random(order: Order) -> Player:
    from chouine.players.simple import RandomPlayer

    return RandomPlayer(Random(order.seed))


def eager(order: Order) -> Player:
    from chouine.players.simple import EagerPlayer

    return EagerPlayer(Random(order.seed))


def greedy(_: Order) -> Player:
    from chouine.players.simple import GreedyPlayer

    return GreedyPlayer()


def heuristic(_: Order) -> Player:
    from chouine.players.heuristic import HeuristicPlayer

    return HeuristicPlayer()


def by_level(order: Order) -> Player:
    from chouine.ai.levels import level

    return level(order.number, order.rules, order.seed, order.seconds)


def monte_carlo(order: Order) -> Player:
    from chouine.ai.montecarlo import MonteCarloPlayer

    return MonteCarloPlayer(order.number, order.seed, order.seconds)


def pimc(order: Order) -> Player:
    from chouine.ai.montecarlo import PimcPlayer

    return PimcPlayer(order.number, order.seed)


def ismcts(order: Order) -> Player:
    from chouine.ai.ismcts import IsmctsPlayer

    return IsmctsPlayer(order.number, order.seed)


def net(order: Order) -> Player:
    from chouine.ai.network import load_shipped, private_copy
    from chouine.ai.strongest import NetworkPlayer

    return NetworkPlayer(private_copy(load_shipped(order.rules.preset)))


def daily(_: Order) -> Player:
    from chouine.ai.strongest import NetworkPlayer

    return NetworkPlayer()


def weights(order: Order) -> Player:
    from chouine.ai.network import load_weights, private_copy
    from chouine.ai.strongest import NetworkPlayer

    return NetworkPlayer(private_copy(load_weights(Path(order.argument), order.rules.seats)))


def full(order: Order) -> Player:
    from chouine.ai.racing import Limit
    from chouine.ai.strongest import StrongestPlayer

    worlds = order.number if order.argument else None
    return StrongestPlayer(order.rules, order.seed, Limit(order.seconds, worlds))


def local_best_response(order: Order) -> Player:
    from chouine.ai.racing import Limit
    from chouine.ai.search import NETWORK
    from chouine.ai.strongest import StrongestPlayer

    return StrongestPlayer(order.rules, order.seed, Limit(order.seconds), late=32, only=NETWORK)


def python(order: Order) -> Player:
    """The player `MODULE:CLASS`, imported, also from the working folder, called without arguments, and guarded."""
    module, _, name = order.argument.partition(":")
    if (here := str(Path.cwd())) not in sys.path:  # as `python -m` has it
        sys.path.insert(0, here)
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        player = found()
        acts = callable(getattr(player, "act", None))
    except (Exception, SystemExit) as error:
        raise UnknownPlayer("player/python", token=order.argument, why=message_of(error)) from error
    if not acts:
        raise UnknownPlayer("player/no-act", token=order.argument)
    return guard_player(cast("Player", player))


def pipe(order: Order) -> Player:
    return program(order.argument, order.seconds)


def program(text: str, seconds: float | None = None) -> PipePlayer:
    """The program `COMMAND;name=value;…` with its options; it has one second per decision by default."""
    command, *settings = parts_of(text)
    options: list[tuple[str, str]] = []
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not (name and equals):
            raise UnknownPlayer("player/setting", token=setting)
        options.append((name, value))
    return PipePlayer(command, max(1, round(1000 * (seconds or 1.0))), options=options)


def parts_of(text: str) -> list[str]:
    """The parts between semicolons, except those that a shell's quotation marks or a backslash protect."""
    parts = [""]
    for piece in PIECE.findall(text):
        if piece == ";":
            parts.append("")
        else:
            parts[-1] += piece
    return parts


class Entry(NamedTuple):
    """A row of the table."""

    factory: Factory
    what: str
    """Its description for people who choose a player."""
    argument: str = ""
    """Name of its argument; empty if it takes none, in brackets if optional."""
    choices: tuple[str, ...] = ()
    """All valid arguments; empty: any."""
    extra: str = ""
    """The extra that installs what it needs; empty if it needs the standard library alone."""
    seats: tuple[int, ...] = ANY_SEATS
    """Numbers of seats it can play with."""
    public: bool = False
    """Whether any visitor of a server may seat it: it runs no program, reads no file they name, and is quick."""

    def spell(self, name: str) -> str:
        """How its name is written, the argument in capitals."""
        if self.argument.startswith("["):
            return f"{name}[:{self.argument[1:]}"
        return f"{name}:{self.argument}" if self.argument else name

    def takes(self, argument: str) -> bool:
        """Whether this argument, or none, is valid."""
        if self.choices:
            return argument in self.choices
        return self.argument.startswith("[") or bool(self.argument) == bool(argument)


PLAYERS: dict[str, Entry] = {
    "random": Entry(random, "any legal act, each as likely", public=True),
    "eager": Entry(eager, "exchanges and declares whatever it can; any card", public=True),
    "greedy": Entry(greedy, "declares all, takes what pays, else lays its cheapest card", public=True),
    "heuristic": Entry(
        heuristic, "tuned evaluation of each card; the last tricks of two seats exactly", public=True
    ),
    "level": Entry(
        by_level,
        "levels 1 to 8; 7 and 8 need the extra `fast`",
        "1-8",
        choices=tuple(map(str, LEVELS)),
        public=True,
    ),
    "mc": Entry(monte_carlo, "rollouts by heuristic in so many worlds", "WORLDS", extra="fast"),
    "pimc": Entry(
        pimc,
        "perfect-information Monte Carlo: each world solved double dummy",
        "WORLDS",
        extra="fast",
        seats=(2,),
    ),
    "ismcts": Entry(ismcts, "information-set tree search", "SIMULATIONS", extra="fast"),
    "net": Entry(net, "the shipped network's best act", extra="fast"),
    "daily": Entry(
        daily,
        "the opponent of the deal of the day: the network, the last tricks of two seats exactly",
        public=True,
    ),
    "weights": Entry(weights, "the best act of a network of yours (.npz)", "FILE", extra="fast"),
    "light": Entry(full, "another name of `full`", extra="fast"),
    "full": Entry(
        full,
        "the network looking ahead in likely worlds; the last hidden tricks solved; told WORLDS it uses no clock",
        "[WORLDS]",
        extra="fast",
    ),
    "lbr": Entry(local_best_response, "a local best response to `net`", extra="fast", seats=(2,)),
    "python": Entry(python, "a class of yours", "MODULE:CLASS"),
    "pipe": Entry(pipe, "a program that speaks the engine protocol", "COMMAND[;OPTION=VALUE]"),
}


def entry_of(spec: str) -> tuple[Entry, str]:
    """The row that a text names, and its argument. Raises `UnknownPlayer`."""
    name, _, argument = spec.partition(":")
    entry = PLAYERS.get(name)
    if entry is None or not entry.takes(argument):
        raise UnknownPlayer("player/unknown", token=spec, known=", ".join(player_names()))
    return entry, argument


def player_of(spec: str, rules: Rules | None = None, seed: int = 0, seconds: float | None = None) -> Player:
    """The player that a text names, for these rules (default: classic); `close` it when done.

    `seconds` limits a decision, for players that have a limit. Raises `UnknownPlayer` for a text that names none, for a
    number of seats that it cannot play, and for a missing package.
    """
    check_type("the player", spec, str, "a text, one of player_names()")
    entry, argument = entry_of(spec)
    rules = Rules() if rules is None else rules
    check_type("rules", rules, Rules, "Rules, such as Rules.parse('three')")
    seed = int_of("seed", seed, "an int")
    if seconds is not None:
        check_seconds(seconds)
    if rules.seats not in entry.seats:
        raise UnknownPlayer("arena/two-seats", token=spec)
    for package in EXTRAS[entry.extra]:
        if find_spec(package) is None:
            raise UnknownPlayer("arena/missing", token=spec, package=package)
    return entry.factory(Order(argument, rules, seed, seconds))


def best(view: View | str, player: str = "heuristic") -> Action | None:
    """The act that a player chooses in a view or a partie line; None if it lets "au sept" pass (§11).

    Raises `EngineFault` for a program or a class of yours that raises or answers what is not legal.

    >>> str(best("classic b Q7.9.7.8|?5 Jd ?????????????????????????????????????????? :"))
    '7x'
    """
    check_type("the view", view, (View, str), "a View, or a partie line as text")
    seen = seen_by_turn(view) if isinstance(view, str) else view
    asked = player_of(player, seen.rules)
    try:
        return asked.act(seen)
    finally:
        close(asked)


def advise(view: View | str, seconds: float = 1.0, worlds: int | None = None, seed: int = 1) -> Advice:
    """Each act that the seat to act may take, with its probability to win the partie, best first (extra `fast`).

    `worlds`: so many samples of the hidden cards instead of a time. Raises a `ChouineError` if the seat may not act, if
    no deal is consistent with what it knows, or without the extra.

    >>> advice = advise("classic b ?5|.K.A97.7 Jd ?????????????????????????????????????????? : Qs", worlds=64)
    >>> sorted(str(each.action) for each in advice.options)
    ['7c', '7d', '7x', '9d', 'Ad', 'Kh']
    """
    try:
        from chouine.ai.advice import advise as advice_of
        from chouine.ai.levels import strongest
        from chouine.ai.racing import Limit
    except ModuleNotFoundError:
        raise ChouineError("thinking/no-compiler") from None

    check_type("the view", view, (View, str), "a View, or a partie line as text")
    seed = int_of("seed", seed, "an int")
    if worlds is None:
        check_seconds(seconds)
    else:
        worlds = count_of("worlds", worlds, "a number of samples", 1)
    seen = seen_by_turn(view) if isinstance(view, str) else view
    if not seen.legal:
        raise ChouineError("illegal/over" if seen.turn is None else "illegal/not-your-turn")
    return advice_of(
        strongest(seen.rules, seed), seen, Limit(seconds) if worlds is None else Limit(worlds=worlds)
    )


def check_public(spec: str) -> None:
    """Raise `UnknownPlayer` unless a server may seat this player for anybody who asks."""
    try:
        public = entry_of(spec)[0].public
    except UnknownPlayer:
        public = False
    if not public:
        known = ", ".join(entry.spell(name) for name, entry in PLAYERS.items() if entry.public)
        raise UnknownPlayer("player/unknown", token=spec, known=known)


def displayed_name(spec: str, rules: Rules, seconds: float | None = None) -> str:
    """A player's displayed name: a program's own name and options, any other's as written.

    Raises a `ChouineError` if the text names no player, or a program that does not start or play these rules.
    """
    player = player_of(spec, rules, 0, seconds)
    try:
        if not isinstance(player, PipePlayer):
            return spec
        player.greet()
        player.check(rules)
        settings = (f"{name}={value}" for name, value in player.options)
        return ";".join([player.greeting.name, *settings]) if player.greeting.name else spec
    finally:
        close(player)


def check_player(player: Callable[[], Player]) -> None:
    """Raise `TypeError` unless calling this without arguments makes a player."""
    wanted = "a name of player_names(), or a class whose objects act(view), called without arguments"
    try:
        signature(player).bind()
    except (TypeError, ValueError) as error:  # ValueError: of a built-in type nobody knows what it takes
        raise TypeError(f"a player is {wanted}, not {repr_of(player)} ({quote(str(error))})") from None
    if not callable(getattr(player(), "act", None)):
        raise TypeError(f"a player is {wanted}, not {repr_of(player)}")


@contextmanager
def add_player(player: Callable[[], Player]) -> Iterator[str]:
    """Add a class to the table while the context is open, in this process only; yields its name."""
    check_player(player)
    name = f"{getattr(player, '__name__', 'player')}-{id(player):x}"
    PLAYERS[name] = Entry(lambda _: player(), "a class of yours")
    try:
        yield name
    finally:
        del PLAYERS[name]


def player_names() -> list[str]:
    """All players' names, arguments in capitals."""
    return [entry.spell(name) for name, entry in PLAYERS.items()]


EXPLAINING = 0.1
"""Seconds of a limit kept for the likely continuation and the reasons."""


class AnyRules:
    """A player by name for any rules: made when the rules are known."""

    def __init__(self, spec: str, seed: int) -> None:
        self.spec, self.seed = spec, seed
        self.players: dict[Rules, Player] = {}

    def act(self, view: View) -> Action | None:
        return self.player(view.rules).act(view)

    def act_with_info(
        self, view: View, seconds: float | None, worlds: int | None
    ) -> tuple[Action | None, list[str]]:
        """The player's act within a limit of time or worlds, with `info` lines if it searches and has the time."""
        player = self.player(view.rules)
        if not hasattr(player, "evaluate") or not view.legal:
            return player.act(view), []
        from chouine.ai.advice import advise, info_lines
        from chouine.ai.racing import Limit

        if hasattr(player, "in_haste") and player.in_haste(seconds):
            return cast("Any", player).act_at_once(view), []
        if seconds is not None:
            seconds = max(seconds - EXPLAINING, seconds / 2)
        advice = advise(cast("Any", player), view, Limit(seconds, worlds))
        return advice.options[0].action, info_lines(advice)

    def player(self, rules: Rules) -> Player:
        if rules not in self.players:
            self.players[rules] = player_of(self.spec, rules, self.seed)
        return self.players[rules]
