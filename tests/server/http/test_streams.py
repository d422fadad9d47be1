"""The table's events: streamed or polled, from any entry on, and only while one holds the chair."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from chouine.server.frame_updates import FrameUpdate
from chouine.server.routes import play
from tests.patience import PATIENCE, wait_until
from tests.server.serving import Browser, RunningServer, serve_alone, serving, wholes

News = Iterator[tuple[int, dict[str, Any]]]


@contextmanager
def stream(browser: Browser, table_id: str, after: str = "", **headers: str) -> Iterator[News]:
    """A stream's events as (number, data)."""
    query = {"after": after} if after else {}
    address = f"/table/{table_id}/stream"
    with browser.http.stream("GET", address, params=query, headers=headers, timeout=PATIENCE) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in answer.headers
        assert answer.headers["cache-control"] == "no-store"
        yield events(answer.iter_lines())


def events(lines: Iterator[str]) -> News:
    number = 0
    for line in lines:
        if line.startswith("id: "):
            number = int(line[4:])
        elif line.startswith("data: "):
            yield number, json.loads(line[6:])


@pytest.fixture
def table_id(host: Browser, friend: Browser) -> str:
    """A table of two browsers with four phrases said: entries 4 to 7."""
    called = host.open()
    friend.sit(host.links(called)[1])
    for phrase in ("hello", "good-luck", "thanks", "wow"):
        assert friend.tell(called, "speak", 1, phrase=phrase).json()["ok"]
    return called


def serve_lively(arguments: Sequence[str]) -> int:
    """Run a server whose quiet streams live twenty times a second, and write each time that they look or say so."""
    play.PING = 0.05
    news, wait = play.Stream.news, play.Stream.wait

    async def counted_news(self: play.Stream) -> list[FrameUpdate]:
        sys.stderr.write("looked\n")
        return await news(self)

    async def counted_wait(self: play.Stream, seconds: float) -> bool:
        moved = await wait(self, seconds)
        if not moved:
            sys.stderr.write("alive\n")
        return moved

    play.Stream.news = counted_news  # type: ignore[method-assign]
    play.Stream.wait = counted_wait  # type: ignore[method-assign, assignment]
    return serve_alone(arguments)


def test_a_quiet_stream_says_each_time_that_it_lives(tmp_path: Path) -> None:
    """Also where the loop's clock, whose milliseconds are rounded, stands a hair before the timer's end."""
    errors = tmp_path / "errors"
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", errors, program=serve_lively) as server:
        host = server.visit()
        with host.http.stream("GET", f"/table/{host.open()}/stream") as answer:
            heard = 0
            for line in answer.iter_lines():
                heard += line == ": alive"
                if heard == 100:
                    break
            written = errors.read_text()
    assert written.count("alive") >= heard == 100
    assert written.count("looked") <= written.count("alive") + 2  # the first, and one for news


def test_a_stream_goes_on_from_an_entry_and_then_lives(host: Browser, friend: Browser, table_id: str) -> None:
    with stream(host, table_id, "5") as news:
        assert [next(news)[0], next(news)[0]] == [6, 7]
        assert friend.tell(table_id, "speak", 1, phrase="oops").json() == {"ok": True, "n": 8}
        number, told = next(news)
        assert number == told["n"] == 8
        assert set(told["frames"][0]) == {"parts", "hold", "say", "sound"}


def test_a_browser_that_comes_back_names_the_last_event_it_saw(host: Browser, table_id: str) -> None:
    """`Last-Event-ID` takes precedence over the address, which is as old as the page."""
    with stream(host, table_id, "2", **{"Last-Event-ID": "6"}) as news:
        assert next(news)[0] == 7


def without_tokens(told: object) -> str:
    """Remove the form tokens, which are masked anew for each answer."""
    return re.sub(r'name=."csrf." value=."[0-9a-f]+."', "", json.dumps(told))


def test_asking_tells_the_same_as_the_stream(host: Browser, table_id: str) -> None:
    asked = host.get(f"/table/{table_id}/events?after=3").json()
    with stream(host, table_id, "3") as news:
        streamed = [next(news)[1] for _ in range(4)]
    assert without_tokens(asked) == without_tokens(streamed)
    assert host.get(f"/table/{table_id}/events?after=7").json() == []
    assert host.get(f"/table/{table_id}/events").json() == []


