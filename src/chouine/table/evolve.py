"""`evolve`: the table's state after each log entry. `rebuild(log)` gives the state after a whole log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from chouine.cards import Card
from chouine.match.draw import Tirage, cut
from chouine.match.score import Format, Match
from chouine.notation.deals import complete_deal, read_deal
from chouine.notation.lines import actions_of
from chouine.notation.tokens import PASS, read_action
from chouine.partie import Deal, Exchanged, Played, Result, State
from chouine.partie.state import arrange_draw
from chouine.plaintext import repr_of
from chouine.rules.options import Rules
from chouine.table import entries as log
from chouine.table.state import FinishedPartie, Holiday, Pack, Phase, RevealedAdvice, SpreadPack, TableState

SPOKEN = 3
"""Number of latest phrases shown at the table."""
ANSWERS = (log.Picked, log.Cut, log.Acted, log.Passed, log.Ready)
"""Entries that end a computer's absence."""
TIMED = (log.Picked, log.Cut, log.Acted)
"""Entries that stop a seat's clock."""
DECIDED = (log.Acted, log.TookBack, log.Conceded, log.Forfeited, log.WindowClosed)
"""Entries that end the decision for which advice was given."""


def rebuild(entries: Iterable[tuple[log.LogEntry, float]], table: TableState | None = None) -> TableState:
    """The state after these entries, each with its time. `table` is the state before them; None at the log's start."""
    timed = iter(entries)
    if table is None:
        opened, at = next(timed)
        if not isinstance(opened, log.Opened):
            raise TypeError("a log begins with the table's opening")
        table = opening_state(opened, at)
    for entry, at in timed:
        table = evolve(table, entry, at)
    return table


def opening_state(opened: log.Opened, at: float) -> TableState:
    """The state of a new table."""
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
    return seat_holders(table)


def seat_holders(table: TableState) -> TableState:
    """Start the tirage once every seat is taken, or lay out the deal that the table was opened with."""
    if any(holder.player == "person" and holder.guest is None for holder in table.holders):
        return table
    line = table.opened.deals[0] if table.opened.deals else table.opened.deal
    return replace(table, phase=Phase.TIRAGE) if line is None else lay_deal(table, line)


def lay_deal(table: TableState, line: str) -> TableState:
    """Set up a deal that was given, with its dealer."""
    deal = complete_deal(read_deal(line, table.match.rules))
    if deal is None:
        raise TypeError("a deal to be played is known in full")
    match, rules = table.match, table.match.rules
    if match.needs_draw:
        named = Tirage(tuple(Card("7s") if seat == deal.dealer else Card(9 + seat) for seat in table.seats))
        match = match.draw_dealer(named)
    return replace(
        table,
        match=match,
        phase=Phase.PLAY,
        state=State.new(rules, deal),
        ready=frozenset(),
        passed=frozenset(),
        followed=frozenset(),
    )


def lay_next_deal(table: TableState) -> TableState:
    """Lay out the next sealed deal, where there is one and everybody is ready for it."""
    deals = table.opened.deals
    if not deals or table.phase is not Phase.COUNT or table.awaited:
        return table
    return lay_deal(table, deals[len(table.played)])


def evolve(table: TableState, entry: log.LogEntry, at: float) -> TableState:
    """The state after one more entry, made at time `at`."""
    if table.advice is not None and table.advice.given.best == token_of(entry, table.learner):
        table = replace(table, followed=table.followed | {(number_of_next(table), table.advice.given.best)})
    after = apply_entry(table, entry, at)
    missing = table.missing - {entry.seat} if table.missing and isinstance(entry, ANSWERS) else after.missing
    reserves, since, rested = spend_time(table, after, entry, at)
    if table.advice is not None and (isinstance(entry, DECIDED) or entry == log.Passed(table.learner or 0)):
        after = replace(after, advice=None)
    return after.replace_fast(n=table.n + 1, missing=missing, reserves=reserves, since=since, rested=rested)


def token_of(entry: log.LogEntry, seat: int | None) -> str | None:
    """The token of what a seat did by this entry; None where it did nothing. Letting "au sept" pass is an act (§11)."""
    match entry:
        case log.Acted(who, done) if who == seat:
            return done
        case log.Passed(who) if who == seat:
            return PASS
        case log.WindowClosed():
            return PASS
        case _:
            return None


def number_of_next(table: TableState) -> int:
    """The number of the partie's next act, from 1."""
    return sum(1 for _ in actions_of(partie_in_progress(table).events)) + 1


