"""Slow push services, name servers and mail servers: real ones, which hold up nobody but themselves."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from dns.asyncresolver import Resolver
from prometheus_client import REGISTRY

from chouine.server.push import web_push
from chouine.server.push.deliveries import Deliveries, Delivery, site_of
from chouine.server.push.mail import Mailer, letter
from chouine.server.push.turn_notifier import BROWSERS, TurnNotifier
from chouine.server.push.web_push import Sender, Signer, new_secret
from chouine.server.store import Store
from chouine.table.state import TableState
from tests.patience import PATIENCE
from tests.server.push.test_push import (
    AUTH,
    KEY,
    SITE,
    Service,
    friends,
    local_sender,
    made_certificate,
    turns_of,
    wait_until_settled,
    wait_until_true,
)
from tests.server.stores import tables_of, with_store

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
SOON = 1.0
"""A deadline in seconds for services that would take for ever."""


async def dripping_interim(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """An interim response, again and again: each is a sign of life."""
    while True:
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        await asyncio.sleep(0.05)


async def dripping_header(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 201 Created\r\nX: ")
    while True:
        writer.write(b"x")
        await asyncio.sleep(0.05)


async def flooding_interim(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)
        await writer.drain()


async def flooding_header(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 201 Created\r\n")
    while True:
        writer.write(b"X: y\r\n" * 1000)
        await writer.drain()


async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    while await reader.read(4096):
        pass


async def closing(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")


async def no_http(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 mail.example ESMTP\r\n")
    await asyncio.sleep(PATIENCE)


async def endless_body(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"1\r\nx\r\n")
        await writer.drain()


@asynccontextmanager
async def answering(answer: Answer, folder: Path, deadline: float = SOON) -> AsyncIterator[Sender]:
    """A sender to a service that answers so."""
    certificate, key = made_certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answer(reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.transport.abort()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context) as server:
        trusting = ssl.create_default_context(cafile=str(certificate))
        yield local_sender(trusting, server.sockets[0].getsockname()[1], deadline)


@pytest.mark.parametrize(
    "answer", [dripping_interim, dripping_header, flooding_interim, flooding_header, silent, closing, no_http]
)
def test_one_deadline_for_a_whole_delivery(tmp_path: Path, answer: Answer) -> None:
    async def test() -> None:
        async with answering(answer, tmp_path) as sender, asyncio.timeout(PATIENCE):
            with pytest.raises(OSError, match=r".*"):
                await sender.post("https://push.example/1", b"x" * 300, "a")

    asyncio.run(test())


def test_a_body_is_not_read(tmp_path: Path) -> None:
    async def test() -> None:
        async with answering(endless_body, tmp_path, PATIENCE) as sender:
            assert await sender.post("https://push.example/1", b"", "a") == 201

    asyncio.run(test())


def test_a_service_that_accepts_nothing() -> None:
    """Connected by the system, but nobody answers there: the deadline holds for TLS too."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        sender = local_sender(ssl.create_default_context(), server.getsockname()[1], SOON)
        with pytest.raises(TimeoutError):
            asyncio.run(sender.post("https://push.example/1", b"", "a"))


def test_a_name_server_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        resolver = Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], server.getsockname()[1]
        monkeypatch.setattr(web_push, "Resolver", lambda: resolver)
        with pytest.raises(TimeoutError):
            asyncio.run(Sender(deadline=SOON).post("https://push.example/1", b"", "a"))


def test_a_mail_server_that_does_not_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        mailer = Mailer("127.0.0.1", server.getsockname()[1], "chouine@chouine.example", deadline=SOON)
        message = letter(mailer.sender, "anne@loir.example", "a", "b", SITE)
        with pytest.raises(TimeoutError):
            asyncio.run(mailer.send(message))


