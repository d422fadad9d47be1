"""The table after each log entry. `rebuild(log)` is the table of a whole log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from chouine.cards import Card
from chouine.match.draw import Tirage, cut
from chouine.match.format import Format
from chouine.match.score import Match
from chouine.notation.deals import read_deal, whole
from chouine.notation.lines import actions_of
from chouine.notation.tokens import read_action
from chouine.partie import Deal, Exchanged, Played, Result, State
from chouine.rules.options import Rules
from chouine.table import entries as log
from chouine.table.state import FinishedPartie, Pack, Phase, RevealedAdvice, Spread, TableState

SPOKEN = 3
"""How many of the last phrases stay on the table."""
ANSWERS = (log.Picked, log.Cut, log.Acted, log.Passed, log.Ready)
"""What ends a computer's absence."""
TIMED = (log.Picked, log.Cut, log.Acted)
"""What a seat's clock waits for."""
DECIDED = (log.Acted, log.TookBack, log.Conceded, log.Forfeited, log.WindowClosed)
"""What ends the decision that advice was given on."""


def rebuild(entries: Iterable[tuple[log.LogEntry, float]], table: TableState | None = None) -> TableState:
    """The table after these entries, each with its time; `table` is the table before them, None for a whole log."""
    timed = iter(entries)
    if table is None:
        opened, at = next(timed)
        if not isinstance(opened, log.Opened):
            raise TypeError("a log begins with the table's opening")
        table = opening(opened, at)
    for entry, at in timed:
        table = evolve(table, entry, at)
    return table


def opening(opened: log.Opened, at: float) -> TableState:
    """A table just set."""
    rules = Rules.parse(opened.rules)
    table = TableState(
        n=1,
        opened=opened,
        holders=opened.chairs,
        match=Match.new(rules, Format.parse(opened.format)),
        phase=Phase.SEATING,
        since=at,
        reserves=tuple(float(opened.clock.reserve) if opened.clock else 0.0 for _ in opened.chairs),
        picks=(None,) * len(opened.chairs),
    )
    return seated(table)


def seated(table: TableState) -> TableState:
    """Once every seat is taken: the tirage, or an earlier partie's deal laid out again."""
    if any(holder.player == "person" and holder.guest is None for holder in table.holders):
        return table
    return (
        replace(table, phase=Phase.TIRAGE)
        if table.opened.deal is None
        else laid_again(table, table.opened.deal)
    )


def laid_again(table: TableState, line: str) -> TableState:
    """An earlier deal: its dealer deals as if the tirage had named it."""
    deal = whole(read_deal(line, table.match.rules))
    if deal is None:
        raise TypeError("a deal to be played again is known in full")
    named = Tirage(tuple(Card("7s") if seat == deal.dealer else Card(9 + seat) for seat in table.seats))
    state = State.new(table.match.rules, deal)
    return replace(table, match=table.match.drawn(named), phase=Phase.PLAY, state=state)


def evolve(table: TableState, entry: log.LogEntry, at: float) -> TableState:
    """The table after one more entry, made at `at`."""
    after = applied(table, entry, at)
    missing = table.missing - {entry.seat} if table.missing and isinstance(entry, ANSWERS) else after.missing
    reserves, since = timed(table, after, entry, at)
    if table.advice is not None and (isinstance(entry, DECIDED) or entry == log.Passed(table.learner or 0)):
        after = replace(after, advice=None)
    return after.but(n=table.n + 1, missing=missing, reserves=reserves, since=since)


def timed(
    before: TableState, after: TableState, entry: log.LogEntry, at: float
) -> tuple[tuple[float, ...], float]:
    """Clocks: what a seat took beyond its move comes off its reserve; whoever is newly awaited starts to wait now."""
    clock, reserves, awaited = after.clock, after.reserves, before.awaited
    seat = entry.seat if isinstance(entry, TIMED) else None
    answers = seat in awaited
    if clock and answers and not before.window:
        late = max(0.0, at - before.since - clock.move)
        reserves = tuple(left - late * (who == seat) for who, left in enumerate(reserves))
    begins = before.phase is not after.phase or not after.awaited <= awaited
    return reserves, at if begins or (answers and isinstance(entry, log.Acted)) else after.since


def applied(table: TableState, entry: log.LogEntry, at: float) -> TableState:
    """What the entry changes, clocks apart."""
    match entry:
        case log.Sat(seat):
            table = replace(table, holders=with_guest(table.holders, entry))
            return seated(table) if table.phase is Phase.SEATING else table
        case log.Shuffled(pack, nonce):
            return shuffled(table, Pack(pack, nonce))
        case log.Picked(seat, place):
            return picked(table, seat, place)
        case log.Cut(_, at_card):
            return dealt(table, at_card)
        case log.Acted(seat, token):
            return progress(table, playing(table).play(read_action(token), seat))
        case log.Passed(seat):
            return replace(table, passed=table.passed | {seat})
        case log.WindowClosed():
            return replace(table, passed=frozenset(table.seats))
        case log.Ready(seat):
            return replace(table, ready=table.ready | {seat})
        case log.Conceded(seat):
            return progress(table, playing(table).concede(seat), stopped=seat)
        case log.Forfeited(seat):
            return forfeited(table, seat)
        case log.TookBack(seat):
            return took_back(table, seat)
        case _:
            return aside(table, entry, at)


