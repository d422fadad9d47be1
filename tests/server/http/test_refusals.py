"""Refused input: forged, foreign, oversized, unreadable, unauthorised or illegal; it never causes a server failure."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import httpx
import pytest

from chouine.server.guard import LARGEST_BODY
from tests.server.serving import Browser, RunningServer

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def table_id(host: Browser, friend: Browser) -> str:
    """A table of two browsers, at the tirage."""
    called = host.open()
    friend.sit(host.links(called)[1])
    return called


def state(browser: Browser, table_id: str) -> int:
    """The number of the table's last entry, which a refusal must not change."""
    return int(browser.http.get(f"/table/{table_id}/events?after=0").json()[-1]["n"])


@pytest.fixture(autouse=True)
def _no_fault_of_ours(served: RunningServer) -> Iterator[None]:
    """Check that the server logged no failure."""
    before = len(served.errors.read_text())
    yield
    assert "failure" not in served.errors.read_text()[before:]


@pytest.mark.parametrize("token", ["", "x", "é" * 40, "0" * 32])
def test_a_form_without_this_browsers_token(token: str, host: Browser, table_id: str) -> None:
    for path in ("/new", "/settings", "/language", f"/table/{table_id}/pick", f"/match/{table_id}/1/again"):
        assert host.post(path, csrf=token, seat="0", place="3").status_code == 403, path
    assert state(host, table_id) == 3


def test_another_browsers_token(host: Browser, friend: Browser, table_id: str) -> None:
    assert host.post(f"/table/{table_id}/pick", csrf=friend.csrf, seat="0", place="3").status_code == 403


def test_a_command_that_was_carried_out_is_nobody_elses(
    host: Browser, friend: Browser, table_id: str
) -> None:
    """A resent command gets its first answer if its sender holds the seat, and is refused to others."""
    data = {"seat": "0", "place": "3", "id": "once"}
    for accept in ("application/json", "text/html"):
        for browser, status in ((host, (200, 303)), (friend, (403,))):
            answer = browser.http.post(
                f"/table/{table_id}/pick",
                data={"csrf": browser.csrf, **data},
                headers={"Accept": accept},
                follow_redirects=False,
            )
            assert answer.status_code in status
    assert state(host, table_id) == 4


