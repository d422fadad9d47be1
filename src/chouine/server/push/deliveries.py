"""Deliveries of notifications: each is a task, so that a slow one holds up nobody else's."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

import structlog

from chouine.server.metrics import DELIVERIES, DELIVERIES_WAITING

log = structlog.get_logger()

MOST = 64
"""Deliveries under way."""
EACH = 4
"""Of them, to one recipient, and to one site."""
LONGEST = 1000
"""Deliveries that wait."""


@dataclass(frozen=True, slots=True, eq=False)
class Delivery:
    """A delivery to be made. Only so many at a time are made to a recipient and to a site."""

    way: str
    """`push` or `mail`, for the metrics."""
    recipient: str
    site: str
    make: Callable[[], Awaitable[str]]
    """Makes the delivery within a time limit of its own; returns the outcome: `sent`, `failed` or `gone`."""


class Deliveries:
    """The deliveries of a node. Beyond `LONGEST` waiting ones the site with most of them loses its last."""

    def __init__(self, most: int = MOST, each: int = EACH, longest: int = LONGEST) -> None:
        self.most, self.each, self.longest = most, each, longest
        self.waiting: list[Delivery] = []
        self.tasks: set[asyncio.Task[None]] = set()
        self.busy = Counter[tuple[str, str]]()
        """Deliveries under way to each recipient and each site."""

    def add(self, delivery: Delivery) -> None:
        """Make a delivery as soon as it may begin."""
        self.waiting.append(delivery)
        DELIVERIES_WAITING.inc()
        self.begin()
        if len(self.waiting) > self.longest:
            crowded, _ = Counter(one.site for one in self.waiting).most_common(1)[0]
            last = next(one for one in reversed(self.waiting) if one.site == crowded)
            self.take(last)
            DELIVERIES.labels(last.way, "dropped").inc()

    def begin(self) -> None:
        """Begin what may begin, first what goes to the sites with the fewest deliveries under way."""
        while len(self.tasks) < self.most:
            free = [one for one in self.waiting if all(self.busy[key] < self.each for key in keys(one))]
            if not free:
                return
            chosen = min(free, key=lambda one: self.busy[keys(one)[1]])
            self.take(chosen)
            self.busy.update(keys(chosen))
            task = asyncio.create_task(self.make(chosen))
            self.tasks.add(task)
            task.add_done_callback(partial(self.end, chosen))

    def end(self, delivery: Delivery, task: asyncio.Task[None]) -> None:
        """Give back a delivery's places, and let others begin."""
        self.tasks.discard(task)
        self.busy -= Counter(keys(delivery))
        self.begin()

    def take(self, delivery: Delivery) -> None:
        """Take a delivery out of those that wait."""
        self.waiting.remove(delivery)
        DELIVERIES_WAITING.dec()

    async def make(self, delivery: Delivery) -> None:
        """Make a delivery and count its outcome."""
        try:
            outcome = await delivery.make()
        except Exception as error:  # noqa: BLE001  # whatever it is, it fails alone
            log.warning("cannot deliver", way=delivery.way, kind=type(error).__name__)
            outcome = "failed"
        DELIVERIES.labels(delivery.way, outcome).inc()

    async def close(self) -> None:
        """Drop what waits and cancel what is under way."""
        for delivery in [*self.waiting]:
            self.take(delivery)
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


def keys(delivery: Delivery) -> tuple[tuple[str, str], tuple[str, str]]:
    """What a delivery is counted under while it is under way."""
    return ("recipient", delivery.recipient), ("site", delivery.site)


def site_of(host: str) -> str:
    """The last two labels of a host's name: whoever owns a domain may name any number of hosts in it."""
    return ".".join(host.lower().rstrip(".").split(".")[-2:])
