"""Acts of the server's keeper, on both backends: what they change, who is told, how long a bar holds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from chouine.contest.formula import formula_for
from chouine.server.contest.online import Contests
from chouine.server.contest.online_pages import enter
from chouine.server.heartbeat import BEAT, RETURN, Heartbeat
from chouine.server.notice_board import LONGEST, NoticeBoard, announce
from chouine.server.order import OPENS, KeeperActs, KeeperDecision, OrderRefused
from chouine.server.partners import Partners, reported_at
from chouine.server.retention import DAY
from chouine.server.saved import SavedState, encode_saved
from chouine.server.schema import session
from chouine.server.site import SWITCHES, Closed, switches_in
from chouine.server.store import Store
from chouine.server.visitors import saved_in, secrets_of
from chouine.table import commands as ask
from chouine.table.entries import ClockTerms, SeatHolder
from tests.server.matches import opening
from tests.server.stores import Clock, keep_session, present, set_table, tables_of, with_store

RUDE, KIND, HERE, THERE = "r" * 32, "k" * 32, "a" * 32, "b" * 32
CHAIRS = SeatHolder("person", "Vilain", RUDE, "kh"), SeatHolder("person", "Berthe", KIND)


async def order_of(store: Store, clock: Clock) -> KeeperActs:
    tables = tables_of(store, clock)
    return KeeperActs(tables, Contests(store, clock), await secrets_of(store))


async def is_free(order: KeeperActs, guest: str, origin: str) -> bool:
    try:
        await order.check_free(guest, origin)
    except Closed:
        return False
    return True


def test_a_name_is_replaced_wherever_it_stands(database: str) -> None:
    """At tables in progress and over, where its line in lists too has another, in contests, waits and settings."""

    async def test(store: Store) -> None:
        clock = Clock()
        order = await order_of(store, clock)
        going, over = [await order.tables.open(opening(terms="1x1", chairs=CHAIRS)) for _ in range(2)]
        mild = await order.tables.open(opening(chairs=(SeatHolder("person", "Doux", RUDE), CHAIRS[1])))
        await order.tables.do(over, ask.ForfeitMatch(1))
        await Partners(store, clock).wait(RUDE, "Vilain")
        which = await order.contests.open(formula_for("swiss"), "Concours", ClockTerms(60, 300), KIND)
        online = await order.contests.get(which)
        assert online is not None
        await enter(order.contests, online, RUDE, "Vilain")
        await keep_session(
            store, "t", RUDE, encode_saved(SavedState(name="Vilain", language="fr")), clock.now
        )
        await order.decide(await order.target(f"table:{going}:1"), KeeperDecision("rename", "Non.", "Voisin"))
        for table_id in (going, over):
            table = await present(tables_of(store, clock), table_id)
            assert table.holders[0] == SeatHolder("person", "Voisin", RUDE, "kh")
        assert (await present(order.tables, mild)).holders[0].name == "Doux"
        assert all(b"Vilain" not in (kept or b"") for _, kept in await store.table_ids_of(KIND))
        assert [one.name for one in await order.words_at("waiting")] == ["Voisin"]
        assert [one.name for one in await order.words_at("contest", which)] == ["Concours", "Voisin"]
        row = await store.session("t")
        assert row is not None
        assert saved_in(row.settings, "t") == SavedState(name="Voisin", language="fr")
        (logged,) = await order.rulings()
        assert (logged.what, logged.guest, logged.name, logged.reason) == ("rename", RUDE, "Vilain", "Non.")

    with_store(database, test)


def test_a_banner_is_announced_in_both_languages_at_once(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(store: Store) -> None:
        board, write, seen = NoticeBoard(await order_of(store, Clock())), store.database.write, list[str]()
        await announce(store, fr="Avant", en="Before", until=1e9)

        async def write_and_look(change: Callable[[sa.Connection], Any]) -> Any:
            made = await write(change)
            await board.look()
            seen.append(f"{board.announced.fr} {board.announced.en}")
            return made

        monkeypatch.setattr(store.database, "write", write_and_look)
        await announce(store, fr="Après", en="After", until=1e9)
        assert {*seen} == {"Après After"}

    with_store(sqlite, test)


def test_a_bar_is_of_a_guest_and_if_wished_of_an_address_for_its_time(database: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock()
        order = await order_of(store, clock)
        table_id = await order.tables.open(opening(chairs=CHAIRS), set_by=(KIND, THERE))
        rude, kind = [await order.target(f"table:{table_id}:{seat}") for seat in (1, 2)]
        await order.decide(rude, KeeperDecision("bar", "Non.", days=1, address=True))
        assert await is_free(order, KIND, HERE), "no address of the barred is known"
        assert not await is_free(order, RUDE, HERE)
        assert not await is_free(order, KIND, HERE), "now it is"
        assert await is_free(order, KIND, THERE)
        clock.now += 1
        await order.decide(kind, KeeperDecision("bar", "Non.", days=2, address=True))
        assert not await is_free(order, "n" * 32, THERE), "the address from which they set a table"
        clock.now += DAY
        assert await is_free(order, RUDE, HERE)
        assert not await is_free(order, KIND, HERE)
        latest, _ = await order.rulings()
        clock.now += 1
        await order.lift(latest.id, "Oui.")
        clock.now -= 1  # as in another process
        assert await is_free(order, KIND, THERE)
        clock.now += 1
        assert [row.what for row in await order.rulings(KIND)] == ["lift", "bar"]

    with_store(database, test)


def test_people_are_told_and_answer_once(database: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock()
        order = await order_of(store, clock)
        await Partners(store, clock).wait(RUDE, "Vilain")
        (target,) = await order.words_at("waiting")
        await order.decide(target, KeeperDecision("settle", "Rien."))
        assert await order.guests_to_tell() == frozenset()
        await order.decide(target, KeeperDecision("warn", "Non."))
        assert await order.guests_to_tell() == {RUDE}
        (told,) = await order.rulings(RUDE)
        await order.answer(KIND, told.id, "Moi.")
        await order.answer(RUDE, told.id, "")
        assert await order.guests_to_tell() == frozenset()
        for words in ("Pardon.", "Encore."):
            await order.answer(RUDE, told.id, words)
        assert [row.answer for row in await order.rulings(RUDE)] == ["Pardon."]

    with_store(database, test)


def test_a_report_is_settled_by_an_act_and_names_what_was_said_then(database: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock()
        order, partners = await order_of(store, clock), Partners(store, clock)
        await partners.report(KIND, "w", 0, "Vilain", "name", "", place="waiting", other=RUDE)
        (one,) = await partners.reports()
        assert (reported_at(one), str(await order.target(one.id))) == ("/partners", "waiting:w:0")
        assert (await order.target(one.id))[3:] == (RUDE, "Vilain")
        with pytest.raises(OrderRefused):
            await order.decide(await order.target(one.id), KeeperDecision("warn", " "), one.id)
        assert await partners.reports()
        await order.decide(await order.target(one.id), KeeperDecision("warn", "Non."), one.id)
        assert await partners.reports() == []

    with_store(database, test)


def test_a_link_opens_for_one_browser_and_not_for_long(database: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock()
        order = await order_of(store, clock)
        first, second = [(await order.new_link()).rpartition("/")[2] for _ in range(2)]
        assert not await order.use_link(first, KIND), "a newer one ends it"
        assert not await order.use_link("", KIND)
        assert [await order.use_link(second, one) for one in (KIND, RUDE, KIND)] == [True, False, True]
        third = (await order.new_link()).rpartition("/")[2]
        assert all(await asyncio.gather(*(order.use_link(third, KIND) for _ in range(3))))
        late = (await order.new_link()).rpartition("/")[2]
        clock.now += OPENS + 1
        assert not await order.use_link(late, KIND)

    with_store(database, test)


def test_maintenance_is_an_outage_that_clocks_are_given_back(database: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock()
        order = await order_of(store, clock)
        tables, board = order.tables, NoticeBoard(order)
        tables.rests = board.rests
        heartbeat = Heartbeat(tables)
        table_id, table = await set_table(tables, opening(clock=ClockTerms(10, 50), chairs=CHAIRS))
        await heartbeat.beat()
        await announce(store, begins=clock.now + 600, ends=clock.now + 1800)
        await board.look()
        assert "stop" in board.text("en", None)
        for _ in range(3):
            clock.now += BEAT
            await heartbeat.beat()
        assert heartbeat.works
        clock.now += 600 - 3 * BEAT
        await heartbeat.beat()
        assert (board.rests(), heartbeat.alive, heartbeat.works) == (True, True, False)
        for command in (ask.Speak(0, "wow"), ask.Tick()):
            with pytest.raises(Closed):
                await tables.do(table_id, command)
        with pytest.raises(Closed):
            await tables.open(opening(chairs=CHAIRS))
        clock.now += 1200
        assert not heartbeat.alive, "not before the time is given back"
        await heartbeat.beat()
        assert heartbeat.works
        after = await present(tables, table_id)
        assert after.deadline == (table.deadline or 0.0) + 1800 - 3 * BEAT + RETURN
        await board.look()
        assert board.text("fr", None) == ""

    with_store(database, test)


def test_streams_are_woken_by_what_is_new_alone(database: str) -> None:
    async def test(store: Store) -> None:
        clock, moved = Clock(), asyncio.Event()
        order = await order_of(store, clock)
        board = NoticeBoard(order)
        table_id, _ = await set_table(order.tables)
        with order.tables.watching(table_id, moved):
            await board.look()
            moved.clear()
            await announce(store, fr="é" * LONGEST, en="Hello", until=clock.now + 60)
            for woken in (True, False):
                await board.look()
                assert moved.is_set() == woken
                moved.clear()
            assert board.text("fr", None) == "é" * LONGEST
            clock.now += 60
            await board.look()
            assert moved.is_set()

    with_store(database, test)


def test_switches_are_read() -> None:
    assert switches_in(" ,".join(SWITCHES)) == {*SWITCHES}
    assert switches_in("") == frozenset()
    with pytest.raises(ValueError, match="dogs"):
        switches_in("dogs")


def test_no_session_of_another_is_changed(sqlite: str) -> None:
    async def test(store: Store) -> None:
        order = await order_of(store, Clock())
        for token, guest in (("1", RUDE), ("2", KIND)):
            await keep_session(store, token, guest, encode_saved(SavedState(name="Vilain")), 0.0)
        await order.decide(await order.target(RUDE), KeeperDecision("rename", "Non."))
        query = sa.select(session.c.settings).order_by(session.c.token)
        mine, others = await store.database.read(lambda connection: connection.scalars(query).all())
        assert saved_in(mine, "1").name.startswith("Anonyme ")
        assert saved_in(others, "2").name == "Vilain"
        await Partners(store, Clock()).wait(RUDE, "Vilain")
        (waiting,) = await order.words_at("waiting")
        await order.decide(waiting, KeeperDecision("rename", "Non.", f" A\n{'x' * 99}"))
        assert [one.name for one in await order.words_at("waiting")] == [f"A{'x' * 23}"]

    with_store(sqlite, test)