def test_a_post_from_another_site(host: Browser, served: RunningServer, table_id: str) -> None:
    data = {"csrf": host.csrf, "seat": "0", "place": "3"}
    foreign: list[dict[str, str]] = [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": served.url + ".elsewhere.example"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ]
    for headers in foreign:
        answer = host.http.post(f"/table/{table_id}/pick", data=data, headers=headers)
        assert answer.status_code == 403, headers
    assert state(host, table_id) == 3
    own = {"Origin": served.url, "Sec-Fetch-Site": "same-origin"}
    assert host.http.post(f"/table/{table_id}/pick", data=data, headers=own).status_code == 200


def test_a_seat_that_is_not_ones_own(
    host: Browser, friend: Browser, served: RunningServer, table_id: str
) -> None:
    for browser, seat in ((host, 1), (friend, 0), (served.visit(), 0), (served.visit(), 1), (host, 2)):
        answer = browser.tell(table_id, "pick", seat, place="3")
        assert (answer.status_code, answer.json()["code"]) == (403, "not-your-seat")
    assert host.post(f"/table/{table_id}/pick", seat="1", place="3").status_code == 403
    assert state(host, table_id) == 3


@pytest.mark.parametrize("seat", ["", "-1", "one", "²", "٣", "9" * 5000, "1.0", "0x1", "\x00"])
def test_a_seat_that_is_no_number(seat: str, host: Browser, table_id: str) -> None:
    answer = host.post(f"/table/{table_id}/pick", seat=seat, place="3")
    assert answer.status_code in (400, 403)
    assert host.post(f"/table/{table_id}/pick", seat="0", place=seat).status_code == 400


def test_what_is_no_command(host: Browser, table_id: str) -> None:
    for verb in ("tick", "credit", "follow", "sit", "links", "stream", "x" * 500):
        answer = host.tell(table_id, verb, 0)
        assert answer.status_code in (404, 405), verb
    assert state(host, table_id) == 3


def test_a_command_sent_again_is_carried_out_once(host: Browser, friend: Browser, table_id: str) -> None:
    first = host.tell(table_id, "pick", 0, place="3", id="abc").json()
    again = host.tell(table_id, "pick", 0, place="3", id="abc").json()
    assert first == again == {"ok": True, "n": 4}
    assert friend.tell(table_id, "pick", 1, place="4", id="abc").json()["ok"], "each seat has its own numbers"


@pytest.mark.parametrize("number", ["", "x" * 500, "\x00", "a b", "é", "computer-3-1", "'; drop table entry"])
def test_any_command_number(number: str, host: Browser, table_id: str) -> None:
    assert host.tell(table_id, "pick", 0, place="3", id=number).json()["ok"]


def playing(browsers: list[Browser], table_id: str) -> tuple[int, list[str]]:
    """Deal a partie; return the leading seat and its cards as the page's buttons name them."""
    places = iter(range(32))
    for _ in range(40):
        for seat, browser in enumerate(browsers):
            browser.tell(table_id, "pick", seat, place=str(next(places)))
            browser.tell(table_id, "cut", seat, at="16")
            browser.get(f"/table/{table_id}")
            tokens = [
                value for form in browser.forms("/act") for name, value in form.buttons if name == "token"
            ]
            if tokens:
                return seat, tokens
    raise AssertionError("no partie began")


def test_an_illegal_card_is_refused_with_its_paragraph(host: Browser, friend: Browser, table_id: str) -> None:
    """§5: an illegal card is refused by JSON and on the page, in the browser's language, and changes nothing."""
    browsers = [host, friend]
    seat, tokens = playing(browsers, table_id)
    before = state(host, table_id)
    elsewhere = next(card for card in ("As", "Ah", "Ad", "Ac", "Ts", "Th") if card not in tokens)
    answer = browsers[seat].tell(table_id, "act", seat, token=elsewhere)
    assert answer.status_code == 422
    assert answer.json()["ok"] is False
    assert answer.json()["code"] == "illegal/not-held"
    assert "§" in answer.json()["message"]
    page = browsers[seat].post(f"/table/{table_id}/act", seat=str(seat), token=elsewhere)
    assert page.status_code == 422
    assert answer.json()["message"].split("'")[0].split("’")[0] in page.text
    other = browsers[1 - seat].tell(table_id, "act", 1 - seat, token=elsewhere)
    assert other.status_code == 422
    assert other.json()["code"] == "illegal/not-your-turn"
    assert state(host, table_id) == before
    for token in ("", "<script>", "{x}", "\x00", "9" * 5000, "7x+7x"):
        answer = browsers[seat].tell(table_id, "act", seat, token=token)
        assert (answer.status_code, answer.json()["code"]) == (422, "table/unreadable")
    page = browsers[seat].post(f"/table/{table_id}/act", seat=str(seat), token="<script>")
    assert "<script>&" not in page.text
    assert "&lt;script&gt;" in page.text
    assert browsers[seat].tell(table_id, "act", seat, token=tokens[0]).json()["ok"]


def test_what_the_table_has_moved_on_from_is_stale(host: Browser, friend: Browser, table_id: str) -> None:
    """A command made for an older state of the table and no longer possible is stale (409), and changes nothing."""
    n = state(host, table_id)
    assert host.tell(table_id, "pick", 0, place="4", n=str(n)).json() == {"ok": True, "n": n + 1}
    for browser, seat, place in ((host, 0, "5"), (friend, 1, "4")):
        late = browser.tell(table_id, "pick", seat, place=place, n=str(n))
        assert (late.status_code, late.json()) == (409, {"ok": False, "code": "table/stale", "n": n + 1})
    page = host.post(f"/table/{table_id}/pick", seat="0", place="5", n=str(n))
    assert (page.status_code, page.headers["location"]) == (303, f"/table/{table_id}")
    for made_for in ({"n": str(n + 1)}, {"n": "x"}, {}):
        refused = friend.tell(table_id, "pick", 1, place="4", **made_for)
        assert (refused.status_code, refused.json()["code"]) == (422, "table/no-such-card")
    assert friend.tell(table_id, "pick", 1, place="5", n=str(n)).json()["ok"], (
        "what is still in order is carried out"
    )


def test_a_form_says_what_table_it_was_made_for(host: Browser, table_id: str) -> None:
    host.get(f"/table/{table_id}")
    assert host.form("/pick").fields["n"] == str(state(host, table_id))


@pytest.mark.parametrize(
    "back", ["https://e.example", "//e.example", "/\\e.example", "/\t/e.example", "e", ""]
)
def test_back_is_on_this_site(back: str, host: Browser) -> None:
    for path in ("/settings", "/language"):
        answer = host.post(path, back=back, language="fr")
        assert answer.status_code == 303
        assert answer.headers["location"] == "/"
    shown = host.get("/settings", X="y")
    assert shown.status_code == 200
    assert "e.example" not in host.http.get("/settings", params={"back": back}).text


NEW = {"format": "1x1", "chair-0": "me", "chair-1": "friend"}


@pytest.mark.parametrize(
    "fields",
    [
        {"format": "0x1"},
        {"format": "5x3"},
        {"format": "²x1"},
        {"format": "9" * 5000},
        {"format": ""},
        {"rules": "whist"},
        {"rules": "classic;head="},
        {"rules": "\x00" * 50},
        {"rules": "{0}{x!r}"},
        {"preset": "<b>"},
        {"preset": "three", "format": "5x2"},
        {"option-head": "sideways"},
        {"option-deal": "two-three", "preset": "three"},
        {"chair-1": "pipe:rm -rf /"},
        {"chair-1": "oracle"},
        {"chair-1": ""},
        {"chair-1": "x" * 60_000},
    ],
)
def test_a_table_that_cannot_be_set(fields: dict[str, str], host: Browser) -> None:
    """An invalid form for a new table is refused, and its values are shown escaped."""
    answer = host.post("/new", **(NEW | fields))
    assert answer.status_code == 422, answer.headers
    assert "<b>" not in answer.text or "&lt;b&gt;" in answer.text
    assert "Traceback" not in answer.text
    assert host.get("/").status_code == 200


@pytest.mark.parametrize("text", ["9" * 5000, "-1", "²", "x", "1e9"])
def test_a_clock_that_cannot_be_read_is_none(text: str, host: Browser) -> None:
    assert host.post("/new", **NEW, move=text, reserve="60").status_code == 303
    assert host.post("/new", **NEW, move="60", reserve=text).status_code == 303


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "{{ 7 * 7 }} x",
    "%(name)s %s %d",
    "Jean\u202egnp.exe",
    "a\x00b\r\nSet-Cookie: x=y",
    "ﷺ" * 100,
    "Jo \ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    '; Points 1-0 "]\n[Result "1-0',
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_only_a_name(name: str, host: Browser, friend: Browser) -> None:
    table_id = host.open(**{"name-0": name})
    friend.sit(host.links(table_id)[1], name)
    seat, _ = playing([host, friend], table_id)
    assert [host, friend][seat].tell(table_id, "concede", seat).json()["ok"]
    pages = [f"/table/{table_id}", f"/match/{table_id}", f"/match/{table_id}/1", "/"]
    for path in pages:
        text = host.get(path).text
        for part in ("<img src=x", "<script>alert", "onerror=alert(1)>", "\u202e", ">49<"):
            assert part not in text, path
    assert host.get(f"/match/{table_id}.cgn").status_code == 200
    assert "set-cookie" not in host.page.headers
    assert json.loads(host.get(f"/table/{table_id}/events?after=1").text)


def test_a_body_that_is_too_large(host: Browser, table_id: str) -> None:
    """A body over the limit is refused, by its Content-Length or, without one, while it is read."""
    body = f"csrf={host.csrf}&seat=0&place=3&x=".encode()
    big = body + b"y" * LARGEST_BODY
    assert host.http.post(f"/table/{table_id}/pick", content=big, headers=FORM).status_code == 413

    def pieces() -> Iterator[bytes]:
        yield body
        for _ in range(4000):
            yield b"y" * 1024

    address = httpx.URL(str(host.http.base_url)).join(f"/table/{table_id}/pick")
    answer = httpx.post(address, content=pieces(), headers=FORM, cookies=host.http.cookies)
    assert answer.status_code == 413
    assert state(host, table_id) == 3
    small = iter([body, b"y" * 10])
    assert host.http.post(f"/table/{table_id}/pick", content=small, headers=FORM).status_code == 200


def raw(served: RunningServer, request: bytes) -> bytes:
    """Send bytes that no HTTP library would send, and return the first bytes of the answer."""
    host, _, port = served.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), 5) as connection:
        connection.sendall(request)
        return connection.recv(4096)


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET / HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
        b"POST /new HTTP/1.1\r\nHost: [\r\nOrigin: http://[\r\nContent-Length: 0\r\n\r\n",
        b"POST /new HTTP/1.1\r\nHost: x\r\nContent-Length: \xb2\r\n\r\n",
        b"POST /new HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /new HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /table/\xff\xfe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"GET /join/x/" + b"9" * 5000 + b"/y HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"GET /match/x/" + b"9" * 5000 + b".json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nCookie: chouine=\xff\xfe; =; ;;\r\nConnection: close\r\n\r\n",
        b"nonsense\r\n\r\n",
    ],
)
def test_bytes_that_no_browser_sends(request_bytes: bytes, served: RunningServer) -> None:
    status = raw(served, request_bytes).split(b"\r\n")[0]
    assert status.startswith(b"HTTP/1.1 ")
    assert int(status.split()[1]) < 500, status


