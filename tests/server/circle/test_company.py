"""Who has left a table: known within ten seconds on every node, never by a reload, and said as it is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from chouine.server.circle import company as of_company
from chouine.server.circle.company import EVERY, HIDDEN, LEAVING, SILENT, Company
from chouine.server.pages.company import absence, others_at, time_in_words
from chouine.server.pages.visit import Visit
from chouine.table import Phase
from chouine.table.entries import ClockTerms, SeatHolder
from chouine.table.state import TableState
from tests.needs import need
from tests.server.matches import opening
from tests.server.redis import RedisServer, redis_server
from tests.server.stores import play_on, set_table, tables_of, with_store

OTHERS = frozenset({"odette"})


class Time:
    """A clock for the company's `monotonic`."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    clock = Time()
    monkeypatch.setattr(of_company, "monotonic", clock)
    return clock


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    need("redis")
    with redis_server() as server:
        yield server


def test_ten_seconds_are_kept() -> None:
    """A page that dies silently has told last at most three seconds before; then two nodes look once each."""
    assert SILENT + 2 * EVERY < 10


def test_gone_is_who_was_there_and_no_longer_tells(time: Time) -> None:
    async def test() -> None:
        company, changed = Company(), asyncio.Event()

        async def is_gone() -> bool:
            await company.look()
            return bool(company.absent_guests("t", OTHERS))

        with company.watching("t", OTHERS, changed):
            assert not await is_gone(), "nothing is known of who never told"
            company.note_here("t", "odette")
            time.now += SILENT - 0.1
            assert not await is_gone()
            time.now += 0.2
            assert await is_gone()
            assert changed.is_set()
            assert not company.absent_guests("another", OTHERS)
            company.note_here("t", "odette")
            assert not await is_gone()
            company.note_here("t", "odette", HIDDEN)
            time.now += HIDDEN - 1
            assert not await is_gone()
            company.note_leaving("t", "odette")
            time.now += LEAVING + 0.1
            assert await is_gone()
        assert not company._watched

    asyncio.run(test())


@pytest.mark.parametrize("first", ["page", "leaving"])
def test_a_reload_is_not_seen(time: Time, first: str) -> None:
    """The next page is asked for before the old one says that it goes, or after; its script may take long."""

    async def test() -> None:
        company = Company()
        with company.watching("t", OTHERS, asyncio.Event()):
            company.note_here("t", "odette")
            steps = [company.note_page, company.note_leaving]
            for step in steps if first == "page" else steps[::-1]:
                step("t", "odette")
                time.now += 1
            for _ in range(20):
                time.now += 1
                await company.look()
                assert not company.absent_guests("t", OTHERS)
            company.note_here("t", "odette")
            time.now += SILENT + 0.1
            await company.look()
            assert company.absent_guests("t", OTHERS)

    asyncio.run(test())


def test_two_nodes_know_the_same(redis: RedisServer) -> None:
    """A page tells now one node, now the other; once it tells neither, both say so. Out of reach, nobody is missed."""

    async def test() -> None:
        here, there = Company(redis.url), Company(redis.url)
        changed = asyncio.Event()
        with here.watching("t", OTHERS, changed):
            for nth in range(4):
                told, other = (here, there)[:: 1 if nth % 2 else -1]
                other.note_here("t", "odette", 0.001)
                await other.look()
                told.note_here("t", "odette", 600)
                await told.look()
                await here.look()
                assert not here.absent_guests("t", OTHERS)
                assert not await here.find_absent("t", OTHERS)
                assert not await there.find_absent("t", OTHERS)
            for company in (here, there):
                company.note_here("t", "odette", 0.001)
                await company.look()
            while not here.absent_guests("t", OTHERS):
                await here.look()
            while await there.find_absent("t", OTHERS) != OTHERS:
                await there.look()  # its own note may end a moment after the shared one
            there.note_page("t", "odette")
            await there.look()
            await here.look()
            assert not here.absent_guests("t", OTHERS)
            there.note_here("t", "odette", 0.2)
            await there.look()
            await asyncio.sleep(0.3)
            redis.kill()
            await here.look()
            assert not here.absent_guests("t", OTHERS)
            assert not await there.find_absent("t", OTHERS)
        await here.close()
        await there.close()
        await asyncio.sleep(0.1)  # connections that broke are closed by then

    asyncio.run(test())


