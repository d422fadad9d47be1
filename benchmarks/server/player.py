"""Somebody at a table: does what the page offers, and sends it again until the server has answered, as the pages do."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from random import Random
from time import perf_counter

import msgspec

from benchmarks.server import pages
from benchmarks.server.http import Browser
from benchmarks.server.tally import Echoes, Tally

TRIES = 9
"""As many as static/js/command.js makes."""
LONGEST_WAIT = 10.0
SILENCE = 25.0
"""Seconds without a word after which a stream is taken for lost; the server says something every fifteen."""
ASKING = 0.5
"""Seconds between two questions of a browser that has no streams."""
STALE = "room/stale"
"""What is answered where the table had moved on when the command came: the news of it is on its way."""
TROUBLE = (OSError, TimeoutError, msgspec.DecodeError)


class Sent(msgspec.Struct):
    """Of a frame, what a player needs: its parts, or their places in the frame before."""

    parts: list[str | int]


class News(msgspec.Struct):
    """One entry of the log, as a stream tells it."""

    n: int
    frames: list[Sent]


class Reply(msgspec.Struct):
    """The answer to a command."""

    ok: bool
    n: int = 0
    code: str = ""


one = msgspec.json.Decoder(News)
several = msgspec.json.Decoder(list[News])
replied = msgspec.json.Decoder(Reply)


@dataclass(frozen=True, slots=True)
class Manner:
    """How the players of a run play."""

    pace: float
    """Seconds a player thinks, a quarter more or less."""
    asking: float | None
    """Seconds between two questions of a browser without streams; None: it has one."""


class Player:
    """One chair at one table."""

    def __init__(self, browser: Browser, seat: int, manner: Manner, tally: Tally, rng: Random) -> None:
        self.browser, self.seat, self.policy, self.tally, self.rng = browser, seat, manner, tally, rng
        self.csrf = self.game = ""
        self.n = 0
        self.told_at = perf_counter()
        """When this player last heard of anything new."""
        self.echoes = Echoes(tally)
        self.over = asyncio.Event()
        self._offered: list[pages.Choice] = []
        self._due = 0.0
        self._acted = 0
        """The entry of one's own last move: what is shown from before it offers nothing."""
        self._awake = asyncio.Event()
        self._rest = b""
        self._parts: list[str] = []
        """Of the frame that came last."""

    async def play(self, game: str, echoes: Echoes) -> None:
        """A match, to its end."""
        self.game, self.echoes = game, echoes
        self.over.clear()
        await self.renew()
        news = asyncio.create_task(self.ask() if self.policy.asking else self.watch())
        moves = asyncio.create_task(self.move())
        try:
            await self.over.wait()
        finally:
            news.cancel()
            moves.cancel()

    async def renew(self) -> None:
        """The page anew, however long it takes: the table as it stands."""
        failures = 0
        while not (html := await self.page()):
            failures += 1
            await self.wait(failures)
        self.csrf = pages.first(pages.CSRF, html)
        self.told_at = perf_counter()
        self._acted = 0
        self.n = int(pages.first(pages.NUMBER, html) or 0)
        self.look(html)

    async def page(self) -> str:
        """The table's page; "" where it is not to be had."""
        try:
            answer = await self.browser.get(f"/table/{self.game}?as={self.seat}")
        except TROUBLE:
            self.tally.count("page not reached")
            return ""
        if answer.status != 200:
            self.tally.count(f"page refused: {answer.status}")
            return ""
        return answer.text

    async def wait(self, failures: int) -> None:
        """After each failure longer, and no two players alike."""
        await asyncio.sleep(min(LONGEST_WAIT, 0.25 * 2**failures) * self.rng.uniform(0.75, 1.25))

    async def watch(self) -> None:
        """News as it comes, from the entry last seen."""
        failures = 0
        while True:
            self._rest, self._parts = b"", []
            try:
                stream = await self.browser.stream(
                    f"/table/{self.game}/stream?after={self.n}&as={self.seat}", self.outputs
                )
                failures = 0
                try:
                    await stream.over(SILENCE)
                finally:
                    stream.close()
            except TROUBLE:
                failures += 1
            self.tally.count("streams lost")
            await self.wait(failures)

    async def ask(self) -> None:
        """News by asking, now and again."""
        while True:
            await asyncio.sleep((self.policy.asking or 0) * self.rng.uniform(0.75, 1.25))
            address = f"/table/{self.game}/events?after={self.n}&as={self.seat}"
            try:
                answer = await self.browser.get(address, "application/json")
                self._parts = []
                for news in several.decode(answer.text):
                    self.take(news)
            except TROUBLE:
                self.tally.count("questions lost")

    def outputs(self, data: bytes) -> None:
        """Bytes of the stream: whole events, and what is left of one."""
        *events, self._rest = (self._rest + data).split(b"\n\n")
        for event in events:
            _, found, body = event.partition(b"data: ")
            if found:
                self.take(one.decode(body))

    def take(self, news: News) -> None:
        """One entry, once, and in order: after one that is missing the table is shown as it stands, in one frame."""
        for frame in news.frames:
            self._parts = [part if isinstance(part, str) else self._parts[part] for part in frame.parts]
        if news.n <= self.n:
            return
        if news.n > self.n + 1:
            self.tally.count("entries jumped")
        self.n, self.told_at = news.n, perf_counter()
        self.echoes.heard(news.n, self.seat)
        self.look("".join(self._parts))

    def look(self, html: str) -> None:
        """What may be done now is done after a while."""
        if pages.OVER in html:
            self.over.set()
        self._offered = pages.choices(html) if self.n >= self._acted else []
        self._due = perf_counter() + self.policy.pace * self.rng.uniform(0.75, 1.25)
        self._awake.set()

    async def move(self) -> None:
        """Think, then act; whatever has changed meanwhile is thought over anew."""
        while True:
            await self._awake.wait()
            early = self._due - perf_counter()
            if self._offered and early > 0:
                await asyncio.sleep(early)
            elif self._offered:
                choice, self._offered = pages.chosen(self._offered, self.rng), []
                if not await self.send(choice, self._due):
                    await asyncio.sleep(1.0)
                    await self.renew()
            else:
                self._awake.clear()

    async def send(self, choice: pages.Choice, due: float) -> bool:
        """A command, with the same number until it is answered; whether the table took it."""
        number, began = f"{self.rng.getrandbits(96):024x}", perf_counter()
        fields = {
            "csrf": self.csrf,
            "seat": str(self.seat),
            "id": number,
            "n": str(self.n),
            **dict(choice.fields),
        }
        for nth in range(1, TRIES + 1):
            try:
                answer = await self.browser.post(
                    f"/table/{self.game}/{choice.verb}", fields, "application/json"
                )
                told = replied.decode(answer.text)
            except TROUBLE:
                self.tally.count("sent again")
                await asyncio.sleep(0.5 * nth)
                continue
            if told.ok:
                self._acted = told.n
                if self.n < told.n:
                    self._offered = []
                self.tally.moved(self.game, f"{self.seat}-{number}", told.n, perf_counter() - due)
                self.echoes.sent(told.n, self.seat, began)
            else:
                self.tally.count(f"refused: {answer.status} {told.code}")
            return told.ok or told.code == STALE
        self.tally.count("given up")
        return False
