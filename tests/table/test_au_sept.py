"""§11 at a table: after "au sept" all other seats answer or pass before the lead."""

from __future__ import annotations

import pytest

from chouine.cards import Card
from chouine.partie import AuSept, Exchange, Exchanged, State
from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.entries import WINDOW
from chouine.table.evolve import rebuild
from chouine.table.state import TableState
from tests.server.matches import Table, opening, refusal


def table_after_call(*, holder_leads: bool, preset: str = "classic") -> tuple[Table, int, int]:
    """A table just after the call "au sept", its leader, and the holder of the seven (§11)."""
    for seed in range(3000):
        table = Table.set(opening(preset), seed)
        while not table.table.window and not table.table.played:
            table.step()
        if table.table.played or table.table.state is None:
            continue
        holder = holder_of(table.table.state)
        leader = table.table.state.position.leader
        if holder is not None and (holder == leader) is holder_leads:
            return table, leader, holder
    raise AssertionError("never came to that")


def holder_of(state: State) -> int | None:
    """The seat that can exchange the seven, or None."""
    seats = range(state.rules.seats)
    return next((seat for seat in seats if Exchange() in state.legal(seat)), None)


def nobody_has_it(room: TableState) -> bool:
    return room.state is not None and holder_of(room.state) is None


def card_of(room: TableState, seat: int) -> str:
    assert room.state is not None
    return str(next(iter(room.state.view(seat).hand)))


def test_nobody_leads_while_it_is_open() -> None:
    table, leader, holder = table_after_call(holder_leads=False)
    assert table.table.state is not None
    assert isinstance(table.table.state.events[-1], AuSept)
    assert table.table.awaited == {holder}
    assert refusal(table, ask.Act(leader, card_of(table.table, leader))) == "table/au-sept-open"
    assert refusal(table, ask.Pass(leader)) == "table/nothing-to-pass"


def test_the_seven_is_exchanged_within_it() -> None:
    table, leader, holder = table_after_call(holder_leads=False)
    assert table.table.state is not None
    turnup = table.table.state.view(None).turnup
    table.do(ask.Act(holder, "7x"))
    assert isinstance(table.table.state, State)
    last = table.table.state.events[-1]
    assert last == Exchanged(holder, Card(str(turnup)))
    assert table.table.window == frozenset()
    assert table.table.awaited == {leader}
    assert refusal(table, ask.Pass(holder)) == "table/nothing-to-pass"
    table.do(ask.Act(leader, card_of(table.table, leader)))


def test_when_the_last_lets_it_pass_the_leader_leads() -> None:
    table, leader, holder = table_after_call(holder_leads=False)
    table.do(ask.Pass(holder))
    assert table.table.awaited == {leader}
    assert refusal(table, ask.Pass(holder)) == "table/nothing-to-pass"
    table.do(ask.Act(leader, card_of(table.table, leader)))
    assert refusal(table, ask.Act(holder, "7x")).startswith("illegal/")


def test_the_leader_may_exchange_too() -> None:
    table, leader, _ = table_after_call(holder_leads=True)
    table.do(ask.Act(leader, "7x"))
    assert table.table.window == frozenset()
    assert table.table.awaited == {leader}


@pytest.mark.parametrize("preset", ["three", "four"])
def test_every_other_seat_is_waited_for(preset: str) -> None:
    table, leader, _ = table_after_call(holder_leads=False, preset=preset)
    others = set(table.table.seats) - {leader}
    assert table.table.awaited == others
    for seat in sorted(others):
        assert table.table.window == others
        table.do(ask.Pass(seat))
        others.remove(seat)
    assert table.table.awaited == {leader}


def test_a_deadline_closes_it() -> None:
    table, leader, _ = table_after_call(holder_leads=False, preset="three")
    begun = table.now
    assert table.table.deadline == begun + WINDOW
    assert refusal(table, ask.Tick(), WINDOW - 1) == "table/not-due"
    passing = min(table.table.window)
    table.do(ask.Pass(passing))
    assert table.table.deadline == begun + WINDOW, "one seat's answer gives the others no more time"
    assert table.do(ask.Tick(), 1.0) == (log.WindowClosed(),)
    assert table.table.awaited == {leader}
    assert table.table.deadline is None
    assert table.table == rebuild(table.log)


def test_the_same_is_waited_for_whoever_holds_the_seven() -> None:
    """The table waits for the same seats whoever holds the seven; otherwise the wait would reveal it."""
    with_it, _, _ = table_after_call(holder_leads=False)
    tables = (
        Table.set(opening(), seed).until(lambda room: bool(room.window or room.played)) for seed in range(99)
    )
    table = next(table for table in tables if table.table.window and nobody_has_it(table.table))
    for room in (with_it.table, table.table):
        assert room.state is not None
        assert room.awaited == {1 - room.state.position.leader}
        assert room.deadline == room.since + WINDOW
