"""What a command makes of a table: the entries to log, or why it is refused. The only chance comes in as `shuffle`."""

from __future__ import annotations

from collections.abc import Callable

from chouine.errors import ChouineError
from chouine.match.draw import cut_void
from chouine.notation.tokens import read_action
from chouine.partie import Exchange
from chouine.partie.actions import check
from chouine.server.room import commands as ask
from chouine.server.room import entries as log
from chouine.server.room.commands import Command, Refused
from chouine.server.room.fold import follow
from chouine.server.room.state import Phase, Room

PHRASES = ("hello", "well-played", "thanks", "good-luck", "oops", "laugh", "wow", "one-moment")
"""What may be said at the table; the pages have the words."""

Shuffle = Callable[[], log.Shuffled]


def decide(room: Room, command: Command, now: float, shuffle: Shuffle) -> tuple[log.AnyEntry, ...]:
    """The entries a command adds, with its consequences; `Refused` or `IllegalAction`, and nothing has changed."""
    return tuple(entry for entry, _ in decided(room, command, now, shuffle))


def decided(room: Room, command: Command, now: float, shuffle: Shuffle) -> list[tuple[log.AnyEntry, Room]]:
    """The same entries, each with the table after it."""
    if room.paused is not None and not isinstance(command, ask.Resume | ask.Forfeit | ask.Speak | ask.Credit):
        raise Refused("room/paused")
    added: list[tuple[log.AnyEntry, Room]] = []
    for entry in answer(room, command, now):
        room = follow(room, entry, now)
        added.append((entry, room))
    while (more := consequence(room, shuffle)) is not None:
        room = follow(room, more, now)
        added.append((more, room))
    return added


def consequence(room: Room, shuffle: Shuffle) -> log.AnyEntry | None:
    """What the table does of itself: a pack is shuffled for the tirage or for the next partie."""
    if room.phase is Phase.TIRAGE and room.pack is None:
        return shuffle()
    if room.phase is Phase.COUNT and not room.awaited:
        return shuffle()
    return None


def answer(room: Room, command: Command, now: float) -> tuple[log.AnyEntry, ...]:
    """The command's own entries."""
    match command:
        case ask.Sit():
            return sit(room, command)
        case ask.Pick(seat, place):
            expect(room, Phase.TIRAGE, seat)
            if not 0 <= place < 32 or place in room.picks:
                raise Refused("room/no-such-card")
            return (log.Picked(seat, place),)
        case ask.CutAt(seat, at):
            expect(room, Phase.CUT, seat)
            if cut_void(at):
                raise Refused("room/void-cut")
            return (log.Cut(seat, at),)
        case ask.Act(seat, token):
            return act(room, seat, token)
        case ask.Pass(seat):
            if seat not in room.window:
                raise Refused("room/nothing-to-pass")
            return (log.Passed(seat),)
        case ask.GoOn(seat):
            expect(room, Phase.COUNT, seat)
            return (log.Ready(seat),)
        case ask.Tick():
            return tick(room, now)
        case _:
            return manners(room, command)


def manners(room: Room, command: Command) -> tuple[log.AnyEntry, ...]:
    """What is not play: conceding, pausing, speaking, the revanche."""
    match command:
        case ask.Concede(seat):
            if room.phase is not Phase.PLAY:
                raise Refused("room/no-partie")
            return (log.Conceded(seat),)
        case ask.Forfeit(seat):
            if room.phase in (Phase.OVER, Phase.SEATING):
                raise Refused("room/no-partie")
            return (log.Forfeited(seat),)
        case ask.Pause(seat):
            if room.phase in (Phase.OVER, Phase.SEATING) or seat in room.pausing:
                raise Refused("room/no-pause")
            return (log.PauseAsked(seat),)
        case ask.Resume(seat):
            if room.paused is None:
                raise Refused("room/not-paused")
            return (log.Resumed(seat),)
        case ask.Speak(seat, phrase):
            if phrase not in PHRASES:
                raise Refused("room/no-such-phrase")
            return (log.Spoke(seat, phrase),)
        case ask.Revanche(seat):
            if room.phase is not Phase.OVER or room.next_game or seat in room.ready:
                raise Refused("room/no-revanche")
            return (log.RevancheAsked(seat),)
        case _:
            return of_server(room, command)


def of_server(room: Room, command: Command) -> tuple[log.AnyEntry, ...]:
    """What no seat asks for."""
    match command:
        case ask.Follow(game):
            if room.next_game:
                raise Refused("room/no-revanche")
            return (log.Followed(game),)
        case ask.Miss(seat):
            if seat in room.people or seat not in room.awaited or seat in room.missing:
                raise Refused("room/not-now")
            return (log.Missed(seat),)
        case ask.Credit(seconds):
            return (log.Credited(seconds),)
        case _:
            raise TypeError(f"not a command: {command!r}")


def expect(room: Room, phase: Phase, seat: int) -> None:
    """Refuse what does not belong to this phase, or comes from a seat that is not awaited."""
    if room.phase is not phase:
        raise Refused("room/not-now")
    if seat not in room.awaited:
        raise Refused("room/not-your-turn")


def sit(room: Room, command: ask.Sit) -> tuple[log.AnyEntry, ...]:
    """An empty chair is taken, or its holder comes back to it from another device."""
    chair = room.chairs[command.seat]
    if chair.player != "person" or chair.guest != command.instead_of:
        raise Refused("room/seat-taken")
    return (log.Sat(command.seat, command.guest, command.name),)


def act(room: Room, seat: int, token: str) -> tuple[log.AnyEntry, ...]:
    """A card or the exchange. While "au sept" is open nobody leads (§11)."""
    if room.phase is not Phase.PLAY or room.state is None:
        raise Refused("room/not-now")
    try:
        action = read_action(token)
    except ChouineError as error:
        raise Refused("room/unreadable", token=token) from error
    if room.window and not isinstance(action, Exchange):
        check(room.state.book, room.state.position, seat, action)  # what is illegal anyway is told first
        raise Refused("room/au-sept-open")
    return (log.Acted(seat, str(action)),)


def tick(room: Room, now: float) -> tuple[log.AnyEntry, ...]:
    """A deadline: "au sept" closes, the count has been read, or the seat that let its time run out loses the match."""
    deadline = room.deadline
    if deadline is None or now < deadline:
        raise Refused("room/not-due")
    if room.window:
        return (log.WindowClosed(),)
    if room.phase is Phase.COUNT:
        return tuple(log.Ready(seat) for seat in sorted(room.awaited))
    late = min(room.awaited, key=lambda seat: (room.reserves[seat], seat))
    return (log.Forfeited(late, late=True),)
