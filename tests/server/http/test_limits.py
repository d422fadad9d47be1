"""Limits per visitor and per address; exceeding them does not affect others."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import msgspec
import pytest
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

from chouine.server import limits as module
from chouine.server.guard import PIECE, BoundedBody, EdgeMiddleware, Stopwatch
from chouine.server.limits import (
    ADDRESS,
    DAY,
    FORGOTTEN,
    LEAST_BUSY,
    PER_ADDRESS,
    STUDIES,
    VISITOR,
    WIDE,
    Limits,
    Rate,
    TimeWindows,
    networks_of,
)
from chouine.server.pages.visit import Settings
from chouine.server.saved import Saved, Schooling, encode_saved
from tests.patience import PATIENCE
from tests.server.serving import ROOT, Served, serving


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that allows eight streams per address."""
    folder: Path = tmp_path_factory.mktemp("strict")
    with serving(f"sqlite:///{folder / 'chouine.db'}", folder / "errors", per_address=8) as server:
        yield server


def test_streams_of_one_address(strict: Served) -> None:
    """Streams beyond the limit are refused, commands still work, and closing a stream makes room for another."""
    host = strict.visit()
    table_id = host.open(**{"chair-1": "heuristic"})
    with httpx.Client(base_url=strict.url, timeout=PATIENCE) as crowd, ExitStack() as held:
        first = held.enter_context(crowd.stream("GET", f"/table/{table_id}/stream"))
        others = [held.enter_context(crowd.stream("GET", f"/table/{table_id}/stream")) for _ in range(7)]
        assert {answer.status_code for answer in (first, *others)} == {200}
        with crowd.stream("GET", f"/table/{table_id}/stream") as beyond:
            assert beyond.status_code == 429
            assert int(beyond.headers["retry-after"]) > 0
        assert host.tell(table_id, "speak", 0, phrase="hello").json()["ok"]
        others.pop().close()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with crowd.stream("GET", f"/table/{table_id}/stream") as again:
                if again.status_code == 200:
                    return
        raise AssertionError("no room was made")


def test_tables_of_one_visitor(strict: Served) -> None:
    """A visitor who sets too many tables is refused with a page that says why."""
    host, friend = strict.visit(), strict.visit()
    new = {"format": "1x1", "chair-0": "me", "chair-1": "friend"}
    codes = [host.post("/new", **new).status_code for _ in range(VISITOR["tables"].most + 1)]
    assert codes == [303] * VISITOR["tables"].most + [429]
    assert "trop vite" in host.post("/new", **new).text.lower() or "too fast" in host.post("/new", **new).text
    assert friend.post("/new", **new).status_code == 303


def test_a_revanche_is_a_table_too(served: Served) -> None:
    """Who forfeits at once and wants a revanche, again and again, opens no more tables than by the form."""
    host, codes = served.visit(), []
    table_id = host.open(**{"chair-1": "heuristic"})
    for _ in range(VISITOR["tables"].most):
        assert host.tell(table_id, "forfeit", 0).status_code == 200
        codes.append(host.tell(table_id, "revanche", 0).status_code)
        table_id = hashlib.sha256(f"{table_id} revanche".encode()).hexdigest()[:32]
    assert codes == [200] * (VISITOR["tables"].most - 1) + [429]


def test_tables_of_computers_alone(served: Served) -> None:
    """Matches between computers are limited in length and, per visitor, in number."""
    host, most = served.visit("en"), VISITOR["watched"].most
    watched = {"chair-0": "level:1", "chair-1": "level:2", "format": "1x1"}
    endless = host.post("/new", **watched | {"format": "6x2"})
    assert (endless.status_code, "to 5 parties at most" in endless.text) == (422, True)
    assert [host.post("/new", **watched).status_code for _ in range(most + 1)] == [303] * most + [429]
    assert host.post("/new", **watched | {"chair-0": "me", "format": "6x2"}).status_code == 303


def test_uploads_of_one_visitor(served: Served) -> None:
    """Refused matches count too, since they cost the server as much."""
    browser, most = served.visit(), VISITOR["carried"].most
    csrf = browser.forms()[0].fields["csrf"]
    sent = {"match": ("match", b"x")}
    codes = [
        browser.http.post("/offline/carry", data={"csrf": csrf}, files=sent).status_code
        for _ in range(most + 1)
    ]
    assert codes == [422] * most + [429]


