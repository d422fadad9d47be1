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
from tests.server.matches import Table, opened, refusal


def said(*, holder_leads: bool, preset: str = "classic") -> tuple[Table, int, int]:
    """A table just after the call "au sept", its leader, and the holder of the seven (§11)."""
    for seed in range(3000):
        table = Table.set(opened(preset), seed)
        while not table.room.window and not table.room.played:
            table.step()
        if table.room.played or table.room.state is None:
            continue
        holder = holder_of(table.room.state)
        leader = table.room.state.position.leader
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
    table, leader, holder = said(holder_leads=False)
    assert table.room.state is not None
    assert isinstance(table.room.state.events[-1], AuSept)
    assert table.room.awaited == {holder}
    assert refusal(table, ask.Act(leader, card_of(table.room, leader))) == "room/au-sept-open"
    assert refusal(table, ask.Pass(leader)) == "room/nothing-to-pass"


def test_the_seven_is_exchanged_within_it() -> None:
    table, leader, holder = said(holder_leads=False)
    assert table.room.state is not None
    turnup = table.room.state.view(None).turnup
    table.do(ask.Act(holder, "7x"))
    assert isinstance(table.room.state, State)
    last = table.room.state.events[-1]
    assert last == Exchanged(holder, Card(str(turnup)))
    assert table.room.window == frozenset()
    assert table.room.awaited == {leader}
    assert refusal(table, ask.Pass(holder)) == "room/nothing-to-pass"
    table.do(ask.Act(leader, card_of(table.room, leader)))


def test_when_the_last_lets_it_pass_the_leader_leads() -> None:
    table, leader, holder = said(holder_leads=False)
    table.do(ask.Pass(holder))
    assert table.room.awaited == {leader}
    assert refusal(table, ask.Pass(holder)) == "room/nothing-to-pass"
    table.do(ask.Act(leader, card_of(table.room, leader)))
    assert refusal(table, ask.Act(holder, "7x")).startswith("illegal/")


def test_the_leader_may_exchange_too() -> None:
    table, leader, _ = said(holder_leads=True)
    table.do(ask.Act(leader, "7x"))
    assert table.room.window == frozenset()
    assert table.room.awaited == {leader}


@pytest.mark.parametrize("preset", ["three", "four"])
def test_every_other_seat_is_waited_for(preset: str) -> None:
    table, leader, _ = said(holder_leads=False, preset=preset)
    others = set(table.room.seats) - {leader}
    assert table.room.awaited == others
    for seat in sorted(others):
        assert table.room.window == others
        table.do(ask.Pass(seat))
        others.remove(seat)
    assert table.room.awaited == {leader}


def test_a_deadline_closes_it() -> None:
    table, leader, _ = said(holder_leads=False, preset="three")
    begun = table.now
    assert table.room.deadline == begun + WINDOW
    assert refusal(table, ask.Tick(), WINDOW - 1) == "room/not-due"
    passing = min(table.room.window)
    table.do(ask.Pass(passing))
    assert table.room.deadline == begun + WINDOW, "one seat's answer gives the others no more time"
    assert table.do(ask.Tick(), 1.0) == (log.WindowClosed(),)
    assert table.room.awaited == {leader}
    assert table.room.deadline is None
    assert table.room == rebuild(table.log)


def test_the_same_is_waited_for_whoever_holds_the_seven() -> None:
    """The table waits for the same seats whoever holds the seven; otherwise the wait would reveal it."""
    with_it, _, _ = said(holder_leads=False)
    tables = (
        Table.set(opened(), seed).until(lambda room: bool(room.window or room.played)) for seed in range(99)
    )
    table = next(table for table in tables if table.room.window and nobody_has_it(table.room))
    for room in (with_it.room, table.room):
        assert room.state is not None
        assert room.awaited == {1 - room.state.position.leader}
        assert room.deadline == room.since + WINDOW
