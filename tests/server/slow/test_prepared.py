"""Prepared acts: done when the other has played, if they may be; lapsed else; and nobody else learns of them."""

from __future__ import annotations

import asyncio

import pytest

from chouine.partie import Played
from chouine.server.contest.online import Contests
from chouine.server.erasure import erase
from chouine.server.personal import parts_of
from chouine.server.slow.prepared import (
    WHATEVER,
    Condition,
    Preparation,
    PreparedActs,
    may_prepare,
    preparable_acts,
)
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.table import commands as ask
from chouine.table.commands import Refused
from chouine.table.entries import ClockTerms
from chouine.table.state import TableState
from tests.patience import PATIENCE
from tests.server.matches import opening
from tests.server.stores import Clock, play_on, present, tables_of, with_store

SLOW = ClockTerms(86_400, 172_800)


async def table_at(tables: Tables, rules: str = "classic") -> tuple[str, TableState]:
    """A slow table at which a card is to be led."""
    table_id = await tables.open(opening(rules, terms="3x1", clock=SLOW))
    table = await play_on(tables, table_id, lambda now: now.state is not None)
    return table_id, table


def seats_of(table: TableState) -> tuple[int, int]:
    """The seat on turn, and the next."""
    (turn,) = table.awaited
    return turn, (turn + 1) % len(table.holders)


def first_act(table: TableState, seat: int) -> str:
    assert table.state is not None
    return str(table.state.legal(seat)[0])


async def wait_until_done(prepared: PreparedActs) -> None:
    """Wait for what is done beside."""
    async with asyncio.timeout(PATIENCE):
        while prepared.tasks:
            await asyncio.gather(*prepared.tasks)


def cards_by(table: TableState, seat: int) -> list[str]:
    assert table.state is not None
    return [
        str(event.card) for event in table.state.events if isinstance(event, Played) and event.seat == seat
    ]


def tokens_of(table: TableState, seat: int) -> list[str]:
    assert table.state is not None
    return [str(act) for act in preparable_acts(table.state.view(seat))]


