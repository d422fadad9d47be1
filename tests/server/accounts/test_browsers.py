"""Who is signed in, as several nodes know it: moves ask no database, and whoever is signed out is so on every node."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request

from chouine.server.accounts import browsers as accounts
from chouine.server.accounts.browsers import Browsers
from chouine.server.accounts.members import BROWSERS, Members
from chouine.server.contest.online import Contests
from chouine.server.erasure import erase
from chouine.server.routes.context import Context
from chouine.server.saved import SavedState
from chouine.server.store import Store
from chouine.server.visitors import Secrets, Visitor, stored_as
from tests.server.stores import Clock, tables_of, with_store

NOBODY = Visitor("x", "0" * 32, SavedState(), new=False)


def node(store: Store) -> Members:
    """A node on the database, which has looked."""
    tables = tables_of(store)
    return Members(tables, Contests(store, Clock()), Browsers(tables))


def request_of(members: Members, held: Secrets, token: str) -> Request:
    """A command with a member's cookie, as a node gets it."""
    nobody = SimpleNamespace(note_asked=lambda _guest: None)
    services = SimpleNamespace(browsers=members.browsers, secrets=held, tables=members.tables, people=nobody)
    app = SimpleNamespace(state=SimpleNamespace(services=services))
    cookie = f"chouine-{held.instance}-member={token}".encode()
    return Request({"type": "http", "scheme": "http", "headers": [(b"cookie", cookie)], "app": app})


def test_a_move_looks_nothing_up(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first request of a member's browser asks the database, commands after it do not; without an account never."""
    asked: list[object] = []

    async def test(store: Store) -> None:
        read = store.database.read

        async def record_and_read(query: Any) -> Any:
            asked.append(query)
            return await read(query)

        members, held = node(store), Secrets("key")
        await members.browsers.look()
        guest = await members.begin()
        token = held.token()
        await members.sign_in(guest, token, "", NOBODY, joins=False)
        monkeypatch.setattr(store.database, "read", record_and_read)
        request = request_of(members, held, token)
        assert (await Context.of_command(request)).visitor.guest == guest
        assert len(asked) == 1
        for _ in range(5):
            assert (await Context.of_command(request)).visitor.guest == guest
        assert len(asked) == 1
        stranger = request_of(members, held, "")
        stranger.scope["headers"] = [(b"cookie", f"chouine-{held.instance}={held.token()}".encode())]
        assert not (await Context.of_command(stranger)).visitor.member
        assert len(asked) == 1

    with_store(sqlite, test)


def test_signing_out_holds_on_every_node(database: str) -> None:
    """When signing out has answered, no node takes the browser's commands, whether it could look meanwhile or not."""

    async def test(store: Store) -> None:
        here, there, cut_off = node(store), node(store), node(store)
        held, nodes = Secrets("key"), (here, there, cut_off)
        guest = await here.begin()
        tokens = [held.token() for _ in range(3)]
        for token in tokens:
            await here.sign_in(guest, token, "Firefox, Linux", NOBODY, joins=False)
        for one in nodes:
            await one.browsers.look()
            for token in tokens:
                assert (await Context.of_command(request_of(one, held, token))).visitor.guest == guest
        looking = asyncio.create_task(there.browsers.run())
        moved = asyncio.Event()
        with there.tables.watching("a table", moved):
            assert await here.browsers.sign_out(guest, only=stored_as(tokens[0])) == 1
            if store.database.dialect == "sqlite":  # one node alone; others are waited for
                await asyncio.sleep(accounts.FRESH)
            assert moved.is_set()
        for one in nodes:
            visitor = (await Context.of_command(request_of(one, held, tokens[0]))).visitor
            assert (visitor.member, visitor.ended) == (False, True)
            assert visitor.guest != guest
            assert (await Context.of_command(request_of(one, held, tokens[1]))).visitor.guest == guest
        assert await here.browsers.sign_out(guest, but=stored_as(tokens[1])) == 1
        assert [row.token for row in await here.browsers.list_of(guest)] == [stored_as(tokens[1])]
        await erase(there.tables, there.contests, guest)
        await here.browsers.look()
        assert not (await Context.of_command(request_of(here, held, tokens[1]))).visitor.member
        looking.cancel()

    with_store(database, test)


def test_who_is_signed_out_while_a_node_reads_is_not_remembered(sqlite: str) -> None:
    """The row was read before, and is used after: for that request alone."""

    async def test(store: Store) -> None:
        members = node(store)
        guest, token = await members.begin(), "token"
        await members.sign_in(guest, token, "", NOBODY, joins=False)
        await members.browsers.look()
        read = store.database.read

        async def late(query: Any) -> Any:
            row = await read(query)
            store.database.read = read  # type: ignore[method-assign]
            await members.browsers.sign_out(guest)
            return row

        store.database.read = late  # type: ignore[method-assign]
        assert await members.browsers.find(stored_as(token)) is not None
        assert members.browsers.guest_of(stored_as(token)) is None
        assert await members.browsers.find(stored_as(token)) is None

    with_store(sqlite, test)


def test_an_account_has_so_many_browsers_and_no_more(sqlite: str) -> None:
    """The one seen longest ago goes; cards replace each other."""

    async def test(store: Store) -> None:
        members = node(store)
        guest = await members.begin()
        for nth in range(BROWSERS + 2):
            await members.sign_in(guest, f"token {nth}", "", NOBODY, joins=False)
            members.tables.clock.now += 1  # type: ignore[attr-defined]
        found = {row.token for row in await members.browsers.list_of(guest)}
        assert len(found) == BROWSERS
        assert stored_as("token 0") not in found
        assert await members.add_card(guest) != await members.add_card(guest)
        assert len(await members.credentials(guest)) == 1

    with_store(sqlite, test)
