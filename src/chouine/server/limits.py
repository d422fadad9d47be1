"""Rate limits for each visitor and each address, wide enough for any player and for a hall behind one address.

Each node counts on its own; `shared_limits` counts for all of them what is rare.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import AsyncIterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from math import ceil
from operator import itemgetter
from time import monotonic
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from chouine.server.metrics import LIMITED, STREAMS

PER_ADDRESS = 20
"""Streams that one address may hold open at a time. Other limits per address are multiples of it."""
PER_ACCOUNT = 10
"""Streams that a program's account may hold open on a node, from wherever."""
WIDE = 4
"""What an IPv6 network of /48 may do, as a multiple of an address's limit: one customer may have all of it, or 256."""
NETWORK = 16
"""Characters of an origin (see `Context.origin`) that stand for the widest network; as many more for the narrowest."""
GIVEN_BACK = 5, 10
"""Forms refused at the edge that an address is given back, for each stream that it may hold, and in so many seconds:
reading them costs more than two words."""
TAKEN = 600
"""Seconds in which an address joins one waiting visitor once; more often where many people share it."""
MOST_STREAMS = 20_000
"""Open streams of a node, of all addresses together."""
STUDIES = 3
"""Long computations (advice, reviews) that a visitor may have pending; an address, this many per allowed stream."""
MOST_KEYS = 100_000
"""Visitors and addresses whose requests are counted at a time: bounds the memory."""
FORGOTTEN = 4
"""Windows forgotten at a request, at most: no request pays for many."""
ROW = 250
"""Bytes that a posted form counts for at least: about a row of the database."""
DAY = 24 * 3600


class Rate(NamedTuple):
    """At most `most` requests in a window of `seconds`."""

    most: int
    seconds: int


VISITOR = {
    "tables": Rate(20, 60),
    "carried": Rate(60, 600),
    "imports": Rate(20, 3600),
    "watched": Rate(4, 600),
    "commands": Rate(100, 10),
    "reviews": Rate(60, 600),
    "ratings": Rate(60, DAY),
    "contests": Rate(10, DAY),
    "entries": Rate(20, 3600),
    "waits": Rate(20, 600),
    "joins": Rate(10, 600),
    "blocks": Rate(30, 3600),
    "reports": Rate(5, DAY),
    "pushes": Rate(20, 3600),
    "letters": Rate(10, 3600),
    "own": Rate(10, 3600),
    "tokens": Rate(20, 3600),
    "api": Rate(1200, 60),
    "listings": Rate(10, 3600),
    "signings": Rate(15, 3600),
    "circle": Rate(120, 600),
    "profiles": Rate(10, DAY),
    "asks": Rate(20, DAY),
    "challenges": Rate(20, 3600),
    "showings": Rate(30, 3600),
    "slow": Rate(120, 600),
    "holidays": Rate(30, DAY),
    "classes": Rate(5, DAY),
    "pupils": Rate(10, 600),
}
"""Limits per visitor. `carried`: uploads of matches played offline, as many as a device keeps.
`imports`: files of records brought. `watched`: tables where only computers play.
`reviews`: parties reviewed for the first time.
`ratings`: first tries that count for a problem's difficulty; later ones only for the visitor.
`contests`: announced; `entries`: to all of them. `waits`: searches for a partner; `joins`: of those who wait, whom
one takes off the list. `reports`: to the keeper of the server. `pushes`: browsers subscribed to notifications;
`letters`: e-mail addresses for the same. `own`: all that is stored of a visitor taken along, erased or moved. `tokens`:
made for programs; `api`: their requests. `listings`: names in the tables of the day.
`signings`: tries to sign in to an account, and what makes or changes one.
`circle`: answers among people who know each other; `profiles`: changes of what others see of them; `asks`: to be
friends; `challenges`: to a match. `showings`: changes of what others may see.
`classes`: made by a teacher; `pupils`: tries to join one, which bounds who guesses codes.
`slow`: acts prepared at slow tables, holidays and reminders; `holidays`: taken, each of which all one's slow tables
store."""
ADDRESS = {
    "tables": Rate(3, 60),
    "carried": Rate(3, 600),
    "imports": Rate(5, 3600),
    "watched": Rate(1, 3600),
    "commands": Rate(40, 10),
    "reviews": Rate(20, 600),
    "ratings": Rate(10, DAY),
    "contests": Rate(1, DAY),
    "entries": Rate(15, 3600),
    "waits": Rate(15, 600),
    "joins": Rate(5, 600),
    "blocks": Rate(15, 3600),
    "reports": Rate(1, DAY),
    "pushes": Rate(10, 3600),
    "letters": Rate(3, 3600),
    "own": Rate(3, 3600),
    "tokens": Rate(5, 3600),
    "api": Rate(240, 60),
    "listings": Rate(3, 3600),
    "signings": Rate(4, 3600),
    "circle": Rate(60, 600),
    "profiles": Rate(3, DAY),
    "asks": Rate(5, DAY),
    "challenges": Rate(10, 3600),
    "showings": Rate(15, 3600),
    "slow": Rate(60, 600),
    "holidays": Rate(2, DAY),
    "classes": Rate(1, DAY),
    "pupils": Rate(4, 3600),
    "requests": Rate(60, 10),
    "busy": Rate(150, 10),
    "sessions": Rate(10, 3600),
    "bytes": Rate(1_000_000, 3600),
}
"""Limits per address; multiplied by the streams that an address may hold.

`busy`: milliseconds of the event loop until responses begin, for all other visitors wait meanwhile.
`sessions`: browsers stored for the first time. `bytes`: sent by forms, and stored beyond that. A player who makes a
move every two seconds sends less than half a million an hour."""
LEAST_BUSY = 1000
"""What any address may have of `busy`, however few streams: a slow machine takes long for its first pages."""
STANDING = {"contests": 0.25, "entrants": 0.6}
"""What may come from an address at a time, for each stream that it may hold: unfinished contests, and entrants of a
contest. It is counted in the store."""


