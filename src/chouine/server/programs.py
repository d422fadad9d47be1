"""Programs of the engine protocol at the tables of one's own machine (`chouine serve --engine NAME=COMMAND`)."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

import structlog

from chouine.ai.levels import NeedsFast
from chouine.engine import Engine, EngineFault, Limit
from chouine.registry import program
from chouine.rules.play import au_sept
from chouine.server.fair_queue import NOBODY, ComputeAccount
from chouine.server.forms import PROGRAM
from chouine.server.thinking import PASS, Backlog, ComputerMove, ThinkerPool, ThoughtRequest
from chouine.server.workers import Workers

log = structlog.get_logger()

SECONDS = 1.0
"""What a program has for each act."""
RUNNING = 8
"""Most programs that run at a time; the one asked least recently is ended first."""


class Programs:
    """Asks the programs for their seats' moves, and `others` for all other seats'.

    Each seat has a process of its own, so that no program sees two hands of one partie.
    """

    def __init__(self, commands: Mapping[str, str], others: ThinkerPool | Workers) -> None:
        """`commands`: command lines by name, with options as in `pipe:COMMAND;NAME=VALUE`."""
        self.commands = commands
        self.others = others
        self.running: dict[tuple[str, str, str], Engine] = {}

    async def think(self, thought: ThoughtRequest, name: str, share: ComputeAccount = NOBODY) -> ComputerMove:
        """The move. Raises `NeedsFast` for a program that was not named when this server started, and `EngineFault`."""
        if not thought.player.startswith(PROGRAM):
            return await self.others.think(thought, name, share)
        view, begun = thought.view, monotonic()
        if view.turn != view.observer and not au_sept(view.rule_table, view.position):
            return ComputerMove(PASS)
        table_id, *_, seat = name.split()
        engine = await self.engine_at(table_id, seat, thought.player.removeprefix(PROGRAM))
        try:
            answer = await engine.play(view, Limit(SECONDS))
        except EngineFault as fault:
            log.warning("a program is at fault", code=fault.code)  # its words might contain a card
            raise
        return ComputerMove(str(answer.action or PASS), monotonic() - begun)

    async def engine_at(self, table_id: str, seat: str, name: str) -> Engine:
        """The program at a seat, which is started by its first question."""
        if name not in self.commands:
            raise NeedsFast("player/unknown", token=name, known=", ".join(self.commands))
        key = table_id, seat, name
        engine = self.running.pop(key, None)
        if engine is None:
            asked = program(self.commands[name])
            engine = Engine(asked.command, dict(asked.options))
        self.running[key] = engine
        if len(self.running) > RUNNING:
            await self.running.pop(next(iter(self.running))).close()
        return engine

    async def backlog(self) -> Backlog:
        """How much waits for the other seats' processes."""
        return await self.others.backlog()

    async def close(self) -> None:
        """End all programs."""
        for engine in self.running.values():
            await engine.close()
        await self.others.close()
