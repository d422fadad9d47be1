"""The site's address: allowed hosts, the base of links, HSTS, and form tokens."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from chouine.server.site import Site
from chouine.server.visitors import Secrets, newcomer
from tests.patience import PATIENCE
from tests.server.serving import Browser, Inputs, RunningServer, serving


def test_links_and_hosts_are_as_set(tmp_path: Path) -> None:
    """Links begin with the site's public address, and requests for other hosts are refused."""
    options = ("--public-url", "https://chouine.example/", "--trusted-proxies", "127.0.0.1")
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", options=options) as server:
        named = {"Host": "chouine.example"}
        assert httpx.get(server.url).status_code == 400
        assert httpx.get(server.url, headers={"Host": "evil.example"}).status_code == 400
        assert httpx.get(f"{server.url}/ready").status_code == 200
        with httpx.Client(
            base_url=server.url, headers=named, follow_redirects=True, timeout=PATIENCE
        ) as http:
            browser = Browser.__new__(Browser)
            browser.http, browser.page = http, http.get("/")
            browser.csrf = browser.forms()[0].fields["csrf"]
            table_id = browser.open()
            shown = http.get(f"/table/{table_id}/links").text
            invited = http.get(
                next(link for link in Inputs(shown).values if f"/join/{table_id}/1/" in link)[23:]
            )
            sent = re.search(r'og:image" content="https://chouine.example([^"]+)"', invited.text)
            assert sent
            picture = http.get(sent[1]).content
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(picture[at : at + 4]) for at in (16, 20)] == [1200, 630]
    links = [value for value in Inputs(shown).values if "/join/" in value]
    assert links
    assert all(link.startswith(f"https://chouine.example/join/{table_id}/") for link in links)


@pytest.mark.parametrize(
    ("allowed", "host", "status"),
    [
        ("", "anything.example", 200),
        ("a.example,b.example:8000", "A.example", 200),
        ("a.example,b.example:8000", "a.example:1234", 200),
        ("a.example,b.example:8000", "b.example:8000", 200),
        ("a.example,b.example:8000", "b.example", 400),
        ("[::1]", "[::1]:8000", 200),
        ("a.example", "a.example.evil", 400),
    ],
)
def test_hosts_allowed(allowed: str, host: str, status: int) -> None:
    answer = Site.of("", allowed).mismatch_of({"headers": [(b"host", host.encode())]}, watched=False)
    assert (answer.status_code if answer else 200) == status


@pytest.mark.parametrize("headers", [[], [(b"host", b"a"), (b"host", b"a")]])
def test_one_host_is_named(headers: list[tuple[bytes, bytes]]) -> None:
    answer = Site().mismatch_of({"headers": headers}, watched=True)
    assert answer is not None
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "url",
    [
        "chouine.example",
        "ftp://chouine.example",
        "https://",
        "https://a/?b",
        "https://a:b",
        "https://u:p@a",
        "https://a..b\u00e9",
    ],
)
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ValueError, match="not the address of a site"):
        Site.of(url, "")


def test_https_is_for_good(served: RunningServer) -> None:
    over = httpx.get(served.url, headers={"X-Forwarded-Proto": "https"})
    assert over.headers["strict-transport-security"] == "max-age=31536000"
    assert "strict-transport-security" not in httpx.get(served.url).headers


def test_no_two_pages_carry_the_same_token(host: Browser) -> None:
    """Each page has a new masked token, all valid: with a constant one, compressed lengths would reveal it."""
    tokens = set()
    for _ in range(5):
        host.get("/")
        tokens.add(host.forms()[0].fields["csrf"])
    assert len(tokens) == 5
    assert not {token[size:][:8] for token in tokens for size in (0, 32)} & {"00000000"}
    for token in tokens:
        assert host.http.post("/language", data={"csrf": token, "language": "en"}).status_code == 200


def test_a_token_is_its_visitors() -> None:
    held = Secrets("key")
    one, other = newcomer(held), newcomer(held)
    token = held.csrf(one)
    assert held.right_csrf(one, token)
    assert not held.right_csrf(other, token)
    for wrong in ("", "x", token[:-2], token + "00", token[:32], "é" * 64, "0" * 64):
        assert not held.right_csrf(one, wrong)