BOUNDARY = {"Content-Type": "multipart/form-data; boundary=b"}


def part(name: str, value: bytes, more: str = "") -> bytes:
    return f'--b\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode() + value + b"\r\n"


@pytest.mark.parametrize(
    "charset", ["utf-8", "utf-7", "undefined", "idna", "punycode", "rot13", "x", "unicode_escape"]
)
def test_a_form_in_parts(charset: str, host: Browser) -> None:
    """A multipart form in any charset is refused without a failure."""
    charsets = {"Content-Type": f"multipart/form-data; boundary=b; charset={charset}"}
    parts = [part(name, value.encode()) for name, value in (NEW | {"csrf": host.csrf}).items()]
    parts += [part("name-0", b"+2AA- \\ud800 \xff"), part("rules", b"+2AA- \\ud800 \xff"), b"--b--\r\n"]
    answer = host.http.post("/new", content=b"".join(parts), headers=charsets)
    assert answer.status_code in (400, 403, 422)


def test_a_form_with_too_much_in_it(host: Browser) -> None:
    csrf = part("csrf", host.csrf.encode())
    file = csrf + part("name-0", b"x", '; filename="x"') + b"--b--\r\n"
    many = "&".join([f"csrf={host.csrf}", *(f"a{nth}=1" for nth in range(200))]).encode()
    broken = csrf.replace(host.csrf.encode(), b"") + b"--b\r\nnonsense"
    unbounded = {"Content-Type": "multipart/form-data"}
    for content, headers in ((file, BOUNDARY), (many, FORM), (broken, BOUNDARY), (csrf, unbounded)):
        answer = host.http.post("/new", content=content, headers=headers)
        assert answer.status_code in (400, 403), answer.text
    for kind in ("application/json", "text/plain", ""):
        headers = {"Content-Type": kind}
        assert host.http.post("/new", content=b"{}", headers=headers).status_code == 403


@pytest.mark.parametrize(
    "query", ["as=" + "9" * 5000, "as=²", "as=-1", "as=1", "as=%00", "as=0&as=1", "after=%ff"]
)
def test_any_question(query: str, host: Browser, table_id: str) -> None:
    for path in (f"/table/{table_id}", f"/table/{table_id}/events", f"/match/{table_id}"):
        assert host.get(f"{path}?{query}").status_code == 200, path
