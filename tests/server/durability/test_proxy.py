"""Two nodes behind the proxy of `deploy/`, of which now one dies, now the other: players hardly notice."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count, pairwise
from pathlib import Path
from statistics import median, median_low
from threading import Event, Thread

import httpx
import pytest

from chouine.server import database, heartbeat, migrations
from chouine.server.routes import operations
from tests.forked import Program
from tests.needs import need
from tests.patience import PATIENCE, wait_until
from tests.ports import free_port
from tests.server.caddy import proxying
from tests.server.redis import RedisServer, redis_server
from tests.server.serving import Browser, RunningServer, serve_alone, serve_counting_for_long, serving
from tests.server.stores import alter

NEWER = "9999"
"""The schema of a newer version."""
GAP = 4.0
"""Seconds for which a client may get no good answer when a node dies; 0.2 of them are its pause between two.

On a quiet machine it is at most 1 s; without the times of `deploy/Caddyfile` it is at least 5.5 s.
"""
PAUSE = 0.2
"""Seconds between a client's requests: commands are limited to ten a second."""


@dataclass
class Nodes:
    """Two nodes over one database, each at its own port, and the proxy before them."""

    database: str
    redis: str
    folder: Path
    ports: tuple[int, int] = field(default_factory=lambda: (free_port(), free_port()))
    running: dict[int, tuple[ExitStack, RunningServer]] = field(default_factory=dict)
    url: str = ""

    def start(self, which: int, program: Program = serve_alone) -> None:
        stack, errors = ExitStack(), self.folder / f"errors-{which}"
        options = ("--trusted-proxies", "127.0.0.1", "--redis", self.redis)
        node = serving(self.database, errors, self.ports[which], options=options, program=program)
        self.running[which] = stack, stack.enter_context(node)

    def end(self, which: int, sign: signal.Signals = signal.SIGKILL) -> None:
        stack, served = self.running.pop(which)
        served.stop(sign)
        stack.close()

    def answers(self, which: int) -> bool:
        with suppress(httpx.HTTPError):
            return httpx.get(f"http://127.0.0.1:{self.ports[which]}/ready").status_code == 200
        return False


@contextmanager
def nodes_behind_a_proxy(database: str, redis: RedisServer, folder: Path) -> Iterator[Nodes]:
    nodes = Nodes(database, redis.url, folder)
    try:
        for which in (0, 1):
            nodes.start(which)
        with proxying([f"127.0.0.1:{port}" for port in nodes.ports], folder) as nodes.url:
            wait_until("a node behind the proxy", lambda: httpx.get(nodes.url).status_code == 200)
            yield nodes
    finally:
        for which in list(nodes.running):
            nodes.end(which)


@dataclass
class Load:
    """What clients that ask without a pause see: the moments of good answers, and every other status."""

    nodes: Nodes
    stop: Event = field(default_factory=Event)
    good: dict[str, list[float]] = field(default_factory=dict)
    bad: list[tuple[str, int]] = field(default_factory=list)
    heard: list[int] = field(default_factory=list)
    """Numbers of the entries that the watcher's streams told."""

    def saw(self, who: str, status: int) -> None:
        if status == 200:
            self.good[who].append(time.monotonic())
        else:
            self.bad.append((who, status))

    def read(self, browser: Browser, table_id: str) -> None:
        """Read a table's page again and again."""
        while not self.stop.wait(PAUSE):
            with suppress(httpx.HTTPError):
                self.saw("read", browser.http.get(f"/table/{table_id}").status_code)

    def post(self, browser: Browser, table_id: str, who: str = "post") -> None:
        """Send commands, each until it is answered, as the page does."""
        for nth in count():
            status = 0
            while status != 200 and not self.stop.wait(PAUSE):
                with suppress(httpx.HTTPError):
                    status = browser.tell(table_id, "speak", 0, phrase="hello", id=f"s{nth}").status_code
                    self.saw(who, status)
            if self.stop.is_set():
                return

    def watch(self, browser: Browser, table_id: str) -> None:
        """Follow a table's stream, and open it again where it ends, as the page does."""
        while not self.stop.is_set():
            after = {"Last-Event-ID": str(self.heard[-1])} if self.heard else {}
            with (
                suppress(httpx.HTTPError),
                browser.http.stream("GET", f"/table/{table_id}/stream", headers=after) as answer,
            ):
                if answer.status_code != 200:
                    self.bad.append(("watch", answer.status_code))
                for line in answer.iter_lines():
                    if line.startswith("id: "):
                        self.heard.append(int(line[4:]))
                        self.saw("watch", 200)
                    if self.stop.is_set():
                        return

    def longest(self, who: str, begun: float) -> float:
        """The longest time without a good answer since a moment."""
        moments = [begun, *(at for at in self.good[who] if at > begun), time.monotonic()]
        return max(later - earlier for earlier, later in pairwise(moments))


