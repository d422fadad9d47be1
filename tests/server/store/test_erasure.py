"""Erasing a person: afterwards no byte of theirs is stored, and the others' matches replay and verify."""

from __future__ import annotations

import asyncio
from io import StringIO
from typing import Any

import pytest
import sqlalchemy as sa

from chouine.notation.reader import read_records
from chouine.notation.records import Record
from chouine.server.accounts.merging import merge_guests
from chouine.server.circle.people import People
from chouine.server.codec import decode_brief
from chouine.server.contest.online import Contests
from chouine.server.engines import engine_of
from chouine.server.erasure import erase, erased_guests
from chouine.server.order import KeeperActs, KeeperDecision, Target
from chouine.server.partners import Partners
from chouine.server.personal import parts_of
from chouine.server.records import record_text
from chouine.server.schema import (
    erasure,
    metadata,
    playing_table,
)
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.server.transfer import replay_logs
from chouine.server.verify import Proof
from chouine.server.visitors import secrets_of
from chouine.table.entries import LEFT, NOBODY, SeatHolder
from chouine.table.state import Phase, TableState
from tests.server.matches import is_over, opening
from tests.server.store.lives import (
    FRIEND,
    ME,
    MINE,
    NAME,
    ORIGIN,
    OTHER,
    OWN,
    THIRD,
    announce,
    everything,
    fill_with_a_life,
)
from tests.server.store.test_retention import row_of
from tests.server.stores import Clock, play_on, present, store_at, tables_of, with_store


async def scores(tables: Tables, games: dict[str, str]) -> dict[str, Any]:
    """What was won, and how each deal was fixed."""
    found = {which: await tables.table(game) for which, game in games.items()}
    return {
        which: (table.match.score, table.match.manches, table.played)
        for which, table in found.items()
        if table
    }


def test_nothing_of_a_person_is_left(database: str) -> None:
    async def test() -> None:
        async with store_at(database) as store:
            games = await fill_with_a_life(store)
            tables, contests = tables_of(store), Contests(store, Clock())
            alone = await announce(contests, (MINE, NAME))
            shared = await announce(contests, (MINE, NAME), (FRIEND, "Berthe"), (THIRD, "Carole"))
            text = await everything(store)
            for what, mine in OWN.items():
                assert mine in text, what
            before = await scores(tables, games)
            listed = {game for game, _ in await store.table_ids_of(FRIEND)}

            done = await erase(tables, contests, MINE)
            assert (done.deleted, done.kept) == (2, 5)

            text = await everything(store)
            for what, mine in OWN.items():
                assert mine not in text.replace(f"{MINE}\n{float(tables.clock())}", ""), what
            fresh = tables_of(store)
            for reading in (tables, fresh):
                after = await scores(reading, games)
                assert before.keys() - after.keys() == {"computer", "device"}
                for which in ("over", "others", "phone"):
                    assert after[which] == before[which]
                going, paused = after["going"], await present(reading, games["paused"])
                assert going[2][:2] == before["going"][2]
                for which in ("over", "going", "paused", "phone"):
                    table = await present(reading, games[which])
                    assert table.phase is Phase.OVER
                    seat = 0 if which == "over" else 1
                    assert table.holders[seat] == SeatHolder("person", LEFT, NOBODY)
                    assert table.holders[1 - seat].name == "Berthe"
                assert paused.match.winner == 0
                seating = await present(reading, games["seating"])
                assert seating.phase is Phase.SEATING
                assert seating.holders[1].guest is None
            assert {game for game, _ in await store.table_ids_of(FRIEND)} == listed
            briefs = [kept for _, kept in await store.table_ids_of(FRIEND) if kept]
            assert (
                len([one for one in map(decode_brief, briefs) if any(h.name == LEFT for h in one.holders)])
                == 4
            )
            assert await contests.get(alone) is None
            online = await contests.get(shared)
            assert online is not None
            assert (online.owner, len(online.players)) == ("", 2)
            reports = await Partners(store, tables.clock).reports()
            assert {(report.name, report.words) for report in reports} == {
                (LEFT, f"{LEFT} m’a insultée"),
                (LEFT, ""),
            }
        engine = engine_of(database)
        async with engine.connect() as connection:
            parties, damaged = await replay_logs(connection)
        await engine.dispose()
        assert parties >= 7
        assert damaged == []

    asyncio.run(test())


