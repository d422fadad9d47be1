"""Meeting strangers, on both backends: concurrent joins, the end of a wait, and blocked players."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
import sqlalchemy as sa

from chouine.server.database import Unreachable
from chouine.server.partners import AWAY, FRESH, LISTED, PairRefused, Partners
from chouine.server.schema import waiting
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.server.waits import LONGEST
from tests.server.stores import Clock, present, store_at, tables_of, with_store


def partners_of(store: Store, clock: Clock | None = None) -> tuple[Partners, Tables, Clock]:
    clock = clock or Clock()
    return Partners(store, clock), tables_of(store, clock), clock


async def names(partners: Partners, guest: str) -> list[str]:
    return [waiter.name for waiter in await partners.waiting_list(guest)]


async def tries(join: Callable[[], Awaitable[str]]) -> str:
    """The table's identifier or the refusal's code; retries when a busy machine's database times out."""
    while True:
        try:
            return await join()
        except PairRefused as refused:
            return refused.code
        except Unreachable:
            continue


async def tables_with(store: Store, *guests: str) -> set[str]:
    return {table_id for guest in guests for table_id, _ in await store.table_ids_of(guest)}


def test_two_strangers_sit_down(database: str) -> None:
    async def test(store: Store) -> None:
        partners, tables, _ = partners_of(store)
        await partners.wait("anne", "Anne")
        (waiter,) = await partners.waiting_list("basile")
        assert await partners.waiting_list("anne") == []
        table_id = await partners.join(tables, "basile", "Anne", waiter.id)
        own = await partners.own("anne")
        assert own is not None
        assert own.table_id == table_id
        table = await present(tables, table_id)
        assert [(chair.name, chair.guest) for chair in table.holders] == [
            ("Anne", "anne"),
            ("Anne 2", "basile"),
        ]
        assert table.opened.clock is not None
        assert await names(partners, "clotilde") == []
        await partners.leave("anne")
        assert await partners.own("anne") is not None  # her table remains
        await partners.leave("anne", table_id)
        assert await partners.own("anne") is None

    with_store(database, test)


def test_no_address_hides_others_who_wait(database: str) -> None:
    """However many wait at one address: of each the longest wait comes first, and anyone who waits may be joined."""

    async def test(store: Store) -> None:
        partners, tables, clock = partners_of(store)
        for nth in range(2 * LISTED):
            await partners.wait(f"puppet-{nth}", f"P{nth}", "1" * 16 + f"{nth:016}")
            clock.now += 1
        await partners.wait("anne", "Anne", "2" * 32)
        clock.now += 1
        await partners.wait("odile", "Odile", "3" * 32)
        assert (await names(partners, "basile"))[:3] == ["P0", "Anne", "Odile"]
        assert len(await names(partners, "basile")) == LISTED
        last = sa.select(waiting.c.id).where(waiting.c.guest == f"puppet-{2 * LISTED - 1}")
        hidden = await store.database.read(lambda connection: connection.scalar(last))
        assert hidden not in {waiter.id for waiter in await partners.waiting_list("basile")}
        assert await partners.join(tables, "basile", "Basile", str(hidden))

    with_store(database, test)


def test_of_two_who_tap_at_once_one_gets_the_table(database: str) -> None:
    """Of two concurrent joins at two nodes one succeeds, the other is refused, and only one table is set."""

    async def test(store: Store) -> None:
        async with store_at(database) as second:
            here, tables, clock = partners_of(store)
            there, others, _ = partners_of(second, clock)
            for nth in range(3):
                await here.wait("anne", "Anne")
                (waiter,) = await here.waiting_list("basile")
                basile, clotilde = f"basile-{nth}", f"clotilde-{nth}"
                told = await asyncio.gather(
                    tries(partial(here.join, tables, basile, "Basile", waiter.id)),
                    tries(partial(there.join, others, clotilde, "Clotilde", waiter.id)),
                )
                (table_id,) = await tables_with(store, basile, clotilde)
                assert set(told) - {table_id} == {"partners/gone"}
                await here.leave("anne", table_id)

    with_store(database, test)


