"""The deal of the day on a server: one try, one opponent for all, results from logs, and nothing told too early."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from chouine.daily import PARTIES, DailyScore, Day, play_partie
from chouine.partie import Exchange, Result
from chouine.players.base import Player
from chouine.players.heuristic import HeuristicPlayer
from chouine.players.simple import GreedyPlayer
from chouine.registry import player_of
from chouine.server.daily import DAYS_AT_HAND, FIRST, DealsOfTheDay, month_of, week_of
from chouine.server.daily_field import FEWEST
from chouine.server.erasure import delete_own
from chouine.server.offline.matches import TAKEN
from chouine.server.schema import daily_play
from chouine.server.store import Store
from chouine.server.thinking import FairPool, processes
from chouine.table import commands as ask
from chouine.table.entries import DAILY, Opened, SeatHolder
from chouine.table.evolve import conclude
from chouine.table.state import Phase
from tests.players.table import ask as ask_players
from tests.server.stores import Clock, present, store_at, tables_of

SEED = bytes(range(32))
NOON = datetime(2026, 11, 30, 12, tzinfo=ZoneInfo("Europe/Paris"))  # a Monday
MONDAY = NOON.date()
ANNE, BASILE = "a" * 32, "b" * 32
TERMS = Opened("", "", (), pace=0.1)


def deals_at(store: Store, clock: Clock) -> DealsOfTheDay:
    return DealsOfTheDay(tables_of(store, clock), FairPool(1, processes), SEED, ZoneInfo("Europe/Paris"))


def noon(days: int = 0) -> Clock:
    return Clock((NOON + timedelta(days)).timestamp())


def run(database: str, test: Callable[[DealsOfTheDay, Clock], Awaitable[None]]) -> None:
    async def go() -> None:
        clock = noon()
        async with store_at(database) as store:
            await test(deals_at(store, clock), clock)

    asyncio.run(go())


async def begin(daily: DealsOfTheDay, guest: str = ANNE, nth: int = 0, day: date = MONDAY) -> str:
    return await daily.begin(day, nth, SeatHolder("person", "Anne", guest), TERMS, "")


async def play(daily: DealsOfTheDay, table_id: str, player: Player) -> None:
    """Play a table to its end: the visitor as a player does, the others as the server's computers do."""
    table = await present(daily.tables, table_id)
    assert table.state is not None
    players = [player if holder.player == "person" else player_of(DAILY) for holder in table.holders]
    while table.phase is Phase.PLAY:
        seat, action = ask_players(table.state, players)
        if table.window and not isinstance(action, Exchange):
            table = await daily.tables.do(table_id, ask.Pass(min(table.window)))
        else:
            table = await daily.tables.do(table_id, ask.Act(seat, str(action)))


def test_the_days_that_devices_take_along_are_not_dealt_anew_for_each(sqlite: str) -> None:
    """To deal them all takes a tenth of a second, in which nobody else is served."""

    async def go() -> None:
        async with store_at(sqlite) as store:
            daily = deals_at(store, noon(100))
            taken = daily.public_days(TAKEN)
            assert len(taken) == TAKEN
            [*map(daily.day, taken)]
            for nth in range(10):  # old ones, as somebody looks at them
                daily.day(FIRST + timedelta(nth))
            before = daily.day.cache_info().misses
            [*map(daily.day, taken)]
            assert daily.day.cache_info().misses == before

    asyncio.run(go())


async def record(daily: DealsOfTheDay, guest: str, nth: int, score: DailyScore, acts: str = "") -> None:
    """Store that a guest has finished a partie today."""
    row = {
        "guest": guest,
        "day": str(daily.today),
        "nth": nth,
        "table_id": f"{guest[:20]}{nth}",
        "begun": daily.tables.clock(),
        "ended": daily.tables.clock(),
        "counts": True,
        **asdict(score),
        "acts": acts,
    }
    await daily.database.execute(daily_play.insert().values(row))