def test_who_is_erased_while_a_line_is_made_is_not_named_in_it(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line in lists of a match of an older version is made when it is listed: from what was read before."""

    async def test() -> None:
        async with store_at(database) as store, store_at(database) as other_store:
            tables, other = tables_of(store), tables_of(other_store)
            table_id = await tables.open(opening(chairs=(OTHER, ME)))
            await play_on(tables, table_id, is_over)
            await store.database.write(
                lambda connection: connection.execute(playing_table.update().values(brief=None))
            )
            read = tables.table

            async def read_slowly(which: str) -> TableState | None:
                table = await read(which)
                await erase(other, Contests(other_store, Clock()), MINE)
                return table

            monkeypatch.setattr(tables, "table", read_slowly)
            await tables.brief(table_id)
            assert NAME not in await everything(store)
            monkeypatch.undo()
            line = await tables.brief(table_id)
            assert line is not None
            assert [holder.name for holder in line.holders] == ["Berthe", LEFT]
            ((_, kept),) = await store.table_ids_of(FRIEND)
            assert kept is not None
            assert decode_brief(kept) == line

    asyncio.run(test())


def test_who_is_erased_while_opponents_are_listed_gets_no_page(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages are made of people one has played with, under the names that were read before."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        people = People(tables)
        await people.own(FRIEND, "Berthe")
        table_id = await tables.open(opening(chairs=(OTHER, ME)))
        await play_on(tables, table_id, is_over)
        names_at_tables = people._names_at_tables

        async def read_slowly(*asked: Any) -> dict[str, str]:
            names = await names_at_tables(*asked)
            assert names == {MINE: NAME}
            await erase(tables, Contests(store, Clock()), MINE)
            return names

        monkeypatch.setattr(people, "_names_at_tables", read_slowly)
        assert await people.opponents(FRIEND, await people.bonds(FRIEND)) == []
        assert NAME not in await everything(store)
        await people.own(MINE, "")

    with_store(database, test)


def test_whoever_is_barred_does_not_erase_the_bar_of_their_address(sqlite: str) -> None:
    """It holds to its end, for nobody that is named."""

    async def test() -> tuple[list[Any], str]:
        async with store_at(sqlite) as store:
            tables, contests = tables_of(store), Contests(store, Clock())
            order = KeeperActs(tables, contests, await secrets_of(store))
            await Partners(store, tables.clock).wait(MINE, NAME, ORIGIN)
            for address in (True, False):
                decision = KeeperDecision("bar", f"{NAME} exagère", address=address)
                await order.decide(Target("person", MINE, 0, MINE, NAME), decision)
            await erase(tables, contests, MINE)
            rows = [(row.what, row.guest, row.origin, row.reason, row.told) for row in await order.rulings()]
            return rows, await everything(store)

    rows, text = asyncio.run(test())
    assert rows == [("bar", "", ORIGIN, "", True)]
    assert NAME not in text


DIGESTS = ("mailbox.owner", "unwanted.owner", "erasure.guest")
"""Columns that name no guest but a mailbox, by its keyed digest; and what is noted of the erased."""
NAMING = [
    column
    for table in metadata.sorted_tables
    for column in table.columns
    if column.key in ("guest", "other", "owner") and str(column) not in DIGESTS
]
"""The columns that may name a guest: those of any new table too."""


@pytest.mark.parametrize("column", NAMING, ids=str)
def test_no_column_goes_on_naming_the_erased(column: sa.Column[str], sqlite: str) -> None:
    """Each by itself, so that none is only cleared with another's row."""

    def fill(connection: sa.Connection) -> None:
        for key in column.table.foreign_keys:
            connection.execute(key.column.table.insert().values(row_of(key.column.table)))
        connection.execute(column.table.insert().values(row_of(column.table, **{column.key: MINE})))

    async def test() -> tuple[str, str]:
        async with store_at(sqlite) as store:
            await store.database.write(
                lambda connection: connection.exec_driver_sql("pragma defer_foreign_keys=on")
            )
            await store.database.write(fill)
            before = await everything(store)
            await erase(tables_of(store), Contests(store, Clock()), MINE)
            gone = erasure.delete()
            await store.database.write(lambda connection: connection.execute(gone))
            return before, await everything(store)

    before, after = asyncio.run(test())
    assert MINE in before
    assert MINE not in after


def test_records_of_what_stays_can_be_read_and_verified(sqlite: str) -> None:
    """What `chouine verify` reads: the pack, the nonce and the cut agree with the digest and the deal."""

    async def test() -> str:
        async with store_at(sqlite) as store:
            games = await fill_with_a_life(store)
            tables = tables_of(store)
            await erase(tables, Contests(store, Clock()), MINE)
            return record_text(await present(tables, games["over"]), None)

    records = [one for one in read_records(StringIO(asyncio.run(test()))) if isinstance(one, Record)]
    assert len(records) >= 3
    for record in records:
        assert record.tag("Players") == f"{LEFT}; Berthe"
        tags = {name.lower(): text for name, text in record.tags}
        proof = Proof.of_data(tags | {"rules": str(record.rules), "deal": str(record.deal)})
        assert proof.faults == ()


def test_a_new_cookie_has_all_that_was_the_old_ones(database: str) -> None:
    """Seats, also in a paused match, entries, blocks both ways and addresses; the old cookie's guest has nothing."""
    new = "9" * 32

    async def test() -> None:
        async with store_at(database) as store:
            games = await fill_with_a_life(store)
            tables, contests = tables_of(store), Contests(store, Clock())
            which = await announce(contests, (MINE, NAME), (FRIEND, "Berthe"))
            before, matches = await parts_of(store, MINE), await store.table_ids_of(MINE)
            await merge_guests(tables, contests, MINE, new, "another-digest")
            assert not any((await parts_of(store, MINE)).values())
            after = await parts_of(store, new)
            assert {part: sorted(map(repr, rows)) for part, rows in after.items()} == {
                part: sorted(map(repr, rows)) for part, rows in (before | {"account": []}).items()
            }
            assert {game for game, _ in await store.table_ids_of(new)} == {game for game, _ in matches}
            for game in games.values():
                table = await present(tables_of(store), game)
                assert MINE not in [holder.guest for holder in table.holders]
                assert table.held_by(new) == (await present(tables, game)).held_by(new)
            assert (await present(tables, games["paused"])).paused is not None
            assert await store.session("cookie-digest") is None
            assert (await store.session("another-digest")) is not None
            online = await contests.get(which)
            assert online is not None
            assert online.owner == new
            refusing = await Partners(store, tables.clock).blocked_guests(THIRD)
            assert [one.other for one in refusing.values()] == [new]
            await erase(tables, contests, new)
            text = await everything(store)
            assert not [what for what, mine in OWN.items() if mine in text and what != "guest"]
            assert text.count(MINE) == 1  # so that older copies can be cleared of it too
            assert {MINE, "f" * 32, new} <= {*await erased_guests(store)}

    asyncio.run(test())
