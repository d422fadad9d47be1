"""Hostile clients: replayed and foreign commands, endless bodies, connections that never finish."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import permutations, product
from pathlib import Path

import httpx
import pytest

from chouine.server.guard import LARGEST_BODY
from chouine.server.routes.addresses import routes
from tests.attack.conftest import PER_ADDRESS, Place, deal
from tests.patience import PATIENCE, takes_less_than
from tests.server.addresses import address_at
from tests.server.serving import Browser, RunningServer

MIB = 1024 * 1024
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def memory(served: RunningServer) -> float:
    """Resident memory of the server in MiB."""
    return int(Path(f"/proc/{served.process.pid}/statm").read_text().split()[1]) * 4096 / MIB


def refusals(served: RunningServer) -> dict[str, float]:
    """The server's counts of exceeded limits and of answers other than 2xx."""
    lines = httpx.get(f"{served.url}/metrics").text.splitlines()
    found = (
        re.match(r"chouine_(?:limited_total|request_seconds_count)\{(.*)\} (.*)", line) for line in lines
    )
    return {match[1]: float(match[2]) for match in found if match and '"2xx"' not in match[1]}


def length(browser: Browser, table_id: str) -> int:
    """The number of a table's last entry."""
    return int(browser.http.get(f"/table/{table_id}/events?after=0").json()[-1]["n"])


def connect(served: RunningServer, receives: int | None = None) -> socket.socket:
    """Open a connection, optionally with a receive buffer of `receives` bytes."""
    host, _, port = served.url.removeprefix("http://").partition(":")
    connection = socket.socket()
    connection.settimeout(PATIENCE)
    if receives:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
    connection.connect((host, int(port)))
    return connection


def slowest_page(place: Place) -> float:
    """The longest time in seconds that another player waits for a page."""
    waited = []
    for browser in (place.host, place.friend):
        begun = time.monotonic()
        assert browser.http.get(f"/table/{place.playing}").status_code == 200
        waited.append(time.monotonic() - begun)
    return max(waited)


@contextmanager
def check_speed_and_memory(served: RunningServer, place: Place, grows: float) -> Iterator[None]:
    """Check that pages are still fast afterwards and that the server's memory has grown by less than `grows` MiB."""
    place.friend.get("/")
    before, counted = memory(served), refusals(served)
    yield
    assert takes_less_than(2.0, lambda: slowest_page(place))
    after, refused = memory(served), refusals(served)
    told = {what: round(times - counted.get(what, 0)) for what, times in refused.items()}
    told = {what: times for what, times in told.items() if times}
    print(f"memory {before:.0f} MiB, then {after:.0f}; refused: {told}")  # noqa: T201  # what was measured
    assert after - before < grows


def test_commands_sent_again_in_any_order_do_what_they_did_once(served: RunningServer) -> None:
    """A command identifier that was used before gets an answer and changes nothing, whatever the command."""
    host, friend = served.visit(), served.visit("en")
    table_id = host.open()
    friend.sit(host.links(table_id)[1])
    deal(host, friend, table_id)
    sent = [
        ("speak", {"phrase": phrase, "id": f"c{nth}"}) for nth, phrase in enumerate(("hello", "oops", "wow"))
    ]
    for verb, fields in sent:
        assert host.tell(table_id, verb, 0, **fields).json()["ok"]
    n = length(host, table_id)
    for order in permutations(sent):
        for verb, fields in order:
            assert host.tell(table_id, verb, 0, **fields).json()["ok"]
    for other in ("concede", "forfeit", "pause", "act"):
        assert host.tell(table_id, other, 0, id="c1", token="7s").status_code == 200
    assert length(host, table_id) == n
    assert friend.tell(table_id, "speak", 1, phrase="hello", id="c1").json() == {"ok": True, "n": n + 1}


def test_anothers_numbers_and_chairs_are_of_no_use(place: Place, served: RunningServer) -> None:
    """A stranger can neither replay an overheard command nor send a new one, with any seat or token."""
    stranger = served.visit()
    assert place.host.tell(place.playing, "speak", 0, phrase="hello", id="heard").json()["ok"]
    n = length(place.host, place.playing)
    for seat in ("0", "1", "2", "-0", "00", "+0", "0 ", "٠"):
        for csrf in (stranger.csrf, place.host.csrf, place.friend.csrf):
            for number in ("heard", "unheard"):
                data = {"csrf": csrf, "seat": seat, "phrase": "oops", "id": number}
                address = f"/table/{place.playing}/speak"
                answer = stranger.http.post(address, data=data, follow_redirects=False)
                assert number == "heard" or answer.status_code in (400, 403)
    assert length(place.host, place.playing) == n


def test_cookies_that_are_not_the_servers_are_not_taken(place: Place, served: RunningServer) -> None:
    """A cookie planted by somebody else is replaced by a new one, and no address can set a cookie."""
    (name,) = place.host.http.cookies
    for planted, under in product(
        ("planted", "x" * 43, place.host.cookie + "x", "", "a b"), (name, "chouine")
    ):
        answer = httpx.get(f"{served.url}/table/{place.empty}", headers={"Cookie": f"{under}={planted}"})
        assert answer.status_code == 200
        assert answer.cookies[name] not in (planted, "")
    victim = served.visit()
    own = victim.cookie
    for address in (
        f"/?chouine={'y' * 43}",
        f"/settings?cookie={'y' * 43}",
        f"/table/{place.empty};chouine=y",
    ):
        victim.get(address)
        assert victim.cookie == own


