"""Parties brought as files, on both databases: stored, moved to a new cookie, reviewed, erased, too old."""

from __future__ import annotations

import sqlalchemy as sa

from chouine.server.accounts.merging import merge_guests
from chouine.server.contest.online import Contests
from chouine.server.erasure import erase_again
from chouine.server.imports import KEPT, imported_table, read_file, row_of, text_of
from chouine.server.retention import DAY, RetentionDays, count_aged, remove_aged
from chouine.server.schema import erasure, imported, imported_review
from chouine.server.store import Store
from tests.browser import moments
from tests.server.stores import tables_of, with_store

LAST = moments.LAST_CARD
LINE = f"{LAST.rules} {LAST.deal} : {LAST.played} Tc"
OWNER, OTHER = "a" * 32, "b" * 32


async def bring(store: Store, at: float = 5.0, guest: str = OWNER) -> str:
    """Bring a file that has a NUL in a comment, and review its partie."""
    row = row_of(read_file(text_of(b"{ \0 \xc3\xa9 }\n" + LINE.encode())), guest, at)
    assert await store.keep_imports(guest, [row, row], KEPT)
    await store.keep_review(str(row["id"]), 1, b"review")
    return str(row["id"])


async def rows(store: Store) -> int:
    def count(connection: sa.Connection) -> int:
        tables = imported, imported_review
        return sum(
            connection.execute(sa.select(sa.func.count()).select_from(one)).scalar_one() for one in tables
        )

    return await store.database.read(count)


def test_it_is_stored_and_erased_by_its_owner_alone(database: str) -> None:
    async def test(store: Store) -> None:
        which = await bring(store)
        kept = await store.import_named(which)
        assert kept is not None
        table = imported_table(*kept)
        assert (table.owner, table.since, len(table.played)) == (OWNER, 5.0, 1)
        assert await store.reviews(which) == {1: b"review"}
        assert [one[0] for one in await store.imports_of(OWNER)] == [which]
        assert not await store.imports_of(OTHER)
        await store.forget_import(which, OTHER)
        assert await rows(store) == 2
        await store.forget_import(which, OWNER)
        assert await rows(store) == 0

    with_store(database, test)


def test_it_moves_with_its_owner(database: str) -> None:
    async def test(store: Store) -> None:
        which = await bring(store)
        tables = tables_of(store)
        await merge_guests(tables, Contests(store, tables.clock), OWNER, OTHER, "token")
        assert [one[0] for one in await store.imports_of(OTHER)] == [which]

    with_store(database, test)


def test_it_goes_with_its_review_when_it_is_old(database: str) -> None:
    async def test(store: Store) -> None:
        now = await store.now()
        await bring(store, now - 401 * DAY)
        await bring(store, now, OTHER)
        assert (await count_aged(store, RetentionDays()))["imports"][0] == 1
        await remove_aged(store, RetentionDays())
        assert await rows(store) == 2

    with_store(database, test)


def test_it_goes_if_an_older_version_erased_its_owner(database: str) -> None:
    async def test(store: Store) -> None:
        await bring(store, await store.now())
        noted = erasure.insert().values(guest=OWNER, at=await store.now())
        await store.database.write(lambda connection: connection.execute(noted))
        await erase_again(store)
        assert await rows(store) == 0

    with_store(database, test)
