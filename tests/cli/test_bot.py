"""`chouine bot` on a server that is played by the test."""

from __future__ import annotations

import argparse
import asyncio
import socket
from collections.abc import Iterator
from threading import Event, Thread
from time import sleep
from typing import Any, cast

import pytest

from chouine.cli import main
from chouine.cli.api_client import ApiClient, ApiRefusal, Away
from chouine.cli.bot import Bot, SeatPlayer
from tests.patience import PATIENCE

TOKEN = f"chouine_{'x' * 40}"

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


class Late:
    """A server on which a match ends just before the stream follows its table, which then tells nothing of it."""

    def __init__(self) -> None:
        self.following, self.closed = False, Event()

    def ask(self, _method: str, path: str, *_body: object) -> object:
        answers = {"account": {"bot": True, "name": "Loir"}, "join": JOINED}
        return answers.get(path, OVER if self.following else JOINED)

    def lines(self) -> Iterator[dict[str, Any]]:
        sleep(0.2)  # a table that is looked at now still plays
        self.following = True
        yield {}
        while not self.closed.wait(0.1):  # signs of life, more often than a server gives them
            yield {}

    def close(self) -> None:
        self.closed.set()


def test_what_may_be_sent_again_is_done_once(capsys: pytest.CaptureFixture[str]) -> None:
    """A table that was opened is not opened again because the answer was lost: both commands have one id."""
    sent: list[dict[str, Any]] = []

    class Losing(Late):
        """A server whose first answer to an opened table is lost."""

        def ask(self, method: str, path: str, *body: object) -> object:
            if path != "tables":
                return super().ask(method, path, *body)
            sent.append(cast("dict[str, Any]", body[0]))
            if len(sent) == 1:
                raise Away("lost")
            return JOINED

    args = argparse.Namespace(
        server="http://here", join=None, open="classic", format="", matches=1, language="en"
    )
    bot = Bot(cast("ApiClient", Losing()), pytest.fail, args)
    asyncio.run(asyncio.wait_for(bot.run(), PATIENCE / 2))
    assert sent[0]["id"] == sent[1]["id"]
    assert "Match table is over" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("server", "token", "why"),
    [
        ("ftp://here", TOKEN, "not the address of a server: ftp://here"),
        ("http://127.0.0.1:here", TOKEN, "not the address of a server"),
        ("http://127.0.0.1:99999", TOKEN, "not the address of a server"),
        ("http://[::1", TOKEN, "not the address of a server"),
        ("", TOKEN, "not the address of a server"),
        ("http://127.0.0.1", "two words", "this is no token"),
        ("http://127.0.0.1", "one\ntwo", "this is no token"),
        ("http://127.0.0.1", "clé", "this is no token"),
        ("http://127.0.0.1", TOKEN[:20], "this is no token"),
        ("http://127.0.0.1", TOKEN * 1000, "this is no token"),
    ],
)
def test_what_cannot_be_asked(server: str, token: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Told before anything is sent, for it would be asked again and again."""
    assert main(["bot", "random", "--server", server, "--token", token, "--language", "en"]) == 2
    assert capsys.readouterr().err.startswith(f"chouine bot: {why}")


def test_a_server_without_encryption(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a scheme it is asked by HTTPS, which one that is tried on this machine does not speak."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        Thread(target=answer_plainly, args=(listening,), daemon=True).start()
        server = f"127.0.0.1:{listening.getsockname()[1]}"
        assert main(["bot", "random", "--server", server, "--token", TOKEN, "--language", "en"]) == 2
    assert "127.0.0.1 does not speak HTTPS: begin with http://" in capsys.readouterr().err


def answer_plainly(listening: socket.socket) -> None:
    """Answer a connection as a server of HTTP does that is greeted in TLS."""
    connection, _ = listening.accept()
    with connection:
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def test_a_match_that_ended_while_nobody_listened_is_the_last(capsys: pytest.CaptureFixture[str]) -> None:
    """The bot ends after the matches asked for, though no event will come."""
    args = argparse.Namespace(
        server="http://here", join="/join/table/1/x", open=None, matches=1, language="en"
    )

    def player(rules: str) -> Any:
        raise AssertionError(f"there is nothing to play with {rules}")

    bot = Bot(cast("ApiClient", Late()), player, args)
    asyncio.run(asyncio.wait_for(bot.run(), PATIENCE / 2))
    assert "Match table is over" in capsys.readouterr().out


def test_a_revanche_at_a_table_that_the_stream_does_not_follow() -> None:
    """The bot looks at the table whenever the stream has nothing to say, and agrees."""
    args = argparse.Namespace(
        server="http://here", join="/join/table/1/x", open=None, matches=None, language="en"
    )
    agreed = Event()

    class Asking(Late):
        """A server on which another asks for a revanche once the bot knows that the match is over."""

        def ask(self, method: str, path: str, *body: object) -> object:
            if path.startswith("tables/table/revanche"):
                agreed.set()
                return {**OVER, "n": 11, "ready": ["a", "b"], "next": "more"}
            found = super().ask(method, path, *body)
            wished = found is OVER and bool(bot.over)
            return {**OVER, "n": 10, "ready": ["a"]} if wished else found

    bot = Bot(cast("ApiClient", Asking()), pytest.fail, args)

    async def play() -> bool:
        playing = asyncio.create_task(bot.run())
        seen = await asyncio.to_thread(agreed.wait, PATIENCE / 2)
        playing.cancel()
        return seen

    assert asyncio.run(play())


def test_an_event_is_heard_that_comes_between_two_answers() -> None:
    """The other's quick answer may come after the bot has done its part, and before it has put that away."""
    args = argparse.Namespace(server="http://here", matches=None, language="en")
    playing = {**TABLE, "rules": "classic"}
    sent: list[str] = []

    class Quick(Late):
        """A server on which nothing is to be done after a command."""

        def ask(self, _method: str, path: str, *_body: object) -> object:
            sent.append(path)
            return {**playing, "n": 3 + len(sent), "phase": "cut", "todo": "nothing"}

    async def play() -> None:
        bot = Bot(cast("ApiClient", Quick()), lambda _: cast("SeatPlayer", None), args)
        bot.hear({**playing, "n": 3, "phase": "tirage", "todo": "pick", "picked": []})
        picking = bot.work["table"]
        while not picking.done():  # noqa: ASYNC110  # its end must be seen in the same turn of the loop
            await asyncio.sleep(0)
        bot.hear({**playing, "n": 5, "phase": "cut", "todo": "cut"})
        assert bot.work == {"table": picking}
        await asyncio.sleep(0)
        await asyncio.gather(*bot.work.values())

    asyncio.run(asyncio.wait_for(play(), PATIENCE / 2))
    assert sent == ["tables/table/pick?seat=b", "tables/table/cut?seat=b"]


def test_a_table_that_is_gone_while_the_bot_acts_there() -> None:
    """The bot learns that its table was removed before the answer to its last command comes."""
    args = argparse.Namespace(server="http://here", matches=None, language="en")
    picked, gone = Event(), Event()

    class Gone(Late):
        """A server that removes a table during a command."""

        def ask(self, method: str, *_: object) -> object:
            if method == "GET":
                raise ApiRefusal(404, "no-such-table", "No such table.")
            picked.set()
            assert gone.wait(PATIENCE)
            return JOINED

    async def play() -> None:
        bot = Bot(cast("ApiClient", Gone()), lambda _: cast("SeatPlayer", None), args)
        bot.hear({**TABLE, "rules": "classic", "n": 3, "phase": "tirage", "todo": "pick", "picked": []})
        (picking,) = bot.work.values()
        assert await asyncio.to_thread(picked.wait, PATIENCE)
        await bot.look_again("table")
        gone.set()
        await picking

    asyncio.run(asyncio.wait_for(play(), PATIENCE / 2))


class IdlePlayer:
    """A player that is asked nothing."""

    def __init__(self) -> None:
        self.closed = 0

    async def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize("shown", [{**OVER, "ready": ["a"]}, {**JOINED, "todo": "cut"}])
def test_a_table_that_is_gone_is_left(shown: dict[str, Any]) -> None:
    """A revanche there was asked for again and again; and its player stayed."""
    args = argparse.Namespace(server="http://here", matches=None, language="en")
    sent, player = list[str](), IdlePlayer()

    class Gone(Late):
        """A server that has removed the table."""

        def ask(self, method: str, *_: object) -> object:
            sent.append(method)
            assert len(sent) < 9
            raise ApiRefusal(404, "no-such-table", "No such table.")

    async def play() -> None:
        bot = Bot(cast("ApiClient", Gone()), lambda _: cast("SeatPlayer", None), args)
        bot.players["table"] = cast("SeatPlayer", player)
        bot.hear({**shown, "rules": "classic"})
        await bot.work["table"]
        assert (bot.tables, bot.players) == ({}, {})

    asyncio.run(asyncio.wait_for(play(), PATIENCE / 2))
    assert sent == ["POST", "GET"]
    assert player.closed == 1


def test_a_table_that_is_gone_when_it_is_looked_at_is_left() -> None:
    args, player = argparse.Namespace(server="http://here", matches=None, language="en"), IdlePlayer()

    class Gone(Late):
        """A server that has removed the table."""

        def ask(self, *_: object) -> object:
            raise ApiRefusal(404, "no-such-table", "No such table.")

    async def look() -> None:
        bot = Bot(cast("ApiClient", Gone()), lambda _: cast("SeatPlayer", None), args)
        bot.players["table"] = cast("SeatPlayer", player)
        bot.hear(JOINED)
        await bot.look_again("table")
        assert (bot.tables, bot.players) == ({}, {})

    asyncio.run(asyncio.wait_for(look(), PATIENCE / 2))
    assert player.closed == 1


def test_a_fault_of_ours_on_a_stream_ends_the_bot() -> None:
    """It ends with that fault, rather than wait for a stream that nobody reads."""
    args = argparse.Namespace(server="http://here", matches=None, language="en", join=None, open=None)

    class Odd(Late):
        """A server whose stream has what nobody has thought of."""

        def lines(self) -> Iterator[dict[str, Any]]:
            yield {}
            raise ZeroDivisionError

    bot = Bot(cast("ApiClient", Odd()), lambda _: cast("SeatPlayer", None), args)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(asyncio.wait_for(bot.run(), PATIENCE / 2))