@pytest.mark.parametrize(
    ("what", "path", "fields"),
    [
        ("contests", "/contests", {"title": "Essai", "format": "never"}),
        ("entries", "/contests/{contest}", {"what": "enter", "name": "Odile"}),
    ],
)
def test_contests_of_one_visitor(served: Served, what: str, path: str, fields: dict[str, str]) -> None:
    """Refused requests count towards the limit too, since they cost the server as much."""
    owner, most = served.visit(), VISITOR[what].most
    opened = owner.post("/contests", title="Essai", format="1x1", kind="lavardin")
    where = path.format(contest=opened.headers["location"].removeprefix("/contests/"))
    other = served.visit()
    codes = [other.post(where, **fields).status_code for _ in range(most + 1)]
    assert 429 not in codes[:-1]
    assert codes[-1] == 429


def test_commands_of_one_visitor(strict: Served) -> None:
    host = strict.visit()
    friend = strict.visit()
    table_id = friend.open()
    answers = [host.tell(table_id, "pick", 0, place="1") for _ in range(VISITOR["commands"].most + 1)]
    assert [answer.status_code for answer in answers] == [403] * VISITOR["commands"].most + [429]
    assert answers[-1].json()["code"] == "too-fast"
    assert friend.tell(table_id, "speak", 0, phrase="hello").status_code == 200


def test_a_first_visit_is_not_stored(tmp_path: Path) -> None:
    """Visits without a cookie store no session; a remembered name stores one."""
    database = tmp_path / "chouine.db"

    def rows() -> int:
        with closing(sqlite3.connect(database)) as connection:
            return int(connection.execute("select count(*) from session").fetchone()[0])

    with serving(f"sqlite:///{database}", tmp_path / "errors") as served:
        for _ in range(20):
            served.visit()
        assert rows() == 0
        host = served.visit()
        friend = served.visit()
        table_id = host.open(**{"name-0": "Jean"})
        assert rows() == 1
        friend.sit(host.links(table_id)[1], "Ami")
        assert friend.tell(table_id, "pick", 1, place="3").json()["ok"]
        assert 'value="Jean"' in host.get("/").text


def test_browsers_of_one_address(tmp_path: Path) -> None:
    """An address that has stored many browsers is refused before a form does anything; known browsers are served."""
    database, new = tmp_path / "chouine.db", {"format": "1x1", "chair-0": "me", "chair-1": "friend"}
    most = ADDRESS["sessions"].most
    with (
        serving(f"sqlite:///{database}", tmp_path / "errors", per_address=1) as served,
        closing(sqlite3.connect(database)) as connection,
    ):

        def rows(table: str) -> int:
            return int(connection.execute(f"select count(*) from {table}").fetchone()[0])  # noqa: S608

        csrf = served.visit()
        codes = []
        for nth in range(most + 3):
            csrf.http.cookies.clear()
            page = csrf.get("/settings")
            codes.append(csrf.submit(csrf.form("/settings"), large="on", back="/rules").status_code)
            assert page.status_code == 200, nth
        assert (codes, rows("session")) == ([200] * most + [429] * 3, most)
        fresh = served.visit()
        assert (fresh.post("/new", **new).status_code, rows("game")) == (429, 0)


def test_only_what_differs_from_the_defaults_is_stored() -> None:
    assert encode_saved(Saved()) == b"{}"
    assert encode_saved(Saved(name="Jean", level=3)) == b'{"name":"Jean","level":3}'
    for saved in (Saved(), Saved(settings=Settings(sound=True), school=Schooling(solved=("a",)))):
        assert msgspec.json.decode(encode_saved(saved), type=Saved) == saved


