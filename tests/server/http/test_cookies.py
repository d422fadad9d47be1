"""Cookies as visitors may send them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import AsyncMock

import pytest
from starlette.requests import Request
from starlette.responses import Response

import chouine.server
from chouine.server.request_parts import LONGEST, cookie_in
from chouine.server.visitors import AGAIN, TOKEN, ZONE, Secrets, known_by, lead_with_next_cookie, take_cookie
from tests.server.stores import Clock


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


@pytest.mark.parametrize("later", [0.0, AGAIN, 2 * AGAIN])
def test_a_next_cookie_is_given_again_for_a_while(later: float) -> None:
    """A copy of it may have been taken since, which would go on with whoever gets it again."""
    held, clock = Secrets("key"), Clock()
    store = SimpleNamespace(database=SimpleNamespace(read=AsyncMock(return_value=False)))
    services = SimpleNamespace(tables=SimpleNamespace(clock=clock, store=store))

    def give(next_cookie: str = "") -> str:
        asked = request(f"chouine-{held.instance}=a; chouine-{held.instance}-next={next_cookie}")
        asked.scope["app"] = SimpleNamespace(state=SimpleNamespace(services=services))
        answer = asyncio.run(lead_with_next_cookie("/mine", "next", held, asked))
        return answer.headers["set-cookie"].partition(";")[0].partition("=")[2]

    first = give()
    assert len(first) == TOKEN
    assert held.is_own(first)
    clock.now += later
    assert (give(first) == first) == (later <= AGAIN)
    assert give(held.token()) != first


def test_a_quoted_cookie_is_not_taken_apart_when_a_browser_is_forgotten() -> None:
    held, response = Secrets("key"), Response()
    take_cookie(held, request(f'chouine="{held.token()}"'), response)
    assert [line.partition("=")[0] for line in response.headers.getlist("set-cookie")] == [
        f"chouine-{held.instance}",
        f"chouine-{held.instance}-member",
        f"chouine-{held.instance}-next",
        ZONE,
    ]


def test_no_cookie_is_read_in_another_way() -> None:
    """Starlette's `request.cookies` uses Python's reader."""
    files = Path(chouine.server.__file__).parent.rglob("*.py")
    assert not [file for file in files if "request.cookies" in file.read_text(encoding="utf-8")]
