"""What a visitor meets: HTTPS, the first page, the cookie, a form, links, the stream, headers, notifications."""

from __future__ import annotations

import asyncio
import re
import ssl
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from chouine import __version__
from chouine.server.doctor.browser import Browser, StartedResponse, WholeResponse
from chouine.server.doctor.findings import Check, Finding, NotLookedAt, Trouble, examine
from chouine.server.frame_updates import HELLO
from chouine.server.guard import HEADERS, HTTPS_ONLY, WATCHED
from chouine.server.pages.env import STATIC, static
from chouine.server.site import in_ascii

RENEWED = 0.2
"""Part of a certificate's time that may be left: Caddy and others renew when a third is."""
AWRY = 10.0
"""Seconds by which clocks may differ: an answer says the time in whole seconds, of when it was begun."""
REFUSALS = {
    "unknown-host": "host",
    "one-host": "host",
    "behind-https": "trusted",
    "another-address": "public-url",
    "only-https": "public-url",
    "cross-site": "public-url",
    "csrf": "cookie-lost",
    "no-cookies": "cookie-lost",
}
"""What is wrong where a node refuses, by the refusal's code."""

OF_STREAM = {"silent": "stream-held", "cut": "stream-cut"}
"""What is wrong where the stream, and no other answer, is silent or ends."""