@pytest.mark.parametrize("after", ["0", "99", "-1", "-99", "x", "9" * 400, "٣", "1.5", "%00", "6,7"])
def test_who_names_no_entry_of_the_log_is_shown_the_table_as_it_is(
    after: str, host: Browser, table_id: str
) -> None:
    (told,) = host.get(f"/table/{table_id}/events?after={after}").json()
    assert told["n"] == 7
    assert len(told["frames"]) == 1
    with stream(host, table_id, "6", **{"Last-Event-ID": "x"}) as news:
        assert next(news)[0] == 7


def test_who_is_far_behind_is_shown_the_table_as_it_is(host: Browser, friend: Browser, table_id: str) -> None:
    for _ in range(66):
        assert friend.tell(table_id, "speak", 1, phrase="wow").json()["ok"]
    (told,) = host.get(f"/table/{table_id}/events?after=3").json()
    assert told["n"] == 73
    assert len(host.get(f"/table/{table_id}/events?after=70").json()) == 3


def test_a_stream_ends_for_who_gave_the_chair_away(
    host: Browser, friend: Browser, served: RunningServer, table_id: str
) -> None:
    """A stream ends when the chair moves to another device by its own link."""
    own, telephone = friend.links(table_id)[1], served.visit()
    with stream(friend, table_id, "7") as news:
        assert telephone.tell(table_id, "speak", 0, phrase="wow").status_code == 403
        telephone.sit(own)
        assert list(news) == []
    with stream(friend, table_id, "7") as news:
        assert next(news)[0] == 8


def watchers(served: RunningServer) -> int:
    """Number of the server's open connections, from /proc."""
    folder = f"/proc/{served.process.pid}/net/tcp"
    port = f":{int(served.url.rpartition(':')[2]):04X}"
    with open(folder, encoding="ascii") as lines:  # noqa: PTH123  # not a file of ours
        rows = [line.split() for line in lines][1:]
    return sum(row[1].endswith(port) and row[3] == "01" for row in rows)


def processor(served: RunningServer) -> float:
    """Processor time of the server in seconds."""
    with open(f"/proc/{served.process.pid}/stat", encoding="ascii") as line:  # noqa: PTH123
        fields = line.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def test_idle_streams_cost_next_to_nothing(served: RunningServer, host: Browser, table_id: str) -> None:
    """Fifty idle streams use next to no processor time."""
    with httpx.Client(
        base_url=served.url, limits=httpx.Limits(max_connections=60), timeout=PATIENCE
    ) as crowd:
        watching = [
            crowd.send(crowd.build_request("GET", f"/table/{table_id}/stream"), stream=True)
            for _ in range(50)
        ]
        before = processor(served)
        time.sleep(2)
        used = processor(served) - before
        for answer in watching:
            answer.close()
    assert used < 1.0, f"{used} s of processor time in 2 s"


def test_the_crowd_is_told_and_leaves(
    served: RunningServer, host: Browser, friend: Browser, table_id: str
) -> None:
    open_before = watchers(served)
    with httpx.Client(
        base_url=served.url, limits=httpx.Limits(max_connections=60), timeout=PATIENCE
    ) as crowd:
        watching = [
            crowd.send(crowd.build_request("GET", f"/table/{table_id}/stream"), stream=True)
            for _ in range(20)
        ]
        told = [events(answer.iter_lines()) for answer in watching]
        assert friend.tell(table_id, "speak", 1, phrase="hello").json()["ok"]
        assert {next(news)[0] for news in told} == {8}
        for answer in watching:
            answer.close()
    wait_until("the streams to be closed", lambda: watchers(served) <= open_before)
    assert friend.tell(table_id, "speak", 1, phrase="hello").json()["ok"]


def test_who_only_watches_is_told_without_hands(
    host: Browser, friend: Browser, served: RunningServer, table_id: str
) -> None:
    """§14: frames for spectators have no button to play with, from the tirage through the first trick."""
    stranger = served.visit()
    for place in range(32):
        for seat, browser in enumerate((host, friend)):
            browser.tell(table_id, "pick", seat, place=str(place))
            browser.tell(table_id, "cut", seat, at="16")
        if "/act" in host.get(f"/table/{table_id}").text + friend.get(f"/table/{table_id}").text:
            break
    told = stranger.get(f"/table/{table_id}/events?after=1").json()
    assert len(told) > 8
    shown = wholes([frame for item in told for frame in item["frames"]])
    for html in shown:
        assert 'name="token"' not in html
        assert 'class="hand' not in html
    assert 'name="token"' not in stranger.get(f"/table/{table_id}?as=0").text
    for seat in (0, 1):
        asked = stranger.get(f"/table/{table_id}/events?after=1&as={seat}").json()
        assert [len(item["frames"]) for item in asked] == [len(item["frames"]) for item in told]
        assert 'name="token"' not in json.dumps(asked)
