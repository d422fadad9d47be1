"""Computers at the table: each gets its seat's view, in another process, and answers in a time that tells nothing."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random, SystemRandom

import structlog

from chouine.errors import ChouineError
from chouine.match.draw import PACKET
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.players import player_of
from chouine.server.room import commands as ask
from chouine.server.room.state import Phase, Room
from chouine.server.tables import Tables, computers_awaited

log = structlog.get_logger()

THINKING = 0.5
"""Seconds after its wake time at which a computer's act is sent, whatever the thought took."""
EVERY = 0.1
"""Seconds between looks for tables that have something to do."""


def think(player: str, view: View, seed: int) -> Action | None:
    """A player's answer to a view: what runs in the other process."""
    return player_of(player, Random(seed)).act(view)


class Computers:
    """Plays the computers' seats and keeps the deadlines, for every table of the store."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.pool = ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn"))
        self.busy: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Look for due tables until cancelled."""
        try:
            while True:
                for game in await self.tables.store.due(self.tables.clock()):
                    if game not in self.busy:
                        task = asyncio.create_task(self.attend(game))
                        self.busy[game] = task
                        task.add_done_callback(lambda _, game=game: self.busy.pop(game, None))  # type: ignore[misc]
                await asyncio.sleep(EVERY)
        finally:
            for task in self.busy.values():
                task.cancel()
            self.pool.shutdown(wait=False, cancel_futures=True)

    async def attend(self, game: str) -> None:
        """Do what a due table waits for: its computers' acts, or its deadline."""
        room = await self.tables.room(game)
        if room is None:
            return
        try:
            for seat in sorted(computers_awaited(room)):
                answered = asyncio.get_running_loop().time() + THINKING
                command = await self.answer(room, seat)
                await asyncio.sleep(answered - asyncio.get_running_loop().time())
                await self.tables.do(game, command, f"computer-{room.n}-{seat}")
            if not computers_awaited(room):
                await self.tables.do(game, ask.Tick(), f"tick-{room.n}")
        except ChouineError as error:
            # Another node, or a person's exchange, came first: the table wakes again if it still waits.
            log.info("computer refused", game=game, code=error.code)

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
        """A computer's card, exchange, or silence at "au sept" (§11)."""
        if room.state is None:
            raise ask.Refused("room/not-now")
        view = room.state.view(seat)
        if not view.legal:
            return ask.Pass(seat)
        loop = asyncio.get_running_loop()
        seed = secrets.randbits(64)
        action = await loop.run_in_executor(self.pool, think, room.chairs[seat].player, view, seed)
        return ask.Pass(seat) if action is None else ask.Act(seat, str(action))


async def credit_downtime(tables: Tables) -> None:
    """Give clocked tables back the seconds in which no server was there (called once, at start)."""
    last = await tables.store.setting("alive")
    away = tables.clock() - float(last) if last else 0.0
    if away < BEAT * 2:
        return
    for game in await tables.store.live():
        room = await tables.room(game)
        if room is not None and room.clock is not None and room.paused is None:
            await tables.do(game, ask.Credit(away), f"credit-{room.n}")


BEAT = 5.0


async def beat(tables: Tables) -> None:
    """Say every few seconds that a server is there."""
    while True:
        await tables.store.keep_setting("alive", repr(tables.clock()))
        await asyncio.sleep(BEAT)
