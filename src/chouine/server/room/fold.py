"""What each log entry makes of a table, and what follows of itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from chouine.cards import Card
from chouine.match.draw import Tirage, cut
from chouine.match.format import Format
from chouine.match.score import Match
from chouine.notation.deals import read_deal, whole
from chouine.notation.tokens import read_action
from chouine.partie import Deal, Result, State
from chouine.rules.options import Rules
from chouine.server.room import entries as log
from chouine.server.room.state import Pack, Phase, Played, Room

SPOKEN = 3
"""How many of the last phrases stay on the table."""
ANSWERS = (log.Picked, log.Cut, log.Acted, log.Passed, log.Ready)
"""What ends a computer's absence."""
TIMED = (log.Picked, log.Cut, log.Acted)
"""What a seat's clock waits for."""


def fold(entries: Iterable[tuple[log.AnyEntry, float]], room: Room | None = None) -> Room:
    """The table that a log, with the time of each entry, tells of; from `room` on, where it is known so far."""
    timed = iter(entries)
    if room is None:
        opened, at = next(timed)
        if not isinstance(opened, log.Opened):
            raise TypeError("a log begins with the table's opening")
        room = opening(opened, at)
    for entry, at in timed:
        room = follow(room, entry, at)
    return room


def opening(opened: log.Opened, at: float) -> Room:
    """A table just set."""
    rules = Rules.parse(opened.rules)
    room = Room(
        n=1,
        opened=opened,
        chairs=opened.chairs,
        match=Match.new(rules, Format.parse(opened.format)),
        phase=Phase.SEATING,
        since=at,
        reserves=tuple(float(opened.clock.reserve) if opened.clock else 0.0 for _ in opened.chairs),
        picks=(None,) * len(opened.chairs),
    )
    return seated(room)


def seated(room: Room) -> Room:
    """Once every chair is taken: the tirage, or an earlier partie's deal laid out again."""
    if any(chair.player == "person" and chair.guest is None for chair in room.chairs):
        return room
    return (
        replace(room, phase=Phase.TIRAGE) if room.opened.deal is None else laid_again(room, room.opened.deal)
    )


def laid_again(room: Room, line: str) -> Room:
    """An earlier deal: its dealer deals as if the tirage had named it."""
    deal = whole(read_deal(line, room.match.rules))
    if deal is None:
        raise TypeError("a deal to be played again is known in full")
    named = Tirage(tuple(Card("7s") if seat == deal.dealer else Card(9 + seat) for seat in room.seats))
    state = State.new(room.match.rules, deal)
    return replace(room, match=room.match.drawn(named), phase=Phase.PLAY, state=state)


def follow(room: Room, entry: log.AnyEntry, at: float) -> Room:
    """The table after one more entry, made at `at`."""
    after = applied(room, entry, at)
    missing = room.missing - {entry.seat} if room.missing and isinstance(entry, ANSWERS) else after.missing
    reserves, since = timed(room, after, entry, at)
    return replace(after, n=room.n + 1, missing=missing, reserves=reserves, since=since)


def timed(before: Room, after: Room, entry: log.AnyEntry, at: float) -> tuple[tuple[float, ...], float]:
    """Clocks: what a seat took beyond its move comes off its reserve; whoever is newly awaited starts to wait now."""
    clock, reserves, awaited = after.clock, after.reserves, before.awaited
    seat = entry.seat if isinstance(entry, TIMED) else None
    answers = seat in awaited
    if clock and answers and not before.window:
        late = max(0.0, at - before.since - clock.move)
        reserves = tuple(left - late * (who == seat) for who, left in enumerate(reserves))
    begins = before.phase is not after.phase or not after.awaited <= awaited
    return reserves, at if begins or (answers and isinstance(entry, log.Acted)) else after.since


def applied(room: Room, entry: log.AnyEntry, at: float) -> Room:
    """What the entry changes, clocks apart."""
    match entry:
        case log.Sat(seat, guest, name):
            chairs = tuple(
                replace_chair(chair, guest, name) if who == seat else chair
                for who, chair in enumerate(room.chairs)
            )
            room = replace(room, chairs=chairs)
            return seated(room) if room.phase is Phase.SEATING else room
        case log.Shuffled(pack, nonce):
            return shuffled(room, Pack(pack, nonce))
        case log.Picked(seat, place):
            return picked(room, seat, place)
        case log.Cut(_, at_card):
            return dealt(room, at_card)
        case log.Acted(seat, token):
            return progress(room, playing(room).play(read_action(token), seat))
        case log.Passed(seat):
            return replace(room, passed=room.passed | {seat})
        case log.WindowClosed():
            return replace(room, passed=frozenset(room.seats))
        case log.Ready(seat):
            return replace(room, ready=room.ready | {seat})
        case log.Conceded(seat):
            return progress(room, playing(room).concede(seat), stopped=seat)
        case log.Forfeited(seat):
            return forfeited(room, seat)
        case _:
            return aside(room, entry, at)


