"""Cookies as visitors may send them."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

import chouine.server
from chouine.server.request_parts import LONGEST, cookie_in
from chouine.server.visitors import ZONE, Secrets, known_by, take_cookie


def request(*lines: str) -> Request:
    headers = [(b"cookie", line.encode("latin-1")) for line in lines]
    return Request({"type": "http", "scheme": "http", "headers": headers})


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        (["chouine=a"], "a"),
        (["other=b; chouine=a; chouines=c"], "a"),
        (["other=b", " chouine = a "], "a"),
        (["chouine"], ""),
        ([";;=;chouine=a=b"], "a=b"),
        (['chouine="\\141"'], '"\\141"'),
        (["chouine=" + "a" * (LONGEST + 1)], ""),
        ([], ""),
    ],
)
def test_a_cookie_is_read_as_it_stands(lines: list[str], value: str) -> None:
    """Quotes are not taken apart: Python 3.11's reader of cookies needs minutes for a long value of them."""
    assert cookie_in(request(*lines), "chouine") == value


@pytest.mark.parametrize("forged", ["a" * 77, "é" * 4000, '"' + "\\a" * 2000 + '"'])
def test_a_longer_cookie_than_ours_is_none(forged: str) -> None:
    """The cache of signatures would keep it: some thousands of long ones filled the memory."""
    held = Secrets("key")
    visitor = known_by(held, request(f"chouine={forged}"))
    assert visitor.new
    assert visitor.token != forged
    assert held.is_own(visitor.token)


def test_the_servers_own_cookie_is_known() -> None:
    held = Secrets("key")
    token = held.token()
    visitor = known_by(held, request(f"chouine={token}"))
    assert not visitor.new
    assert visitor.token == token


def test_a_quoted_cookie_is_not_taken_apart_when_a_browser_is_forgotten() -> None:
    held, response = Secrets("key"), Response()
    take_cookie(held, request(f'chouine="{held.token()}"'), response)
    assert [line.partition("=")[0] for line in response.headers.getlist("set-cookie")] == [
        f"chouine-{held.instance}",
        f"chouine-{held.instance}-member",
        ZONE,
    ]


def test_no_cookie_is_read_in_another_way() -> None:
    """Starlette's `request.cookies` uses Python's reader."""
    files = Path(chouine.server.__file__).parent.rglob("*.py")
    assert not [file for file in files if "request.cookies" in file.read_text(encoding="utf-8")]