@contextmanager
def load_on(nodes: Nodes) -> Iterator[Load]:
    """Four clients: one reads a table, one watches it, one posts there, and one at another table."""
    with ExitStack() as closing:
        browsers = [Browser(nodes.url, "fr") for _ in range(4)]
        for browser in browsers:
            closing.callback(browser.http.close)
        load, host, other = Load(nodes), browsers[0], browsers[1]
        table_id = host.open()
        threads = [
            Thread(target=load.post, args=(host, table_id)),
            Thread(target=load.post, args=(other, other.open(), "post too")),
            Thread(target=load.read, args=(browsers[2], table_id)),
            Thread(target=load.watch, args=(browsers[3], table_id)),
        ]
        load.good = {who: [] for who in ("post", "post too", "read", "watch")}
        for thread in threads:
            thread.start()
        try:
            wait_until("good answers", lambda: all(load.good.values()))
            yield load
        finally:
            load.stop.set()
            for thread in threads:
                thread.join(PATIENCE)


def wait_for_both(nodes: Nodes) -> None:
    """Wait until both nodes are ready and the proxy knows, which looks twice a second."""
    wait_until("both nodes", lambda: nodes.answers(0) and nodes.answers(1))
    wait_until("the proxy to know", lambda: is_known(nodes.folder / "caddy.log"))


def is_known(log: Path) -> bool:
    """Whether the last that Caddy has logged of each node is that it is up; of one never away it logs nothing."""
    whole, _, _ = log.read_text().rpartition("\n")
    lines = [json.loads(line) for line in whole.splitlines()]
    last = {line["host"]: line["msg"] for line in lines if "health_checker" in line.get("logger", "")}
    return set(last.values()) <= {"host is up"}


def kill_in_turn(nodes: Nodes, load: Load, kills: int) -> list[dict[str, float]]:
    """Kill a node after the other, each back before the next dies; the longest gap of each client at each kill."""
    gaps = []
    for nth in range(kills):
        which = nth % 2
        wait_for_both(nodes)
        begun = time.monotonic()
        nodes.end(which)
        time.sleep(GAP + 1)
        gaps.append({who: load.longest(who, begun) for who in load.good})
        nodes.start(which)
    return gaps


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.nightly)])
def test_the_death_of_a_node_is_hardly_noticed(kills: int, postgres_database: str, tmp_path: Path) -> None:
    """No page is refused while one node lives, and no client waits for long; a stream misses and repeats nothing."""
    need("caddy", "redis")
    with redis_server() as redis, nodes_behind_a_proxy(postgres_database, redis, tmp_path) as nodes:
        with load_on(nodes) as load:
            gaps = kill_in_turn(nodes, load, kills)
        assert {who for who, _ in load.bad} <= {"post", "post too"}, "a node that lives answers"
        assert load.heard == list(range(load.heard[0], load.heard[-1] + 1))
        assert all(median_low(gap[who] for gap in gaps) < GAP for who in load.good), gaps


def test_a_post_that_meets_a_dead_node_harms_nobody(postgres_database: str, tmp_path: Path) -> None:
    """Posts cannot be tried again elsewhere, for they have been read; pages are shown all the same."""
    need("caddy", "redis")
    waits = []
    with redis_server() as redis, nodes_behind_a_proxy(postgres_database, redis, tmp_path) as nodes:
        for which in (0, 1, 0):
            wait_for_both(nodes)
            nodes.end(which)
            with httpx.Client(base_url=nodes.url, timeout=PATIENCE) as client:
                for _ in range(4):
                    client.post("/new", data={"a": "b"})
                begun = time.monotonic()
                assert client.get("/").status_code == 200
                waits.append(time.monotonic() - begun)
            nodes.start(which)
    assert median(waits) < GAP, waits


