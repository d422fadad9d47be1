"""Plays the computers' seats: each player gets its seat's view, and its response time says nothing about its hand."""

from __future__ import annotations

import asyncio
import hmac
import math
import secrets
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from time import monotonic

import structlog

from chouine.ai.levels import UNAIDED, NeedsFast, level_of
from chouine.engine import EngineFault
from chouine.errors import ChouineError
from chouine.server.database import Unreachable
from chouine.server.fair_queue import ComputeAccount
from chouine.server.heartbeat import Heartbeat
from chouine.server.limits import NETWORK
from chouine.server.metrics import THOUGHTS
from chouine.server.table_cache import as_it_was, computers_awaited, random_command
from chouine.server.tables import Tables
from chouine.server.thinking import PASS, UNABLE, Thinker, ThoughtRequest
from chouine.table import commands as ask
from chouine.table.state import Phase, TableState

log = structlog.get_logger()

LEASE = 5.0
"""Seconds for which a node has reserved a due table; after that any node may claim it."""
BEATS = 5
"""Queueing time is rounded up to multiples of a step divided by this: it reveals no more than thinking time."""
REMEMBERED = 10_000
"""Tables whose owner is cached."""
AGAIN = 1.0
"""Seconds before a table whose handling failed is tried again."""
GETTING_READY = 2.0
"""Seconds after which the table says that a level that searches is loading its compiled code."""