def test_a_hundred_slow_subscriptions_hold_up_nobody_else(sqlite: str, service: Service) -> None:
    """They are hosts of one domain, of twenty guests; other services are reached meanwhile."""

    async def test(store: Store) -> None:
        turns = turns_of(store, service.sender)
        with socket.create_server(("127.0.0.2", service.sender.port), backlog=200):
            for nth in range(20):
                for browser in range(BROWSERS):
                    endpoint = f"https://{nth}-{browser}.slow.example/"
                    await turns.subscribe(f"guest-{nth}", endpoint, KEY, AUTH)
                await turns.tell(f"guest-{nth}", "/table/x")
            await turns.subscribe("basile", "https://push.example/1", KEY, AUTH)
            await turns.subscribe("basile", "https://0.slow.example/1", KEY, AUTH)
            await friends(turns)
            turns.look()
            await wait_until_true(lambda: service.got)
            assert len(turns.deliveries.waiting) > 90
            await turns.close()
            assert not turns.deliveries.waiting

    service.sender.deadline = 100 * PATIENCE
    with_store(sqlite, test)


def test_a_table_that_is_read_slowly_holds_up_no_other(sqlite: str, service: Service) -> None:
    async def test(store: Store) -> None:
        turns = turns_of(store, service.sender)
        await turns.subscribe("basile", "https://push.example/1", KEY, AUTH)
        slow = await friends(turns)
        await friends(turns)
        read = turns.tables.table

        async def table(table_id: str) -> TableState | None:
            if table_id == slow:
                await asyncio.sleep(100 * PATIENCE)
            return await read(table_id)

        turns.tables.table = table  # type: ignore[method-assign]
        turns.look()
        await wait_until_true(lambda: service.got)
        await turns.close()

    with_store(sqlite, test)


def test_the_loop_ends_with_its_deliveries(sqlite: str, service: Service) -> None:
    """A table that cannot be read is logged and counted, and the loop goes on."""

    async def test(store: Store) -> None:
        turns = TurnNotifier(tables_of(store), Signer(new_secret(), SITE), service.sender, 0.0)
        await friends(turns)

        async def table(_game: str) -> TableState | None:
            raise ZeroDivisionError

        turns.tables.table = table  # type: ignore[method-assign, assignment]
        before = delivery_count("push", "failed")
        turns.look()
        await wait_until_settled(turns)
        assert delivery_count("push", "failed") == before + 1

    with_store(sqlite, test)


def delivery_count(way: str, outcome: str) -> float:
    labels = {"way": way, "outcome": outcome}
    return REGISTRY.get_sample_value("chouine_deliveries_total", labels) or 0.0


def test_few_at_a_time_and_a_bounded_queue() -> None:
    """A recipient, and a site, has its share of the places; of too many that wait, the most crowded site loses one."""

    async def test() -> None:
        deliveries, done, open_ = Deliveries(most=3, each=2, longest=4), list[str](), asyncio.Event()

        def add(recipient: str, site: str) -> None:
            async def make() -> str:
                done.append(site)
                await open_.wait()
                if site == "broken":
                    raise ZeroDivisionError
                return "sent"

            deliveries.add(Delivery("push", recipient, site, make))

        before = (
            delivery_count("push", "dropped"),
            delivery_count("push", "sent"),
            delivery_count("push", "failed"),
        )
        for nth in range(8):
            add(f"guest-{nth}", "slow")
        await asyncio.sleep(0)
        assert (done, len(deliveries.waiting)) == (["slow"] * 2, 4)  # and two are dropped
        add("anne", "quick")
        add("anne", "broken")
        await asyncio.sleep(0)
        assert done == ["slow", "slow", "quick"]
        assert [one.site for one in deliveries.waiting] == ["slow", "slow", "slow", "broken"]
        assert REGISTRY.get_sample_value("chouine_deliveries_waiting") == 4
        open_.set()
        await wait_until_true(lambda: not deliveries.tasks)
        assert sorted(done[3:]) == ["broken", "slow", "slow", "slow"]
        after = (
            delivery_count("push", "dropped"),
            delivery_count("push", "sent"),
            delivery_count("push", "failed"),
        )
        assert [new - old for old, new in zip(before, after, strict=True)] == [3, 6, 1]
        assert not deliveries.busy

    asyncio.run(test())


def test_hosts_of_one_domain_are_one_site() -> None:
    assert site_of("1.2.Evil.example.") == site_of("evil.example") == "evil.example"
    assert site_of("localhost") == "localhost"