def test_a_cookie_of_ones_own_making_is_nobody(tmp_path: Path) -> None:
    """A forged or altered session cookie is replaced and gives no right to a seat."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        host = served.visit()
        table_id = host.open()
        (name,) = host.http.cookies
        own = host.cookie
        for forged in (
            "x" * 43,
            own[:-1] + ("0" if own[-1] != "0" else "1"),
            own.partition(".")[0],
            "." * 200,
        ):
            answer = httpx.get(served.url, cookies={name: forged})
            assert answer.cookies[name] not in (forged, own)
            data = {"csrf": host.csrf, "seat": "0", "place": "3"}
            told = httpx.post(f"{served.url}/table/{table_id}/pick", data=data, cookies={name: forged})
            assert told.status_code == 403


def at(host: str) -> Scope:
    """A request from an address."""
    return {"type": "http", "client": (host, 1)}


def is_refused(limits: Limits, what: str, host: str, weight: int = 1) -> bool:
    try:
        limits.of_address(what, at(host), weight)
    except HTTPException as error:
        return error.status_code == 429
    return False


def test_addresses_are_counted_by_network() -> None:
    assert networks_of(at("192.0.2.7")) == (("192.0.2.7", 1),) == networks_of(at("::ffff:192.0.2.7"))
    assert networks_of(at("2001:db8:1:2:3::4")) == (("2001:db8:1::/48", WIDE), ("2001:db8:1:2::/64", 1))
    assert networks_of({"type": "http", "client": None}) == (("", 1),)
    assert networks_of(at("a-socket")) == (("a-socket", 1),)


def test_who_has_many_networks_is_one_network() -> None:
    """All /64 of an IPv6 /48 share a few times what one may do, and beyond it add nothing to the counters."""
    limits = Limits(per_address=1)
    most = ADDRESS["waits"].most
    assert [is_refused(limits, "waits", "2001:db8::1") for _ in range(most + 1)] == [False] * most + [True]
    others = [is_refused(limits, "waits", f"2001:db8:0:{nth:x}::1") for nth in range(1, 1000)]
    assert others.count(False) <= most * WIDE
    assert not any(others[: most * (WIDE - 1) - 1])
    assert len(limits.windows.counts) <= most * WIDE + 2
    assert not is_refused(limits, "waits", "2001:db8:1::1")


def test_streams_of_many_networks() -> None:
    limits = Limits(per_address=2)
    with ExitStack() as held:
        for nth in range(2 * WIDE):
            held.enter_context(limits.stream(at(f"2001:db8:0:{nth:x}::1")))
        with pytest.raises(HTTPException):
            held.enter_context(limits.stream(at("2001:db8:0:ffff::1")))
        held.enter_context(limits.stream(at("2001:db8:1::1")))
    assert not limits.streams
    assert limits.open == 0


def test_long_computations_of_many_networks() -> None:
    limits = Limits(per_address=1)
    limits.studies(3 * WIDE - 1, 2, 2)
    for pending in ((3 * WIDE, 0, 0), (3, 3, 0), (3, 2, 3)):
        with pytest.raises(HTTPException):
            limits.studies(*pending)


def test_bytes_are_counted_by_weight() -> None:
    limits, most = Limits(per_address=1), ADDRESS["bytes"].most
    assert not is_refused(limits, "bytes", "192.0.2.7", most)
    assert is_refused(limits, "bytes", "192.0.2.7", 1)
    assert not is_refused(limits, "bytes", "192.0.2.8", most)


def test_what_is_sent_without_a_token_has_weight(tmp_path: Path) -> None:
    """A form is parsed before its token is known: an address that only sends is refused before that."""
    rubbish, kind = "&" * 64_000, "application/x-www-form-urlencoded"
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", per_address=1) as served:
        browser = served.visit()
        headers = {"content-type": kind, "origin": served.url}
        codes = [
            browser.http.post("/learn/progress", content=rubbish, headers=headers).status_code
            for _ in range(ADDRESS["bytes"].most // len(rubbish) + 1)
        ]
    assert codes == [400] * (len(codes) - 1) + [429]


def test_no_request_pays_for_many_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many windows have ended, a request forgets a few."""
    now = [1000.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    windows = TimeWindows()
    for nth in range(1000):
        windows.hit(Rate(1, 10), "asks", f"k{nth}")
    now[0] += 3600
    for nth in range(1, 11):
        windows.hit(Rate(1, 10), "asks", "one")
        assert len(windows.counts) == 1001 - nth * FORGOTTEN
    for _ in range(1000):
        windows.hit(Rate(1, 10), "asks", "one")
    assert len(windows.counts) == 1
    assert sum(map(len, windows.ending.values())) == 1


def test_what_is_counted_is_bounded_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    monkeypatch.setattr(module, "MOST_KEYS", 100)
    windows, twice = TimeWindows(), Rate(2, 10)
    assert [windows.hit(twice, "asks", "a") for _ in range(3)] == [True, True, False]
    assert windows.hit(twice, "asks", "b")
    now[0] += 10
    assert windows.hit(twice, "asks", "a")
    now[0] += 61
    windows.hit(twice, "asks", "b")
    assert list(windows.counts) == [("asks", "b")]
    for nth in range(1000):
        windows.hit(twice, "asks", f"k{nth}")
        assert len(windows.counts) <= 100


def test_of_too_many_counters_the_longest_lasting_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood of new visitors does not make the server forget who is over a limit."""
    monkeypatch.setattr(module, "MOST_KEYS", 100)
    windows = TimeWindows()
    assert windows.hit(Rate(1, 3600), "watched", "address")
    for nth in range(1000):
        assert windows.hit(Rate(2, 10), "asks", f"k{nth}")
        assert len(windows.counts) <= 100
    assert not windows.hit(Rate(1, 3600), "watched", "address")
    assert not [windows.hit(Rate(2, 10), "asks", "k999") for _ in range(2)][-1]


def test_who_is_refused_by_one_limit_is_not_counted_by_the_other() -> None:
    """An address beyond its limit adds no visitors, and a visitor beyond theirs leaves the address to others."""

    def answer(guest: str) -> int:
        try:
            limits.count("pushes", guest, at("192.0.2.7"))
        except HTTPException as error:
            return error.status_code
        return 200

    limits = Limits(per_address=3)
    most = VISITOR["pushes"].most
    assert [answer("greedy") for _ in range(most + 30)] == [200] * most + [429] * 30
    assert [answer("another") for _ in range(10)] == [200] * 10
    for nth in range(100):
        assert answer(f"fresh-{nth}") == 429
    assert {whose for what, whose in limits.windows.counts} == {"greedy", "another", "192.0.2.7"}


def test_a_hall_behind_one_address() -> None:
    """All limits of an address scale with its number of streams."""
    home, hall = Limits(20), Limits(2000)
    for what in ("tables", "watched", "commands", "requests"):
        assert hall.address[what].most == 100 * home.address[what].most


def test_the_numbers_are_those_that_operators_read() -> None:
    periods = {10: "in 10 seconds", 600: "in 10 minutes", 60: "a minute", 3600: "an hour", DAY: "a day"}
    limits = Limits()

    def told(rates: dict[str, Rate], what: str, thing: str = "") -> str:
        most, seconds = rates[what]
        return f"{most:,}{thing} {periods[seconds]}"

    page = (ROOT / "docs/security.md").read_text("utf-8")
    for sentence in (
        (
            f"a visitor {told(VISITOR, 'tables', ' tables')} and {told(VISITOR, 'commands', ' commands')};"
            f" {told(VISITOR, 'watched', ' tables of computers alone')}"
        ),
        (
            f"an address {PER_ADDRESS} streams, {told(limits.address, 'tables', ' tables')},"
            f" {told(limits.address, 'watched', ' of computers alone')},"
            f" {told(limits.address, 'carried', ' matches played offline and uploaded')}"
        ),
        (
            f"{limits.address['commands'].most} commands and {told(limits.address, 'requests', ' requests')},"
            f" and {limits.address['busy'].most // 1000} seconds of the event loop's time"
            f" in {limits.address['busy'].seconds}"
        ),
        (
            f"a visitor announces {told(VISITOR, 'contests', ' contests')} and enters {told(VISITOR, 'entries')},"
            f" opens {told(VISITOR, 'reviews', ' reviews')} and waits for {STUDIES} studies"
        ),
        (
            f"an address announces {told(limits.address, 'contests', ' contests')} and enters"
            f" {told(limits.address, 'entries')}, opens {told(limits.address, 'reviews', ' reviews')},"
            f" and waits for {STUDIES * PER_ADDRESS} studies"
        ),
    ):
        assert sentence in page


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

        async def whole() -> None:
            await watch

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(whole(), 0.01)
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

    async def test() -> int:
        receive, pieces = BoundedBody(dribbling), 0
        try:
            while pieces < 100:
                await receive()
                pieces += 1
        except HTTPException as refused:
            return pieces if refused.status_code == 408 else 0
        return pieces

    assert 0 < asyncio.run(test()) < 8