def table_at(seats: int, clock: ClockTerms | None, reached: Phase) -> TableState:
    """A table of people in this phase."""
    names = ("Odette", "Basile", "Clovis", "Irma")[:seats]
    chairs = tuple(SeatHolder("person", name, name.lower()) for name in names)
    preset = {2: "classic", 3: "three", 4: "four"}[seats]

    async def go(store: object) -> TableState:
        tables = tables_of(store)  # type: ignore[arg-type]
        first = replace(opening(preset, "5x1" if seats == 2 else "5", chairs=chairs), clock=clock)
        table_id, _ = await set_table(tables, first)
        return await play_on(tables, table_id, lambda table: table.phase is reached)

    return with_store(DATABASE, go)


DATABASE = ""


@pytest.fixture(autouse=True)
def _database(sqlite: str) -> None:
    global DATABASE  # noqa: PLW0603
    DATABASE = sqlite


def absence_sentence(table: TableState, *absent: str, language: str = "fr") -> str:
    visit = Visit("fr" if language == "fr" else "en", "csrf", "basile")
    return absence(visit, table, absent, table.since).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_without_a_clock_one_may_always_return(seats: int) -> None:
    table = table_at(seats, None, Phase.PLAY)
    one = "Odette a quitté la table et peut revenir à tout moment : ce match n’a pas de pendule."
    assert absence_sentence(table, "odette") == one
    assert absence_sentence(table) == ""
    if seats > 2:
        assert absence_sentence(table, "odette", "clovis") == f"{one} {one.replace('Odette', 'Clovis')}"
    assert others_at(table, "basile") == {holder.guest for holder in table.holders} - {"basile"}
    assert others_at(table, "stranger") == frozenset()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_with_a_clock_until_the_time_is_out(seats: int) -> None:
    table = table_at(seats, ClockTerms(60, 300), Phase.PLAY)
    (awaited,) = table.awaited
    guests = [str(holder.guest) for holder in table.holders]
    until = absence_sentence(table, guests[awaited], language="en")
    assert until.startswith(f"{table.holders[awaited].name} has left the table and may return until ")
    other = (awaited + 1) % seats
    assert absence_sentence(table, guests[other], language="en").endswith("turn, and no time is lost.")
    slow = table_at(seats, ClockTerms(86400, 172800), Phase.PLAY)
    (awaited,) = slow.awaited
    assert " h " in absence_sentence(slow, guests[awaited])
    assert " min " not in absence_sentence(slow, guests[awaited])


def test_each_may_return_until_their_own_time_is_out() -> None:
    """While several draw for the deal, the clock of one says nothing of another's."""
    table = table_at(2, ClockTerms(60, 300), Phase.TIRAGE)
    assert table.awaited == {0, 1}
    table = table.replace_fast(reserves=(3600.0, 0.0))
    hours = [time_in_words(Visit("fr", "csrf", ""), table.since + left, table.since) for left in (3660, 60)]
    for guest, hour in zip(("odette", "basile"), hours, strict=True):
        assert hour["time"].replace("\N{NO-BREAK SPACE}", " ") in absence_sentence(table, guest)


def test_computers_and_empty_seats_are_not_missed() -> None:
    table = table_at(2, None, Phase.PLAY)
    odette, basile = table.holders
    with_computer = table.replace_fast(holders=(replace(odette, player="level:1", guest=None), basile))
    with_computer.__dict__.pop("people", None)
    assert others_at(with_computer, "basile") == frozenset()