def aside(table: TableState, entry: log.LogEntry, at: float) -> TableState:
    """What touches neither cards nor score."""
    match entry:
        case log.PauseAsked(seat):
            pausing = table.pausing | {seat}
            begun = table.clock is None or pausing >= table.people
            return replace(table, pausing=pausing, paused=at if begun else None)
        case log.Resumed():
            away = at - table.paused if table.paused is not None else 0.0
            return replace(table, pausing=frozenset(), paused=None, since=table.since + away)
        case log.Spoke(seat, phrase):
            return replace(table, spoken=(*table.spoken, (seat, phrase, table.n + 1))[-SPOKEN:])
        case log.RevancheAsked(seat):
            return replace(table, ready=table.ready | {seat})
        case log.Followed(game):
            return replace(table, next_table=game)
        case log.Missed(seat):
            return replace(table, missing=table.missing | {seat})
        case log.Credited(seconds):
            return replace(table, since=table.since + seconds)
        case log.Explained(_, on):
            return replace(table, explained=on, helped=table.helped | {"explained"} if on else table.helped)
        case log.Advised(_, counsel):
            return replace(table, advice=RevealedAdvice(counsel), helped=table.helped | {"advised"})
        case log.AskedMore() if table.advice is not None:
            return replace(table, advice=replace(table.advice, step=table.advice.step + 1))
        case _:
            raise TypeError(f"not an entry that follows: {entry!r}")


def with_guest(holders: tuple[log.SeatHolder, ...], sat: log.Sat) -> tuple[log.SeatHolder, ...]:
    """The holders of all seats once a guest has taken one."""
    return tuple(
        replace(holder, guest=sat.guest, name=sat.name, emblem=sat.emblem) if seat == sat.seat else holder
        for seat, holder in enumerate(holders)
    )


def shuffled(table: TableState, pack: Pack) -> TableState:
    """A pack for the tirage, or for the next partie."""
    if table.match.needs_draw:
        return replace(table, pack=pack, phase=Phase.TIRAGE, picks=(None,) * len(table.holders))
    return replace(table, pack=pack, phase=Phase.CUT, state=None, ready=frozenset())


def picked(table: TableState, seat: int, place: int) -> TableState:
    """A card drawn; when every seat has one the tirage is read (§2)."""
    pack = table.pack
    if pack is None:
        raise LookupError("no pack is spread")
    picks = tuple(place if who == seat else earlier for who, earlier in enumerate(table.picks))
    places = [place for place in picks if place is not None]
    table = replace(table, picks=picks)
    if len(places) < len(picks):
        return table
    drawn = Tirage(tuple(pack.in_order[place] for place in places))
    return replace(
        table,
        tirages=(*table.tirages, drawn),
        spreads=(*table.spreads, Spread(pack, tuple(places))),
        match=table.match.drawn(drawn),
        pack=None,
    )


def dealt(table: TableState, at: int) -> TableState:
    """The pack cut and handed out (§2, §3)."""
    if table.pack is None:
        raise LookupError("no pack to cut")
    rules = table.match.rules
    deal = Deal.from_pack(rules, table.dealer, cut(table.pack.in_order, at))
    return replace(table, phase=Phase.PLAY, cut=at, state=State.new(rules, deal), passed=frozenset())


def playing(table: TableState) -> State:
    """The partie in progress; there must be one."""
    if table.state is None:
        raise LookupError("no partie in progress")
    return table.state


def last_act(table: TableState, seat: int) -> int | None:
    """Which of the acts of the partie in progress is a seat's last; None if it has not acted."""
    if table.phase is not Phase.PLAY or table.state is None:
        return None
    seats = (event.seat for event in table.state.events if isinstance(event, Exchanged | Played))
    return max((nth for nth, who in enumerate(seats) if who == seat), default=None)


def took_back(table: TableState, seat: int) -> TableState:
    """The partie before a seat's last act, of the same deal: whoever draws again draws the same cards."""
    after, nth = playing(table), last_act(table, seat)
    state = State.new(after.rules, after.deal)
    for action in islice(actions_of(after.events), nth):
        state = state.play(action)
    return replace(
        table,
        state=state,
        passed=frozenset(),
        missing=frozenset(),
        helped=table.helped | {"took-back"},
        taken_back=table.taken_back + 1,
    )


def progress(table: TableState, state: State, stopped: int | None = None) -> TableState:
    """A partie goes on, "au sept" open to all anew, or its result goes to the match."""
    if state.result is None:
        return table.but(state=state, passed=frozenset())
    return concluded(table, state, state.result, stopped)


def concluded(table: TableState, state: State, result: Result, stopped: int | None) -> TableState:
    """The finished partie is kept with what verifies its deal."""
    match = table.match.record(result)
    return replace(
        table,
        state=state,
        match=match,
        played=(*table.played, kept(table, state, stopped)),
        pack=None,
        phase=Phase.OVER if match.over else Phase.COUNT,
        ready=frozenset(),
        pausing=frozenset(),
    )


def kept(table: TableState, state: State, stopped: int | None) -> FinishedPartie:
    """A partie for the match's history; `stopped` is who gave it up."""
    match = table.match
    return FinishedPartie(match.manche, match.partie, match.score_text, table.pack, table.cut, state, stopped)


def forfeited(table: TableState, seat: int) -> TableState:
    """The match is given up (§16); a partie in progress ends with it."""
    state = table.state
    if state is not None and state.result is None and table.phase is Phase.PLAY:
        result = Result.stopped(state.book, state.position, "forfeit", seat)
        state = state.ended(result)
        table = replace(table, state=state, played=(*table.played, kept(table, state, seat)))
    match = table.match.forfeit(seat)
    stopped = replace(table, pausing=frozenset(), paused=None)
    return replace(stopped, match=match, phase=Phase.OVER, pack=None, ready=frozenset())
