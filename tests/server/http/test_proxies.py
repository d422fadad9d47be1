"""Behind a proxy: whose word is taken for the visitor's address, and what a wrong setting is told by."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse
from structlog.testing import capture_logs

from chouine.server.guard import EdgeMiddleware
from chouine.server.limits import Limits
from chouine.server.proxies import Proxies
from chouine.server.site import Site
from tests.patience import PATIENCE
from tests.server.serving import Browser, RunningServer, serve_counting_for_long, serving

SITE = "https://chouine.example"


def unwrap(trusted: str, peer: str | None, *headers: tuple[str, str]) -> tuple[str, str]:
    """The visitor's address and scheme."""
    scope: dict[str, Any] = {
        "type": "http",
        "scheme": "http",
        "client": (peer, 4711) if peer is not None else None,
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
    }
    found = Proxies.of(trusted).unwrap(scope)
    return (found["client"] or ("",))[0], found["scheme"]


@pytest.mark.parametrize(
    ("trusted", "peer", "given", "visitor"),
    [
        ("", "10.0.0.1", ["203.0.113.7"], "10.0.0.1"),
        ("10.0.0.1", "10.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", "10.0.0.2", ["203.0.113.7"], "10.0.0.2"),
        ("10.0.0.0/8", "10.9.9.9", ["6.6.6.6, 203.0.113.7"], "203.0.113.7"),
        ("10.0.0.0/8", "10.9.9.9", ["127.0.0.1, 203.0.113.7, 10.0.0.3"], "203.0.113.7"),
        ("10.0.0.0/8", "10.9.9.9", ["6.6.6.6", "203.0.113.7"], "203.0.113.7"),
        ("10.0.0.0/8", "10.9.9.9", ["203.0.113.7:4711"], "203.0.113.7"),
        ("10.0.0.0/8", "10.9.9.9", ["[2001:db8::7]:4711"], "2001:db8::7"),
        ("10.0.0.0/8", "10.9.9.9", ["[2001:db8::7]"], "2001:db8::7"),
        ("10.0.0.0/8", "10.9.9.9", ["10.0.0.5"], "10.0.0.5"),
        ("10.0.0.0/8", "10.9.9.9", ["6.6.6.6, unknown"], "10.9.9.9"),
        ("10.0.0.0/8", "10.9.9.9", ["6.6.6.6, _hidden, 10.0.0.3"], "10.0.0.3"),
        ("10.0.0.0/8", "10.9.9.9", [""], "10.9.9.9"),
        ("10.0.0.0/8", "10.9.9.9", [], "10.9.9.9"),
        ("127.0.0.1", "::ffff:127.0.0.1", ["::ffff:203.0.113.7"], "203.0.113.7"),
        (" 127.0.0.1 , fd00::/8,", "fd00::1", ["203.0.113.7"], "203.0.113.7"),
        ("*", "198.51.100.1", ["10.0.0.9, 203.0.113.7"], "203.0.113.7"),
        ("*", "198.51.100.1", ["203.0.113.7", "127.0.0.1"], "127.0.0.1"),
        ("0.0.0.0/0", "198.51.100.1", ["10.0.0.9, 203.0.113.7"], "203.0.113.7"),
        ("0.0.0.0/1, 128.0.0.0/1", "198.51.100.1", ["10.0.0.9, 203.0.113.7"], "203.0.113.7"),
        ("::/0,10.0.0.1", "10.0.0.1", ["10.0.0.9, 203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", "", ["203.0.113.7"], ""),
        ("10.0.0.1", None, ["203.0.113.7"], ""),
        ("*", None, ["10.0.0.9, 203.0.113.7"], "203.0.113.7"),
    ],
)
def test_the_visitors_address(trusted: str, peer: str | None, given: list[str], visitor: str) -> None:
    """The first from the right that is no trusted proxy: what is further left the visitor may have made up."""
    headers = [("X-Forwarded-For", each) for each in given]
    forged = [("Forwarded", "for=10.0.0.9"), ("X-Real-IP", "10.0.0.9")]
    assert unwrap(trusted, peer, *headers, *forged)[0] == visitor


@pytest.mark.parametrize(
    ("peer", "given", "scheme"),
    [
        ("10.0.0.1", ["https"], "https"),
        ("10.0.0.1", ["https, http"], "https"),
        ("10.0.0.1", ["https", "http"], "https"),
        ("10.0.0.1", ["gopher"], "http"),
        ("10.0.0.1", [], "http"),
        ("10.0.0.2", ["https"], "http"),
    ],
)
def test_the_visitors_scheme(peer: str, given: list[str], scheme: str) -> None:
    assert unwrap("10.0.0.1", peer, *(("X-Forwarded-Proto", each) for each in given))[1] == scheme


@pytest.mark.parametrize("trusted", ["caddy", "10.0.0.5/8", "10.0.0.0/33", "127.0.0.1;10.0.0.1", "10.0.0.*"])
def test_what_is_no_network_is_told(trusted: str, tmp_path: Path) -> None:
    errors = tmp_path / "errors"
    options = ("--trusted-proxies", f"127.0.0.1,{trusted}")
    with (
        pytest.raises(AssertionError),
        serving(f"sqlite:///{tmp_path / 'chouine.db'}", errors, options=options),
    ):
        pass
    assert errors.read_text().startswith("chouine serve: --trusted-proxies: addresses and networks")
    assert f"not {trusted}\n" in errors.read_text()


def test_an_appending_proxy_and_everybody_trusted(tmp_path: Path) -> None:
    """A made-up address passes neither the limits nor the way to the metrics; the start warns of `*`."""
    options, errors = ("--trusted-proxies", "*"), tmp_path / "errors"
    database = f"sqlite:///{tmp_path / 'chouine.db'}"
    program = serve_counting_for_long
    with serving(database, errors, per_address=1, options=options, program=program) as server:
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as crowd:
            answers = [
                crowd.get(
                    "/nowhere", headers={"X-Forwarded-For": f"10.0.0.{nth % 250}, 203.0.113.7"}
                ).status_code
                for nth in range(300)
            ]
        assert 429 in answers
        forged = {"X-Forwarded-For": "10.0.0.9, 203.0.113.7"}
        assert httpx.get(f"{server.url}/metrics", headers=forged).status_code == 404
    assert "--trusted-proxies" in errors.read_text()


@contextmanager
def site(folder: Path, *options: str) -> Iterator[RunningServer]:
    with serving(f"sqlite:///{folder / 'chouine.db'}", folder / "errors", options=options) as server:
        yield server


def post(browser: Browser, host: str, origin: str, **headers: str) -> httpx.Response:
    """The answer to a form of the first page."""
    named = {"Host": host, "Origin": origin, **headers}
    fields = {"csrf": browser.csrf, "language": "en"}
    return browser.http.post("/language", data=fields, headers=named, follow_redirects=False)


def visiting(server: RunningServer, host: str, language: str = "fr") -> Browser:
    browser = Browser.__new__(Browser)
    headers = {"Host": host, "Accept-Language": language}
    browser.http = httpx.Client(base_url=server.url, headers=headers, timeout=PATIENCE)
    server.browsers.append(browser)
    browser.page = browser.http.get("/")
    browser.csrf = browser.forms()[0].fields["csrf"]
    return browser


def test_the_public_address_is_the_sites_own(tmp_path: Path) -> None:
    """Posts from the site's pages are taken, whatever the proxy makes of Host and scheme; no others are."""
    options = ("--public-url", SITE, "--allowed-hosts", "chouine.example,127.0.0.1,node1")
    with site(tmp_path, *options) as server:
        browser = visiting(server, "chouine.example")
        for host in (
            "chouine.example",
            "chouine.example:443",
            "CHOUINE.example",
            "127.0.0.1:8000",
            "node1:8000",
        ):
            for more in ({}, {"X-Forwarded-Proto": "https"}, {"X-Forwarded-Proto": "http"}):
                for fetch in ({}, {"Sec-Fetch-Site": "same-origin"}):
                    assert post(browser, host, SITE, **more, **fetch).status_code == 303, (host, more)
                    for foreign in ("https://evil.example", "null", "", f"{SITE}.evil.example", "https://"):
                        assert post(browser, host, foreign, **more, **fetch).status_code == 403, foreign
                assert (
                    post(browser, host, SITE, **more, **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
                )
        assert post(browser, "chouine.example", "http://chouine.example").status_code == 403


SAME = {"Sec-Fetch-Site": "same-origin"}
WRONG: list[tuple[str, tuple[str, ...], str, str, dict[str, str], str, tuple[str, ...]]] = [
    (
        "no proxy",
        (),
        "x.example",
        "https://x.example",
        {},
        "behind-https",
        ("--trusted-proxies", "--public-url"),
    ),
    ("default port", (), "x.example:443", "https://x.example", {}, "behind-https", ("--trusted-proxies",)),
    ("own host", (), "127.0.0.1:8000", "https://x.example", SAME, "behind-https", ("--trusted-proxies",)),
    ("own host, old browser", (), "127.0.0.1:8000", "https://x.example", {}, "cross-site", ("--public-url",)),
    (
        "trusted, own host",
        ("--trusted-proxies", "127.0.0.1"),
        "node1:8000",
        "https://x.example",
        {"X-Forwarded-Proto": "https"} | SAME,
        "another-address",
        ("--public-url",),
    ),
    (
        "http",
        ("--public-url", SITE),
        "chouine.example",
        "http://chouine.example",
        {},
        "only-https",
        ("--public-url",),
    ),
    (
        "another port",
        ("--public-url", SITE),
        "chouine.example",
        f"{SITE}:8443",
        {},
        "another-address",
        ("--public-url",),
    ),
    (
        "another name",
        ("--public-url", SITE, "--allowed-hosts", "x.example"),
        "x.example",
        "https://x.example",
        SAME,
        "behind-https",
        ("--public-url",),
    ),
]


@pytest.mark.parametrize(("what", "options", "host", "origin", "headers", "kind", "settings"), WRONG)
def test_a_wrong_setting_is_named(
    what: str,
    options: tuple[str, ...],
    host: str,
    origin: str,
    headers: dict[str, str],
    kind: str,
    settings: tuple[str, ...],
) -> None:
    """On the page, in both languages, as JSON for scripts, and in the log."""
    given = dict(zip(options[::2], options[1::2], strict=True))
    where = Site.of(given.get("--public-url", ""), given.get("--allowed-hosts", ""))
    guard = EdgeMiddleware(
        PlainTextResponse("done"), Limits(), where, Proxies.of(given.get("--trusted-proxies", ""))
    )
    named = {"Host": host, "Origin": origin, **headers}

    async def answer(**more: str) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url="http://test") as browser:
            return await browser.post("/language", headers=named | more)

    for language, said in (
        ("fr", "Pour la personne qui tient ce serveur"),
        ("en", "For whoever runs this server"),
    ):
        with capture_logs() as lines:
            page = asyncio.run(answer(**{"Accept-Language": language}))
        assert page.status_code == 403, what
        assert said in page.text
        assert all(setting in page.text for setting in (*settings, origin))
        (line,) = lines
        assert (line["event"], line["kind"], line["seen"], line["most"]) == ("refused", kind, origin, 1)
        assert all(setting in line["setting"] for setting in settings)
    told = asyncio.run(answer(Accept="application/json")).json()
    assert (told["ok"], told["code"]) == (False, kind)
    assert all(setting in told["message"] for setting in settings)


def test_an_unknown_host_is_told_of(tmp_path: Path) -> None:
    with site(tmp_path, "--public-url", f"{SITE}:8443") as server:
        for language in ("fr", "en"):
            wrong = {"Host": "<chouine>.example", "Accept-Language": language}
            answers = [httpx.get(server.url, headers=wrong) for _ in range(20)]
            assert {answer.status_code for answer in answers} == {400}
            assert "--public-url" in answers[0].text
            assert "chouine.example:8443" in answers[0].text
            assert "<chouine>" not in answers[0].text
        style = httpx.get(f"{server.url}/static/css/base.css", headers={"Host": "chouine"})
        assert style.status_code == 200
    lines = [line for line in server.errors.read_text().splitlines() if "unknown-host" in line]
    assert len(lines) == 1
    assert json.loads(lines[0])["setting"] == "--public-url, --allowed-hosts"


def test_a_proxy_that_is_not_trusted_is_told_of(tmp_path: Path) -> None:
    with site(tmp_path) as server:
        for nth in range(20):
            httpx.get(server.url, headers={"X-Forwarded-For": f"203.0.113.{nth}"})
    (line,) = server.errors.read_text().splitlines()
    assert json.loads(line)["setting"] == "--trusted-proxies"
    assert "203.0.113" not in line


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Chouine.Example", "chouine.example"),
        ("https://chouïne.example", "xn--choune-lwa.example"),
        ("https://chouine.example:8443", "chouine.example:8443"),
        ("http://[2001:db8::1]:8000", "[2001:db8::1]:8000"),
    ],
)
def test_a_public_address_in_any_spelling(url: str, host: str) -> None:
    at = Site.of(url, "")
    scope = {
        "method": "POST",
        "scheme": "http",
        "headers": [(b"host", host.encode()), (b"origin", f"{url.partition(':')[0]}://{host}".encode())],
    }
    assert at.mismatch_of(scope, watched=False) is None
    assert at.cross_site(scope) is None