def test_done_for_the_card_that_was_named_else_for_any(database: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        prepared = PreparedActs(tables)
        for named in (True, False):
            table_id, table = await table_at(tables)
            turn, mine = seats_of(table)
            led, (one, other) = first_act(table, turn), tokens_of(table, mine)[:2]
            guest = table.holders[mine].guest or ""
            if named:
                await prepared.prepare(table_id, table, mine, Condition(led, one))
            await prepared.prepare(table_id, table, mine, Condition(WHATEVER, other))
            assert len((await prepared.of(table_id, guest)).conditions) == 1 + named
            await tables.do(table_id, ask.Act(turn, led))
            await wait_until_done(prepared)
            assert cards_by(await present(tables, table_id), mine) == [one if named else other]
            assert await prepared.of(table_id, guest) == Preparation()

    with_store(database, test)


def test_an_act_that_the_rules_forbid_lapses_and_says_so(database: str) -> None:
    """Nothing is played; the news stands until the owner has played, and what was prepared is gone."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        prepared = PreparedActs(tables)
        table_id, table = await table_at(tables, "mondoubleau;declare=lead")
        for _ in range(200):  # until one must follow suit and could also play another
            turn, mine = seats_of(table)
            if (
                table.state is not None
                and may_prepare(table_id, table, mine)
                and not table.state.view(mine).table
            ):
                led = first_act(table, turn)
                after = table.state.play(next(act for act in table.state.legal(turn) if str(act) == led))
                illegal = set(tokens_of(table, mine)) - {str(act) for act in after.legal(mine)}
                if illegal:
                    break
            n = table.n

            def is_later(now: TableState, n: int = n) -> bool:
                return now.n > n and len(now.awaited) == 1 and now.state is not None

            table = await play_on(tables, table_id, is_later)
        else:
            raise AssertionError("everything was always allowed")
        guest = table.holders[mine].guest or ""
        await prepared.prepare(table_id, table, mine, Condition(WHATEVER, min(illegal)))
        before = len(cards_by(table, mine))
        await tables.do(table_id, ask.Act(turn, led))
        await wait_until_done(prepared)
        table = await present(tables, table_id)
        assert len(cards_by(table, mine)) == before
        assert await prepared.of(table_id, guest) == Preparation(lapsed=True)
        await tables.do(table_id, ask.Act(mine, first_act(table, mine)))
        await wait_until_done(prepared)
        assert await prepared.of(table_id, guest) == Preparation()

    with_store(database, test)


def test_a_card_for_which_nothing_was_prepared_lapses_all(sqlite: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        prepared = PreparedActs(tables)
        table_id, table = await table_at(tables)
        turn, mine = seats_of(table)
        assert table.state is not None
        led, another = (str(act) for act in table.state.legal(turn)[:2])
        await prepared.prepare(table_id, table, mine, Condition(another, tokens_of(table, mine)[0]))
        await tables.do(table_id, ask.Act(turn, led))
        await wait_until_done(prepared)
        assert await prepared.of(table_id, table.holders[mine].guest or "") == Preparation(lapsed=True)
        assert cards_by(await present(tables, table_id), mine) == []

    with_store(sqlite, test)


def test_talk_and_pauses_neither_do_nor_end_it(sqlite: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        prepared = PreparedActs(tables)
        table_id, table = await table_at(tables)
        turn, mine = seats_of(table)
        token = tokens_of(table, mine)[0]
        await prepared.prepare(table_id, table, mine, Condition(WHATEVER, token))
        for command in (ask.Speak(turn, "hello"), ask.Pause(turn), ask.Speak(mine, "hello")):
            await tables.do(table_id, command)
            await wait_until_done(prepared)
        guest = table.holders[mine].guest or ""
        assert (await prepared.of(table_id, guest)).conditions == (Condition(WHATEVER, token),)
        await prepared.withdraw(table_id, guest, WHATEVER)
        await tables.do(table_id, ask.Act(turn, first_act(table, turn)))
        await wait_until_done(prepared)
        assert cards_by(await present(tables, table_id), mine) == []

    with_store(sqlite, test)


def test_another_node_does_what_the_first_could_not(database: str) -> None:
    """The node that took the other's card stopped at once; both nodes that look then do it once."""

    async def test(store: Store) -> None:
        clock = Clock()
        first, (one, other) = tables_of(store, clock), [tables_of(store, clock) for _ in range(2)]
        table_id, table = await table_at(first)
        turn, mine = seats_of(table)
        nodes = [PreparedActs(one), PreparedActs(other)]
        await nodes[0].prepare(table_id, table, mine, Condition(WHATEVER, tokens_of(table, mine)[0]))
        await first.do(table_id, ask.Act(turn, first_act(table, turn)))
        await asyncio.gather(*(node.look() for node in nodes))
        assert len(cards_by(await present(first, table_id), mine)) == 1
        assert await nodes[1].of(table_id, table.holders[mine].guest or "") == Preparation()

    with_store(database, test)


@pytest.mark.parametrize("rules", ["three", "four"])
def test_at_three_and_four_seats_who_may_be_next(rules: str, sqlite: str) -> None:
    """The one after the player on turn; and all, where the card completes the trick."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, table = await table_at(tables, rules)
        seats = len(table.holders)
        for laid in range(seats):
            (turn,) = table.awaited
            may = {seat for seat in table.seats if may_prepare(table_id, table, seat)}
            assert may == ({*table.seats} - {turn} if laid + 1 == seats else {(turn + 1) % seats})
            table = await tables.do(table_id, ask.Act(turn, first_act(table, turn)))

    with_store(sqlite, test)


def test_what_cannot_be_prepared_is_refused(sqlite: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        prepared = PreparedActs(tables)
        table_id, table = await table_at(tables)
        turn, mine = seats_of(table)
        token, own = tokens_of(table, mine)[0], tokens_of(table, mine)[1]
        for seat, condition, code in (
            (turn, Condition(WHATEVER, first_act(table, turn)), "table/nothing-to-prepare"),
            (mine, Condition(own, token), "table/not-prepared"),
            (mine, Condition(WHATEVER, first_act(table, turn)), "table/not-prepared"),
            (mine, Condition("x", token), "table/not-prepared"),
            (mine, Condition(WHATEVER, ""), "table/not-prepared"),
        ):
            with pytest.raises(Refused) as refused:
                await prepared.prepare(table_id, table, seat, condition)
            assert refused.value.code == code
        fast = await tables.open(opening(clock=ClockTerms(60, 300)))
        table = await play_on(tables, fast, lambda now: now.state is not None)
        assert not any(may_prepare(fast, table, seat) for seat in table.seats)
        contest = "c-" + "a" * 30
        assert not may_prepare(contest, (await present(tables, table_id)), mine)

    with_store(sqlite, test)


def test_it_is_the_owners_alone_and_goes_with_them(database: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        prepared = PreparedActs(tables)
        table_id, table = await table_at(tables)
        turn, mine = seats_of(table)
        own, other = table.holders[mine].guest or "", table.holders[turn].guest or ""
        token = tokens_of(table, mine)[0]
        await prepared.prepare(table_id, table, mine, Condition(WHATEVER, token))
        assert (await parts_of(store, own))["prepared acts"][0]["token"] == token
        assert (await parts_of(store, other))["prepared acts"] == []
        assert await prepared.of(table_id, other) == Preparation()
        assert (await present(tables, table_id)) == table  # nothing of it is in the log
        await erase(tables, Contests(store, tables.clock), own)
        assert not any((await parts_of(store, own)).values())

    with_store(database, test)
