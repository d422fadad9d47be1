"""`decide`: turns a command into log entries, or refuses it. Its only randomness is the argument `shuffle`."""

from __future__ import annotations

from collections.abc import Callable

from chouine.errors import ChouineError
from chouine.match.draw import cut_void
from chouine.names import another_name
from chouine.notation.tokens import read_action
from chouine.partie import Exchange
from chouine.partie.actions import check
from chouine.plaintext import repr_of
from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.commands import Command, Refused
from chouine.table.evolve import evolve, last_act
from chouine.table.state import LAST_STEP, Phase, TableState

PHRASES = ("hello", "well-played", "thanks", "good-luck", "oops", "laugh", "wow", "one-moment")
"""Keys of the phrases that players may say at the table; the pages translate them."""

LONGEST_AWAY = 29 * 24 * 3600.0
"""Seconds of holiday that a seat may have in a match, whoever holds it: what a person has in two years, and a day.

A seat can go from one browser to another, and each browser is a person with days of their own.
"""

Shuffle = Callable[[], log.Shuffled]


def decide(table: TableState, command: Command, now: float, shuffle: Shuffle) -> tuple[log.LogEntry, ...]:
    """The log entries that a command adds, its consequences included. `table` itself does not change.

    Raises `Refused` or `IllegalAction`.
    """
    return tuple(entry for entry, _ in decide_all(table, command, now, shuffle))


def decide_all(
    table: TableState, command: Command, now: float, shuffle: Shuffle
) -> list[tuple[log.LogEntry, TableState]]:
    """The log entries that a command adds, each with the state of the table after it.

    Raises `Refused` or `IllegalAction`.
    """
    if table.paused is not None and not isinstance(
        command,
        ask.Resume | ask.ForfeitMatch | ask.Speak | ask.Credit | ask.Sit | ask.Leave | ask.ComeBack,
    ):
        raise Refused("table/paused")
    added: list[tuple[log.LogEntry, TableState]] = []
    for entry in answer(table, command, now):
        table = evolve(table, entry, now)
        added.append((entry, table))
    while (more := consequence(table, shuffle)) is not None:
        table = evolve(table, more, now)
        added.append((more, table))
    return added


def consequence(table: TableState, shuffle: Shuffle) -> log.LogEntry | None:
    """An entry that needs no command: the shuffle for the tirage or the next partie. None if there is none."""
    if table.phase is Phase.TIRAGE and table.pack is None:
        return shuffle()
    if table.phase is Phase.COUNT and not table.awaited:
        return shuffle()
    return None


def answer(table: TableState, command: Command, now: float) -> tuple[log.LogEntry, ...]:  # noqa: C901, PLR0915
    """The entries of the command itself, without consequences: one table of cases."""
    match command:
        case ask.Sit():
            return sit(table, command)
        case ask.Leave(seat):
            return leave(table, seat)
        case ask.Pick(seat, place):
            expect(table, Phase.TIRAGE, seat)
            if not 0 <= place < 32 or place in table.picks:
                raise Refused("table/no-such-card")
            return (log.Picked(seat, place),)
        case ask.CutAt(seat, at):
            expect(table, Phase.CUT, seat)
            if cut_void(at):
                raise Refused("table/void-cut")
            return (log.Cut(seat, at),)
        case ask.Act(seat, token):
            return act(table, seat, token)
        case ask.Pass(seat):
            if seat not in table.window:
                raise Refused("table/nothing-to-pass")
            return (log.Passed(seat),)
        case ask.GoOn(seat):
            expect(table, Phase.COUNT, seat)
            return (log.Ready(seat),)
        case ask.Tick():
            return tick(table, now)
        case ask.Concede(seat):
            if table.phase is not Phase.PLAY:
                raise Refused("table/no-partie")
            return (log.Conceded(seat),)
        case ask.ForfeitMatch(seat):
            if table.phase in (Phase.OVER, Phase.SEATING):
                raise Refused("table/no-partie")
            return (log.Forfeited(seat),)
        case ask.Pause(seat):
            if table.phase in (Phase.OVER, Phase.SEATING) or seat in table.pausing:
                raise Refused("table/no-pause")
            return (log.PauseAsked(seat),)
        case ask.Resume(seat):
            if table.paused is None:
                raise Refused("table/not-paused")
            return (log.Resumed(seat),)
        case ask.GoOnHoliday(seat, until, last):
            busy = table.phase not in (Phase.SEATING, Phase.OVER) and seat in table.people
            if not busy or not table.slow or table.holiday_of(seat) or until <= now:
                raise Refused("table/no-holiday")
            if table.away_of(seat) + until - now > LONGEST_AWAY:
                raise Refused("table/no-holiday")
            return (log.WentOnHoliday(seat, until, last),)
        case ask.ComeBack(seat):
            if table.holiday_of(seat) is None:
                raise Refused("table/no-holiday")
            return (log.CameBack(seat),)
        case ask.Speak(seat, phrase):
            if phrase not in PHRASES:
                raise Refused("table/no-such-phrase")
            return (log.Spoke(seat, phrase),)
        case ask.Revanche(seat):
            gone = any(holder.guest == log.NOBODY for holder in table.holders)
            if (
                table.phase is not Phase.OVER
                or table.next_table
                or seat in table.ready
                or gone
                or table.sealed
            ):
                raise Refused("table/no-revanche")
            return (log.RevancheAsked(seat),)
        case ask.Explain(seat) | ask.Advise(seat) | ask.TakeBack(seat) if seat != table.learner:
            raise Refused("table/unaided" if table.opened.unaided else "table/no-help")
        case ask.Explain(seat, on):
            return (log.Explained(seat, on),)
        case ask.Advise(seat, advice):
            expect(table, Phase.PLAY, seat)
            revealed = table.advice
            if advice is not None and revealed is None:
                return (log.Advised(seat, advice),)
            if advice is not None or revealed is None or revealed.step == LAST_STEP:
                raise Refused("table/no-advice")
            return (log.AskedMore(seat),)
        case ask.TakeBack(seat):
            if last_act(table, seat) is None:
                raise Refused("table/nothing-to-take-back")
            return (log.TookBack(seat),)
        case ask.Follow(table_id):
            if table.next_table:
                raise Refused("table/no-revanche")
            return (log.Followed(table_id),)
        case ask.Miss(seat):
            if seat in table.people or seat not in table.awaited or seat in table.missing:
                raise Refused("table/not-now")
            return (log.Missed(seat),)
        case ask.Credit(seconds):
            return (log.Credited(seconds),)
        case _:
            raise TypeError(f"not a command: {repr_of(command)}")


