"""One's tables in a list: whose turn it is, the most urgent first, from one query where the node knows them."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from chouine.server.database import Database
from chouine.server.pages.visit import Visit
from chouine.server.routes.tables import tables_list
from chouine.server.slow.listing import ListedTable, listed_tables, waiting_tables
from chouine.server.store import Store
from chouine.table import commands as ask
from chouine.table.entries import ClockTerms, SeatHolder
from chouine.table.state import Phase
from tests.server.matches import opening, person
from tests.server.stores import Clock, play_on, present, tables_of, with_store

DAY = 24 * 3600.0
TERMS = ClockTerms(int(DAY), int(2 * DAY))
ME = "guest-0"


def names_of(listed: list[ListedTable]) -> list[str]:
    return [one.table_id for one in listed]


def test_those_that_wait_come_first_the_most_urgent_before_the_others(database: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock)
        dealt = {}
        for name in "abcd":
            dealt[name] = await tables.open(opening(terms="3x1", clock=TERMS))
            await play_on(tables, dealt[name], lambda table: table.phase is Phase.PLAY)
            clock.now += DAY / 8
        lone = await tables.open(opening(chairs=(person(0), SeatHolder("level:1", "Lison"))))
        clock.now += 1.0
        free = await tables.open(opening())
        await tables.do(dealt["d"], ask.ForfeitMatch(1))
        listed = await listed_tables(tables, ME)
        assert names_of(listed) == [free, lone, *(dealt[name] for name in "dcba")]
        mine = [each for each in "abc" if 0 in (await present(tables, dealt[each])).awaited]
        waiting = waiting_tables(listed, ME)
        assert names_of(waiting) == [*(dealt[name] for name in mine), free]  # a computer waits for nobody
        assert names_of(waiting_tables(listed, ME, but=free)) == [dealt[name] for name in mine]
        assert dealt["d"] not in names_of(await listed_tables(tables, ME, going=True))
        await tables.do(free, ask.Pause(0))
        assert free not in names_of(waiting_tables(await listed_tables(tables, ME), ME))

    with_store(database, test)


def test_the_list_costs_one_query_whatever_it_holds(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        for _ in range(6):
            await play_on(
                tables, await tables.open(opening(clock=TERMS)), lambda table: table.phase is Phase.PLAY
            )
        asked = []
        read = type(store.database).read

        async def record_and_read(self: Database, query: object) -> object:
            asked.append(query)
            return await read(self, query)  # type: ignore[arg-type]

        monkeypatch.setattr(type(store.database), "read", record_and_read)
        assert len(await listed_tables(tables, ME)) == 6
        assert len(asked) == 1

    with_store(database, test)


def test_another_node_lists_the_present_state(database: str) -> None:
    async def test(store: Store) -> None:
        here, there = tables_of(store), tables_of(store)
        table_id = await here.open(opening(clock=TERMS))
        before = (await listed_tables(there, ME))[0].brief
        await play_on(here, table_id, lambda table: table.phase is Phase.PLAY)
        after = (await listed_tables(there, ME))[0].brief
        assert (before.phase, after.phase) == (Phase.TIRAGE, Phase.PLAY)
        await store.database.write(lambda connection: connection.execute(sa.text("delete from seat")))
        assert await listed_tables(there, ME) == []

    with_store(database, test)


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (0.0, "You have 3 days left."),
        (1.2 * DAY, "You have 43 hours left."),
        (3 * DAY - 3700, "You have 1 hour left."),
        (3 * DAY - 125, "You have 2 minutes left."),
        (3 * DAY - 5, "You have less than a minute left."),
    ],
)
def test_the_time_left_in_words(after: float, said: str, sqlite: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock)
        await tables.open(opening(clock=TERMS))
        page = tables_list(Visit("en", "csrf", ME), await listed_tables(tables, ME), clock.now + after)
        assert said in page.replace("\N{NO-BREAK SPACE}", " ")

    with_store(sqlite, test)