def test_what_a_visitor_claims_is_not_believed(tmp_path: Path) -> None:
    """The proxy says itself where a request comes from; what is for inside is closed outside."""
    need("caddy")
    port, database = free_port(), f"sqlite:///{tmp_path / 'chouine.db'}"
    with (
        serving(database, tmp_path / "errors", port, per_address=1, program=serve_counting_for_long),
        proxying([f"127.0.0.1:{port}"], tmp_path) as url,
        httpx.Client(base_url=url, timeout=PATIENCE) as client,
    ):
        wait_until("the site", lambda: client.get("/").status_code == 200)
        home = httpx.get(url, headers={"X-Forwarded-Proto": "https"})
        assert "secure" not in home.headers["set-cookie"].lower()
        assert {client.get(path).status_code for path in ("/ready", "/health", "/metrics")} == {404}
        claimed = ({"X-Forwarded-For": f"192.0.2.{nth}"} for nth in range(200))
        assert 429 in {client.get("/nowhere", headers=each).status_code for each in claimed}


@pytest.mark.nightly
def test_a_body_that_dribbles_is_not_waited_for_and_a_stream_goes_on(tmp_path: Path) -> None:
    need("caddy")
    port, address = free_port(), f"sqlite:///{tmp_path / 'chouine.db'}"
    with serving(address, tmp_path / "errors", port), proxying([f"127.0.0.1:{port}"], tmp_path) as url:
        wait_until("the site", lambda: httpx.get(url).status_code == 200)
        host = Browser(url, "fr")
        table_id, (name, _colon, at) = host.open(), url.removeprefix("http://").partition(":")
        with (
            host.http.stream("GET", f"/table/{table_id}/stream") as stream,
            socket.create_connection((name, int(at))) as slow,
        ):
            lines = stream.iter_lines()
            assert next(lines).startswith("retry")
            slow.sendall(f"POST /new HTTP/1.1\r\nHost: {name}:{at}\r\nContent-Length: 1000\r\n\r\n".encode())
            slow.settimeout(PAUSE)
            begun = time.monotonic()
            with suppress(ConnectionError):
                while True:
                    slow.sendall(b"x")
                    with suppress(TimeoutError):
                        slow.recv(65536)
                    assert time.monotonic() - begun < PATIENCE, "it is still open"
            assert host.tell(table_id, "speak", 0, phrase="hello").status_code == 200
            assert any(line.startswith("id: ") for line in lines)
        host.http.close()


def serve_newer(arguments: Sequence[str]) -> int:
    """A node of a version with another schema, which has been migrated."""
    for module in (database, heartbeat, migrations, operations):
        module.VERSION = NEWER  # type: ignore[attr-defined]
    migrations.upgrade = lambda database: None  # noqa: ARG005  # named as the function is
    return serve_alone(arguments)


def test_a_newer_node_goes_on_where_an_older_one_must_stop(postgres_database: str, tmp_path: Path) -> None:
    """Nothing is written by the older one after the migration; clients go on at the newer one, and miss nothing."""
    need("caddy", "redis")
    with redis_server() as redis, nodes_behind_a_proxy(postgres_database, redis, tmp_path) as nodes:
        nodes.end(1)
        with load_on(nodes) as load:
            query = f"update alembic_version set version_num = '{NEWER}', oldest = '{NEWER}'"  # noqa: S608  # our own
            asyncio.run(alter(postgres_database, query))
            begun = time.monotonic()
            nodes.start(1, serve_newer)
            for who in load.good:
                wait_until(who, lambda who=who: load.good[who][-1] > begun + 1)  # type: ignore[misc]
            assert not nodes.answers(0)
            nodes.end(0)
            time.sleep(1)
            assert {status for _, status in load.bad} <= {502, 503}
        assert load.heard == list(range(load.heard[0], load.heard[-1] + 1))


def test_our_page_is_shown_while_no_node_answers(tmp_path: Path) -> None:
    """With 503, in both languages, loading itself anew. What was done in vain at a table leads back to it.

    Another form's page stays: a browser that reloads it sends the form again, with what was typed.
    """
    need("caddy")
    port, database = free_port(), f"sqlite:///{tmp_path / 'chouine.db'}"
    with (
        proxying([f"127.0.0.1:{port}"], tmp_path) as url,
        httpx.Client(base_url=url, timeout=PATIENCE) as client,
    ):
        page = client.get("/")
        assert page.status_code == 503
        assert "La table revient" in page.text
        assert "The table will be back" in page.text
        assert page.headers["refresh"] == "3"
        assert 'http-equiv="refresh"' not in page.text
        assert client.post("/table/abc/act", data={"a": "b"}).headers["refresh"].endswith("url=/table/abc")
        sent = client.post("/new", data={"a": "b"})
        assert (sent.status_code, "refresh" in sent.headers) == (503, False)
        assert "let the browser send the form again" in sent.text
        assert client.get("/ready").status_code == 404
        with serving(database, tmp_path / "errors", port):
            wait_until("the site again", lambda: client.get("/").status_code == 200)
