"""Table clocks: seconds for each act and a reserve; pauses and downtime do not count."""

from __future__ import annotations

from random import Random

import pytest

from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.entries import ClockTerms
from chouine.table.evolve import rebuild
from chouine.table.state import Phase
from tests.server.matches import Table, any_answer, is_over, opening, person, playing, refusal

TERMS = ClockTerms(move=10, reserve=60)


def table_with_clock(preset: str = "classic", terms: str = "1x1") -> Table:
    """A table with a clock, just after the deal, all reserves full."""
    table = Table.set(opening(preset, terms, clock=TERMS)).until(playing)
    assert table.table.reserves == (60.0,) * len(table.table.holders)
    return table


def play_after(table: Table, seconds: float) -> int:
    """The seat on turn plays a card after `seconds`."""
    (seat,) = table.table.awaited
    assert table.table.state is not None
    card = next(iter(table.table.state.view(seat).legal))
    table.do(ask.Act(seat, str(card)), seconds)
    return seat


def test_an_act_in_time_costs_nothing() -> None:
    table = table_with_clock()
    for _ in range(4):
        play_after(table, 10.0)
    assert table.table.reserves == (60.0, 60.0)


def test_what_goes_beyond_comes_off_that_seats_reserve() -> None:
    table = table_with_clock()
    seat = play_after(table, 25.0)
    assert table.table.reserves[seat] == 45.0
    assert table.table.reserves[1 - seat] == 60.0
    assert table.table.deadline == table.now + 70.0


def test_talking_costs_no_time_and_gains_none() -> None:
    table = table_with_clock()
    (seat,) = table.table.awaited
    deadline = table.table.deadline
    table.do(ask.Speak(seat, "oops"), 20.0)
    table.do(ask.Pause(seat), 1.0)
    assert table.table.deadline == deadline
    play_after(table, 4.0)
    assert table.table.reserves[seat] == 45.0


def test_a_pause_costs_no_time() -> None:
    """With a clock, all persons must agree to a pause, and one can end it."""
    table = table_with_clock()
    (seat,) = table.table.awaited
    other = 1 - seat
    table.do(ask.Pause(other), 5.0)
    assert table.table.paused is None
    assert refusal(table, ask.Pause(other)) == "table/no-pause"
    table.do(ask.Pause(seat))
    assert table.table.deadline is None
    assert refusal(table, ask.Act(seat, "As")) == "table/paused"
    assert refusal(table, ask.Tick(), 1000.0) == "table/paused"
    table.do(ask.Resume(seat))
    assert table.table.deadline == table.now + 65.0
    assert refusal(table, ask.Resume(seat)) == "table/not-paused"
    play_after(table, 20.0)
    assert table.table.reserves[seat] == 45.0


def test_without_a_clock_one_person_pauses() -> None:
    table = Table.set(opening()).until(playing)
    table.do(ask.Pause(0))
    assert table.table.paused == table.now
    table.do(ask.Speak(1, "one-moment"))
    table.do(ask.Resume(1))
    assert table.table.paused is None


def test_downtime_is_given_back() -> None:
    table = table_with_clock()
    (seat,) = table.table.awaited
    deadline = table.table.deadline
    assert deadline is not None
    table.do(ask.Credit(3600.0), 3605.0)
    assert table.table.deadline == deadline + 3600.0
    play_after(table, 10.0)
    assert table.table.reserves[seat] == 55.0


def test_who_runs_out_of_time_loses_the_match() -> None:
    """§16: A seat that runs out of time forfeits the match, marked as late."""
    table = table_with_clock("classic", "5x2")
    (seat,) = table.table.awaited
    assert refusal(table, ask.Tick(), 69.0) == "table/not-due"
    assert table.do(ask.Tick(), 1.0) == (log.Forfeited(seat, late=True),)
    assert is_over(table.table)
    assert table.table.match.winner == 1 - seat


def test_who_still_has_to_draw_is_not_given_more_time_by_the_others() -> None:
    """§2: All seats draw for the deal at the same time, so their clocks start together."""
    table = Table.set(opening("three", clock=TERMS))
    deadline = table.table.deadline
    table.do(ask.Pick(1, 0), 15.0)
    assert table.table.reserves == (60.0, 55.0, 60.0)
    table.do(ask.Pick(0, 1), 5.0)
    assert table.table.reserves == (50.0, 55.0, 60.0)
    assert table.table.deadline == deadline
    (late,) = table.table.awaited
    assert table.do(ask.Tick(), 50.0) == (log.Forfeited(late, late=True),)


def test_the_least_reserve_sets_the_deadline() -> None:
    table = table_with_clock("classic", "2x1")
    seat = play_after(table, 50.0)
    assert table.table.reserves[seat] == 20.0
    table.until(lambda table: table.phase is Phase.TIRAGE or (playing(table) and table.awaited == {seat}))
    assert table.table.deadline == table.now + 30.0
    assert table.do(ask.Tick(), 30.0) == (log.Forfeited(seat, late=True),)


def test_a_count_that_nobody_leaves_is_left_and_costs_no_reserve() -> None:
    table = table_with_clock("classic", "2x1").until(lambda table: table.phase is Phase.COUNT)
    reserves = table.table.reserves
    assert table.table.deadline == table.now + TERMS.move
    added = table.do(ask.Tick(), TERMS.move)
    assert added[:2] == (log.Ready(0), log.Ready(1))
    assert table.table.phase is Phase.CUT
    assert table.table.reserves == reserves


def test_no_clock_against_computers() -> None:
    chairs = (person(0), log.SeatHolder("heuristic", "Lavardin"))
    table = Table.set(opening(chairs=chairs, clock=TERMS))
    assert table.table.deadline is None
    table.until(is_over)
    assert table.table.reserves == (60.0, 60.0)


@pytest.mark.parametrize("seed", range(5))
def test_clocks_are_the_fold_of_the_log_too(seed: int) -> None:
    table, rng = Table.set(opening("four", clock=ClockTerms(10, 100_000)), seed), Random(seed)
    while not is_over(table.table):
        table.do(any_answer(table.table, rng), rng.choice((0.0, 3.0, 30.0)))
    assert table.table == rebuild(table.log)
    assert all(left < 100_000 for left in table.table.reserves)