def test_the_same_acts_get_the_same_answers(database: str) -> None:
    """What a visitor meets at the table is what `chouine daily simulate` meets; a second try is the first table."""

    async def test(daily: DealsOfTheDay, _: Clock) -> None:
        table_id = await begin(daily)
        await play(daily, table_id, HeuristicPlayer())
        of_day = daily.day(MONDAY)
        expected = play_partie(of_day.rules, of_day.deals[0], HeuristicPlayer())
        (played,) = (await present(daily.tables, table_id)).played
        assert played.state.events == expected.events
        assert await begin(daily) == table_id
        (own,) = await daily.attempts(MONDAY, ANNE)
        assert expected.result is not None
        assert own.score == DailyScore.of(expected.result)
        assert own.counts
        assert len(own.acts) >= 16

    run(database, test)


def test_nobody_is_helped_and_nobody_watches(sqlite: str) -> None:
    async def test(daily: DealsOfTheDay, clock: Clock) -> None:
        table_id = await begin(daily)
        table = await present(daily.tables, table_id)
        assert table.learner is None
        for command in (ask.Explain(0, on=True), ask.Advise(0), ask.TakeBack(0)):
            with pytest.raises(ask.Refused):
                await daily.tables.do(table_id, command)
        assert not await daily.may_read(table_id, BASILE)
        await play(daily, table_id, GreedyPlayer())
        with pytest.raises(ask.Refused):
            await daily.tables.do(table_id, ask.Revanche(0))
        assert not await daily.may_read(table_id, BASILE)
        await play(daily, await begin(daily, BASILE), GreedyPlayer())
        assert await daily.may_read(table_id, BASILE)
        stranger = "c" * 32
        assert not await daily.may_read(table_id, stranger)
        clock.now += 2 * 86_400
        assert await daily.may_read(table_id, stranger)
        assert not await daily.may_read("no-table", stranger)

    run(sqlite, test)


@pytest.mark.parametrize(("late", "counts"), [(0, True), (1, True), (2, False)])
def test_what_is_played_late_does_not_count(sqlite: str, late: int, counts: bool) -> None:  # noqa: FBT001
    async def test(daily: DealsOfTheDay, clock: Clock) -> None:
        table_id = await begin(daily)
        clock.now += late * 86_400
        await play(daily, table_id, GreedyPlayer())
        (own,) = await daily.attempts(MONDAY, ANNE)
        assert own.counts is counts
        archive = await begin(daily, nth=1, day=MONDAY - timedelta(1))
        await play(daily, archive, GreedyPlayer())
        (past,) = await daily.attempts(MONDAY - timedelta(1), ANNE)
        assert not past.counts

    run(sqlite, test)


def test_who_comes_back_late_has_played_in_time(sqlite: str) -> None:
    """What was made of a partie is read with the next page, which may be days after."""

    async def test(daily: DealsOfTheDay, clock: Clock) -> None:
        await play(daily, await begin(daily), GreedyPlayer())
        clock.now += 5 * 86_400
        (own,) = await daily.attempts(MONDAY, ANNE)
        assert own.counts

    run(sqlite, test)


def test_a_nulle_ends_it(sqlite: str) -> None:
    """No other partie is dealt, as a match of one partie would."""

    async def test(daily: DealsOfTheDay, _: Clock) -> None:
        table = await present(daily.tables, await begin(daily))
        assert table.state is not None
        ended = conclude(table, table.state, Result(None, (50, 50), "nulle"), None)
        assert ended.phase is Phase.OVER
        assert DailyScore.of(Result(None, (50, 50), "nulle")) == DailyScore(1, 0)

    run(sqlite, test)


def test_all_players_are_compared(database: str) -> None:
    """Of fewer than `FEWEST` nothing is told; choices divide only those who came to the same decision."""

    async def test(daily: DealsOfTheDay, clock: Clock) -> None:
        first = [DailyScore(2, 10), DailyScore(2, 30), DailyScore(0, -5), DailyScore(1, 0)]
        for nth, score in enumerate(first):
            await record(daily, f"{nth}" * 32, 0, score, "Qh Ad" if nth % 2 else "Kh Ad")
        few = await daily.field(MONDAY)
        assert few.share_below(0, DailyScore(2, 10)) is None
        assert few.choices(0, ("Qh", "Ad")) == []
        await record(daily, "5" * 32, 0, DailyScore(2, 100), "Qh 7c")
        await record(daily, "6" * 32, 0, DailyScore(2, 10), "Qh Ad")
        clock.now += 61
        everyone = await daily.field(MONDAY)
        assert len(everyone.of(0)) == 6
        assert everyone.share_below(0, DailyScore(2, 100)) == 1
        assert everyone.share_below(0, DailyScore(0, -5)) == 0
        assert everyone.share_below(0, DailyScore(2, 10)) == pytest.approx(2.5 / 5)
        (choice,) = everyone.choices(0, ("Kh", "Ad"))
        assert choice.share == pytest.approx(2 / 6)
        assert (choice.players, choice.favourite) == (6, "Qh")

    assert FEWEST == 5
    run(database, test)


