"""A fair queue for computing time, used where more computers are to move than there are processes.

Tables with a person come first. Within each of the two classes networks take turns (an IPv4 address, an IPv6 /48),
within a network its addresses (an IPv6 /64), and within an address its visitors. The order depends on who asks and
when, never on a position or on how long it takes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import msgspec


class ComputeAccount(msgspec.Struct, frozen=True):
    """The account computing time is charged to. Visitor and address are keyed digests."""

    person: bool = False
    """Whether a person sits at the table."""
    visitor: str = ""
    address: str = ""
    """16 characters for the wide network, and for the address in it as many more."""

    @property
    def network(self) -> str:
        """The wide network: an IPv6 /48."""
        return self.address[:16]


NOBODY = ComputeAccount()


@dataclass(slots=True, eq=False)
class QueuedRequest:
    """A queued requester."""

    share: ComputeAccount
    begins: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class TurnQueue:
    """At most `number` requests run at a time; the others queue."""

    def __init__(self, number: int) -> None:
        self.free = number
        self.waiting: list[QueuedRequest] = []
        self.had = Counter[tuple[str, ...]]()
        """Turns granted to each address and each visitor while others queued."""

    async def take(self, share: ComputeAccount) -> None:
        """Wait for a turn. The caller must call `give_back` afterwards."""
        one = QueuedRequest(share)
        self.arrive(share)
        self.waiting.append(one)
        self.start_queued()
        try:
            await one.begins
        except asyncio.CancelledError:
            if one in self.waiting:
                self.waiting.remove(one)
            elif not one.begins.cancelled():
                self.give_back()
            raise

    @asynccontextmanager
    async def turn(self, share: ComputeAccount) -> AsyncIterator[None]:
        """Wait for a turn, and give it back."""
        await self.take(share)
        try:
            yield
        finally:
            self.give_back()

    def waiting_with(self, share: ComputeAccount) -> tuple[int, int, int]:
        """The number of queued requests of the share's network, of its address, and of its visitor."""
        network, address, visitor = keys(share)
        theirs = Counter[tuple[str, ...]](key for one in self.waiting for key in keys(one.share))
        return theirs[network], theirs[address], theirs[visitor]

    def give_back(self) -> None:
        """End a turn, which lets the next request begin."""
        self.free += 1
        self.start_queued()

    def arrive(self, share: ComputeAccount) -> None:
        """Give a newcomer the turn count of the least served in the queue: its past neither helps nor hurts."""
        if not self.waiting:
            self.had.clear()
        for key in keys(share):
            rivals = [
                self.had[other] for one in self.waiting for other in keys(one.share) if len(other) == len(key)
            ]
            self.had[key] = max(self.had[key], min(rivals, default=0))

    def start_queued(self) -> None:
        """Start queued requests while there are free turns."""
        while self.free and self.waiting:
            one = min(self.waiting, key=self.order)
            self.waiting.remove(one)
            if one.begins.cancelled():
                continue
            self.free -= 1
            self.had.update(keys(one.share))
            one.begins.set_result(None)

    def order(self, one: QueuedRequest) -> tuple[bool, int, int, int]:
        """Sort key: tables with a person first, then the least served network, its address, and its visitor."""
        network, address, visitor = keys(one.share)
        return not one.share.person, self.had[network], self.had[address], self.had[visitor]


def keys(share: ComputeAccount) -> tuple[tuple[str], tuple[str, str], tuple[str, str, str]]:
    """The keys turns are counted under: the network, the address in it, and the visitor at that address."""
    return (share.network,), (share.network, share.address), (share.network, share.address, share.visitor)