class TimeWindows:
    """Counters in memory, each until its window ends; of too many, those that end first are forgotten early.

    Windows of equal length end in the order in which they began, so that none is ever searched for.
    """

    def __init__(self) -> None:
        self.counts: dict[tuple[str, str], tuple[int, float]] = {}
        self.ending: dict[int, deque[tuple[float, tuple[str, str]]]] = {}
        """By length in seconds: when each window ends, and whose it is."""

    def hit(self, rate: Rate, what: str, whose: str, weight: int = 1) -> bool:
        """Count a request, or `weight` of what the rate counts. Returns whether it is within the limit."""
        key, now = (what, whose), monotonic()
        self.forget(now)
        count, ends = self.counts.get(key, (0, 0.0))
        if ends <= now:
            count, ends = 0, now + rate.seconds
            self.ending.setdefault(rate.seconds, deque()).append((ends, key))
        self.counts[key] = count + weight, ends
        return count + weight <= rate.most

    def is_full(self, rate: Rate, what: str, whose: str) -> bool:
        """Whether another request would exceed the limit."""
        count, ends = self.counts.get((what, whose), (0, 0.0))
        return ends > monotonic() and count >= rate.most

    def seconds_left(self, what: str, whose: str) -> int:
        """Whole seconds until a window has ended, one at least."""
        _, ends = self.counts.get((what, whose), (0, 0.0))
        return max(1, ceil(ends - monotonic()))

    def forget(self, now: float) -> None:
        """Drop a few windows that have ended, and while there are too many the one that ends first."""
        for _ in range(FORGOTTEN):
            first = min(filter(None, self.ending.values()), key=itemgetter(0), default=None)
            if first is None or (first[0][0] > now and len(self.counts) < MOST_KEYS):
                return
            ends, key = first.popleft()
            if self.counts.get(key, (0, 0.0))[1] == ends:
                del self.counts[key]


