"""Fuzzing of all routes: each request gets an answer that is neither a failure nor a traceback.

The routes are read from the program, so that new ones are included.
"""

from __future__ import annotations

from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.routing import Route

from chouine.rules import OPTIONS, PRESETS
from chouine.rules.options import text_name
from chouine.school.problems import shipped_problems
from chouine.server.forms import VERBS
from chouine.server.pages.visit import Settings
from chouine.server.routes.addresses import routes
from chouine.table.decide import PHRASES
from tests.attack.conftest import Place
from tests.night import costly_examples
from tests.server.serving import Browser, RunningServer

METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE")
HOSTILE = (
    "", "0", "1", "-1", "3", "9" * 400, "²", "٣", "1e9", "NaN", "\x00", "%00", "../../etc/passwd", "..%2f",
    "'; drop table entry; --", "<script>alert(1)</script>", "{{7*7}}", "{0.__class__}", "%(x)s%n",
    "\r\nSet-Cookie: a=b", "\ud7ff\U0010ffff", "\u202e", "é" * 2000, "chouine", "classic", "null", "[]", "{}",
    "true", "As", "7x", "As+20d", "//e.example", "javascript:alert(1)",
)  # fmt: skip
WORDS = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=40), st.integers().map(str))
FIELDS = (
    "csrf", "seat", "id", "place", "at", "token", "phrase", "name", "back", "language", "swap", "rules",
    "preset", "format", "move", "reserve", "chair-0", "chair-1", "chair-2", "name-0", "name-1", "as", "after",
    "trick", "section", "what", "act", "n", "der", "whose", "points-0", "points-1", "many-A", "many-T", "which",
    "new", "title", "kind", "rounds", "pace", "number", "page", *Settings.__dataclass_fields__,
    *(f"option-{text_name(option)}" for option in OPTIONS),
)  # fmt: skip
HEADERS = (
    "Accept", "Accept-Language", "Accept-Encoding", "Cookie", "Origin", "Referer", "Sec-Fetch-Site", "Range",
    "Last-Event-ID", "If-None-Match", "If-Modified-Since", "X-Forwarded-For", "X-Forwarded-Proto", "Expect",
    "X-Forwarded-Host", "Content-Type", "X-HTTP-Method-Override", "Upgrade", "User-Agent",
)  # fmt: skip
VALUES = (
    "application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=utf-7", "",
    "multipart/form-data", "multipart/form-data; boundary=b", "multipart/form-data; boundary=",
    "application/json", "text/plain; charset=\xff", "text/html", "text/event-stream", "*/*", "fr", "en;q=x",
    "null", "same-origin", "bytes=0-0,1-1",
)  # fmt: skip


@cache
def contest_at(place: Place) -> str:
    """The identifier of a contest open for entries."""
    form = {"csrf": place.host.csrf, "title": "Essai", "format": "1x1"}
    return str(place.host.http.post("/contests", data=form).url).rpartition("/")[2]


@pytest.fixture(scope="module")
def strangers(served: RunningServer) -> list[Browser]:
    """Browsers without a chair at any table, which keep their cookies."""
    return [served.visit() for _ in range(4)]


def header(text: str) -> bytes:
    """The text as bytes that an HTTP client can send as a header."""
    return bytes(byte for byte in text.encode(errors="replace") if byte >= 0x20 and byte != 0x7F).strip()


def in_parts(form: dict[str, str]) -> dict[str, Any]:
    """The form's fields as uploaded files."""
    return {"files": {name: ("f", value.encode(errors="replace")) for name, value in form.items()}}


def likely(form: dict[str, str]) -> dict[str, str]:
    """A complete form, with some fields replaced."""
    return {
        "csrf": "TOKEN", "seat": "0", "token": "As", "place": "3", "at": "16", "phrase": PHRASES[0],
        "preset": min(PRESETS), "chair-0": "me", "chair-1": "friend", "format": "1x1", "what": "start", "n": "0",
        "der": "a", "title": "X", **form,
    }  # fmt: skip


FORMS = st.dictionaries(st.sampled_from(FIELDS), WORDS, max_size=6)
BODIES: st.SearchStrategy[dict[str, Any]] = st.one_of(
    FORMS.map(lambda form: {"data": form}),
    FORMS.map(lambda form: {"data": likely(form)}),
    st.binary(max_size=300).map(lambda raw: {"content": raw}),
    FORMS.map(in_parts),
    st.just({}),
)
HEADED = st.dictionaries(st.sampled_from(HEADERS), st.one_of(st.sampled_from(VALUES), WORDS), max_size=4)
LEFT_ALONE = st.sampled_from(("", "/%?#"))
"""Characters left unquoted in an address."""


