"""HEAD is answered wherever GET is, as mail scanners and link previews ask: with nothing stored, begun or taken."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from chouine.contest import ContestOpened, commit, formula_for
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.start import Start
from chouine.server.guard import EdgeMiddleware
from chouine.server.limits import Limits
from chouine.server.routes.addresses import routes
from tests.attack.conftest import deal
from tests.patience import PATIENCE
from tests.server.addresses import address_at
from tests.server.serving import Browser, RunningServer, serving

OTHER = ("content-length", "transfer-encoding", "set-cookie", "date", "location")
"""Headers that two equal requests may not share: each page has a new form token, and practice draws a problem."""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, Path]]:
    """A server of this module alone, and its database."""
    folder: Path = tmp_path_factory.mktemp("head")
    with serving(f"sqlite:///{folder / 'chouine.db'}", folder / "errors") as server:
        yield server, folder / "chouine.db"


def content(database: Path) -> list[str]:
    """All that is stored except the signs of life."""
    with closing(sqlite3.connect(database)) as connection:
        return [line for line in connection.iterdump() if "'alive" not in line]


def addresses(host: Browser, table_id: str) -> list[str]:
    """An address of each route, found where one can be."""
    (*_, link) = host.links(table_id).values()
    secret = link.rpartition("/")[2]
    found = [
        address_at(route.path_format, table_id, seat=1, secret=secret)
        for route in routes
        if "GET" in (route.methods or ())
    ]
    return [*found, "/static/css/base.css", "/nowhere", "/settings?back=/rules", "/join/x/1/y"]


def test_every_route_answers_head_as_get(there: tuple[RunningServer, Path]) -> None:
    """The same status and headers without a body, a stream at once; nothing in the database changes."""
    server, database = there
    host, stranger = server.visit(), server.visit("en")
    friend, over, open_ = server.visit(), host.open(format="1x1"), host.open()
    friend.sit(host.links(over)[1])
    deal(host, friend, over)
    assert host.tell(over, "concede", 0).json()["ok"]
    paths = [path for table_id in (over, open_) for path in addresses(host, table_id)]
    asked = [(browser, path) for browser in (host, stranger) for path in paths]
    before = content(database)
    heads = [browser.http.head(path, follow_redirects=False) for browser, path in asked]
    assert content(database) == before
    for (browser, path), head in zip(asked, heads, strict=True):
        with browser.http.stream("GET", path, follow_redirects=False) as whole:
            assert head.status_code == whole.status_code, path
            assert head.content == b""
            kept = [
                {name: value for name, value in answer.headers.items() if name not in OTHER}
                for answer in (head, whole)
            ]
            assert kept[0] == kept[1], path


def test_a_scanner_takes_no_seat(there: tuple[RunningServer, Path]) -> None:
    """An invitation that is looked at, by HEAD or GET, stays open; the form takes the seat."""
    server, _ = there
    host, friend = server.visit(), server.visit()
    table_id = host.open()
    link = host.links(table_id)[1]
    for _ in range(3):
        assert httpx.head(f"{server.url}{link}").status_code == 200
        assert httpx.get(f"{server.url}{link}").status_code == 200
    assert host.links(table_id)[1] == link
    assert friend.sit(link, "Ami").status_code == 200
    assert httpx.head(f"{server.url}{link}").status_code == 404


def test_what_only_posts_is_not_asked(there: tuple[RunningServer, Path]) -> None:
    server, _ = there
    read = {route.path for route in routes if "GET" in (route.methods or ())}
    only = [address_at(route.path_format, "x") for route in routes if route.path not in read]
    assert only
    for path in only:
        answer = httpx.head(f"{server.url}{path}")
        assert (answer.status_code, answer.content) == (405, b""), path


def test_every_page_of_the_desk_answers_head(tmp_path: Path) -> None:
    """Those of a contest and those before one is opened; a stream ends at once."""
    act = ContestOpened(formula_for("lavardin"), commit("5eed"), "Essai")
    with closing(ContestStore.create(tmp_path / "essai.chouine", act, "5eed", "desk")) as store:
        desk = desk_application(store)
        start = Start(tmp_path, lambda: ["http://127.0.0.1"])

        async def statuses() -> None:
            for app, opening in ((desk, desk.state.desk.opening), (start.app, start.opening)):
                transport = httpx.ASGITransport(app)
                async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as browser:
                    await browser.get(f"/open?key={opening}")
                    for route in app.routes:
                        if not isinstance(route, Route) or "GET" not in (route.methods or ()):
                            continue
                        path = route.path_format
                        for name in ("stage", "number", "table", "key", "what", "kind", "path"):
                            path = path.replace(f"{{{name}}}", "1")
                        async with asyncio.timeout(PATIENCE):
                            head = await browser.head(path)
                        assert head.content == b"", path
                        if not path.endswith("stream"):
                            assert head.status_code == (await browser.get(path)).status_code, path

        asyncio.run(statuses())


def test_a_fault_is_one_of_head_too() -> None:
    """An error before the answer gives its status; one after the headers is nobody's."""

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x"
            await asyncio.sleep(0)

    async def failing(*_: object) -> None:
        raise ValueError

    async def test() -> None:
        for app, status in (
            (PlainTextResponse("well"), 200),
            (StreamingResponse(endless()), 200),
            (failing, 500),
        ):
            guard = EdgeMiddleware(app, Limits())
            async with httpx.AsyncClient(
                transport=httpx.ASGITransport(guard), base_url="http://test"
            ) as browser:
                answer = await browser.head("/")
            assert (answer.status_code, answer.content, guard.unanswered) == (status, b"", 0)

    asyncio.run(test())
