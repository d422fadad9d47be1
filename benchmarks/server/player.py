"""A player at a table: chooses from the page's forms, and repeats a command until it is answered, as the pages do."""

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
"""Number of attempts, as in static/js/command.js."""
PERSISTENCE = sum(0.5 * nth for nth in range(1, TRIES))
"""Seconds between the first and the last attempt, at least."""
LONGEST_WAIT = 10.0
SILENCE = 25.0
"""Seconds without data after which a stream counts as lost; the server sends something every fifteen."""
ASKING = 0.5
"""Polling interval in seconds of a browser without streams."""
STALE = "table/stale"
"""The code for a command sent to an outdated state; the event is under way."""
TROUBLE = (OSError, TimeoutError, msgspec.DecodeError)


class SentFrame(msgspec.Struct):
    """The part of a frame that a player needs: its pieces, or their indices in the frame before."""

    parts: list[str | int]


class FrameUpdate(msgspec.Struct):
    """One log entry, as a stream sends it."""

    n: int
    frames: list[SentFrame]


class Reply(msgspec.Struct):
    """The response to a command."""

    ok: bool
    n: int = 0
    code: str = ""


one = msgspec.json.Decoder(FrameUpdate)
several = msgspec.json.Decoder(list[FrameUpdate])
replied = msgspec.json.Decoder(Reply)


@dataclass(frozen=True, slots=True)
class Manner:
    """The behaviour of a run's players."""

    pace: float
    """Thinking time in seconds, plus or minus a quarter."""
    asking: float | None
    """Polling interval in seconds of a browser without streams; None: it has a stream."""


class Player:
    """A seat at a table."""

    def __init__(self, browser: Browser, seat: int, manner: Manner, tally: Tally, rng: Random) -> None:
        self.browser, self.seat, self.policy, self.tally, self.rng = browser, seat, manner, tally, rng
        self.csrf = self.table_id = ""
        self.n = 0
        self.told_at = perf_counter()
        """Time of the last event received."""
        self.echoes = Echoes(tally)
        self.moved = asyncio.Event()
        """Set from the first accepted command on."""
        self.over = asyncio.Event()
        self._offered: list[pages.Choice] = []
        self._due = 0.0
        self._acted = 0
        """The entry of the player's last command; older pages offer no choices."""
        self._awake = asyncio.Event()
        self._rest = b""
        self._parts: list[str] = []
        """The pieces of the last frame."""

    async def play(self, table_id: str, echoes: Echoes) -> None:
        """Play a match to its end."""
        self.table_id, self.echoes = table_id, echoes
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
        """Reload the page until it succeeds; return to the current state."""
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
        """The table's page, or "" on failure."""
        try:
            answer = await self.browser.get(f"/table/{self.table_id}?as={self.seat}")
        except TROUBLE:
            self.tally.count("page not reached")
            return ""
        if answer.status != 200:
            self.tally.count(f"page refused: {answer.status}")
            return ""
        return answer.text

    async def wait(self, failures: int) -> None:
        """Exponential backoff with jitter."""
        await asyncio.sleep(min(LONGEST_WAIT, 0.25 * 2**failures) * self.rng.uniform(0.75, 1.25))

    async def watch(self) -> None:
        """Follow the event stream from the last entry seen."""
        failures = 0
        while True:
            self._rest, self._parts = b"", []
            try:
                stream = await self.browser.stream(
                    f"/table/{self.table_id}/stream?after={self.n}&as={self.seat}", self.outputs
                )
                failures = 0
                try:
                    await stream.wait_until_closed(SILENCE)
                finally:
                    stream.close()
            except TROUBLE:
                failures += 1
            self.tally.count("streams lost")
            await self.wait(failures)

    async def ask(self) -> None:
        """Poll for events."""
        while True:
            await asyncio.sleep((self.policy.asking or 0) * self.rng.uniform(0.75, 1.25))
            address = f"/table/{self.table_id}/events?after={self.n}&as={self.seat}"
            try:
                answer = await self.browser.get(address, "application/json")
                self._parts = []
                for update in several.decode(answer.text):
                    self.take(update)
            except TROUBLE:
                self.tally.count("questions lost")

    def outputs(self, data: bytes) -> None:
        """Process stream data: complete events, keeping an incomplete rest."""
        *events, self._rest = (self._rest + data).split(b"\n\n")
        for event in events:
            _, found, body = event.partition(b"data: ")
            if found:
                self.take(one.decode(body))

    def take(self, update: FrameUpdate) -> None:
        """Process an entry once, in order; after a gap, the frame shows the current state."""
        for frame in update.frames:
            self._parts = [part if isinstance(part, str) else self._parts[part] for part in frame.parts]
        if update.n <= self.n:
            return
        if update.n > self.n + 1:
            self.tally.count("entries jumped")
        self.n, self.told_at = update.n, perf_counter()
        self.echoes.add_hearing(update.n, self.seat)
        self.look("".join(self._parts))

    def look(self, html: str) -> None:
        """Schedule a move among the page's choices."""
        if pages.OVER in html:
            self.over.set()
        self._offered = pages.choices(html) if self.n >= self._acted else []
        self._due = perf_counter() + self.policy.pace * self.rng.uniform(0.75, 1.25)
        self._awake.set()

    async def move(self) -> None:
        """Wait, then act; choices that changed meanwhile are considered again."""
        while True:
            await self._awake.wait()
            early = self._due - perf_counter()
            if self._offered and early > 0:
                await asyncio.sleep(early)
            elif self._offered:
                choice, self._offered = pages.choose(self._offered, self.rng), []
                if not await self.send(choice, self._due):
                    await asyncio.sleep(1.0)
                    await self.renew()
            else:
                self._awake.clear()

    async def send(self, choice: pages.Choice, due: float) -> bool:
        """Send a command with a fixed id until it is answered; return whether the table accepted it."""
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
                    f"/table/{self.table_id}/{choice.verb}", fields, "application/json"
                )
                told = replied.decode(answer.text)
            except TROUBLE:
                self.tally.count("sent again")
                await asyncio.sleep(0.5 * nth)
                continue
            if told.ok:
                self.moved.set()
                self._acted = told.n
                if self.n < told.n:
                    self._offered = []
                self.tally.add_move(self.table_id, f"{self.seat}-{number}", told.n, perf_counter() - due)
                self.echoes.add_command(told.n, self.seat, began)
            else:
                self.tally.count(f"refused: {answer.status} {told.code}")
            return told.ok or told.code == STALE
        self.tally.count("given up")
        return False
