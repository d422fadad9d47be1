"""A reminder in the evening: once a day whatever the nodes do, none where nothing waits, none on holiday."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from chouine.server.accounts.merging import merge_guests
from chouine.server.contest.online import Contests
from chouine.server.erasure import erase
from chouine.server.personal import parts_of
from chouine.server.push.letters import Letters
from chouine.server.push.mail import Mailer
from chouine.server.push.turn_notifier import TurnNotifier
from chouine.server.push.web_push import Sender, Signer, new_secret
from chouine.server.slow.holidays import Holidays
from chouine.server.slow.reminders import Reminders, next_at
from chouine.server.store import Store
from chouine.server.visitors import Secrets
from chouine.table.entries import ClockTerms, SeatHolder
from tests.patience import PATIENCE
from tests.server.matches import opening
from tests.server.push.mail_server import Post, delivering
from tests.server.push.test_letters import link, wait_until_sent
from tests.server.push.test_push import AUTH, KEY, SITE, Service, decrypt, wait_until_settled
from tests.server.stores import Clock, tables_of, with_store

PARIS = ZoneInfo("Europe/Paris")
EVENING = datetime(2026, 12, 1, 19, tzinfo=PARIS)
ANNE = "anne"
SLOW = ClockTerms(86_400, 172_800)


@pytest.fixture
def post() -> Iterator[tuple[Post, Mailer]]:
    post = Post()
    with delivering(post) as port:
        yield post, Mailer("127.0.0.1", port, "chouine@chouine.example", deadline=PATIENCE)


class Node:
    """The reminders of one node; nodes share a store and a clock."""

    def __init__(self, store: Store, clock: Clock, mailer: Mailer, sender: Sender | None = None) -> None:
        self.tables = tables_of(store, clock)
        self.letters = Letters(self.tables, Secrets("key"), mailer, SITE)
        signer = Signer(new_secret(), SITE)
        self.turns = TurnNotifier(self.tables, signer, sender or Sender(), 3600.0, self.letters)
        self.holidays = Holidays(self.tables)
        self.reminders = Reminders(self.tables, self.holidays, self.turns)

    async def look(self) -> None:
        await self.reminders.look()
        await wait_until_settled(self.turns)
        await wait_until_sent(self.letters)

    async def set_tables(self, number: int) -> None:
        """Slow tables that wait for Anne: nobody has drawn yet."""
        for _ in range(number):
            chairs = SeatHolder("person", "Anne", ANNE), SeatHolder("person", "Basile", "basile")
            await self.tables.open(opening(chairs=chairs, clock=SLOW))

    async def write_to(self, post: Post, address: str = "anne@loir.example") -> None:
        await self.letters.subscribe(ANNE, address, "fr", "asker")
        await wait_until_sent(self.letters)
        await self.letters.confirm(link(post.got[-1]))
        post.got.clear()


def test_once_a_day_by_letter_over_two_nodes(database: str, post: tuple[Post, Mailer]) -> None:
    """Both look at once, every quarter of an hour for three days; the second day nothing waits any more at noon."""
    got = post[0].got

    async def test(store: Store) -> None:
        clock = Clock((EVENING - timedelta(hours=6)).timestamp())
        nodes = [Node(store, clock, post[1]) for _ in range(2)]
        await nodes[0].write_to(post[0])
        await nodes[0].set_tables(3)
        await nodes[0].reminders.choose(ANNE, 19, PARIS)
        told = []
        for _ in range(3 * 24 * 4):
            before = len(got)
            await asyncio.gather(*(node.look() for node in nodes))
            told += [datetime.fromtimestamp(clock.now, PARIS)] * (len(got) - before)
            clock.now += 900
        assert [each.hour for each in told] == [19, 19, 19]
        assert len({each.date() for each in told}) == 3
        assert got[0]["Subject"] == "3 tables vous attendent"
        assert got[0].get_content().splitlines()[0] == f"{SITE}/tables"
        assert "Basile" not in got[0].get_content()

    with_store(database, test)


def test_a_new_hour_reminds_nobody_twice_a_day(sqlite: str, post: tuple[Post, Mailer]) -> None:
    async def test(store: Store) -> None:
        clock = Clock(EVENING.timestamp())
        node = Node(store, clock, post[1])
        await node.write_to(post[0])
        await node.set_tables(1)
        await node.reminders.choose(ANNE, 20, PARIS)
        clock.now += 3600
        await node.look()
        assert [letter["Subject"] for letter in post[0].got] == ["Une table vous attend"]
        await node.reminders.choose(ANNE, 21, PARIS)
        clock.now += 3600
        await node.look()
        assert len(post[0].got) == 1
        clock.now += 24 * 3600
        await node.look()
        assert len(post[0].got) == 2
        await node.reminders.choose(ANNE, None, PARIS)
        assert await node.reminders.hour_of(ANNE) is None
        clock.now += 24 * 3600
        await node.look()
        assert len(post[0].got) == 2

    with_store(sqlite, test)


def test_none_where_nothing_waits_none_on_holiday_none_late_at_night(
    sqlite: str, post: tuple[Post, Mailer]
) -> None:
    async def test(store: Store) -> None:
        clock = Clock((EVENING - timedelta(hours=1)).timestamp())
        node = Node(store, clock, post[1])
        await node.write_to(post[0])
        await node.reminders.choose(ANNE, 19, PARIS)
        clock.now = EVENING.timestamp()
        await node.look()
        await node.set_tables(1)
        clock.now = (EVENING + timedelta(1, hours=5)).timestamp()  # the node was down in the evening
        await node.look()
        await node.holidays.take(ANNE, date(2026, 12, 2), date(2026, 12, 4), PARIS)
        for day in (2, 3):
            clock.now = (EVENING + timedelta(day)).timestamp()
            await node.look()
        assert post[0].got == []
        clock.now = (EVENING + timedelta(4)).timestamp()
        await node.look()
        assert len(post[0].got) == 1

    with_store(sqlite, test)


def test_by_push_where_a_browser_is_subscribed(
    sqlite: str, post: tuple[Post, Mailer], service: Service
) -> None:
    """Then no letter goes; the message says how many tables wait, and nothing else."""

    async def test(store: Store) -> None:
        clock = Clock(EVENING.timestamp() - 60)
        node = Node(store, clock, post[1], service.sender)
        await node.write_to(post[0])
        await node.turns.subscribe(ANNE, "https://localhost/anne", KEY, AUTH)
        await node.set_tables(2)
        await node.reminders.choose(ANNE, 19, PARIS)
        clock.now += 60
        await node.look()
        assert [json.loads(decrypt(body)) for _, body in service.got] == [{"table": "/tables", "waiting": 2}]
        assert post[0].got == []

    with_store(sqlite, test)


def test_it_is_the_persons_own(database: str) -> None:
    """Shown to them, taken along to another cookie, erased with them."""

    async def test(store: Store) -> None:
        clock = Clock(EVENING.timestamp())
        tables, contests = tables_of(store, clock), Contests(store, clock)
        reminders = Reminders(tables, Holidays(tables), None)
        await reminders.choose(ANNE, 18, PARIS)
        await Holidays(tables).take(ANNE, date(2026, 12, 20), date(2026, 12, 22), PARIS)
        await merge_guests(tables, contests, ANNE, "z" * 32)
        parts = await parts_of(store, "z" * 32)
        assert (parts["reminder"][0]["hour"], parts["reminder"][0]["zone"]) == (18, "Europe/Paris")
        assert parts["holidays"][0]["last"] == "2026-12-22"
        await erase(tables, contests, "z" * 32)
        assert not any((await parts_of(store, "z" * 32)).values())
        clock.now += 3600 * 24
        await reminders.look()  # nothing is due any more

    with_store(database, test)


def test_no_second_one_on_the_evening_on_which_they_were_ended(
    sqlite: str, post: tuple[Post, Mailer]
) -> None:
    """And nothing of the wish is left the day after."""

    async def test(store: Store) -> None:
        clock = Clock(EVENING.timestamp() - 60)
        node = Node(store, clock, post[1])
        await node.write_to(post[0])
        await node.set_tables(1)
        before = len(post[0].got)
        await node.reminders.choose(ANNE, 19, PARIS)
        clock.now += 60
        await node.look()
        await node.reminders.choose(ANNE, None, PARIS)
        assert await node.reminders.hour_of(ANNE) is None
        await node.reminders.choose(ANNE, 20, PARIS)
        clock.now += 3600
        await node.look()
        assert len(post[0].got) == before + 1
        clock.now += 24 * 3600
        await node.look()
        await node.reminders.choose(ANNE, None, PARIS)
        clock.now += 24 * 3600
        await node.look()
        assert len(post[0].got) == before + 2
        assert (await parts_of(store, ANNE))["reminder"] == []

    with_store(sqlite, test)


def test_the_same_form_sent_twice_is_no_fault(database: str) -> None:
    async def test(store: Store) -> None:
        nodes = [
            Reminders(tables, Holidays(tables), None)
            for tables in (tables_of(store, Clock(EVENING.timestamp())) for _ in range(6))
        ]
        for _ in range(2):
            await asyncio.gather(*(node.choose(ANNE, 18, PARIS) for node in nodes))
        assert await nodes[0].hour_of(ANNE) == 18

    with_store(database, test)


@pytest.mark.parametrize("day", [date(2027, 3, 27), date(2027, 10, 30)])
def test_the_hour_is_that_of_the_clock_on_the_wall(day: date) -> None:
    """Also where the clocks change in the night."""
    now = datetime(day.year, day.month, day.day, 19, tzinfo=PARIS).timestamp()
    due = datetime.fromtimestamp(next_at(19, PARIS, now, now), PARIS)
    assert (due.date(), due.hour) == (day + timedelta(1), 19)