def expect(table: TableState, phase: Phase, seat: int) -> None:
    """Raise `Refused` unless the table is in this phase and awaits this seat."""
    if table.phase is not phase:
        raise Refused("table/not-now")
    if seat not in table.awaited:
        raise Refused("table/not-your-turn")


def sit(table: TableState, command: ask.Sit) -> tuple[log.LogEntry, ...]:
    """Take an empty seat, or return to one's own from another device, which ends a holiday: it was the browser's."""
    holder = table.holders[command.seat]
    if holder.player != "person" or holder.guest == log.NOBODY or holder.guest != command.instead_of:
        raise Refused("table/seat-taken")
    others = [other.name for seat, other in enumerate(table.holders) if seat != command.seat]
    name = command.name if command.name == holder.name else another_name(command.name, others)
    rated = command.rated if holder.guest is None else holder.rated
    sat = log.Sat(command.seat, command.guest, name, command.emblem, rated)
    return (sat,) if table.holiday_of(command.seat) is None else (log.CameBack(command.seat), sat)


def leave(table: TableState, seat: int) -> tuple[log.LogEntry, ...]:
    """Empty a seat before the start; later nobody else may sit there, and a match in progress is lost."""
    if seat not in table.people or not table.holders[seat].guest:
        raise Refused("table/seat-taken")
    if table.phase is Phase.SEATING:
        return (log.Sat(seat, None, ""),)
    nobody = log.Sat(seat, log.NOBODY, log.LEFT, rated=table.holders[seat].rated)
    return (nobody,) if table.phase is Phase.OVER else (log.Forfeited(seat), nobody)


def act(table: TableState, seat: int, token: str) -> tuple[log.LogEntry, ...]:
    """Lay a card or exchange. While "au sept" is open nobody may lead (§11)."""
    if table.phase is not Phase.PLAY or table.state is None:
        raise Refused("table/not-now")
    try:
        action = read_action(token)
    except ChouineError as error:
        raise Refused("table/unreadable", token=token) from error
    if table.window and not isinstance(action, Exchange):
        # an act that is illegal anyway is refused as such, not because of "au sept"
        check(table.state.rule_table, table.state.position, seat, action)
        raise Refused("table/au-sept-open")
    return (log.Acted(seat, str(action)),)


def tick(table: TableState, now: float) -> tuple[log.LogEntry, ...]:
    """A deadline passes: a holiday ends, "au sept" closes, the count counts as read, or who is out of time loses."""
    due = table.due
    if due is None or now < due:
        raise Refused("table/not-due")
    if back := [each.seat for each in table.holidays if each.until <= now]:
        return tuple(map(log.CameBack, back))
    if table.window:
        return (log.WindowClosed(),)
    if table.phase is Phase.COUNT:
        return tuple(log.Ready(seat) for seat in sorted(table.awaited) if table.time_up(seat) <= now)
    late = min(table.awaited, key=lambda seat: (table.time_up(seat), seat))
    return (log.Forfeited(late, late=True),)
