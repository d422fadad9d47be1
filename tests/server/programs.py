"""Programs that play through the API: their accounts and what they post."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx

from tests.patience import PATIENCE
from tests.server.serving import UNENCRYPTED, Browser, RunningServer

SCOPES = ("play", "tables", "matches")
OPEN: list[httpx.Client] = []
"""Clients to be closed after a test."""
TOKEN = re.compile(r"chouine_[A-Za-z0-9_-]{43}")


@dataclass
class ApiClient:
    """A client of the API with a token."""

    http: httpx.Client
    token: str

    def get(self, path: str, **query: str) -> Any:
        """The JSON at an address, which must be there."""
        answer = self.http.get(f"/api/1/{path}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, **body: object) -> httpx.Response:
        """The answer to a post."""
        return self.http.post(f"/api/1/{path}", json=body)

    def do(self, path: str, **body: object) -> Any:
        """The JSON after a post that must be right."""
        answer = self.post(path, **body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def answer(self, table: dict[str, Any], rng: Random) -> Any:
        """Do at random what a table waits for, and return the table after it."""
        body: dict[str, object] = {}
        match table["todo"]:
            case "pick":
                body = {"place": rng.choice([place for place in range(32) if place not in table["picked"]])}
            case "cut":
                body = {"at": rng.randint(4, 28)}
            case "act":
                body = {"act": rng.choice(table["legal"])}
        return self.do(f"tables/{table['id']}/{table['todo']}", **body)


def client_of(served: RunningServer, token: str) -> ApiClient:
    """A client with a token."""
    headers = {"Authorization": f"Bearer {token}", "Accept-Language": "en"}
    http = httpx.Client(base_url=served.url, headers=headers, timeout=PATIENCE, verify=UNENCRYPTED)
    OPEN.append(http)
    return ApiClient(http, token)


def close_all() -> None:
    """Close all clients."""
    while OPEN:
        OPEN.pop().close()


def token_of(served: RunningServer, bot: str = "", scopes: tuple[str, ...] = SCOPES) -> str:
    """A token of a new guest, who is a bot if it is named."""
    browser = served.visit("en")
    if bot:
        answer = browser.post("/mine/tokens", what="bot", bot=bot)
        assert answer.status_code == 200, answer.text
    return made_token(browser, scopes)


def made_token(browser: Browser, scopes: tuple[str, ...] = SCOPES) -> str:
    """A token that a guest makes in a browser."""
    data = {"csrf": browser.csrf, "what": "make", "name": "Mine", "scope": [*scopes]}
    page = browser.http.post("/mine/tokens", data=data).text
    found = TOKEN.search(page)
    assert found, page
    return found[0]


def program(served: RunningServer, bot: str = "", scopes: tuple[str, ...] = SCOPES) -> ApiClient:
    """A client with a token of a new guest."""
    return client_of(served, token_of(served, bot, scopes))