def test_more_days_than_stay_in_memory_can_be_read(sqlite: str) -> None:
    """Whoever turns the pages back comes to days that are older than all in memory."""

    async def test(daily: DealsOfTheDay, clock: Clock) -> None:
        for back in range(DAYS_AT_HAND + 2):
            clock.now += 1
            assert (await daily.field(MONDAY - timedelta(back))).read == clock.now
        assert len(daily.fields) == DAYS_AT_HAND

    run(sqlite, test)


def test_more_days_than_stay_in_memory_can_be_read_at_once(sqlite: str) -> None:
    """What is forgotten for another day is not taken from under whoever reads it."""

    async def test(daily: DealsOfTheDay, _: Clock) -> None:
        days = [MONDAY - timedelta(nth) for nth in range(2 * DAYS_AT_HAND)]
        fields = await asyncio.gather(*map(daily.field, days), *map(daily.field, days))
        assert len(fields) == 4 * DAYS_AT_HAND
        assert len(daily.fields) <= DAYS_AT_HAND

    run(sqlite, test)


def test_tables_of_the_week(database: str) -> None:
    async def test(daily: DealsOfTheDay, clock: Clock) -> None:
        for nth in range(PARTIES):
            await record(daily, ANNE, nth, DailyScore(2, 20))
            await record(daily, BASILE, nth, DailyScore(2, 30) if nth else DailyScore(0, -50))
        await daily.list_as(BASILE, "Basile")
        lines = await daily.table(*week_of(MONDAY), ANNE)
        assert [(line.place, line.name, line.won, line.gain, line.own) for line in lines] == [
            (1, "", 3, 60, True),
            (2, "Basile", 2, 10, False),
        ]
        assert [line.own for line in await daily.table(*week_of(MONDAY), "c" * 32)] == [False]
        await daily.list_as(BASILE, "")
        assert await daily.table(*week_of(MONDAY), "c" * 32) == []
        assert await daily.days_of(ANNE) == [MONDAY]
        only = await daily.table(*month_of(MONDAY), BASILE, among={BASILE})
        assert [(line.place, line.own) for line in only] == [(1, True)]

    run(database, test)


def test_who_is_erased_is_in_no_table(database: str) -> None:
    async def test(daily: DealsOfTheDay, clock: Clock) -> None:
        await record(daily, ANNE, 0, DailyScore(2, 20))
        await daily.list_as(ANNE, "Anne")
        await daily.tables.store.database.write(lambda connection: delete_own(ANNE, (), connection))
        clock.now += 61
        assert await daily.table(*week_of(MONDAY), BASILE) == []
        assert await daily.name_of(ANNE) == ""
        assert await daily.attempts(MONDAY, ANNE) == []

    run(database, test)


def test_weeks_and_months() -> None:
    assert week_of(date(2026, 11, 29)) == (date(2026, 11, 23), date(2026, 11, 29))
    assert month_of(date(2026, 12, 31)) == (date(2026, 12, 1), date(2026, 12, 31))


def test_a_day_is_the_sites(sqlite: str) -> None:
    """At three in the morning it is still the day before."""

    async def test(daily: DealsOfTheDay, clock: Clock) -> None:
        clock.now = datetime(2026, 12, 1, 2, tzinfo=UTC).timestamp()
        assert daily.today == MONDAY
        assert not daily.is_public(MONDAY)

    run(sqlite, test)


def test_days_are_those_of_the_seed(sqlite: str) -> None:
    async def test(daily: DealsOfTheDay, _: Clock) -> None:
        assert daily.day(MONDAY) == Day.of(SEED, MONDAY)
        assert daily.day(MONDAY).digest == Day.of(SEED, MONDAY).digest

    run(sqlite, test)
