"""`chouine bot` on a server that is played by the test."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from threading import Event
from typing import Any, cast

import pytest

from chouine.cli.api_client import ApiClient
from chouine.cli.bot import Bot
from tests.patience import PATIENCE

TABLE: dict[str, Any] = {
    "id": "table",
    "seat": "b",
    "score": "0-0 0-0",
    "ready": [],
    "next": None,
    "seats": [],
    "winner": "a",
}
JOINED = {**TABLE, "n": 3, "phase": "tirage", "todo": "nothing"}
OVER = {**TABLE, "n": 9, "phase": "over", "todo": "nothing"}


class Silent:
    """A server whose stream tells of no match that is over, as one that was opened too late for it."""

    def __init__(self) -> None:
        self.closed = Event()

    def ask(self, *request: object) -> object:
        return {"account": {"bot": True, "name": "Loir"}, "join": JOINED}.get(str(request[1]), OVER)

    def lines(self) -> Iterator[dict[str, Any]]:
        self.closed.wait(PATIENCE)
        return iter(())

    def close(self) -> None:
        self.closed.set()


def test_a_match_that_ended_while_nobody_listened_is_the_last(capsys: pytest.CaptureFixture[str]) -> None:
    """The bot ends after the matches asked for, though no event will come."""
    args = argparse.Namespace(
        server="http://here", join="/join/table/1/x", open=None, matches=1, language="en"
    )

    def player(rules: str) -> Any:
        raise AssertionError(f"there is nothing to play with {rules}")

    bot = Bot(cast("ApiClient", Silent()), player, args)
    asyncio.run(asyncio.wait_for(bot.run(), PATIENCE / 2))
    assert "Match table is over" in capsys.readouterr().out
