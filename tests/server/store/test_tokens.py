"""Tokens and bots in the store, on both databases."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from chouine.names import NameRefused
from chouine.server.accounts.merging import merge_guests
from chouine.server.contest.online import Contests
from chouine.server.partners import Partners
from chouine.server.personal import parts_of
from chouine.server.schema import access
from chouine.server.store import Store
from chouine.server.tokens import DAY, MOST, SCOPES, TokenRefused, Tokens
from tests.server.matches import opening
from tests.server.stores import Clock, tables_of, with_store

ANNE, BOT_GUEST = "a" * 32, "b" * 32


def test_a_token_is_known_by_its_digest_until_it_is_revoked(database: str) -> None:
    clock = Clock()

    async def test(store: Store) -> None:
        tokens = Tokens(store, clock)
        token = await tokens.make(ANNE, "Mon programme", ("matches", "play", "nonsense"))
        (row,) = await tokens.of(ANNE)
        assert token not in map(str, row)
        holder = await tokens.holder(token)
        assert holder is not None
        assert (holder.guest, holder.scopes, holder.name, holder.bot) == (
            ANNE,
            frozenset({"play", "matches"}),
            "Mon programme",
            "",
        )
        for other in (
            "",
            token[:-1],
            token + "x",
            token.upper(),
            row.digest,
            "chouine_" + "é" * 43,
            f"{token}\n",
        ):
            assert await tokens.holder(other) is None
        await tokens.revoke(BOT_GUEST, row.id)
        assert await tokens.holder(token) is not None, "another's form ends none"
        await tokens.revoke(ANNE, row.id)
        assert await tokens.holder(token) is None

    with_store(database, test)


def test_the_day_of_the_last_use_is_noted_and_no_more(database: str) -> None:
    clock = Clock()

    async def test(store: Store) -> None:
        tokens = Tokens(store, clock)
        await tokens.become_bot(BOT_GUEST, "Loir")
        token = await tokens.make(BOT_GUEST, "x", SCOPES)
        begun = clock.now
        for later, noted in ((DAY / 2, begun), (DAY + 1, begun + DAY + 1), (DAY + 2, begun + DAY + 1)):
            clock.now = begun + later
            await tokens.holder(token)
            (row,) = await tokens.of(BOT_GUEST)
            assert row.seen == noted
            parts = await parts_of(store, BOT_GUEST)
            assert parts["tokens"][0]["seen"] == parts["bots"][0]["seen"]

    with_store(database, test)


def test_tokens_are_few_and_named(database: str) -> None:
    async def test(store: Store) -> None:
        tokens = Tokens(store, Clock())
        for _ in range(MOST):
            await tokens.make(ANNE, "x", SCOPES)
        for name, scopes, code in (
            ("x", SCOPES, "too-many"),
            ("", SCOPES, "no-name"),
            ("x", (), "no-scope"),
            ("x", ("all",), "no-scope"),
        ):
            with pytest.raises(TokenRefused) as refused:
                await tokens.make(ANNE, name, scopes)
            assert refused.value.code == f"token/{code}"

    with_store(database, test)


def test_a_bot_is_made_once_of_who_never_played(database: str) -> None:
    async def test(store: Store) -> None:
        tokens, tables = Tokens(store, Clock()), tables_of(store)
        assert await tokens.become_bot(BOT_GUEST, "Loir") == "BOT Loir"
        assert await tokens.bot_name(BOT_GUEST) == "BOT Loir"
        await tables.open(opening())
        await Partners(store, Clock()).wait(ANNE, "Anne")
        for guest, name, code in (
            (BOT_GUEST, "Cher", "is-bot"),
            ("c" * 32, "Loir", "name-taken"),
            ("guest-0", "Cher", "has-played"),
            (ANNE, "Cher", "has-played"),
            ("c" * 32, " ", "no-name"),
        ):
            with pytest.raises((TokenRefused, NameRefused)) as refused:
                await tokens.become_bot(guest, name)
            assert refused.value.code in (f"token/{code}", "name/blank")

    with_store(database, test)


def test_two_at_once_make_one_bot(database: str) -> None:
    async def test(store: Store) -> None:
        tokens = Tokens(store, Clock())
        asked = [tokens.become_bot(guest * 32, "Loir") for guest in "cd"]
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert sorted(isinstance(each, TokenRefused) for each in found) == [False, True]

    with_store(database, test)


def test_signing_out_elsewhere_ends_tokens_and_a_bot_stays_one(database: str) -> None:
    async def test(store: Store) -> None:
        tokens = Tokens(store, Clock())
        await tokens.become_bot(BOT_GUEST, "Loir")
        token = await tokens.make(BOT_GUEST, "x", SCOPES)
        await tokens.revoke_all(BOT_GUEST)
        tables = tables_of(store)
        await merge_guests(tables, Contests(store, tables.clock), BOT_GUEST, ANNE, "digest")
        assert await tokens.holder(token) is None
        assert await tokens.bot_name(ANNE) == "BOT Loir"

    with_store(database, test)


def test_no_token_lies_in_the_file(sqlite: str) -> None:
    async def test(store: Store) -> str:
        token = await Tokens(store, Clock()).make(ANNE, "x", SCOPES)
        assert await store.database.read(lambda connection: connection.scalar(sa.select(access.c.digest)))
        return token

    token = with_store(sqlite, test)
    file = Path(sqlite.partition(":///")[2])
    for part in (file, file.with_name(f"{file.name}-wal")):
        assert not part.exists() or token.encode() not in part.read_bytes()
