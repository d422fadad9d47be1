"""Computers at the table: each gets its seat's view, in another process, and answers in a time that tells nothing."""

from __future__ import annotations

import asyncio
import math
import os
import secrets
import signal
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from random import Random, SystemRandom
from threading import Thread
from time import monotonic

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chouine.errors import ChouineError
from chouine.match.draw import PACKET
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.players import player_of
from chouine.server.room import commands as ask
from chouine.server.room.state import Phase, Room
from chouine.server.tables import Tables, computers_awaited

log = structlog.get_logger()

BEAT = 5.0
"""Seconds between two signs that a server is there."""


def think(player: str, view: View, seed: int) -> Action | None:
    """A player's answer to a view, None where it has nothing to answer: what runs in the other process."""
    return player_of(player, Random(seed)).act(view) if view.legal else None


def other_process() -> Executor:
    """A process in which computers think: it holds no table, and a long thought delays nobody's page."""
    return ProcessPoolExecutor(1, get_context("spawn"), leave_with_parent)


def leave_with_parent() -> None:
    """End when the server does, however it does: a server that was killed cannot say so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(0)

    Thread(target=watch, daemon=True).start()


class Computers:
    """Plays the computers' seats and keeps the deadlines, for every table of the store."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.pool = other_process()
        self.busy: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Look for due tables until cancelled."""
        self.pool.submit(len, "")  # the process is there before the first thought
        try:
            while True:
                await self.look()
                await asyncio.sleep(self.tables.tempo.every)
        finally:
            for task in self.busy.values():
                task.cancel()
            self.pool.shutdown(wait=False, cancel_futures=True)

    async def look(self) -> None:
        """Attend to each due table; a database that does not answer is asked again."""
        try:
            due = await self.tables.store.due(self.tables.clock())
        except (SQLAlchemyError, OSError) as error:
            log.warning("cannot look for due tables", kind=type(error).__name__)
            return
        for game in due:
            if game not in self.busy:
                task = asyncio.create_task(self.attend(game))
                self.busy[game] = task
                task.add_done_callback(lambda _, game=game: self.busy.pop(game, None))  # type: ignore[misc]

    async def attend(self, game: str) -> None:
        """Do what a due table waits for. A fault is told by its kind only, since its text might hold a card."""
        try:
            await self.serve(game)
        except ChouineError:
            # Another node, or a person's exchange, came first: the table wakes again if it still waits.
            log.info("somebody came first")
        except BrokenExecutor:
            log.warning("thinking process lost")
            self.pool = other_process()
        except Exception as error:  # noqa: BLE001  # one table's fault is not the others'
            log.warning("computer failed", kind=type(error).__name__)
            await asyncio.sleep(BEAT)

    async def serve(self, game: str) -> None:
        """The computers' acts, or the deadline that has come."""
        room = await self.tables.room(game)
        if room is None:
            return
        for seat in sorted(computers_awaited(room)):
            command = await self.in_time(room, seat)
            await self.tables.do(game, command, f"computer-{room.n}-{seat}")
        if not computers_awaited(room):
            await self.tables.do(game, ask.Tick(), f"tick-{room.n}")

    async def in_time(self, room: Room, seat: int) -> ask.Command:
        """A computer's answer, at a time that does not tell how long it thought."""
        begun, step = monotonic(), self.tables.tempo.thinking
        command = await self.answer(room, seat)
        thought = monotonic() - begun
        await asyncio.sleep(max(1, math.ceil(thought / step)) * step - thought)
        return command

    async def answer(self, room: Room, seat: int) -> ask.Command:
        """What a computer does now."""
        match room.phase:
            case Phase.TIRAGE:
                left = [place for place in range(32) if place not in room.picks]
                return ask.Pick(seat, secrets.choice(left))
            case Phase.CUT:
                return ask.CutAt(seat, SystemRandom().randint(PACKET, 32 - PACKET))
            case Phase.COUNT:
                return ask.GoOn(seat)
            case _:
                return await self.move(room, seat)

    async def move(self, room: Room, seat: int) -> ask.Command:
        """A computer's card, exchange, or silence at "au sept" (§11), thought of alike whatever it holds."""
        if room.state is None:
            raise ask.Refused("room/not-now")
        loop, player, view = asyncio.get_running_loop(), room.chairs[seat].player, room.state.view(seat)
        action = await loop.run_in_executor(self.pool, think, player, view, secrets.randbits(64))
        return ask.Pass(seat) if action is None else ask.Act(seat, str(action))


async def credit_downtime(tables: Tables) -> None:
    """Give tables with a deadline back the seconds in which no server was there (called once, at start)."""
    last = await tables.store.setting("alive")
    away = tables.clock() - float(last) if last else 0.0
    if away < BEAT * 2:
        return
    for game in await tables.store.waking():
        try:
            room = await tables.room(game)
            if room is not None and room.deadline is not None:
                await tables.do(game, ask.Credit(away), f"credit-{last}")
        except Exception as error:  # noqa: BLE001  # one table that cannot be read is not the others'
            log.warning("cannot credit a table", kind=type(error).__name__)


async def beat(tables: Tables) -> None:
    """Say every few seconds that a server is there."""
    while True:
        try:
            await tables.store.keep_setting("alive", repr(tables.clock()))
        except (SQLAlchemyError, OSError) as error:
            log.warning("cannot say that the server is there", kind=type(error).__name__)
        await asyncio.sleep(BEAT)
