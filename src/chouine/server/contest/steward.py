"""The steward of online contests: opens the tables, enters results, draws rounds, closes contests.

Every step is idempotent: several nodes may do it at once, and any may stop at any time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from chouine.contest import (
    ActRefused,
    ContestAct,
    Revealed,
    RoundDrawn,
    draw,
)
from chouine.contest.formula import STAGES, Stage
from chouine.contest.views import is_over, next_draw
from chouine.server.contest.online import (
    Contests,
    Online,
    check_entrants,
    open_tables,
    opening_of,
    result_of,
)
from chouine.server.contest.solver import cheapest_matching
from chouine.server.database import Unreachable, again_and_again
from chouine.server.fair_queue import ComputeAccount
from chouine.server.heartbeat import Heartbeat
from chouine.server.store import Conflict
from chouine.server.table_ids import contest_in
from chouine.server.tables import Tables
from chouine.server.thinking import FairPool

log = structlog.get_logger()

SWEEP, PAUSE = 30.0, 0.05
"""Seconds between two passes over all contests, and from one contest to the next."""
AT_ONCE = 4
"""Contests attended to at a time: a long draw holds up no other."""
AGAIN = 1.0
"""Seconds until what the database did not answer is tried again."""


class Steward:
    """Runs the contests being played. A contest is attended to when its play begins and when a table of it ends.

    All are looked at now and then too, since the node that would have attended to one may have stopped.
    """

    def __init__(self, contests: Contests, tables: Tables, studies: FairPool, heartbeat: Heartbeat) -> None:
        self.contests, self.tables, self.studies, self.heartbeat = contests, tables, studies, heartbeat
        self.due: asyncio.Queue[str] = asyncio.Queue()
        self.queued: set[str] = set()
        contests.begun = self.note
        tables.ended = lambda table_id: self.note(contest_in(table_id))

    def note(self, which: str) -> None:
        """Queue a contest, unless it is queued or `which` is empty: a table of no contest."""
        if which and which not in self.queued:
            self.queued.add(which)
            self.due.put_nowait(which)

    async def run(self) -> None:
        """Attend to queued contests until cancelled."""
        async with asyncio.TaskGroup() as working:
            for _ in range(AT_ONCE):
                working.create_task(self.work())

    async def work(self) -> None:
        while True:
            which = await self.due.get()
            self.queued.discard(which)
            if not await self.done_with(which):
                await asyncio.sleep(AGAIN)
                self.note(which)
            await asyncio.sleep(0)  # others are served between two contests

    async def sweep(self) -> None:
        """Look at all contests now and then, until cancelled."""
        await again_and_again(self.look, SWEEP)

    async def look(self) -> None:
        """Run every contest's next steps."""
        for which in await self.contests.live_contests():
            await self.done_with(which)
            await asyncio.sleep(PAUSE)

    async def done_with(self, which: str) -> bool:
        """Run a contest's next steps; False if the database does not answer. Another error is logged by its type."""
        if not self.heartbeat.works:
            return False
        try:
            await self.attend(which)
        except Unreachable:
            return False
        except Exception as error:  # noqa: BLE001  # one contest's fault is not the others'
            log.warning("contest failed", kind=type(error).__name__)
        return True

    async def attend(self, which: str) -> None:
        """Do what a contest needs now."""
        online = await self.contests.get(which)
        if online is None or online.state != "live":
            return
        if len(online.players) < 2 and not online.contest.main:  # others withdrew while it was started
            await self.contests.turn(which, "open")
            return
        online = await self.tables_of(online)
        for stage in STAGES:
            if isinstance(next_draw(online.contest, stage), int):
                online = await self.tables_of(await self.draw_round(online, stage))
        if is_over(online.contest):
            seed = online.seed
            await self.append_act(online, lambda _: Revealed(seed))

    async def tables_of(self, online: Online) -> Online:
        """Open a table for each pair that has none, and enter the results of finished ones.

        Those of a duplicate round are entered together, once all its tables are over; before that nobody sees any.
        """
        pairs = open_tables(online)
        table_ids = await self.contests.table_ids([table_id for table_id, _, _ in pairs])
        all_over = all(table_ids.get(table_id) for table_id, _, _ in pairs)
        for table_id, round_, table in pairs:
            if table_id not in table_ids:
                opened = opening_of(online, round_, table)
                claim = check_entrants(online.id, table.players, opened)
                try:
                    await self.tables.open(opened, table_id, claim=claim)
                except Conflict:  # another node has set it, or one of the two has just left
                    self.note(online.id)
            elif table_ids[table_id] and (all_over or not round_.deals):
                played = await self.tables.table(table_id)
                if played is not None:
                    act = result_of(round_, table, played)
                    online = await self.append_act(online, lambda _, act=act: act)  # type: ignore[misc]
        return online

    async def draw_round(self, online: Online, stage: Stage) -> Online:
        """Draw the next round, in a worker process, since large draws take a while."""
        share = ComputeAccount(person=True, visitor=online.owner, address=online.origin)
        made: RoundDrawn = await self.studies.run(
            share, draw, online.contest, stage, online.seed, solver=cheapest_matching
        )
        return await self.append_act(online, lambda _: made)

    async def append_act(self, online: Online, make: Callable[[Online], ContestAct]) -> Online:
        """Append an act, unless another node did so first."""
        try:
            return await self.contests.do(online.id, make)
        except ActRefused:
            now = await self.contests.get(online.id)
            if now is None or now.contest.head.n <= online.contest.head.n:
                raise
            return now
