"""One partie between players who see only their views, timed.

In both parties of a pair a seat draws the same cards, whoever takes the tricks. The hidden talon is dealt out
beforehand: of each trick's draws one card is for each seat. The cards of one trick's draws lie in an order nobody
knows and any order is as likely, so putting them into the order in which the seats will draw changes no chance and
tells nobody anything. What the seats then have drawn is an ordinary deal, which replays as any other. A draw that
ends with the turnup is left as it lies: that card is known (§5, §11).
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from math import inf
from threading import current_thread, main_thread
from time import perf_counter

from chouine.arena.guarded import guard_player
from chouine.errors import ChouineError, IllegalAction
from chouine.notation.tokens import token
from chouine.partie.actions import Action, Play
from chouine.partie.deal import Deal
from chouine.partie.result import Result
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players.base import Player
from chouine.players.pipe import GRACE, PipePlayer
from chouine.players.process import EngineFault
from chouine.players.questions import ASKS, question
from chouine.rules.options import Rules
from chouine.rules.play import beats
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable


def fixed_draws(rule_table: RuleTable) -> int:
    """The number of first tricks after which each seat draws cards fixed for it, whoever took the trick."""
    return min(rule_table.drawing, rule_table.hidden // rule_table.seats)


def arrange_draw(state: State, action: Action) -> State:
    """The state, with the coming draw in the talon reordered so that each seat draws its own cards.

    Only an action that completes a trick, and is thus followed by a draw, changes anything.
    """
    p, rule_table = state.position, state.rule_table
    if not isinstance(action, Play) or p.tricks >= fixed_draws(rule_table) or not completes(rule_table, p):
        return state
    taker = p.turn if beats(action.card, p.best, p.trump) else p.taker
    first = p.tricks * rule_table.seats
    talon = state.deal.talon
    own = talon[first : first + rule_table.seats]
    drawn = (*own[taker:], *own[:taker])
    talon = (*talon[:first], *drawn, *talon[first + rule_table.seats :])
    return state._replace(deal=replace(state.deal, talon=talon))


def completes(rule_table: RuleTable, p: Position) -> bool:
    """Whether the next card is the trick's last."""
    return (p.turn + 1) % rule_table.seats == p.leader


@dataclass(frozen=True, slots=True)
class PlayerFault:
    """A player's fault: it was late, or broke the engine protocol; with the question it was asked."""

    seat: int
    error: EngineFault
    question: list[str]
    """What it was asked, as the engine protocol writes it: the view first."""


@dataclass(slots=True)
class PlayedPartie:
    """A played partie."""

    state: State
    micros: list[list[int]]
    """For each seat the microseconds of its decisions."""
    fault: PlayerFault | None = field(default=None)


def play_partie(
    rules: Rules, deal: Deal, players: Sequence[Player], seconds: Sequence[float | None] | None = None
) -> PlayedPartie:
    """Play a deal with seat-fixed draws. A player at fault forfeits the partie (§16).

    At fault is who is late, a program that breaks the engine protocol, and a class of the user's that raises an
    error or answers what is not legal. `seconds`: time limit per decision for each seat, to which `GRACE` is added,
    for programs and our players alike.
    """
    limits = seconds or [None] * rules.seats
    played = PlayedPartie(State.new(rules, deal), [[] for _ in players])
    if not len(players) == len(limits) == rules.seats:
        raise ValueError(f"players, and seconds if given, are {rules.seats}, one a seat, not {len(players)}")
    players = [guard_player(player) for player in players]
    while played.state.result is None:
        try:
            seat, action = played.state.next_act(lambda seat: ask(played, players[seat], seat, limits[seat]))
        except Faulted as faulted:
            played.fault = faulted.fault
            state = played.state
            lost = Result.of_stop(state.rule_table, state.position, "forfeit", faulted.fault.seat)
            played.state = state.end(lost)
        else:
            played.state = advance(played.state, action, seat, players[seat])
    return played


def advance(state: State, action: Action | None, seat: int, player: Player) -> State:
    """The state after a decision. An illegal act of one of our own players is a bug and raises."""
    if action is not None:
        try:
            return arrange_draw(state, action).play(action, seat)
        except IllegalAction:
            pass
    line, name = next(question(state.view(seat))), type(player).__name__
    raise ChouineError("arena/illegal", player=name, action=token(action), line=line)


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