def test_two_chouine_cookies_give_no_more_than_one(place: Place, served: RunningServer) -> None:
    """A second, truncated or altered cookie gives no access to a seat."""
    own, stranger = place.host.cookie, served.visit().cookie
    (name,) = place.host.http.cookies
    for both in (
        f"{name}={stranger}; {name}=x",
        f"{name}={own[:-1]}",
        f"{name}={own.swapcase()}",
        f"{name.title()}={own}",
        f"{name}={stranger}; chouine={own}",
    ):
        page = httpx.get(f"{served.url}/table/{place.playing}", headers={"Cookie": both})
        assert f'action="/table/{place.playing}/act"' not in page.text


def test_bodies_of_ten_megabytes(place: Place, served: RunningServer) -> None:
    """Bodies of 10 MiB are refused at once if announced, and otherwise at the limit."""
    big = b"x" * (10 * MIB)

    def pieces() -> Iterator[bytes]:
        for _ in range(160):
            yield b"y" * LARGEST_BODY

    answers = []
    with check_speed_and_memory(served, place, 30.0):
        for _ in range(10):
            for content in (big, pieces()):
                with suppress(
                    httpx.TransportError
                ):  # the server closes the connection in the middle of the body
                    answers.append(
                        httpx.post(f"{served.url}/new", content=content, headers=FORM, timeout=PATIENCE)
                    )
    assert {answer.status_code for answer in answers} == {413}


def test_writers_who_never_finish(place: Place, served: RunningServer) -> None:
    """300 unfinished requests do not delay others."""
    begun = [
        b"POST /new HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\na",
        b"GET / HTTP/1.1\r\nX: ",
        b"G",
    ]
    with ExitStack() as open_ones, check_speed_and_memory(served, place, 20.0):
        slow = [open_ones.enter_context(connect(served)) for _ in range(300)]
        for nth, connection in enumerate(slow):
            connection.sendall(begun[nth % 3])
        for connection in slow:
            connection.sendall(b"E")


def test_readers_who_never_read(served: RunningServer, place: Place) -> None:
    """Streams that are not read cost little memory, and other streams get their events."""
    host, friend = served.visit(), served.visit("en")
    table_id = host.open()
    friend.sit(host.links(table_id)[1])
    deal(host, friend, table_id)
    with ExitStack() as open_ones, check_speed_and_memory(served, place, 30.0):
        for _ in range(15):
            reader = open_ones.enter_context(connect(served, 4096))
            reader.sendall(f"GET /table/{table_id}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        said = 0
        for nth in range(300):
            said += host.tell(table_id, "speak", 0, phrase="hello", id=f"flood-{nth}").status_code == 200
        assert said > 20
        with friend.http.stream(
            "GET", f"/table/{table_id}/stream?after={length(host, table_id) - 1}&as=1"
        ) as news:
            assert any(line.startswith("id: ") for line in news.iter_lines())


@pytest.mark.parametrize("streams", [1200, pytest.param(5000, marks=pytest.mark.nightly)])
def test_streams_of_one_address(streams: int, served: RunningServer, place: Place) -> None:
    """Streams beyond the address's limit are refused; other addresses are served."""
    address = f"GET /table/{place.playing}/stream HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n".encode()
    allowed = min(streams, PER_ADDRESS)
    with ExitStack() as open_ones, check_speed_and_memory(served, place, 64.0 + 0.1 * allowed):
        statuses = []
        for _ in range(streams):
            connection = open_ones.enter_context(connect(served))
            connection.sendall(address)
            statuses.append(connection.recv(12)[9:])
        assert statuses.count(b"200") == allowed
        assert set(statuses[allowed:]) <= {b"429"}
        with place.friend.http.stream("GET", f"/table/{place.playing}/stream?after=1") as news:
            assert news.status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_no_post_of_another_site_is_taken(
    headers: dict[str, str], place: Place, served: RunningServer
) -> None:
    """Every route refuses posts from other sites, even with a valid token."""
    posts = [route.path_format for route in routes if "POST" in (route.methods or ())]
    assert len(posts) > 5
    for path in posts:
        address = address_at(path, place.playing, secret="x" * 32)
        data = {"csrf": place.host.csrf, "seat": "0", "phrase": "hello", "name": "X", "language": "en"}
        answer = place.host.http.post(address, data=data, headers=headers, follow_redirects=False)
        assert answer.status_code == 403, path
        assert "set-cookie" not in answer.headers


def test_no_post_without_one_s_own_token_is_taken(place: Place) -> None:
    """Also by the functions that a device without a network has too, where no form needs a token."""
    for path in (route.path_format for route in routes if "POST" in (route.methods or ())):
        for csrf in ("", place.friend.csrf):
            data = {
                "csrf": csrf,
                "seat": "0",
                "phrase": "hello",
                "language": "en",
                "large": "1",
                "answer": "x",
            }
            answer = place.host.http.post(address_at(path, place.playing), data=data, follow_redirects=False)
            assert answer.status_code in (401, 403, 404), path
            assert "set-cookie" not in answer.headers