def spend_time(
    before: TableState, after: TableState, entry: log.LogEntry, at: float
) -> tuple[tuple[float, ...], float, tuple[float, ...]]:
    """The clocks after an entry, as (reserves, since, rested).

    Time beyond the move's allowance is taken from the seat's reserve; a newly awaited seat starts its clock.
    """
    clock, reserves, awaited = after.clock, after.reserves, before.awaited
    seat = entry.seat if isinstance(entry, TIMED) else None
    answers = seat in awaited
    if clock and answers and not before.window:
        rest = before.rest_of(seat, at) if seat is not None else 0.0
        late = max(0.0, at - before.since - rest - clock.move)
        reserves = tuple(left - late * (who == seat) for who, left in enumerate(reserves))
    begins = before.phase is not after.phase or not after.awaited <= awaited
    anew = begins or (answers and isinstance(entry, log.Acted))
    return (reserves, at, ()) if anew else (reserves, after.since, after.rested)


def apply_entry(table: TableState, entry: log.LogEntry, at: float) -> TableState:
    """The state after an entry, clocks aside."""
    match entry:
        case log.Sat(seat):
            table = replace(table, holders=with_guest(table.holders, entry))
            return seat_holders(table) if table.phase is Phase.SEATING else table
        case log.Shuffled(pack, nonce):
            return shuffle_pack(table, Pack(pack, nonce))
        case log.Picked(seat, place):
            return pick_card(table, seat, place)
        case log.Cut(_, at_card):
            return deal_partie(table, at_card)
        case log.Acted(seat, token):
            state, action = partie_in_progress(table), read_action(token)
            if table.opened.deals:
                state = arrange_draw(state, action)
            return progress(table, state.play(action, seat))
        case log.Passed(seat):
            return replace(table, passed=table.passed | {seat})
        case log.WindowClosed():
            return replace(table, passed=frozenset(table.seats))
        case log.Ready(seat):
            return lay_next_deal(replace(table, ready=table.ready | {seat}))
        case log.Conceded(seat):
            return progress(table, partie_in_progress(table).concede(seat), stopped=seat)
        case log.Forfeited(seat):
            return forfeit(table, seat)
        case log.TookBack(seat):
            return took_back(table, seat)
        case _:
            return apply_courtesy(table, entry, at)


def apply_courtesy(table: TableState, entry: log.LogEntry, at: float) -> TableState:
    """The state after an entry that changes neither cards nor score."""
    match entry:
        case log.PauseAsked(seat):
            pausing = table.pausing | {seat}
            begun = table.clock is None or pausing >= table.people
            return replace(table, pausing=pausing, paused=at if begun else None)
        case log.Resumed():
            paused = at if table.paused is None else table.paused
            holidays = tuple(each.after_pause(paused, at) for each in table.holidays)
            since = table.since + at - paused
            return replace(table, pausing=frozenset(), paused=None, since=since, holidays=holidays)
        case log.Spoke(seat, phrase):
            return replace(table, spoken=(*table.spoken, (seat, phrase, table.n + 1))[-SPOKEN:])
        case log.RevancheAsked(seat):
            return replace(table, ready=table.ready | {seat})
        case log.Followed(table_id):
            return replace(table, next_table=table_id)
        case log.Missed(seat):
            return replace(table, missing=table.missing | {seat})
        case log.Credited(seconds):
            return replace(table, since=table.since + seconds)
        case log.WentOnHoliday(seat, until, last):
            return replace(table, holidays=(*table.holidays, Holiday(seat, at, until, last)))
        case log.CameBack(seat):
            rested_until = at if table.paused is None else min(at, table.paused)
            rested = tuple(
                table.rest_of(each, rested_until if each == seat else table.since) for each in table.seats
            )
            others = tuple(each for each in table.holidays if each.seat != seat)
            took = {
                each.seat: min(at, each.until) - each.since for each in table.holidays if each.seat == seat
            }
            away = tuple(table.away_of(each) + took.get(each, 0.0) for each in table.seats)
            return replace(table, holidays=others, rested=rested, away=away)
        case log.Explained(_, on):
            return replace(table, explained=on, helped=table.helped | {"explained"} if on else table.helped)
        case log.Advised(_, given):
            return replace(table, advice=RevealedAdvice(given), helped=table.helped | {"advised"})
        case log.AskedMore() if table.advice is not None:
            return replace(table, advice=replace(table.advice, step=table.advice.step + 1))
        case _:
            raise TypeError(f"not an entry that follows: {repr_of(entry)}")


