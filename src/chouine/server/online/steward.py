"""The steward of online contests: opens the tables, enters results, draws rounds, closes contests.

Every step is idempotent: several nodes may do it at once, and any may stop at any time.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from contextlib import suppress

import structlog

from chouine.desk.solver import matching
from chouine.match import Forfeit
from chouine.server.database import Unreachable
from chouine.server.fair_queue import Share
from chouine.server.heartbeat import Heartbeat
from chouine.server.online.contests import Contests, Online
from chouine.server.online.naming import LENGTH, TABLE
from chouine.server.store import Conflict
from chouine.server.tables import Tables
from chouine.server.thinking import Lane
from chouine.table.entries import Opened, SeatHolder
from chouine.table.state import TableState
from chouine.tournament import (
    Act,
    ActRefused,
    ResultEntered,
    Revealed,
    Round,
    RoundDrawn,
    RoundTable,
    Score,
    TableForfeited,
    draw,
)
from chouine.tournament.formula import STAGES, Stage
from chouine.tournament.views import next_draw, over

log = structlog.get_logger()

EVERY = 1.0
"""Seconds between two passes over the contests."""
PLAYERS = Share(person=True)
"""The account drawing a round is charged to: people wait for it, and no visitor caused it."""


def game_of(online: Online, round_: Round, table: RoundTable) -> str:
    """The identifier of a pair's table: the same whichever node opens it."""
    which = f"{online.id} {online.seed} {round_.stage} {round_.number} {table.number} {table.players}"
    return f"{TABLE}{online.id}-{hashlib.sha256(which.encode()).hexdigest()}"[:LENGTH]


def opening_of(online: Online, round_: Round, table: RoundTable) -> Opened:
    """The settings of a contest table: its match, and the clock by which an absent player forfeits."""
    sitting = [online.players[player] for player in table.players]
    holders = tuple(SeatHolder("person", player.name, player.guest) for player in sitting)
    return Opened("classic", str(round_.match), holders, online.clock)


def result_of(round_: Round, table: RoundTable, room: TableState) -> Act:
    """The contest's act for a finished match."""
    where = (round_.stage, round_.number, table.number)
    last = room.match.entries[-1] if room.match.entries else None
    if isinstance(last, Forfeit):
        return TableForfeited(*where, table.players[last.seat])
    parties = tuple(map(sum, zip(*room.match.history, strict=True)))
    return ResultEntered(*where, Score.of(room.match.manches, parties))


class Steward:
    """Runs every contest that is being played, until cancelled."""

    def __init__(self, contests: Contests, tables: Tables, studies: Lane, heartbeat: Heartbeat) -> None:
        self.contests, self.tables, self.studies, self.heartbeat = contests, tables, studies, heartbeat

    async def run(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(EVERY)

    async def look(self) -> None:
        """Run each contest's next steps. An error is logged by type and does not stop the others."""
        if not self.heartbeat.alive:
            return
        with suppress(Unreachable):
            for which in await self.contests.live():
                try:
                    await self.attend(which)
                except Unreachable:
                    raise
                except Exception as error:  # noqa: BLE001  # one contest's fault is not the others'
                    log.warning("contest failed", kind=type(error).__name__)

    async def attend(self, which: str) -> None:
        """Do what a contest needs now."""
        online = await self.contests.get(which)
        if online is None:
            return
        if len(online.players) < 2 and not online.contest.main:  # others withdrew while it was started
            await self.contests.turn(which, "open")
            return
        online = await self.tables_of(online)
        for stage in STAGES:
            if isinstance(next_draw(online.contest, stage), int):
                online = await self.tables_of(await self.drawn(online, stage))
        if over(online.contest):
            seed = online.seed
            await self.done(online, lambda _: Revealed(seed))
            await self.contests.turn(which, "over")

    async def tables_of(self, online: Online) -> Online:
        """Open a table for each pair that has none, and enter the results of finished ones."""
        pairs = [
            (game_of(online, round_, table), round_, table)
            for round_ in online.contest.all_rounds()
            for table in round_.open
        ]
        games = await self.contests.games([game for game, _, _ in pairs])
        for game, round_, table in pairs:
            if game not in games:
                with suppress(Conflict):  # another node has set it
                    await self.tables.open(opening_of(online, round_, table), game)
            elif games[game]:
                room = await self.tables.room(game)
                if room is not None:
                    act = result_of(round_, table, room)
                    online = await self.done(online, lambda _, act=act: act)  # type: ignore[misc]
        return online

    async def drawn(self, online: Online, stage: Stage) -> Online:
        """Draw the next round, in a worker process, since large draws take a while."""
        made: RoundDrawn = await self.studies.run(
            PLAYERS, draw, online.contest, stage, online.seed, solver=matching
        )
        return await self.done(online, lambda _: made)

    async def done(self, online: Online, make: Callable[[Online], Act]) -> Online:
        """Append an act, unless another node did so first."""
        try:
            return await self.contests.do(online.id, make)
        except ActRefused:
            now = await self.contests.get(online.id)
            if now is None or now.contest.head.n <= online.contest.head.n:
                raise
            return now