class Computers:
    """Plays the computers' seats and enforces the deadlines of every table in the store."""

    def __init__(self, tables: Tables, thinker: Thinker, heartbeat: Heartbeat) -> None:
        self.tables = tables
        self.thinker = thinker
        self.heartbeat = heartbeat
        self.busy: dict[str, asyncio.Task[None]] = {}
        self.key = secrets.token_bytes(32)
        self.set_by: dict[str, tuple[str, str]] = {}

    async def run(self) -> None:
        """Poll the store for due tables until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(self.tables.tempo.every)

    async def close(self) -> None:
        """Drop what is being done at the tables, and close the thinker."""
        for task in self.busy.values():
            task.cancel()
        await self.thinker.close()

    async def look(self) -> None:
        """Start a task for each due table; if the database does not answer, the next poll tries again."""
        if not self.heartbeat.works:
            return
        now = self.tables.clock()
        try:
            due = await self.tables.store.claim(now, now + LEASE, self.busy)
        except Unreachable as error:
            log.warning("cannot look for due tables", kind=type(error).__name__)
            return
        for table_id in due:
            task = asyncio.create_task(self.attend(table_id))
            self.busy[table_id] = task
            task.add_done_callback(lambda _, table_id=table_id: self.busy.pop(table_id, None))  # type: ignore[misc]

    async def attend(self, table_id: str) -> None:
        """Do what a due table waits for. An error is logged by its type alone, since its text might contain a card."""
        try:
            with THOUGHTS.track_inprogress():
                await self.serve(table_id)
        except EngineFault:  # it is started anew
            await asyncio.sleep(AGAIN)
        except ChouineError:
            # Another node, or a person's exchange, came first: the table wakes again if it still waits.
            log.info("somebody came first")
        except BrokenExecutor:
            return
        except Exception as error:  # noqa: BLE001  # one table's fault is not the others'
            log.warning("computer failed", kind=type(error).__name__)
            await asyncio.sleep(AGAIN)

    async def serve(self, table_id: str) -> None:
        """Carry out the computers' acts, or, if none is awaited, the deadline that has passed."""
        table = await self.tables.table(table_id)
        if table is None:
            return
        for seat in sorted(computers_awaited(table)):
            command = await self.in_time(table_id, table, seat)
            await self.tables.do(table_id, command, f"computer-{table.n}-{seat}", as_it_was(table))
        if not computers_awaited(table):
            await self.tables.do(table_id, ask.Tick(), f"tick-{table.n}")

    async def in_time(self, table_id: str, table: TableState, seat: int) -> ask.Command:
        """A computer's command. If it is late, or this node cannot compute it, the table shows so and keeps waiting."""
        answering = asyncio.ensure_future(self.held_back(table_id, table, seat))
        patience = self.tables.tempo.absent
        if thinks_ahead(table, seat):
            patience = min(patience, GETTING_READY)
        try:
            await asyncio.wait([answering], timeout=patience)
            if not answering.done() or isinstance(answering.exception(), NeedsFast | EngineFault):
                with suppress(ask.Refused):  # another node has said so
                    await self.tables.do(table_id, ask.Miss(seat), f"miss-{table.n}-{seat}", as_it_was(table))
            return await answering
        finally:
            answering.cancel()

    async def held_back(self, table_id: str, table: TableState, seat: int) -> ask.Command:
        """A computer's command, delayed so that the delay does not reveal how long it thought.

        Thinking time is rounded up to whole steps. Queueing time, which depends on other tables, is rounded and
        added separately: with only the sum rounded, a busy server would reveal which thoughts were short. What is
        drawn by lot, at the tirage and the cut, is sent at once.
        """
        if (chosen := random_command(table, seat)) is not None:
            return chosen
        begun, step = monotonic(), self.step(table, seat)
        command, thought = await self.move(table_id, table, seat)
        spent = monotonic() - begun
        beat = max(step, self.tables.tempo.thinking) / BEATS
        waited = math.ceil((spent - thought) / beat) * beat
        await asyncio.sleep(waited + max(1, math.ceil(thought / step)) * step - spent)
        return command

    def step(self, table: TableState, seat: int) -> float:
        """Seconds of one step: doubled for a level that searches, else halved at a lively table."""
        if thinks_ahead(table, seat):
            return 2 * self.tables.tempo.thinking
        return self.tables.tempo.thinking / (2 if table.opened.pace < 1 else 1)

    async def move(self, table_id: str, table: TableState, seat: int) -> tuple[ask.Command, float]:
        """A computer's card, exchange, or pass at "au sept" (§11), and the seconds it thought.

        The same work is done whatever it holds.
        """
        if table.state is None:
            raise ask.Refused("table/not-now")
        player = table.holders[seat].player
        thought = ThoughtRequest.of(player, table.state.view(seat), self.chance(table_id, table, seat))
        decision = len(table.played), table.taken_back, len(table.state.events), sorted(table.passed), seat
        name = " ".join(map(str, (table_id, *decision)))
        answer = await self.thinker.think(thought, name, await self.share(table_id, table))
        if answer.token == UNABLE:
            raise NeedsFast("level/needs-fast", number=level_of(player))
        command = ask.Pass(seat) if answer.token == PASS else ask.Act(seat, answer.token)
        return command, answer.seconds

    async def share(self, table_id: str, table: TableState) -> ComputeAccount:
        """The account a table's computing is charged to: digests keyed by this node, since workers read them too."""
        if table_id not in self.set_by:
            if len(self.set_by) >= REMEMBERED:
                self.set_by.clear()
            self.set_by[table_id] = await self.tables.store.set_by(table_id)
        owner, origin = self.set_by[table_id]
        visitor, network, address = (
            hmac.digest(self.key, name.encode(), "sha256").hex()[:16]
            for name in (owner, origin[:NETWORK], origin)
        )
        return ComputeAccount(bool(table.people), visitor, network + address)

    def chance(self, table_id: str, table: TableState, seat: int) -> int:
        """A random seed for a seat; for levels constant throughout a partie, so that forgotten cards stay forgotten."""
        if not level_of(table.holders[seat].player):
            return secrets.randbits(64)
        partie = f"{table_id} {len(table.played)} {seat}"
        return int.from_bytes(hmac.digest(self.key, partie.encode(), "sha256")[:8])


def thinks_ahead(table: TableState, seat: int) -> bool:
    """Whether a seat's level searches now, which takes time and compiled code; drawing and cutting need no search."""
    return table.phase is Phase.PLAY and level_of(table.holders[seat].player) > UNAIDED
