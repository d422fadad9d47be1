"""Whose thought comes next, where more computers are to think than there are processors.

Tables with a person come first; among them, and then among the others, addresses take turns, and of one address its
visitors. The order hangs on who asks and when, never on what is thought about or for how long.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field

import msgspec


class Share(msgspec.Struct, frozen=True):
    """On whose account a computer thinks. Visitor and address are digests that mean nothing elsewhere."""

    person: bool = False
    """Whether a person sits at the table."""
    visitor: str = ""
    address: str = ""


NOBODY = Share()


@dataclass(slots=True, eq=False)
class QueuedRequest:
    """A queued requester."""

    share: Share
    begins: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class TurnQueue:
    """So many at a time."""

    def __init__(self, number: int) -> None:
        self.free = number
        self.waiting: list[QueuedRequest] = []
        self.had = Counter[tuple[str, ...]]()
        """Turns that each address, and each visitor, has had while others waited."""

    async def take(self, share: Share) -> None:
        """Wait for a turn; whoever took one gives it back."""
        one = QueuedRequest(share)
        self.arrived(share)
        self.waiting.append(one)
        self.next()
        try:
            await one.begins
        except asyncio.CancelledError:
            if one in self.waiting:
                self.waiting.remove(one)
            elif not one.begins.cancelled():
                self.give_back()
            raise

    def waiting_with(self, share: Share) -> tuple[int, int]:
        """How many of its address wait, and of its visitor."""
        address, visitor = keys(share)
        theirs = [key for one in self.waiting for key in keys(one.share)]
        return theirs.count(address), theirs.count(visitor)

    def give_back(self) -> None:
        """A turn is over."""
        self.free += 1
        self.next()

    def arrived(self, share: Share) -> None:
        """A newcomer starts level with the least served: neither penalised nor favoured by the past."""
        if not self.waiting:
            self.had.clear()
        for key in keys(share):
            rivals = [
                self.had[other] for one in self.waiting for other in keys(one.share) if len(other) == len(key)
            ]
            self.had[key] = max(self.had[key], min(rivals, default=0))

    def next(self) -> None:
        """Let begin whose turn it is, while there is room."""
        while self.free and self.waiting:
            one = min(self.waiting, key=self.order)
            self.waiting.remove(one)
            if one.begins.cancelled():
                continue
            self.free -= 1
            self.had.update(keys(one.share))
            one.begins.set_result(None)

    def order(self, one: QueuedRequest) -> tuple[bool, int, int]:
        """Least served first, then first come."""
        address, visitor = keys(one.share)
        return not one.share.person, self.had[address], self.had[visitor]


def keys(share: Share) -> tuple[tuple[str], tuple[str, str]]:
    """Whose turns are counted together: an address's, and of it a visitor's."""
    return (share.address,), (share.address, share.visitor)
