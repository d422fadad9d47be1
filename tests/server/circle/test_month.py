"""Ten people over a month: friends, challenges, rated and slow matches, deals of the day; one erased, one new phone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from random import Random
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from chouine.daily import PARTIES
from chouine.days import day_of
from chouine.players.simple import GreedyPlayer
from chouine.server.accounts.merging import merge_guests
from chouine.server.circle.challenges import Challenges, Terms
from chouine.server.circle.people import People
from chouine.server.contest.online import Contests
from chouine.server.daily import DealsOfTheDay, month_of
from chouine.server.erasure import erase
from chouine.server.personal import parts_of
from chouine.server.schema import metadata, rating
from chouine.server.slow.holidays import Holidays
from chouine.server.standing.ledger import RatingChange, fold
from chouine.server.store import Store
from chouine.server.thinking import FairPool, processes
from chouine.table import entries as log
from chouine.table.entries import ClockTerms, SeatHolder
from chouine.table.evolve import rebuild
from tests.server.daily.test_daily import SEED, TERMS, play
from tests.server.matches import is_over, opening
from tests.server.stores import Clock, play_on, tables_of, with_store

NAMES = ("Anne", "Basile", "Clovis", "Denise", "Edmond", "Fanny", "Gaston", "Hortense", "Irma", "Joseph")
GUESTS = {name: name[0].lower() * 32 for name in NAMES}
NEW_PHONE = "z" * 32
PARIS = ZoneInfo("Europe/Paris")
FIRST = datetime(2026, 12, 1, 20, tzinfo=PARIS)


class Month:
    """The services of a node whose clock is moved day by day."""

    def __init__(self, store: Store) -> None:
        self.clock, self.rng = Clock(FIRST.timestamp()), Random(12)
        self.store, self.tables = store, tables_of(store, self.clock)
        self.contests = Contests(store, self.clock)
        self.people = People(self.tables)
        self.challenges = Challenges(self.people)
        self.daily = DealsOfTheDay(self.tables, FairPool(1, processes), SEED, PARIS)
        self.holidays = Holidays(self.tables)
        self.slow = ""
        """The slow match of Hortense and Irma: a few cards an evening."""
        self.guests = dict(GUESTS)
        self.played = dict.fromkeys(NAMES, 0)
        """Days whose deals each has played."""

    async def begin(self) -> None:
        """All have pages; neighbours in the list are friends."""
        for name in NAMES:
            await self.people.own(self.guests[name], name)
        for one, other in pairwise(NAMES):
            await self.people.ask(self.guests[one], self.guests[other])
            await self.people.accept(self.guests[other], self.guests[one])
        chairs = [SeatHolder("person", name, self.guests[name]) for name in ("Hortense", "Irma")]
        self.slow = await self.tables.open(opening("classic", "5x2", chairs, ClockTerms(86_400, 3600)))

    async def post(self, day: int) -> None:
        """Six answers in the slow match; from the second day Hortense is away for two days, when nothing comes."""
        if day == 1:
            today = day_of(datetime.fromtimestamp(self.clock.now, UTC), PARIS)
            await self.holidays.take(self.guests["Hortense"], today, today + timedelta(1), PARIS)
        await self.holidays.follow()
        if not await self.holidays.is_away(self.guests["Hortense"]):
            answered = count()
            await play_on(
                self.tables, self.slow, lambda table: is_over(table) or next(answered) == 6, self.rng
            )

    async def live_a_day(self, day: int) -> None:
        """An evening: two rated matches, a challenge that is taken up, the deal of the day by four."""
        self.clock.now = (FIRST + timedelta(day)).timestamp()
        await self.post(day)
        here = [name for name in NAMES if name in self.guests]
        for _ in range(2):
            one, other = self.rng.sample(here, 2)
            chairs = [SeatHolder("person", name, self.guests[name], rated=True) for name in (one, other)]
            first = opening("classic", "1x1", chairs, ClockTerms(60, 300))
            await play_on(self.tables, await self.tables.open(first), is_over, self.rng)
        place = self.rng.randrange(len(NAMES) - 1)
        one, other = NAMES[place : place + 2]
        if one in self.guests and other in self.guests:
            await self.challenges.send(
                self.guests[one], [self.guests[other]], Terms("classic", "3x1", 60, 300)
            )
            (offer,) = await self.challenges.offers_to(self.guests[other])
            table_id, _ = await self.challenges.accept(self.guests[other], offer.id)
            assert await self.tables.table(table_id) is not None
        for name in self.rng.sample(here, 4):
            for nth in range(PARTIES):
                person = SeatHolder("person", name, self.guests[name])
                table_id = await self.daily.begin(self.daily.today, nth, person, TERMS, "")
                await play(self.daily, table_id, GreedyPlayer())
            self.played[name] += 1


@pytest.mark.parametrize("days", [4, pytest.param(31, marks=pytest.mark.nightly)])
def test_a_month(database: str, days: int) -> None:
    async def test(store: Store) -> None:
        month = Month(store)
        await month.begin()
        for day in range(days):
            await month.live_a_day(day)
            if day == days // 2:
                await merge_guests(month.tables, month.contests, month.guests["Denise"], NEW_PHONE, "digest")
                month.guests["Denise"] = NEW_PHONE
            if day == days // 2 + 1:
                await erase(month.tables, month.contests, month.guests.pop("Gaston"))
        await nothing_is_wrong(month)

    with_store(database, test)


async def nothing_is_wrong(month: Month) -> None:
    store, people = month.store, month.people
    for gone in (GUESTS["Denise"], GUESTS["Gaston"]):
        assert not any((await parts_of(store, gone)).values())
    text = await everything(store)
    assert "Gaston" not in text
    rows = await store.database.read(
        lambda connection: connection.execute(sa.select(rating).order_by(rating.c.n, rating.c.seat)).all()
    )
    stored = [*map(RatingChange.of, rows)]
    expected = fold(stored)
    assert len(stored) >= 2 * len(NAMES) - 4
    for name, guest in month.guests.items():
        own = [change for change in stored if change.guest == guest]
        assert own == [change for change in expected if change.guest == guest], name
        days = await month.daily.days_of(guest)
        assert len(days) == month.played[name], name
        bonds = await people.bonds(guest)
        place = NAMES.index(name)
        near = {NAMES[at] for at in (place - 1, place + 1) if 0 <= at < len(NAMES)} - {"Gaston"}
        assert {one.name for one in await people.friends(bonds)} == near
    entries = await store.log(month.slow)
    kinds = [type(entry) for entry, _ in entries]
    assert kinds.count(log.WentOnHoliday) == kinds.count(log.CameBack) == 1
    assert log.Forfeited not in kinds
    assert rebuild(entries) == await month.tables.table(month.slow)
    month.clock.now += 61
    await month.daily.list_as(NEW_PHONE, "Denise")
    lines = await month.daily.table(*month_of(month.daily.today), NEW_PHONE)
    assert all(line.name in ("", "Denise") for line in lines)


async def everything(store: Store) -> str:
    """All that the database holds, as text."""
    rows = await store.database.read(
        lambda connection: [
            row for table in metadata.sorted_tables for row in connection.execute(sa.select(table))
        ]
    )
    return "\n".join(
        " ".join(one.decode(errors="replace") if isinstance(one, bytes) else str(one) for one in row)
        for row in rows
    )
