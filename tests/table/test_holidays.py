"""Holidays at slow tables: the clock of whoever is away stands still, by the log alone; fast games know none."""

from __future__ import annotations

from random import Random

import pytest

from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.entries import ClockTerms
from chouine.table.evolve import rebuild
from tests.server.matches import Table, any_answer, is_over, opening, playing, refusal

DAY = 24 * 3600.0
A_DAY_A_CARD = ClockTerms(move=int(DAY), reserve=int(2 * DAY))
LAST = "2026-12-05"


def slow(preset: str = "classic", terms: str = "1x1") -> Table:
    """A slow table, just after the deal."""
    return Table.set(opening(preset, terms, clock=A_DAY_A_CARD)).until(playing)


def go(table: Table, seat: int, days: float, after: float = 0.0) -> None:
    table.do(ask.GoOnHoliday(seat, table.now + after + days * DAY, LAST), after)


def play(table: Table, after: float) -> None:
    """The seat on turn plays a card after so many seconds."""
    (seat,) = table.table.awaited
    assert table.table.state is not None
    table.do(ask.Act(seat, str(table.table.state.legal(seat)[0])), after)


@pytest.mark.parametrize("preset", ["classic", "three", "four"])
def test_the_clock_of_whoever_is_away_stands_still(preset: str) -> None:
    table = slow(preset)
    (seat,) = table.table.awaited
    deadline = table.table.deadline
    assert deadline is not None
    go(table, seat, 5, after=DAY / 2)
    assert table.table.deadline == deadline + 5 * DAY
    assert refusal(table, ask.Tick(), 3 * DAY) == "table/not-due"
    play(table, 2 * DAY + DAY / 2)
    assert table.table.reserves[seat] == 2 * DAY  # half a day before, half a day after


def test_time_beyond_the_holiday_counts() -> None:
    table = slow()
    (seat,) = table.table.awaited
    go(table, seat, 5)
    table.do(ask.Tick(), 5 * DAY)
    assert table.log[-1][0] == log.CameBack(seat)
    assert table.table.holidays == ()
    play(table, 1.5 * DAY)
    assert table.table.reserves[seat] == 1.5 * DAY
    assert table.table.reserves[1 - seat] == 2 * DAY


def test_two_holidays_in_one_wait_both_count() -> None:
    table = slow()
    (seat,) = table.table.awaited
    go(table, seat, 3)
    table.do(ask.ComeBack(seat), DAY)
    go(table, seat, 3, after=DAY / 2)
    table.do(ask.Tick(), 3 * DAY)
    play(table, DAY)
    assert (
        table.table.reserves[seat] == 1.5 * DAY
    )  # a day and a half of four and a half days, of which four away
    assert table.table.rested == ()


@pytest.mark.parametrize("comes_back", ["in the pause", "after it", "by itself", "by itself in the pause"])
def test_a_pause_in_a_holiday_gives_no_time_twice(comes_back: str) -> None:
    table = slow()
    (seat,) = table.table.awaited
    go(table, seat, 1 if comes_back == "by itself in the pause" else 5, after=DAY / 2)
    for each in (0, 1):
        table.do(ask.Pause(each), DAY / 4)
    if comes_back == "in the pause":
        table.do(ask.ComeBack(seat), DAY)
    table.do(ask.Resume(seat), 2 * DAY)
    if comes_back == "after it":
        table.do(ask.ComeBack(seat), DAY)
    elif comes_back != "in the pause":
        table.do(ask.Tick(), max(0.0, table.table.holidays[0].until - table.now))
    play(table, DAY)
    assert table.table.reserves[seat] == 1.5 * DAY  # half a day before, a day after


def test_a_holiday_stays_with_the_browser_that_took_it() -> None:
    """Whoever has the seat now could not end it."""
    table = slow()
    go(table, 0, 14)
    entries = table.do(ask.Sit(0, "telephone", "", table.table.holders[0].guest), DAY)
    assert [type(each) for each in entries] == [log.CameBack, log.Sat]
    assert table.table.holidays == ()