def with_guest(holders: tuple[log.SeatHolder, ...], sat: log.Sat) -> tuple[log.SeatHolder, ...]:
    """The holders after a guest has taken a seat."""
    return tuple(
        replace(holder, guest=sat.guest, name=sat.name, emblem=sat.emblem, rated=sat.rated)
        if seat == sat.seat
        else holder
        for seat, holder in enumerate(holders)
    )


def shuffle_pack(table: TableState, pack: Pack) -> TableState:
    """Store a shuffled pack, for the tirage or for the next partie."""
    if table.match.needs_draw:
        return replace(table, pack=pack, phase=Phase.TIRAGE, picks=(None,) * len(table.holders))
    return replace(table, pack=pack, phase=Phase.CUT, state=None, ready=frozenset())


def pick_card(table: TableState, seat: int, place: int) -> TableState:
    """A seat draws a card; when all have, the tirage is decided (§2)."""
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
        spreads=(*table.spreads, SpreadPack(pack, tuple(places))),
        match=table.match.draw_dealer(drawn),
        pack=None,
    )


def deal_partie(table: TableState, at: int) -> TableState:
    """Cut the pack and deal (§2, §3)."""
    if table.pack is None:
        raise LookupError("no pack to cut")
    rules = table.match.rules
    deal = Deal.from_pack(rules, table.dealer, cut(table.pack.in_order, at))
    return replace(
        table,
        phase=Phase.PLAY,
        cut=at,
        state=State.new(rules, deal),
        passed=frozenset(),
        followed=frozenset(),
    )


def partie_in_progress(table: TableState) -> State:
    """The partie in progress; an error if there is none."""
    if table.state is None:
        raise LookupError("no partie in progress")
    return table.state


def last_act(table: TableState, seat: int) -> int | None:
    """Index of a seat's last act in the current partie; None if it has not acted."""
    if table.phase is not Phase.PLAY or table.state is None:
        return None
    seats = (event.seat for event in table.state.events if isinstance(event, Exchanged | Played))
    return max((nth for nth, who in enumerate(seats) if who == seat), default=None)


def took_back(table: TableState, seat: int) -> TableState:
    """Undo a seat's last act and all since. The deal is the same, so later draws give the same cards."""
    after, nth = partie_in_progress(table), last_act(table, seat)
    state = State.new(after.rules, after.deal)
    for action in islice(actions_of(after.events), nth):
        state = state.play(action)
    return replace(
        table,
        state=state,
        passed=frozenset(),
        missing=frozenset(),
        helped=table.helped | {"took-back"},
        followed=frozenset(done for done in table.followed if done[0] <= (nth or 0)),
        taken_back=table.taken_back + 1,
    )


def progress(table: TableState, state: State, stopped: int | None = None) -> TableState:
    """Continue with a partie's new state and a new "au sept", or hand its result to the match."""
    if state.result is None:
        return table.replace_fast(state=state, passed=frozenset())
    return conclude(table, state, state.result, stopped)


def conclude(table: TableState, state: State, result: Result, stopped: int | None) -> TableState:
    """Store the finished partie with the proof of its deal."""
    match = table.match.record(result)
    last = len(table.played) + 1 >= len(table.opened.deals)
    return replace(
        table,
        state=state,
        match=match,
        played=(*table.played, finished_partie(table, state, result, stopped)),
        pack=None,
        phase=Phase.OVER if match.over or (table.sealed and last) else Phase.COUNT,
        ready=frozenset(),
        pausing=frozenset(),
    )


def finished_partie(table: TableState, state: State, result: Result, stopped: int | None) -> FinishedPartie:
    """The record of a partie for the match's history; `stopped` is the seat that gave it up."""
    match, acts = table.match, " ".join(map(str, actions_of(state.events)))
    return FinishedPartie(
        match.manche,
        match.partie,
        match.score_text,
        table.pack,
        table.cut,
        state.rules,
        str(state.deal),
        acts,
        result,
        stopped,
        table.followed,
    )


def forfeit(table: TableState, seat: int) -> TableState:
    """A seat gives up the match (§16), which ends a partie in progress."""
    state = table.state
    if state is not None and state.result is None and table.phase is Phase.PLAY:
        result = Result.of_stop(state.rule_table, state.position, "forfeit", seat)
        state = state.end(result)
        table = replace(
            table, state=state, played=(*table.played, finished_partie(table, state, result, seat))
        )
    match = table.match.forfeit(seat)
    stopped = replace(table, pausing=frozenset(), paused=None)
    return replace(stopped, match=match, phase=Phase.OVER, pack=None, ready=frozenset())