@cache
def parameter_strategies(place: Place) -> dict[str, st.SearchStrategy[str]]:
    """Strategies for the parameters of addresses, cached since Hypothesis takes long to inspect one."""
    true = {
        "table_id": (place.over, place.playing, place.empty, "x" * 32),
        "verb": tuple(VERBS),
        "seat": ("0", "1"),
        "number": ("1", "2"),
        "nth": ("1", "2"),
        "lesson": ("takes", "points"),
        "contest": (contest_at(place), "x"),
        "day": ("2026-11-20", "2026-13-01", "x"),
        "id": (shipped_problems()[0].id, "x"),
        "secret": tuple(link.rpartition("/")[2] for link in place.links),
    }
    return {name: st.one_of(st.sampled_from(values), WORDS) for name, values in true.items()}


OTHER = st.one_of(st.sampled_from(("0", "1")), WORDS)


@st.composite
def requests(draw: st.DrawFn, route: Route, place: Place) -> dict[str, Any]:
    """Requests to a route, partly with valid names and partly with random ones."""
    path = route.path_format
    for name in route.param_convertors:
        value = draw(parameter_strategies(place).get(name, OTHER))
        path = path.replace(f"{{{name}}}", quote(value, safe=draw(LEFT_ALONE)))
    return {
        "method": draw(methods(frozenset(route.methods or ()))),
        "url": path if path.startswith("/") and not path.startswith("//") else "/",
        "params": draw(FORMS),
        "headers": {name: header(value) for name, value in draw(HEADED).items()},
        **draw(BODIES),
    }


@cache
def methods(taken: frozenset[str]) -> st.SearchStrategy[str]:
    """A method, more often one of the route's own."""
    usual = sorted(taken - {"HEAD"})
    return st.sampled_from((*usual * 4, *METHODS))


def send_request(browser: Browser, request: dict[str, Any]) -> httpx.Response | None:
    """Send a request and return the answer, a stream's without its body; None if the client refuses it."""
    form = request.get("data", {})
    if form.get("csrf") == "TOKEN":
        form["csrf"] = browser.csrf
    try:
        built = browser.http.build_request(**request)
        answer = browser.http.send(built, stream=True, follow_redirects=False)
    except (httpx.InvalidURL, httpx.LocalProtocolError, ValueError):
        return None
    with closing(answer):
        if not answer.headers.get("content-type", "").startswith("text/event-stream"):
            answer.read()
    return answer


@pytest.mark.parametrize("route", routes, ids=lambda route: f"{min(route.methods)} {route.path}")
def test_every_route_answers_whatever_is_asked(
    route: Route, place: Place, served: RunningServer, strangers: list[Browser]
) -> None:
    before = length(served.errors)

    @settings(max_examples=costly_examples())
    @given(requests(route, place), st.sampled_from((*strangers, place.host)))
    def attack(request: dict[str, Any], browser: Browser) -> None:
        answer = send_request(browser, request)
        if answer is None:
            return
        assert answer.status_code < 500, answer.status_code
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "Traceback" not in (
            "" if not answer.is_closed or not answer.is_stream_consumed else answer.text
        )
        assert "a=b" not in answer.headers.get("set-cookie", "")
        assert not answer.headers.get("location", "/").startswith(("//", "http://e.", "javascript"))

    attack()
    assert "failure" not in served.errors.read_text()[before:]


def length(log: Path) -> int:
    return len(log.read_text())


def test_what_strangers_do_moves_no_table(place: Place, served: RunningServer) -> None:
    """Visitors without a chair cannot change a table by any form."""
    stranger = served.visit()
    before = place.host.get(f"/table/{place.playing}/events?after=0").json()[-1]["n"]

    @given(st.sampled_from(sorted(VERBS)), st.dictionaries(st.sampled_from(FIELDS), WORDS, max_size=5))
    def attack(verb: str, form: dict[str, str]) -> None:
        data = likely(form) | {"csrf": stranger.csrf}
        answer = stranger.http.post(f"/table/{place.playing}/{verb}", data=data)
        assert answer.status_code in (400, 403, 429)

    attack()
    assert place.host.get(f"/table/{place.playing}/events?after=0").json()[-1]["n"] == before
