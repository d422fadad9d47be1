"""Rate limits for each visitor and each address, wide enough for any player and for a hall behind one address.

Each node counts on its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from time import monotonic
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.types import Scope

from chouine.server.metrics import LIMITED, STREAMS

PER_ADDRESS = 20
"""Streams that one address may hold open at a time. Other limits per address are multiples of it."""
MOST_STREAMS = 20_000
"""Open streams of a node, of all addresses together."""
STUDIES = 3
"""Long computations (advice, reviews) that a visitor may have pending; an address, this many per allowed stream."""
MOST_KEYS = 100_000
"""Visitors and addresses whose requests are counted at a time: bounds the memory."""


class Rate(NamedTuple):
    """At most `most` requests in a window of `seconds`."""

    most: int
    seconds: int


VISITOR = {
    "tables": Rate(20, 60),
    "carried": Rate(60, 600),
    "watched": Rate(4, 600),
    "commands": Rate(100, 10),
    "reviews": Rate(60, 600),
    "contests": Rate(10, 3600),
    "entries": Rate(20, 3600),
    "waits": Rate(20, 600),
    "blocks": Rate(30, 3600),
    "reports": Rate(5, 3600),
    "pushes": Rate(20, 3600),
    "letters": Rate(10, 3600),
}
"""Limits per visitor. `carried`: uploads of matches played offline, as many as a device keeps.
`watched`: tables where only computers play. `reviews`: parties reviewed for the first time.
`contests`: announced; `entries`: to all of them. `waits`: searches for a partner. `reports`: to the keeper of the
server. `pushes`: browsers subscribed to notifications; `letters`: e-mail addresses for the same."""
ADDRESS = {
    "tables": Rate(3, 60),
    "carried": Rate(3, 600),
    "watched": Rate(1, 3600),
    "commands": Rate(40, 10),
    "reviews": Rate(20, 600),
    "contests": Rate(2, 3600),
    "entries": Rate(15, 3600),
    "waits": Rate(15, 600),
    "blocks": Rate(15, 3600),
    "reports": Rate(1, 3600),
    "pushes": Rate(10, 3600),
    "letters": Rate(3, 3600),
    "requests": Rate(60, 10),
}
"""Limits per address; multiplied by the streams that an address may hold."""


class Windows:
    """Counters in memory, each until its window ends; of too many, those that end first are forgotten early."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, str], tuple[int, float]] = {}
        self.swept = monotonic()

    def hit(self, rate: Rate, what: str, whose: str) -> bool:
        """Count a request. Returns whether it is within the limit."""
        key, now = (what, whose), monotonic()
        if now - self.swept > 60 or len(self.counts) >= MOST_KEYS:
            self.sweep(now)
        count, ends = self.counts.get(key, (0, 0.0))
        count, ends = (count + 1, ends) if ends > now else (1, now + rate.seconds)
        self.counts[key] = count, ends
        return count <= rate.most

    def full(self, rate: Rate, what: str, whose: str) -> bool:
        """Whether another request would exceed the limit."""
        count, ends = self.counts.get((what, whose), (0, 0.0))
        return ends > monotonic() and count >= rate.most

    def sweep(self, now: float) -> None:
        """Drop the counters of windows that have ended, and if need be the tenth that ends first."""
        self.counts = {key: kept for key, kept in self.counts.items() if kept[1] > now}
        if len(self.counts) >= MOST_KEYS:
            soonest = sorted(self.counts, key=lambda key: self.counts[key][1])
            for key in soonest[: MOST_KEYS // 10]:
                del self.counts[key]
        self.swept = now


class Limits:
    """The limits of one node."""

    def __init__(self, per_address: int = PER_ADDRESS) -> None:
        self.per_address = per_address
        self.windows = Windows()
        self.address = {what: Rate(rate.most * per_address, rate.seconds) for what, rate in ADDRESS.items()}
        self.streams: dict[str, int] = {}
        self.open = 0

    def count(self, what: str, guest: str, scope: Scope) -> None:
        """Count a visitor's request for the visitor and the address. Raises 429 beyond the limit of either.

        An address beyond its limit adds no visitors to the counters. A visitor beyond theirs does not use up the
        address's limit.
        """
        if self.windows.full(self.address[what], what, address_of(scope)):
            refuse(what, self.address[what].seconds)
        self.hit(VISITOR[what], what, guest)
        self.of_address(what, scope)

    def of_address(self, what: str, scope: Scope) -> None:
        """Count an address's request. Raises 429 beyond the limit."""
        self.hit(self.address[what], what, address_of(scope))

    def studies(self, of_address: int, of_visitor: int) -> None:
        """Raise 429 if too many long computations of the visitor or the address are pending."""
        if of_visitor >= STUDIES or of_address >= STUDIES * self.per_address:
            refuse("studies", 5)

    def hit(self, rate: Rate, what: str, whose: str) -> None:
        if not self.windows.hit(rate, what, whose):
            refuse(what, rate.seconds)

    @contextmanager
    def stream(self, scope: Scope) -> Iterator[None]:
        """Hold a stream open. Raises 429 if the address or the node holds too many."""
        address = address_of(scope)
        held = self.streams.get(address, 0)
        if held >= self.per_address or self.open >= MOST_STREAMS:
            refuse("streams", 10)
        self.streams[address] = held + 1
        self.open += 1
        STREAMS.inc()
        try:
            yield
        finally:
            self.streams[address] -= 1
            if not self.streams[address]:
                del self.streams[address]
            self.open -= 1
            STREAMS.dec()


def refuse(what: str, seconds: int) -> None:
    """Raise 429 with `Retry-After`."""
    LIMITED.labels(what).inc()
    raise HTTPException(429, "too-fast", {"Retry-After": str(seconds)})


def address_of(scope: Scope) -> str:
    """The client's address; for IPv6 its /64 network, which one household shares."""
    return household(scope["client"][0] if scope.get("client") else "")


@lru_cache(4096)
def household(host: str) -> str:
    """An IPv4 address as it is, an IPv6 address as its network."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, 64), strict=False))
    return str(address)
