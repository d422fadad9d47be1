"""Two guests become one: nothing is lost, nothing is held twice, and the one who was has nothing."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
import sqlalchemy as sa

from chouine.server.accounts.browsers import Browsers
from chouine.server.accounts.members import Members, is_member
from chouine.server.accounts.merging import merge_guests, merge_saved
from chouine.server.contest.online import Contests
from chouine.server.difficulty import TrialRating
from chouine.server.erasure import erase
from chouine.server.pages.visit import Settings
from chouine.server.partners import Partners
from chouine.server.personal import PARTS, parts_of
from chouine.server.saved import Repetition, SavedState, Schooling, encode_saved
from chouine.server.schema import member, metadata, report, session, subscription
from chouine.server.store import Store
from chouine.server.visitors import Visitor, saved_in
from chouine.table import commands as ask
from chouine.table.entries import SeatHolder
from tests.server.matches import opening
from tests.server.store.lives import FRIEND, MINE, announce, fill_with_a_life
from tests.server.stores import Clock, keep_session, present, tables_of, with_store

PHONE = "9" * 32


async def members_of(store: Store) -> Members:
    tables = tables_of(store)
    return Members(tables, Contests(store, Clock()), Browsers(tables))


async def saved_of(store: Store, guest: str) -> SavedState:
    query = sa.select(member.c.settings).where(member.c.guest == guest)
    found = await store.database.read(lambda connection: connection.scalar(query))
    assert found is not None
    return saved_in(found, guest)


def test_a_guest_joins_an_account(database: str) -> None:
    """Seats, entries, blocks, notifications, settings; nobody is in a contest twice or blocks themselves."""

    async def test(store: Store) -> None:
        members = await members_of(store)
        account = await members.begin()
        learned = encode_saved(SavedState(language="en", school=Schooling(done=("takes",))))
        own = member.update().where(member.c.guest == account)
        await store.database.execute(own.values(settings=learned))
        games = await fill_with_a_life(store)
        which = await announce(members.contests, (account, "Zoé"), (MINE, "Zoé bis"), (FRIEND, "Berthe"))
        partners = Partners(store, members.tables.clock)
        await partners.wait(account, "Zoé")
        await partners.block(account, MINE, "moi")
        await partners.block(MINE, account, "moi")
        await partners.report(account, games["over"], 1, "Berthe", "other", "")
        before = Visitor("token", MINE, SavedState(), new=False)
        await members.sign_in(account, "new-token", "Firefox, Android", before, joins=True)
        assert not any((await parts_of(store, MINE)).values())
        parts = await parts_of(store, account)
        assert {row["table_id"] for row in parts["seats"]} >= {games["over"], games["going"], games["device"]}
        assert (await present(members.tables, games["going"])).held_by(account) == (1,)
        assert len(parts["waits"]) == len(parts["account"]) == 1
        assert len(parts["notifications"]) == 1
        online = await members.contests.get(which)
        assert online is not None
        assert online.number_of(account) == 1
        assert 2 not in online.players
        assert MINE not in await partners.blocked_guests(account)
        assert account not in [one.other for one in (await partners.blocked_guests(account)).values()]
        reports = sa.select(sa.func.count()).select_from(report).where(report.c.guest == account)
        assert await store.database.read(lambda connection: connection.scalar(reports)) == 1
        saved = await saved_of(store, account)
        assert (saved.name, saved.language, saved.school.done) == ("Zébulon", "en", ("takes",))
        pushed = sa.select(subscription.c.browser).where(subscription.c.guest == account)
        assert await store.database.read(lambda connection: connection.scalar(pushed)) == before_digest(
            "new-token"
        )
        assert await is_member(store, account)
        assert not await is_member(store, MINE)

    with_store(database, test)


def before_digest(token: str) -> str:
    return Visitor(token, "", SavedState(), new=False).stored


def test_two_accounts_become_one(database: str) -> None:
    """With all browsers and all that signs in; erasing it later clears copies of both."""

    async def test(store: Store) -> None:
        members = await members_of(store)
        one, other = await members.begin(), await members.begin()
        nobody = Visitor("x", "0" * 32, SavedState(), new=False)
        for nth, guest in enumerate((one, one, other)):
            await members.sign_in(guest, f"token-{nth}", "Safari, iPad", nobody, joins=False)
            await members.add_card(guest)
        before = Visitor("token-0", one, SavedState(), new=False, member=True)
        await members.sign_in(other, "token-3", "Safari, iPad", before, joins=True)
        found = {row.token: row.guest for row in await members.browsers.list_of(other)}
        assert found == {before_digest(f"token-{nth}"): other for nth in (1, 2, 3)}
        assert len(await members.credentials(other)) == 2
        assert await members.browsers.find(before_digest("token-0")) is None
        row = await members.browsers.find(before_digest("token-1"))
        assert row is not None
        assert row.guest == other
        assert not await is_member(store, one)
        await erase(members.tables, members.contests, other)
        assert not any((await parts_of(store, other)).values())
        assert await members.browsers.find(before_digest("token-1")) is None

    with_store(database, test)


def test_a_guest_becomes_another_at_a_table_where_others_go_on(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a seat was asked for at the same moment: all is done once more, and nothing twice."""

    async def test(store: Store) -> None:
        tables = tables_of(store, Clock())
        both = (SeatHolder("person", name, "one") for name in ("Odette", "Odile"))
        table_ids = [await tables.open(opening()), await tables.open(opening(chairs=both))]
        append_all = store.append_all

        async def speak_first(*args: Any) -> None:
            monkeypatch.undo()
            await tables.do(table_ids[0], ask.Speak(1, "hello"))
            await append_all(*args)

        monkeypatch.setattr(store, "append_all", speak_first)
        for old in ("guest-0", "one"):
            await merge_guests(tables, Contests(store, tables.clock), old, "new")
        logs = [await store.log(table_id) for table_id in table_ids]
        assert [[type(entry).__name__ for entry, _ in log] for log in logs] == [
            ["Opened", "Shuffled", "Spoke", "Sat"],
            ["Opened", "Shuffled", "Sat", "Sat"],
        ]
        for table_id, seats in zip(table_ids, ((0,), (0, 1)), strict=True):
            assert (await present(tables, table_id)).held_by("new") == seats
            assert (await present(tables_of(store), table_id)).held_by("new") == seats

    with_store(database, test)


