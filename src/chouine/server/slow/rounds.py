"""What a node does by itself for slow matches, round after round."""

from __future__ import annotations

import asyncio

from chouine.server.push.turn_notifier import TurnNotifier
from chouine.server.slow.holidays import Holidays
from chouine.server.slow.prepared import PreparedActs
from chouine.server.slow.reminders import Reminders
from chouine.server.tables import Tables

EVERY = 15.0
"""Seconds between two rounds."""


class SlowMatches:
    """Holidays, prepared acts and reminders of a store."""

    def __init__(self, tables: Tables, turns: TurnNotifier | None) -> None:
        self.tables = tables
        self.holidays, self.prepared = Holidays(tables), PreparedActs(tables)
        self.reminders = Reminders(tables, self.holidays, turns)

    async def run(self) -> None:
        """Look after holidays, prepared acts and reminders until cancelled; not during maintenance."""
        while True:
            if not self.tables.rests() and not self.tables.superseded:
                await self.holidays.follow()
                await self.prepared.look()
                await self.reminders.look()
            await asyncio.sleep(EVERY)

    async def close(self) -> None:
        await self.prepared.close()