@dataclass
class Outside:
    """The checks of a site, in the order in which they can be made."""

    browser: Browser
    plain_port: int = 80
    """Where plain HTTP is to lead to HTTPS."""
    first: WholeResponse | None = None
    meanwhile: tuple[float, float] = (0.0, 0.0)
    """Between which times, by this machine's clock, the first page was asked for and came."""
    trusted: bool = True
    """Whether the node knows that the site is reached over HTTPS."""
    known: bool = False
    """Whether the node knows the browser again."""
    table: str = ""
    """The path of a table, which is erased again."""
    fields: dict[str, str] = field(default_factory=dict)

    async def look(self) -> list[Finding]:
        """What came of each check; of the first alone if there is no page."""
        reached = await examine([("page", self.check_page)])
        if reached[0].state == "wrong":
            return reached
        secure: Sequence[tuple[str, Check]] = (
            ("certificate", self.check_certificate),
            ("http2", self.check_http2),
            ("plain", self.check_plain),
            ("inside", self.check_inside),
            ("legal", self.check_legal),
            ("push", self.check_push),
        )
        visit: Sequence[tuple[str, Check]] = (
            ("cookie", self.check_cookie),
            ("headers", self.check_headers),
            ("program", self.check_program),
            ("clock", self.check_clock),
            ("post", self.check_post),
            ("links", self.check_links),
            ("stream", self.check_stream),
            ("erase", self.check_erase),
        )
        return reached + await examine([*(secure if self.browser.secure else ()), *visit])

    @property
    def page(self) -> WholeResponse:
        """The first page."""
        assert self.first is not None  # noqa: S101  # nothing else is looked at without it
        return self.first

    async def check_page(self) -> None:
        asked = time.time()
        page = await self.browser.ask("/")
        self.meanwhile = asked, time.time()
        if page.status in (301, 302, 303, 307, 308):
            raise Trouble("moved", to=page.answer.header("location"))
        csrf = re.search(r'name="csrf" value="([^"]+)"', page.text)
        if page.status != 200 or not csrf:
            raise self.refusal(page, "stranger")
        self.first, self.fields = page, {"csrf": csrf[1]}

    def refusal(self, page: WholeResponse, otherwise: str) -> Trouble:
        """The trouble that an answer tells of; `otherwise` if it tells none."""
        where = f"{self.browser.host}:{self.browser.port}"
        told = re.search(r'"code": ?"([\w-]+)"', page.text)  # not parsed: it may be anybody's JSON
        code = REFUSALS.get(told[1], otherwise) if told else otherwise
        return Trouble(code, status=page.status, where=where, url=self.browser.origin)

    async def check_certificate(self) -> None:
        """The handshake has been made: here it counts for how long the certificate lasts."""
        found = (await self.browser.handshake()).getpeercert() or {}
        begins, ends = (ssl.cert_time_to_seconds(str(found[name])) for name in ("notBefore", "notAfter"))
        if ends - time.time() < RENEWED * (ends - begins):
            raise Trouble("renewal", day=f"{datetime.fromtimestamp(ends, UTC):%Y-%m-%d}")

    async def check_http2(self) -> None:
        if (await self.browser.handshake()).selected_alpn_protocol() != "h2":
            raise Trouble("http2")

    async def check_plain(self) -> None:
        host = f"[{self.browser.host}]" if ":" in self.browser.host else self.browser.host
        plain = Browser(f"http://{host}:{self.plain_port}", patience=self.browser.patience)
        try:
            to = (await plain.ask("/")).answer.header("location")
        except Trouble:
            to = ""
        if not to.lower().startswith("https://"):
            raise Trouble("plain")

    async def check_inside(self) -> None:
        for path in WATCHED:
            if (await self.browser.ask(path)).status != 404:
                raise Trouble("inside", path=path)

    async def check_legal(self) -> None:
        if (await self.browser.ask("/.well-known/security.txt")).status != 200:
            raise Trouble("legal")

    async def check_push(self) -> None:
        if (await self.browser.ask("/push")).status != 200:
            raise Trouble("no-push", url=self.browser.origin)

    async def check_cookie(self) -> None:
        given = own_cookies(self.page.answer)
        if not given:
            raise Trouble("no-cookie")
        self.trusted = not self.browser.secure or bool(re.search(r";\s*secure", given[0], re.IGNORECASE))
        if own_cookies((await self.browser.ask("/")).answer):  # the node knew no visitor, and made a new one
            raise Trouble("cookie-lost")
        self.known = True
        if not self.trusted:
            raise Trouble("trusted")

    async def check_headers(self) -> None:
        expected = dict(HEADERS)
        if self.browser.secure and self.trusted:
            expected[b"strict-transport-security"] = HTTPS_ONLY
        for name, value in expected.items():
            if self.page.answer.header(name.decode()) != value.decode():
                raise Trouble("headers", header=name.decode().title())

    async def check_program(self) -> None:
        """The addresses of the page's files tell the program's version: they have digests of what is in them."""
        files = set(re.findall(r'"/static/((?:\w+/)*[\w-]+\.\w+)\?v=(\w+)"', self.page.text))
        if any(
            not (STATIC / path).is_file() or not static(path).endswith(version) for path, version in files
        ):
            raise Trouble("program", version=__version__)

    async def check_clock(self) -> None:
        try:
            told = parsedate_to_datetime(self.page.answer.header("date")).timestamp()
        except (ValueError, OverflowError):
            raise NotLookedAt from None
        asked, came = self.meanwhile
        if (apart := max(asked - told, told - came)) > AWRY:
            raise Trouble("clock", seconds=round(apart))

    async def check_post(self) -> None:
        """Open a table for oneself and a friend."""
        if not self.known:
            raise NotLookedAt
        asked = {"format": "1x1", "chair-0": "me", "chair-1": "friend"}
        page = await self.browser.ask("/new", self.fields | asked)
        to = re.search(r"/table/[A-Za-z0-9_-]+$", page.answer.header("location"))
        if page.status != 303 or not to:
            raise self.refusal(page, "post")
        self.table = to[0]

    def require_table(self) -> None:
        """Raise `NotLookedAt` unless a table could be opened."""
        if not self.table:
            raise NotLookedAt

    async def check_links(self) -> None:
        self.require_table()
        found = re.search(r'(https?://[^"<>\s]+)/join/', (await self.browser.ask(f"{self.table}/links")).text)
        seen, of_site = found[1].lower() if found else "", False
        scheme, _, name = seen.partition("://")
        with suppress(ValueError):  # no host at all
            of_site = f"{scheme}://{in_ascii(name)}" == self.browser.origin
        if not of_site:
            raise Trouble("links", seen=seen, url=self.browser.origin)

    async def check_stream(self) -> None:
        """The stream's greeting arrives at once, and its sign of life after it."""
        self.require_table()
        patience, begun = self.browser.patience, time.monotonic()
        whole = patience.first + patience.next
        try:
            async with self.browser.exchange(f"{self.table}/stream", seconds=whole) as answer:
                pieces, heard = aiter(answer.pieces()), b""
                async with asyncio.timeout(patience.first):
                    while HELLO not in heard:
                        heard = heard[-len(HELLO) :] + await anext(pieces)
                async with asyncio.timeout(patience.next):
                    await anext(pieces)
        except (Trouble, StopAsyncIteration) as error:
            code = getattr(error, "code", "cut")
            seconds = round(time.monotonic() - begun)
            raise Trouble(
                OF_STREAM.get(code, code), **{**getattr(error, "data", {}), "seconds": seconds}
            ) from None

    async def check_erase(self) -> None:
        """Erase the visitor and the table."""
        self.require_table()
        page = await self.browser.ask("/settings/forget", self.fields | {"all": "1"})
        if page.status != 200:
            raise self.refusal(page, "post")


def own_cookies(answer: StartedResponse) -> list[str]:
    """The server's own cookies that an answer sets, with their attributes."""
    given = (value for name, value in answer.headers if name == "set-cookie")
    return [value for value in given if value.startswith(("chouine-", "__Host-chouine-"))]