def test_every_table_of_a_person_can_take_two_of_a_key(database: str) -> None:
    """Whatever keys the tables of `PARTS` have, now and later: two guests with the same rows become one."""

    async def test(store: Store) -> None:
        members = await members_of(store)
        await fill_with_a_life(store)
        await members.sign_in(
            await members.begin(), "t", "", Visitor("t", MINE, SavedState(), new=False), joins=True
        )
        tables = {owner.table.name for owner, _ in PARTS.values()}
        named = {table.name for table in metadata.sorted_tables if "guest" in table.c}
        assert named - tables == {"erasure", "former"}
        contests = Contests(store, Clock())
        await merge_guests(members.tables, contests, "1" * 32, "2" * 32)

    with_store(database, test)


def test_settings_and_progress_are_united() -> None:
    """What one chose stays; lessons, problems and days are those of both."""
    at = datetime(2026, 3, 1, tzinfo=UTC)
    early, late = (Repetition("p", at, at.replace(day=day), 1.0, 5.0) for day in (2, 3))
    mine = SavedState(
        name="Zoé",
        settings=Settings(sound=True),
        school=Schooling(
            done=("b",), days=(date(2026, 3, 2),), solved=("y",), again=(early,), rated=TrialRating(tries=3)
        ),
    )
    theirs = SavedState(
        name="Zo",
        language="fr",
        level=4,
        settings=Settings(felt="blue"),
        school=Schooling(
            done=("a", "b"),
            days=(date(2026, 3, 1),),
            solved=("x", "y"),
            again=(late,),
            rated=TrialRating(1.0, 1.0, 9),
        ),
    )
    both = merge_saved(mine, theirs)
    assert (both.name, both.language, both.level) == ("Zoé", "fr", 4)
    assert both.settings == Settings(sound=True, felt="blue")
    assert both.school == Schooling(
        done=("b", "a"),
        days=(date(2026, 3, 1), date(2026, 3, 2)),
        solved=("x", "y"),
        again=(late,),
        rated=TrialRating(1.0, 1.0, 9),
    )
    assert merge_saved(SavedState(), theirs) == theirs


def test_a_cookie_without_an_account_takes_the_settings_along(database: str) -> None:
    async def test(store: Store) -> None:
        await keep_session(store, "old", MINE, b'{"name":"N"}', 1.0)
        await merge_guests(tables_of(store), Contests(store, Clock()), MINE, PHONE, "new")
        row = await store.session("new")
        assert row is not None
        assert (row.guest, row.settings) == (PHONE, b'{"name":"N"}')
        count = sa.select(sa.func.count()).select_from(session)
        assert await store.database.read(lambda connection: connection.scalar(count)) == 1

    with_store(database, test)