def aside(room: Room, entry: log.AnyEntry, at: float) -> Room:
    """What touches neither cards nor score."""
    match entry:
        case log.PauseAsked(seat):
            pausing = room.pausing | {seat}
            begun = room.clock is None or pausing >= room.people
            return replace(room, pausing=pausing, paused=at if begun else None)
        case log.Resumed():
            away = at - room.paused if room.paused is not None else 0.0
            return replace(room, pausing=frozenset(), paused=None, since=room.since + away)
        case log.Spoke(seat, phrase):
            return replace(room, spoken=(*room.spoken, (seat, phrase, room.n + 1))[-SPOKEN:])
        case log.RevancheAsked(seat):
            return replace(room, ready=room.ready | {seat})
        case log.Followed(game):
            return replace(room, next_game=game)
        case log.Missed(seat):
            return replace(room, missing=room.missing | {seat})
        case log.Credited(seconds):
            return replace(room, since=room.since + seconds)
        case _:
            raise TypeError(f"not an entry that follows: {entry!r}")


def replace_chair(chair: log.Chair, guest: str, name: str) -> log.Chair:
    """The chair with its guest."""
    return log.Chair(chair.player, name, guest)


def shuffled(room: Room, pack: Pack) -> Room:
    """A pack for the tirage, or for the next partie."""
    if room.match.needs_draw:
        return replace(room, pack=pack, phase=Phase.TIRAGE, picks=(None,) * len(room.chairs))
    return replace(room, pack=pack, phase=Phase.CUT, state=None, ready=frozenset())


def picked(room: Room, seat: int, place: int) -> Room:
    """A card drawn; when every seat has one the tirage is read (§2)."""
    pack = room.pack
    if pack is None:
        raise LookupError("no pack is spread")
    picks = tuple(place if who == seat else earlier for who, earlier in enumerate(room.picks))
    places = [place for place in picks if place is not None]
    room = replace(room, picks=picks)
    if len(places) < len(picks):
        return room
    drawn = Tirage(tuple(pack.in_order[place] for place in places))
    return replace(room, tirages=(*room.tirages, drawn), match=room.match.drawn(drawn), pack=None)


def dealt(room: Room, at: int) -> Room:
    """The pack cut and handed out (§2, §3)."""
    if room.pack is None:
        raise LookupError("no pack to cut")
    rules = room.match.rules
    deal = Deal.from_pack(rules, room.dealer, cut(room.pack.in_order, at))
    return replace(room, phase=Phase.PLAY, cut=at, state=State.new(rules, deal), passed=frozenset())


def playing(room: Room) -> State:
    """The partie in progress; there must be one."""
    if room.state is None:
        raise LookupError("no partie in progress")
    return room.state


def progress(room: Room, state: State, stopped: int | None = None) -> Room:
    """A partie goes on, "au sept" open to all anew, or its result goes to the match."""
    if state.result is None:
        return replace(room, state=state, passed=frozenset())
    return concluded(room, state, state.result, stopped)


def concluded(room: Room, state: State, result: Result, stopped: int | None) -> Room:
    """The finished partie is kept with what verifies its deal."""
    match = room.match.record(result)
    return replace(
        room,
        state=state,
        match=match,
        played=(*room.played, kept(room, state, stopped)),
        pack=None,
        phase=Phase.OVER if match.over else Phase.COUNT,
        ready=frozenset(),
        pausing=frozenset(),
    )


def kept(room: Room, state: State, stopped: int | None) -> Played:
    """A partie for the match's history; `stopped` is who gave it up."""
    match = room.match
    return Played(match.manche, match.partie, match.score_text, room.pack, room.cut, state, stopped)


def forfeited(room: Room, seat: int) -> Room:
    """The match is given up (§16); a partie in progress ends with it."""
    state = room.state
    if state is not None and state.result is None and room.phase is Phase.PLAY:
        result = Result.stopped(state.book, state.position, "forfeit", seat)
        state = state.ended(result)
        room = replace(room, state=state, played=(*room.played, kept(room, state, seat)))
    match = room.match.forfeit(seat)
    stopped = replace(room, pausing=frozenset(), paused=None)
    return replace(stopped, match=match, phase=Phase.OVER, pack=None, ready=frozenset())