def test_two_who_wait_and_tap_each_other_get_one_table(database: str) -> None:
    async def test(store: Store) -> None:
        async with store_at(database) as second:
            here, tables, clock = partners_of(store)
            there, others, _ = partners_of(second, clock)
            for nth in range(3):
                anne, basile = f"anne-{nth}", f"basile-{nth}"
                await here.wait(anne, "Anne")
                await here.wait(basile, "Basile")
                (to_basile,) = await here.waiting_list(anne)
                (to_anne,) = await here.waiting_list(basile)
                told = await asyncio.gather(
                    tries(partial(here.join, tables, anne, "Anne", to_basile.id)),
                    tries(partial(there.join, others, basile, "Basile", to_anne.id)),
                )
                (table_id,) = await tables_with(store, anne, basile)
                assert set(told) - {table_id} <= {"partners/found", "partners/gone"}
                assert len(set(told)) == 2
                for guest in (anne, basile):
                    await here.leave(guest, table_id)

    with_store(database, test)


def test_a_wait_lasts_while_its_page_asks(sqlite: str) -> None:
    async def test(store: Store) -> None:
        partners, _, clock = partners_of(store)
        await partners.wait("anne", "Anne")
        for _ in range(3):
            clock.now += FRESH - 1
            assert await partners.own("anne") is not None
        assert await names(partners, "basile") == ["Anne"]
        clock.now += FRESH
        assert await names(partners, "basile") == []
        assert await partners.own("anne") is None  # an ended wait is not resumed
        assert await names(partners, "basile") == []
        await partners.wait("anne", "Anne")
        until = clock.now + LONGEST
        while clock.now < until:
            assert await partners.own("anne") is not None
            clock.now += FRESH / 2
        assert await partners.own("anne") is None

    with_store(sqlite, test)


def test_a_page_that_is_being_left_has_a_moment_to_come_back(sqlite: str) -> None:
    async def test(store: Store) -> None:
        partners, _, clock = partners_of(store)
        await partners.wait("anne", "Anne")
        await partners.mark_away("anne")
        clock.now += AWAY / 2
        assert await partners.own("anne") is not None  # the page was only reloaded
        await partners.mark_away("anne")
        clock.now += AWAY
        assert await names(partners, "basile") == []

    with_store(sqlite, test)


def test_who_is_gone_is_not_sat_down_with(sqlite: str) -> None:
    async def test(store: Store) -> None:
        partners, tables, clock = partners_of(store)
        await partners.wait("anne", "Anne")
        (waiter,) = await partners.waiting_list("basile")
        clock.now += FRESH
        with pytest.raises(PairRefused, match="no longer waiting"):
            await partners.join(tables, "basile", "Basile", waiter.id)
        with pytest.raises(PairRefused, match="no longer waiting"):
            await partners.join(tables, "basile", "Basile", "nobody")
        with pytest.raises(PairRefused, match="Give a name"):
            await partners.wait("anne", "")
        assert await store.table_ids_of("basile") == []

    with_store(sqlite, test)


def test_who_is_blocked_is_never_met_again_either_way(database: str) -> None:
    """Blocking works in both directions; the blocked player gets the same refusal as one who comes too late."""

    async def test(store: Store) -> None:
        partners, tables, _ = partners_of(store)
        await partners.block("anne", "basile", "Basile")
        await partners.block("anne", "basile", "Basile")  # blocking is idempotent
        for guest, name in (("anne", "Anne"), ("basile", "Basile")):
            await partners.wait(guest, name)
        (to_anne, to_basile) = sorted(await partners.waiting_list("clotilde"), key=lambda one: one.name)
        assert await partners.waiting_list("anne") == await partners.waiting_list("basile") == []
        for guest, which in (("basile", to_anne.id), ("anne", to_basile.id)):
            assert await tries(partial(partners.join, tables, guest, "", which)) == "partners/gone"
        assert await partners.blocked_guests("basile") == {}
        ((which, one),) = (await partners.blocked_guests("anne")).items()
        assert one.name == "Basile"
        assert "basile" not in which
        await partners.unblock("basile", which)
        assert await partners.waiting_list("anne") == []
        await partners.unblock("anne", which)
        assert await names(partners, "anne") == ["Basile"]

    with_store(database, test)


def test_reports_until_they_are_settled(database: str) -> None:
    async def test(store: Store) -> None:
        partners, _, clock = partners_of(store)
        await partners.report("anne", "a-table", 1, "Basile", "name", "un gros mot")
        clock.now += 1
        await partners.report("anne", "a-table", 1, "Basile", "delay", "encore")  # one per match
        await partners.report("clotilde", "a-table", 1, "Basile", "delay", "")
        first, second = await partners.reports()
        assert (first.seat, first.name, first.reason, first.words) == (1, "Basile", "name", "un gros mot")
        assert await partners.settle_report(first.id)
        assert not await partners.settle_report(first.id)
        assert await partners.reports() == [second]

    with_store(database, test)
