"""Security headers of all kinds of answers: pages, redirects, refusals, failures, files, streams, records."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from chouine.server.guard import LASTING
from chouine.server.routes.addresses import routes
from tests.attack.conftest import Place, lay_tables
from tests.server.addresses import address_at
from tests.server.serving import RunningServer

ALWAYS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
NOWHERE = ("camera", "microphone", "geolocation")
"""Browser features that every page must disable."""
TELLING = ("server", "x-powered-by", "access-control-allow-origin", "via")
"""Headers that would name the server's software or allow other sites to read answers."""


CARRIES_PYTHON = ("GET /offline", "HEAD /offline", "GET /offline/worker.js", "HEAD /offline/worker.js")
"""The only answers whose policy allows WebAssembly."""


@pytest.fixture
def place(served: RunningServer) -> Place:
    """New tables for each test, whose host is signed out and erased on the way."""
    return lay_tables(served)


def answers(place: Place, served: RunningServer) -> Iterator[tuple[str, httpx.Response]]:
    """An answer of each kind, and of each route with each method."""
    browser, data = place.host, {"csrf": place.host.csrf}
    kinds = {
        "page": browser.http.get("/"),
        "table": browser.http.get(f"/table/{place.playing}"),
        "way on": browser.http.post("/language", data=data | {"language": "fr"}, follow_redirects=False),
        "command": browser.tell(place.playing, "speak", 0, phrase="hello"),
        "illegal": browser.tell(place.playing, "speak", 0, phrase="x"),
        "illegal page": browser.http.post(
            f"/table/{place.playing}/act", data=data | {"seat": "0", "token": "x"}
        ),
        "not a number": browser.http.post(f"/table/{place.playing}/act", data=data | {"seat": "x"}),
        "not yours": browser.http.post(f"/table/{place.playing}/act", data=data | {"seat": "1"}),
        "no token": browser.http.post("/new", data={}),
        "other site": browser.http.post("/new", data=data, headers={"Origin": "https://e.example"}),
        "too large": browser.http.post("/new", content=b"x" * 100_000),
        "nowhere": browser.http.get("/nowhere"),
        "nowhere, told": browser.http.get("/nowhere", headers={"Accept": "application/json"}),
        "record": browser.http.get(f"/match/{place.over}.cgn"),
        "deal": browser.http.get(f"/match/{place.over}/1.json"),
        "no file": browser.http.get("/static/none.css"),
        "file": browser.http.get("/static/icon.svg"),
        "file, lasting": browser.http.get("/static/icon.svg?v=1"),
        "file, part of it": browser.http.get("/static/icon.svg", headers={"Range": "bytes=0-3"}),
        "way up": browser.http.get("/static/../app.py"),
    }
    tag = kinds["file"].headers["etag"]
    kinds["file, unchanged"] = browser.http.get("/static/icon.svg", headers={"If-None-Match": tag})
    yield from kinds.items()
    (cookie,) = browser.http.cookies.jar
    for route in routes:
        path = address_at(route.path_format, place.over)
        for method in ("GET", "HEAD", "POST", "OPTIONS", "DELETE"):
            browser.http.cookies.jar.set_cookie(cookie)  # one of the routes forgets the browser
            with browser.http.stream(method, path, data=data if method == "POST" else None) as answer:
                yield f"{method} {route.path}", answer


def test_every_answer_has_every_header(place: Place, served: RunningServer) -> None:
    statuses = set()
    for kind, answer in answers(place, served):
        statuses.add(answer.status_code)
        if kind.startswith(("GET ", "HEAD ")):
            assert answer.status_code in (200, 204) or answer.status_code >= 300, (
                kind
            )  # nothing is made by reading
        for name, value in ALWAYS.items():
            assert answer.headers.get(name) == value, (kind, name)
        policy = dict(
            rule.strip().split(" ", 1) for rule in answer.headers["content-security-policy"].split(";")
        )
        assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'", kind
        scripts = policy.pop("script-src")
        python = "'self' 'wasm-unsafe-eval'" if kind in CARRIES_PYTHON else "'self'"
        assert scripts in ("'self'", python), kind
        assert policy["form-action"] == "'self'", kind
        assert "unsafe" not in str(policy), kind
        for what in NOWHERE:
            assert f"{what}=()" in answer.headers["permissions-policy"], kind
        for name in TELLING:
            assert name not in answer.headers, (kind, name)
        assert len(answer.headers.get_list("content-security-policy")) == 1, kind
    assert statuses >= {200, 206, 303, 304, 400, 403, 404, 405, 413, 422}


def test_only_files_are_kept(place: Place, served: RunningServer) -> None:
    """Only static files are cached; pages and data have `no-store`."""
    for kind, answer in answers(place, served):
        kept = answer.headers["cache-control"]
        if kind == "file, lasting":
            assert kept == LASTING.decode()
        elif kind.startswith("file"):
            assert kept == "no-cache", kind
        else:
            assert kept == "no-store", kind


def test_every_answer_says_what_it_is(place: Place, served: RunningServer) -> None:
    """Every answer with a body has a content type, so that browsers do not guess one."""
    for kind, answer in answers(place, served):
        empty = answer.headers.get("content-length") == "0" or answer.status_code in (204, 304)
        assert empty or "content-type" in answer.headers, kind
        if answer.headers.get("content-type", "").startswith("text/"):
            assert "charset=utf-8" in answer.headers["content-type"], kind


@pytest.mark.parametrize("forwarded", ["https", "http"])
def test_the_cookie_is_for_this_site_alone(forwarded: str, served: RunningServer) -> None:
    answer = httpx.get(served.url, headers={"X-Forwarded-Proto": forwarded})
    (cookie,) = answer.headers.get_list("set-cookie")
    attributes = [part.strip().lower() for part in cookie.split(";")[1:]]
    assert {"httponly", "samesite=lax", "path=/"} <= set(attributes)
    assert ("secure" in attributes) == (forwarded == "https")
    assert cookie.startswith("__Host-") == (forwarded == "https"), "no other host of a domain can set it"
    assert not any(part.startswith("domain") for part in attributes)
    assert len(cookie.partition("=")[2].partition(";")[0]) >= 43, "256 random bits"