class Limits:
    """The limits of one node."""

    def __init__(self, per_address: int = PER_ADDRESS, busy: int | None = None) -> None:
        """`busy`: that limit, where it is not by the streams of an address."""
        self.per_address = per_address
        self.windows = TimeWindows()
        self.address = {what: Rate(rate.most * per_address, rate.seconds) for what, rate in ADDRESS.items()}
        most, seconds = self.address["busy"]
        self.address["busy"] = Rate(busy or max(most, LEAST_BUSY), seconds)
        self.streams = Counter[str]()
        self.open = 0

    def count(self, what: str, guest: str, scope: Scope) -> None:
        """Count a visitor's request for the visitor and the address. Raises 429 beyond the limit of either.

        An address beyond its limit adds no visitors to the counters. A visitor beyond theirs does not use up the
        address's limit.
        """
        self.check(what, scope)
        if not self.windows.hit(VISITOR[what], what, guest):
            refuse(what, self.windows.seconds_left(what, guest))
        self.of_address(what, scope)

    def of_address(self, what: str, scope: Scope, weight: int = 1) -> None:
        """Count a request, or what it stores, for its address. Raises 429 beyond the limit.

        A wide network beyond its limit adds none of its narrow ones to the counters.
        """
        for network, rate in self.rates_of(what, scope):
            if not self.windows.hit(rate, what, network, weight):
                refuse(what, self.windows.seconds_left(what, network))

    def spend(self, what: str, scope: Scope, weight: int) -> None:
        """Count what was used, which is known afterwards only: `check` refuses the next request."""
        for network, rate in self.rates_of(what, scope):
            self.windows.hit(rate, what, network, weight)

    def check(self, what: str, scope: Scope) -> None:
        """Raise 429 if the address has reached its limit; counts nothing."""
        for network, rate in self.rates_of(what, scope):
            if self.windows.is_full(rate, what, network):
                refuse(what, self.windows.seconds_left(what, network))

    def rates_of(self, what: str, scope: Scope) -> list[tuple[str, Rate]]:
        """The networks that a client is counted by, the widest first, each with its limit."""
        most, seconds = self.address[what]
        return [(network, Rate(most * times, seconds)) for network, times in networks_of(scope)]

    def most_stored(self, what: str) -> int:
        """How many of what is stored may come from an address at a time; from an IPv6 /48, `WIDE` times as many."""
        return max(1, int(STANDING[what] * self.per_address))

    def takes(self, waiter: str, scope: Scope) -> bool:
        """Whether an address may take this waiting visitor off the list; counted as if it then did.

        Who joins and leaves at once, under ever new cookies, would let nobody find a partner.
        """
        most, seconds = max(1, self.per_address // PER_ADDRESS), TAKEN
        counted = [
            self.windows.hit(Rate(most * times, seconds), "taken", f"{network} {waiter}")
            for network, times in networks_of(scope)
        ]
        if not all(counted):
            LIMITED.labels("taken").inc()
        return all(counted)

    def gives_back(self, scope: Scope) -> bool:
        """Whether an address is given back what was typed, when it is refused; counted as if it then was."""
        most, seconds = GIVEN_BACK[0] * self.per_address, GIVEN_BACK[1]
        return all(
            self.windows.hit(Rate(most * times, seconds), "given back", network)
            for network, times in networks_of(scope)
        )

    def studies(self, of_network: int, of_address: int, of_visitor: int) -> None:
        """Raise 429 if too many long computations of the visitor, the address or its network are pending."""
        most = STUDIES * self.per_address
        if of_visitor >= STUDIES or of_address >= most or of_network >= most * WIDE:
            refuse("studies", 5)

    @contextmanager
    def stream(self, scope: Scope, account: str = "") -> Iterator[None]:
        """Hold a stream open. Raises 429 if the address, the node or a program's `account` holds too many."""
        networks = networks_of(scope)
        crowded = any(self.streams[network] >= self.per_address * times for network, times in networks)
        if crowded or self.open >= MOST_STREAMS or self.streams[account] >= PER_ACCOUNT:
            refuse("streams", 10)
        held = [network for network, _ in networks] + [account] * bool(account)
        self.streams.update(held)
        self.open += 1
        STREAMS.inc()
        try:
            yield
        finally:
            for each in held:
                self.streams[each] -= 1
                if not self.streams[each]:
                    del self.streams[each]
            self.open -= 1
            STREAMS.dec()


class EventStream(StreamingResponse):
    """Server-sent events, counted as an open stream before anything is sent: one too many is refused, not cut off."""

    media_type = "text/event-stream"

    def __init__(self, limits: Limits, pieces: AsyncIterable[bytes]) -> None:
        super().__init__(pieces, headers={"X-Accel-Buffering": "no"})
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.limits.stream(scope):
            await super().__call__(scope, receive, send)


def refuse(what: str, seconds: int) -> None:
    """Raise 429; `Retry-After` tells in how many seconds it would be accepted."""
    LIMITED.labels(what).inc()
    raise HTTPException(429, "too-fast", {"Retry-After": str(seconds)})


def networks_of(scope: Scope) -> tuple[tuple[str, int], ...]:
    """The networks that a client is counted by, the widest first, each with how many times an address's limit."""
    return networks(scope["client"][0] if scope.get("client") else "")


def address_of(scope: Scope) -> str:
    """The client's address; for IPv6 its /64 network, which one household shares."""
    return networks_of(scope)[-1][0]


@lru_cache(4096)
def networks(host: str) -> tuple[tuple[str, int], ...]:
    """An IPv4 address as it is; of an IPv6 address its /48, which a provider may give to one customer, and its /64."""
    try:
        address = ip_address(host)
    except ValueError:
        return ((host, 1),)
    if isinstance(address, IPv6Address) and (plain := address.ipv4_mapped) is not None:
        address = plain
    if isinstance(address, IPv4Address):
        return ((str(address), 1),)
    wide, narrow = (str(ip_network((address, bits), strict=False)) for bits in (48, 64))
    return (wide, WIDE), (narrow, 1)
