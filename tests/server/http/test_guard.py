"""The guard before the application: how many requests it lets in, what each may cost, and how bodies come and go."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

from chouine.server import limits as module
from chouine.server.guard import PIECE, BoundedBody, EdgeMiddleware, Stopwatch
from chouine.server.limits import LEAST_BUSY, Limits
from tests.patience import PATIENCE


def test_more_than_can_be_answered_is_told_to_come_again() -> None:
    """Requests beyond the limit get 503; answered requests, streams and failures no longer count."""
    let, fails = asyncio.Event(), False

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        if fails:
            raise ValueError
        await let.wait()
        await PlainTextResponse("well")(scope, receive, send)

    async def test() -> None:
        nonlocal fails
        guard = EdgeMiddleware(slow, Limits(), most=3)
        transport = httpx.ASGITransport(guard)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as crowd:
            asking = [asyncio.create_task(crowd.get("/")) for _ in range(3)]
            while guard.unanswered < 3:  # noqa: ASYNC110  # nobody tells
                await asyncio.sleep(0.01)
            beyond = await crowd.get("/")
            assert (beyond.status_code, beyond.headers["retry-after"]) == (503, "2")
            watching = asyncio.create_task(crowd.get("/health"))
            let.set()
            answers = [await each for each in (*asking, watching)]
            assert [each.status_code for each in answers] == [200] * 4
            fails = True
            assert [(await crowd.get("/")).status_code for _ in range(5)] == [500] * 5
            fails = False
            assert (await crowd.get("/")).status_code == 200

    asyncio.run(test())


def test_who_keeps_the_loop_busy_is_refused_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts is the loop's own work until the response begins: no waiting, and no stream that goes on."""
    monkeypatch.setattr(module, "monotonic", lambda: 1000.0)
    most = LEAST_BUSY / 1000

    async def work_for(seconds: float) -> None:
        until = time.thread_time() + seconds
        while time.thread_time() < until:
            pass
        await asyncio.sleep(0.01)

    async def work(scope: Scope, receive: Receive, send: Send) -> None:
        for _ in range(2 * (scope["path"] == "/heavy")):
            await work_for(most / 8)
        await asyncio.sleep(most / 4)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        if scope["path"] == "/later":
            await work_for(most / 4)
        await send({"type": "http.response.body", "body": b""})

    async def test() -> None:
        guard = EdgeMiddleware(work, Limits(per_address=1))
        heavy, other = (
            httpx.AsyncClient(
                transport=httpx.ASGITransport(guard, client=(address, 1)), base_url="http://test"
            )
            for address in ("1.2.3.4", "1.2.3.5")
        )
        assert [(await other.get("/later")).status_code for _ in range(5)] == [200] * 5
        assert [(await heavy.get("/heavy")).status_code for _ in range(5)] == [200] * 4 + [429]
        assert (await heavy.get("/")).status_code == 429
        assert [(await heavy.get(path)).status_code for path in ("/static/no", "/health")] == [429] * 2
        assert (await other.get("/")).status_code == 200

    asyncio.run(test())


def test_who_watches_nearby_is_always_answered() -> None:
    """A proxy whose visitors share its address must not take a busy node for a dead one."""

    async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def test() -> None:
        limits = Limits(per_address=1)
        guard = EdgeMiddleware(answer, limits)
        transport = httpx.ASGITransport(guard, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as proxy:
            scope = {"type": "http", "client": ("127.0.0.1", 1), "headers": []}
            limits.spend("busy", scope, 1_000_000)
            assert (await proxy.get("/")).status_code == 429
            assert [(await proxy.get(path)).status_code for path in ("/ready", "/health")] == [200] * 2
            by_a_visitor = {"X-Forwarded-For": "1.2.3.4"}
            assert (await proxy.get("/ready", headers=by_a_visitor)).status_code == 429

    asyncio.run(test())


def test_a_cancelled_request_is_counted_and_ends() -> None:
    ended = []

    async def work() -> None:
        try:
            await asyncio.sleep(PATIENCE)
        finally:
            ended.append(True)

    async def test() -> None:
        watch = Stopwatch(work())

        async def wait() -> None:
            await watch

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(wait(), 0.01)
        assert ended
        assert 0 < watch.seconds < PATIENCE

    asyncio.run(test())


@pytest.mark.parametrize("size", [0, 1, PIECE, PIECE + 1, 5 * PIECE])
def test_a_large_body_waits_for_its_reader_piece_by_piece(size: int) -> None:
    """Sent at once, it would lie in memory for every reader who takes nothing: 2 MB for the sources of the game."""
    taken = asyncio.Event()
    got: list[Message] = []

    async def send(message: Message) -> None:
        got.append(message)
        await taken.wait()

    async def test() -> None:
        guard = EdgeMiddleware(Response(bytes(range(256)) * (size // 256) + b"x" * (size % 256)), Limits())
        scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"x")], "scheme": "http"}
        answering = asyncio.create_task(guard(scope | {"client": ("192.0.2.7", 1)}, receive, send))
        await asyncio.sleep(0.01)
        assert sum(len(each.get("body", b"")) for each in got) <= PIECE
        taken.set()
        await answering

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    asyncio.run(test())
    bodies = got[1:]
    assert b"".join(each["body"] for each in bodies) == bytes(range(256)) * (size // 256) + b"x" * (
        size % 256
    )
    assert [each.get("more_body", False) for each in bodies] == [True] * (len(bodies) - 1) + [False]
    assert len(bodies) == max(1, -(-size // PIECE))


def test_who_is_slow_to_send_takes_nobodys_place() -> None:
    """Requests whose bodies have not arrived do not count as unanswered."""
    let = asyncio.Event()

    begun: list[Scope] = []

    async def reading(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "POST":
            begun.append(scope)
            await receive()
        await PlainTextResponse("well")(scope, receive, send)

    async def body() -> AsyncIterator[bytes]:
        await let.wait()
        yield b"a=b"

    async def test() -> None:
        guard = EdgeMiddleware(reading, Limits(), most=3)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url="http://test") as crowd:
            writing = [asyncio.create_task(crowd.post("/", content=body())) for _ in range(10)]
            while len(begun) < 10:  # noqa: ASYNC110  # nobody tells
                await asyncio.sleep(0.01)
            assert (await crowd.get("/")).status_code == 200
            let.set()
            assert [(await each).status_code for each in writing] == [200] * 10
        assert guard.unanswered == 0

    asyncio.run(test())


def test_a_body_has_one_time_for_all_its_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chouine.server.guard.SLOWEST", 1.0)

    async def dribbling() -> Message:
        await asyncio.sleep(0.15)
        return {"type": "http.request", "body": b"a", "more_body": True}

    pieces = list[Message]()

    async def test() -> None:
        receive = BoundedBody(dribbling)
        while len(pieces) < 100:
            pieces.append(await receive())

    with pytest.raises(HTTPException) as refused:
        asyncio.run(test())
    assert refused.value.status_code == 408
    assert len(pieces) < 8
