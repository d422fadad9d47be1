"""Holidays from slow matches: days counted, tables told, a month in which clocks stand still and run again."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from chouine.days import start_of
from chouine.server import schema
from chouine.server.accounts.merging import merge_guests
from chouine.server.contest.online import Contests
from chouine.server.slow.holidays import DAYS, HolidayRefused, Holidays
from chouine.server.slow.rounds import SlowMatches
from chouine.server.store import Store
from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.entries import ClockTerms
from chouine.table.evolve import rebuild
from chouine.table.state import Phase, TableState
from tests.server.matches import opening
from tests.server.stores import Clock, play_on, present, tables_of, with_store

PARIS = ZoneInfo("Europe/Paris")
NOON = datetime(2026, 12, 1, 12, tzinfo=PARIS)
ME = "guest-0"
SLOW, FAST = ClockTerms(86_400, 172_800), ClockTerms(60, 300)


def day(number: int, month: int = 12, year: int = 2026) -> date:
    return date(year, month, number)


def is_playing(table: TableState) -> bool:
    return table.phase is Phase.PLAY


async def refusal_code(holidays: Holidays, first: date, last: date) -> str:
    with pytest.raises(HolidayRefused) as found:
        await holidays.take(ME, first, last, PARIS)
    return found.value.code


def test_fourteen_days_a_year_each_counted_once(database: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock(NOON.timestamp())
        holidays = Holidays(tables_of(store, clock))
        assert await refusal_code(holidays, day(5), day(4)) == "holiday/order"
        assert await refusal_code(holidays, day(30, 11), day(4)) == "holiday/past"
        assert await refusal_code(holidays, day(1), day(15)) == "holiday/days"
        assert await refusal_code(holidays, day(1, 12, 2027), day(2, 12, 2027)) == "holiday/far"
        await holidays.take(ME, day(24), day(3, 1, 2027), PARIS)
        assert await holidays.days_left(ME, 2026) == DAYS - 8
        assert await holidays.days_left(ME, 2027) == DAYS - 3
        assert await refusal_code(holidays, day(2), day(3)) == "holiday/one"
        await holidays.end(ME, PARIS)  # it had not begun: it costs nothing
        assert await holidays.days_left(ME, 2026) == DAYS
        await holidays.take(ME, day(1), day(10), PARIS)
        clock.now += 3 * 86_400
        await holidays.end(ME, PARIS)
        assert await holidays.days_left(ME, 2026) == DAYS - 4  # whole days, the one of the return among them
        await holidays.take(ME, day(4), day(13), PARIS)  # of which the first is taken already
        assert await holidays.days_left(ME, 2026) == DAYS - 13

    with_store(database, test)


EAST, WEST = ZoneInfo("Pacific/Kiritimati"), ZoneInfo("Etc/GMT+12")


async def days_away(holidays: Holidays) -> float:
    """For how many times 24 hours the clocks of all holidays stood still."""
    total = sa.select(sa.func.sum(schema.holiday.c.ends - schema.holiday.c.begins))
    return float(await holidays.database.read(lambda connection: connection.scalar(total))) / 86_400


def test_coming_back_where_it_is_still_the_day_before_costs_the_day(sqlite: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock(datetime(2026, 3, 1, 4, tzinfo=EAST).timestamp())
        holidays = Holidays(tables_of(store, clock))
        for nth in range(DAYS):
            await holidays.take(ME, day(1 + nth, 3), day(1 + nth, 3), EAST)
            clock.now += 86_399
            await holidays.end(ME, WEST)
            clock.now += 1
            assert await holidays.days_left(ME, 2026) == DAYS - 1 - nth
        assert await refusal_code(holidays, day(20, 3), day(20, 3)) == "holiday/days"

    with_store(sqlite, test)


def test_a_date_taken_again_in_another_time_zone_costs_the_time_it_lasts(sqlite: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock(datetime(2026, 3, 1, 4, tzinfo=EAST).timestamp())
        holidays = Holidays(tables_of(store, clock))
        with suppress(HolidayRefused):
            for nth in range(DAYS):
                date_twice = day(1 + 2 * nth, 3)
                for zone in (EAST, WEST):
                    await holidays.take(ME, date_twice, date_twice, zone)
                    clock.now = start_of(date_twice + timedelta(1), zone).timestamp()
        assert DAYS <= await days_away(holidays) < DAYS + 1

    with_store(sqlite, test)


def test_the_same_form_sent_twice_is_one_holiday(database: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock(NOON.timestamp())
        nodes = [Holidays(tables_of(store, clock)) for _ in range(2)]
        took = await asyncio.gather(
            *(node.take(ME, day(2), day(5), PARIS) for node in nodes), return_exceptions=True
        )
        assert [type(each) for each in took if each is not None] == [HolidayRefused]
        assert await nodes[0].days_left(ME, 2026) == DAYS - 4

    with_store(database, test)


def test_whoever_becomes_one_person_with_another_has_no_fewer_than_no_days_left(sqlite: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock(NOON.timestamp())
        tables = tables_of(store, clock)
        holidays = Holidays(tables)
        await holidays.take(ME, day(1), day(14), PARIS)
        await holidays.take("guest-1", day(16), day(20), PARIS)
        await merge_guests(tables, Contests(store, clock), "guest-1", ME)
        assert await holidays.days_left(ME, 2026) == 0

    with_store(sqlite, test)


def test_two_holidays_taken_at_the_same_moment_are_one(database: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock(NOON.timestamp())
        nodes = [Holidays(tables_of(store, clock)) for _ in range(6)]
        asked = [(day(1 + nth), day(14 + nth)) for nth in range(len(nodes))]
        took = await asyncio.gather(
            *(node.take(ME, *days, PARIS) for node, days in zip(nodes, asked, strict=True)),
            return_exceptions=True,
        )
        assert sum(each is None for each in took) == 1
        assert await nodes[0].days_left(ME, 2026) == 0

    with_store(database, test)


def test_slow_tables_are_told_and_no_others(database: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock(NOON.timestamp())
        tables = tables_of(store, clock)
        slow, fast, three = [
            await tables.open(opening(rules, clock=terms))
            for rules, terms in (("classic", SLOW), ("classic", FAST), ("three", SLOW))
        ]
        contest = await tables.open(opening(clock=SLOW), "c-" + "a" * 30)
        holidays = Holidays(tables)
        await holidays.take(ME, day(1), day(5), PARIS)
        ends = datetime(2026, 12, 6, 4, tzinfo=PARIS).timestamp()
        for table_id in (slow, three):
            (away,) = (await present(tables, table_id)).holidays
            assert (away.seat, away.until, away.last) == (0, ends, "2026-12-05")
        for table_id in (fast, contest):
            assert (await present(tables, table_id)).holidays == ()
        later = await tables.open(opening(clock=SLOW))  # opened meanwhile: the next round finds it
        await SlowMatches(tables_of(store, clock), None).holidays.follow()
        assert len((await present(tables, later)).holidays) == 1
        await holidays.follow()
        assert len((await present(tables, slow)).holidays) == 1
        await holidays.end(ME, PARIS)
        assert (await present(tables, slow)).holidays == (await present(tables, later)).holidays == ()
        assert not await holidays.is_away(ME)

    with_store(database, test)


def test_a_planned_one_begins_on_its_day(sqlite: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock(NOON.timestamp())
        tables = tables_of(store, clock)
        table_id = await tables.open(opening(clock=SLOW))
        holidays = Holidays(tables)
        await holidays.take(ME, day(3), day(4), PARIS)
        assert (await present(tables, table_id)).holidays == ()
        assert not await holidays.is_away(ME)
        clock.now = datetime(2026, 12, 3, 4, tzinfo=PARIS).timestamp()
        await holidays.follow()
        assert len((await present(tables, table_id)).holidays) == 1

    with_store(sqlite, test)


def test_a_month_with_holidays(database: str) -> None:
    """A match of two, a card a day; one is away for ten days: nobody loses on time, and the log tells the rest."""

    async def test(store: Store) -> None:
        clock = Clock(NOON.timestamp())
        tables = tables_of(store, clock)
        holidays = Holidays(tables)
        table_id = await tables.open(opening(terms="5x1", clock=SLOW))
        await play_on(tables, table_id, is_playing)
        waited = 0
        for nth in range(31):
            clock.now = (NOON + timedelta(nth)).timestamp()
            if nth == 4:
                await holidays.take(ME, day(5), day(14), PARIS)
            await holidays.follow()
            table = await present(tables, table_id)
            if table.due is not None and table.due <= clock.now:
                table = await tables.do(table_id, ask.Tick())
            assert table.phase is not Phase.OVER
            if 4 <= nth <= 13 and 0 in table.awaited:
                waited += 1
                continue
            await play_on(tables, table_id, lambda now, n=table.n: now.n > n)  # type: ignore[misc]
        assert waited >= 9
        entries = await store.log(table_id)
        assert rebuild(entries) == await present(tables, table_id)
        assert [
            type(entry) for entry, _ in entries if isinstance(entry, log.WentOnHoliday | log.CameBack)
        ] == [
            log.WentOnHoliday,
            log.CameBack,
        ]

    with_store(database, test)
