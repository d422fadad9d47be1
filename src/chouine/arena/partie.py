"""One partie between players who see only their views, timed.

In both parties of a pair a seat draws the same cards, whoever takes the tricks (`partie.state.arrange_draw`).
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from math import inf
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any

from chouine.errors import ChouineError, IllegalAction, check_each
from chouine.notation.tokens import token
from chouine.partie.actions import Action
from chouine.partie.deal import SEATS, Deal
from chouine.partie.result import Result
from chouine.partie.state import State, arrange_draw
from chouine.partie.view import View
from chouine.plaintext import repr_of
from chouine.players.base import Player
from chouine.players.guard import guard_player
from chouine.players.pipe import ASKS, GRACE, PipePlayer, question
from chouine.players.process import EngineFault
from chouine.rules.options import Rules


@dataclass(frozen=True, slots=True)
class PlayerFault:
    """A player's fault: it was late, or broke the engine protocol; with the question it was asked."""

    seat: int
    error: EngineFault
    question: list[str]
    """What it was asked, as the engine protocol writes it: the view first."""

    def __str__(self) -> str:
        return f"{SEATS[self.seat]} at fault: {self.error}"


@dataclass(slots=True)
class PlayedPartie:
    """A played partie."""

    state: State
    micros: list[list[int]]
    """For each seat the microseconds of its decisions."""
    fault: PlayerFault | None = field(default=None)

    def __str__(self) -> str:
        """The end as `str` of a State shows it, and the fault if there is one."""
        return str(self.state) if self.fault is None else f"{self.state}\n{self.fault}"


def play_partie(
    rules: Rules, deal: Deal, players: Sequence[Player], seconds: Sequence[float | None] | None = None
) -> PlayedPartie:
    """Play a deal with seat-fixed draws. A player at fault forfeits the partie (§16).

    At fault is who is late, a program that breaks the engine protocol, and a class of the user's that raises an
    error or answers what is not legal. `seconds`: time limit per decision for each seat, to which `GRACE` is added,
    for programs and our players alike.
    """
    state = State.new(rules, deal)
    limits = [None] * rules.seats if seconds is None else seconds
    wanted = "a player a seat, such as [player_of('random'), player_of('net')]"
    check_each("players", players, object, wanted)
    for player in players:
        if isinstance(player, type) or not callable(getattr(player, "act", None)):
            raise TypeError(f"players is {wanted}, not {repr_of(player)}")
    check_each("seconds", limits, int | float | None, "a number or None a seat")
    played = PlayedPartie(state, [[] for _ in players])
    if not len(players) == len(limits) == rules.seats:
        raise ValueError(f"players, and seconds if given, are {rules.seats}, one a seat, not {len(players)}")
    players = [guard_player(player) for player in players]

    def decide(state: State, seat: int) -> Action | None:
        played.state = state
        return ask(played, players[seat], seat, limits[seat])

    def advance(state: State, action: Action | None, seat: int) -> State:
        """An illegal act of one of our own players is a bug and raises."""
        if action is not None:
            with suppress(IllegalAction):
                return arrange_draw(state, action).play(action, seat)
        line, name = next(question(state.view(seat))), type(players[seat]).__name__
        raise ChouineError("arena/illegal", player=name, action=token(action), line=line)

    try:
        played.state = play_on(state, decide, advance)
    except Faulted as faulted:
        played.fault = faulted.fault
        lost = Result.of_stop(state.rule_table, played.state.position, "forfeit", faulted.fault.seat)
        played.state = played.state.end(lost)
    return played


def play_on(
    state: State,
    decide: Callable[[State, int], Action | None],
    advance: Callable[[State, Any, int], State] = State.play,
) -> State:
    """The final state when each seat does what `decide(state, seat)` says, None at "au sept" to let it pass (§11).

    `decide` may record what it is asked; `advance` is how an act is played.
    """
    while state.result is None:
        seat, action = state.next_act(partial(decide, state))
        state = advance(state, action, seat)
    return state


def asking(players: Sequence[Player]) -> Callable[[State, int], Action | None]:
    """Decisions by players who see only their views, one a seat."""
    return lambda state, seat: players[seat].act(state.view(seat))


class Faulted(Exception):
    """A player is at fault."""

    def __init__(self, fault: PlayerFault) -> None:
        super().__init__(fault)
        self.fault = fault


def ask(played: PlayedPartie, player: Player, seat: int, limit: float | None) -> Action | None:
    """A seat's decision, timed if it decides anything."""
    view = played.state.view(seat)
    began, allowed, action = perf_counter(), inf if limit is None else limit + GRACE, None
    try:
        with nullcontext() if isinstance(player, PipePlayer) else interrupted_after(allowed):
            action = player.act(view)
    except EngineFault as error:
        raise Faulted(PlayerFault(seat, error, asked_lines(view, player, limit))) from None
    except OutOfTime:
        if limit is None:  # it was the caller's patience
            raise
    spent = perf_counter() - began
    if spent > allowed:
        late = EngineFault("arena/late", seconds=round(spent, 1), limit=limit)
        raise Faulted(PlayerFault(seat, late, asked_lines(view, player, limit)))
    if action is not None or view.legal:  # letting "au sept" pass is a decision too
        played.micros[seat].append(round(1e6 * spent))
    return action


class OutOfTime(BaseException):
    """A decision took longer than allowed. A player's own `except Exception` does not catch it."""


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` in the context after so many seconds, or as soon as compiled code returns.

    Only where the system has timers, and in the main thread: elsewhere nothing is interrupted.
    """
    if seconds == inf or not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def asked_lines(view: View, player: Player, limit: float | None) -> list[str]:
    """What a program is asked, line by line; for any other player all that a program can be asked."""
    if isinstance(player, PipePlayer):
        return player.lines(view)
    return [*question(view, ASKS), f"go time {round(1000 * limit)}" if limit else "go"]
