"""Reviews of finished parties, computed once each in processes of their own and stored as they grow.

Visitors take turns, one decision at a time. The processes run at the lowest priority, so that play goes first.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Collection
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from typing import NamedTuple

import msgspec
import structlog

from chouine.ai.levels import looks_back
from chouine.partie.state import State
from chouine.school.review import Judgement, Review, after_advice, all_decisions, first_looks, judge
from chouine.server.codec import decode as decode_entry
from chouine.server.database import Unreachable
from chouine.server.fair_queue import ComputeAccount, keys
from chouine.server.limits import WIDE
from chouine.server.store import Store
from chouine.server.thinking import FairPool, leave_with_parent
from chouine.table.entries import Opened

log = structlog.get_logger()

MOST, MOST_OF_ADDRESS = 1000, 200
"""Most reviews in progress, in all and for one address; a refused one starts when it is asked for again."""

REMEMBERED = 60
"""How many of a visitor's latest parties the graph shows."""


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Review).decode


def spare_processes(number: int) -> Executor:
    """Worker processes at the lowest priority."""
    return ProcessPoolExecutor(number, get_context("spawn"), begin_last)


def begin_last() -> None:
    leave_with_parent()
    with suppress(AttributeError):  # not on every system
        os.nice(10)  # at 15, seven busy processes leave it a hundredth of a processor


def survey(finished: State) -> list[Judgement | float]:
    """A quick first judgement of all decisions; runs in a worker process."""
    return first_looks(all_decisions(finished))


def judge_decision(finished: State, nth: int) -> Judgement:
    """The thorough judgement of one decision; runs in a worker process."""
    return judge(all_decisions(finished)[nth])


class OwnReview(NamedTuple):
    """The review of a partie from a guest's seat."""

    table_id: str
    partie: int
    seat: int
    review: Review
    opened: Opened

    @property
    def measured(self) -> bool:
        """Whether the partie counts in the measure of play: by the rules of the levels' costs, and on a new deal."""
        return self.opened.rules == "classic" and self.opened.deal is None

    @property
    def cost(self) -> float:
        """Win probability lost by the seat's own mistakes, summed: 1 is a whole partie."""
        return sum(each.cost for each in self.review.found if each.seat == self.seat)

    @property
    def mistakes(self) -> list[tuple[int, Judgement]]:
        """The seat's mistakes, as (number of the decision, judgement)."""
        return [
            (nth, each) for nth, each in self.review.judged.items() if each.label and each.seat == self.seat
        ]


@dataclass
class ReviewInProgress:
    """A review while it is being computed."""

    review: Review
    share: ComputeAccount
    followed: Collection[tuple[int, str]] = ()
    """What was done as advised at the table, as (the act's number, token)."""
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the review has grown; then replaced by a new event."""

    def note_found(self, review: Review) -> None:
        """Replace the review and wake its readers."""
        self.review = review
        moved, self.moved = self.moved, asyncio.Event()
        moved.set()


Key = tuple[str, int]


class Reviews:
    """Computes and stores the reviews of a store's parties."""

    def __init__(self, store: Store, number: int) -> None:
        self.store, self.lane = store, FairPool(number, spare_processes)
        self.making: dict[Key, ReviewInProgress] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    async def of(self, table_id: str, partie: int) -> Review:
        """The stored or growing review of a partie; an empty one if there is none."""
        if making := self.making.get((table_id, partie)):
            return making.review
        body = (await self.store.reviews(table_id)).get(partie)
        return decode(body) if body else Review()

    async def all_of(self, table_id: str) -> dict[int, Review]:
        """The reviews of a table's parties so far, by partie."""
        kept = {partie: decode(body) for partie, body in (await self.store.reviews(table_id)).items()}
        here = {partie: each.review for (of, partie), each in self.making.items() if of == table_id}
        return kept | here

    async def own(self, guest: str) -> list[OwnReview]:
        """A guest's fully reviewed parties, oldest first."""
        rows = await self.store.reviews_of(guest, REMEMBERED)
        found = []
        for table_id, partie, seat, body, first in reversed(rows):
            review, opened = decode(body), decode_entry(first)
            if review.complete and isinstance(opened, Opened):
                found.append(OwnReview(table_id, partie, seat, review, opened))
        return found

    def is_begun(self, table_id: str, partie: int) -> bool:
        """Whether this node is computing a partie's review."""
        return (table_id, partie) in self.making

    def begin(
        self,
        table_id: str,
        partie: int,
        finished: State,
        so_far: Review,
        share: ComputeAccount,
        followed: Collection[tuple[int, str]] = (),
    ) -> None:
        """Continue a review, unless this node is already computing it; `followed` was done as advised at the table."""
        key = table_id, partie
        if key in self.making or so_far.complete or self.is_crowded(share) or not looks_back(finished.rules):
            return
        self.making[key] = ReviewInProgress(so_far, share, followed)
        task = asyncio.create_task(self.make(key, finished, share))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def is_crowded(self, share: ComputeAccount) -> bool:
        """Whether the node, or this address, has as many reviews in progress as allowed."""
        theirs = Counter(key for each in self.making.values() for key in keys(each.share)[:2])
        network, address, _ = keys(share)
        return (
            len(self.making) >= MOST
            or theirs[address] >= MOST_OF_ADDRESS
            or theirs[network] >= MOST_OF_ADDRESS * WIDE
        )

    async def make(self, key: Key, finished: State, share: ComputeAccount) -> None:
        """Judge all remaining decisions. A failure is reported by kind; the next visit retries it."""
        making = self.making[key]
        try:
            left = await self.in_order(key, finished, share)
            for nth in left:
                judgement = await self.lane.run(share, judge_decision, finished, nth)
                judged_now = making.review.judged | {nth: judgement}
                await self.keep(key, replace(making.review, judged=judged_now))
        except (BrokenExecutor, Unreachable) as error:
            log.warning("review broken off", kind=type(error).__name__)
        except Exception as error:  # noqa: BLE001  # one partie's fault is not the others'
            log.warning("review failed", kind=type(error).__name__)
        finally:
            del self.making[key]
            making.moved.set()

    async def in_order(self, key: Key, finished: State, share: ComputeAccount) -> list[int]:
        """Numbers of the decisions left to judge, likeliest mistakes first."""
        making = self.making[key]
        if making.review.judged:
            return [nth for nth in range(making.review.choices) if nth not in making.review.judged]
        looked = await self.lane.run(share, survey, finished)
        exact = {nth: each for nth, each in enumerate(looked) if isinstance(each, Judgement)}
        await self.keep(key, Review(len(looked), exact))
        likely = {nth: each for nth, each in enumerate(looked) if not isinstance(each, Judgement)}
        return sorted(likely, key=lambda nth: -likely[nth])

    async def keep(self, key: Key, review: Review) -> None:
        """Store a review's new state, then wake its readers. What was advised at the table is nobody's mistake."""
        review = after_advice(review, self.making[key].followed)
        await self.store.keep_review(*key, encode(review))
        self.making[key].note_found(review)

    async def progress(self, table_id: str, partie: int) -> AsyncIterator[Review]:
        """Yield the review each time it has grown, until it is complete or no longer computed here."""
        while making := self.making.get((table_id, partie)):
            moved = making.moved
            yield making.review
            await moved.wait()
        yield await self.of(table_id, partie)

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        self.lane.close()