def test_a_seat_that_goes_from_browser_to_browser_gets_no_more_holidays() -> None:
    table = slow(terms="3x1")
    (seat,) = table.table.awaited
    for nth in range(2):
        go(table, seat, 14)
        table.do(ask.Tick(), 14 * DAY)
        table.do(ask.Sit(seat, f"cookie-{nth}", "", table.table.holders[seat].guest))
    assert refusal(table, ask.GoOnHoliday(seat, table.now + 14 * DAY, LAST)) == "table/no-holiday"
    go(table, 1 - seat, 14)


def test_whoever_does_not_come_back_loses_when_the_time_is_out() -> None:
    table = slow()
    (seat,) = table.table.awaited
    go(table, seat, 2)
    table.do(ask.Tick(), 2 * DAY)
    table.do(ask.Tick(), 3 * DAY)
    assert table.log[-1][0] == log.Forfeited(seat, late=True)


def test_the_others_clock_runs_on() -> None:
    table = slow()
    (seat,) = table.table.awaited
    deadline = table.table.deadline
    go(table, 1 - seat, 10)
    assert table.table.deadline == deadline
    table.do(ask.Tick(), 3 * DAY)
    assert table.log[-1][0] == log.Forfeited(seat, late=True)


def test_the_count_is_read_by_whoever_is_there() -> None:
    """The one on holiday is not taken for ready while away; the other is when the time is out."""
    table = slow(terms="3x1").until(lambda now: bool(now.played))
    assert table.table.awaited == {0, 1}
    go(table, 0, 5)
    assert table.do(ask.Tick(), DAY) == (log.Ready(1),)
    assert table.do(ask.Tick(), 4 * DAY) == (log.CameBack(0),)
    assert log.Ready(0) in table.do(ask.Tick(), DAY)


def test_only_at_slow_tables_in_progress_and_once_at_a_time() -> None:
    fast = Table.set(opening(clock=ClockTerms(60, 300))).until(playing)
    assert refusal(fast, ask.GoOnHoliday(0, fast.now + DAY, LAST)) == "table/no-holiday"
    without = Table.set(opening()).until(playing)
    assert refusal(without, ask.GoOnHoliday(0, without.now + DAY, LAST)) == "table/no-holiday"
    table = slow()
    assert refusal(table, ask.ComeBack(0)) == "table/no-holiday"
    assert refusal(table, ask.GoOnHoliday(0, table.now, LAST)) == "table/no-holiday"
    go(table, 0, 1)
    assert refusal(table, ask.GoOnHoliday(0, table.now + DAY, LAST)) == "table/no-holiday"
    table.until(is_over)
    assert refusal(table, ask.GoOnHoliday(1, table.now + DAY, LAST)) == "table/no-holiday"
    assert table.table.due is None


@pytest.mark.parametrize("seed", range(5))
def test_a_log_with_holidays_is_replayed_to_the_same_state(seed: int) -> None:
    """A month at a table of three, with holidays, early returns, a pause and an outage at random."""
    rng, table = Random(seed), slow("three", "2x1")
    for _ in range(150):
        if is_over(table.table):
            break
        seat = rng.choice(table.table.seats)
        away = table.table.holiday_of(seat)
        pause = rng.random() * DAY / 2
        if table.table.due is not None and table.now + pause >= table.table.due:
            table.do(ask.Tick(), pause)
        elif rng.random() < 0.3:
            days = rng.randint(1, 4)
            command = (
                ask.ComeBack(seat) if away else ask.GoOnHoliday(seat, table.now + pause + days * DAY, LAST)
            )
            table.do(command, pause)
        elif rng.random() < 0.1:
            table.do(ask.Credit(3600.0), pause)
        else:
            table.do(any_answer(table.table, rng), pause)
        assert rebuild(table.log) == table.table
    assert {type(entry) for entry, _ in table.log} >= {log.WentOnHoliday, log.CameBack}
