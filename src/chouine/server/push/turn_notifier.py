"""Who is told that it is their turn: people whose table has waited for them for a while."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

import sqlalchemy as sa
import structlog

from chouine.server.database import Unreachable
from chouine.server.limits import Rate, Windows
from chouine.server.push.letters import WAIT as LONG
from chouine.server.push.letters import Letters
from chouine.server.push.message import Signer, decoded, encrypted, public_key
from chouine.server.push.sender import Sender, endpoint_parts
from chouine.server.schema import subscription
from chouine.server.tables import Tables
from chouine.table.state import TableState

log = structlog.get_logger()

WAIT = 30.0
"""Seconds that a table waits for somebody until they are told: who looks at it has acted by then."""
EVERY = 1.0
BROWSERS = 5
"""Of one guest: the oldest is forgotten for a newer one."""
OFTEN = Rate(30, 3600)
"""Messages to a guest."""
AT_ONCE = 8
"""Messages on their way."""
GONE = (404, 410)
"""What a service answers for a browser that wants no more messages."""


@dataclass(frozen=True, slots=True)
class Due:
    """A table that waits for these guests since an entry."""

    at: float
    n: int
    guests: frozenset[str]


class TurnNotifier:
    """Sends turn notifications. Each node notifies for the turns that began on it."""

    def __init__(
        self,
        tables: Tables,
        signer: Signer,
        sender: Sender,
        wait: float = WAIT,
        letters: Letters | None = None,
        long: float = LONG,
    ) -> None:
        """`letters`, where the server sends them, go after a longer wait."""
        self.tables, self.signer, self.sender, self.letters = tables, signer, sender, letters
        self.due: dict[str, Due] = {}
        self.ways = [(wait, self.due, self.tell)]
        if letters is not None:
            self.ways.append((long, {}, letters.tell))
        self.windows = Windows()
        self.room = asyncio.Semaphore(AT_ONCE)
        tables.turned = self.turned

    def turned(self, game: str, room: TableState) -> None:
        """A table has moved on: from now on it waits for others."""
        people = {seat: room.holders[seat].guest for seat in room.people}
        guests = frozenset(guest for seat in room.awaited & room.people if (guest := people[seat]))
        if len(set(people.values())) > 1 and guests and room.paused is None:
            for wait, waiting, _ in self.ways:
                waiting[game] = Due(monotonic() + wait, room.n, guests)
        else:
            for _, waiting, _ in self.ways:
                waiting.pop(game, None)

    async def run(self) -> None:
        """Look for turns that have been waited for long enough, until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(EVERY)

    async def look(self) -> None:
        """Send the notifications that are due."""
        now = monotonic()
        for _, waiting, tell in self.ways:
            for game, due in [(game, due) for game, due in waiting.items() if due.at <= now]:
                del waiting[game]
                try:
                    room = await self.tables.room(game)
                    if room is not None and room.n == due.n:
                        await asyncio.gather(*(tell(guest, f"/table/{game}") for guest in due.guests))
                except Unreachable:
                    continue

    async def tell(self, guest: str, table: str) -> None:
        """To each browser of a guest; those that want no more are forgotten. It says the table, and no more."""
        found = await self._rows(sa.select(subscription).where(subscription.c.guest == guest))
        if not found or not self.windows.hit(OFTEN, "push", guest):
            return
        text = json.dumps({"table": table}).encode()
        gone = [row.id for row in found if await self.sent(row, text) in GONE]
        if gone:
            await self._write(subscription.delete().where(subscription.c.id.in_(gone)))

    async def sent(self, row: Any, text: bytes) -> int:
        """The status of the service's answer; 0 where there was none."""
        body = encrypted(text, decoded(row.key), decoded(row.auth))
        authorization = self.signer.authorization(row.endpoint, self.tables.clock())
        try:
            async with self.room:
                return await asyncio.to_thread(self.sender.post, row.endpoint, body, authorization)
        except (OSError, ValueError) as error:
            log.warning("cannot push", kind=type(error).__name__)
            return 0

    async def subscribe(self, guest: str, endpoint: str, key: str, auth: str) -> None:
        """Tell a browser of its guest's turns from now on; `ValueError` for what no browser gives."""
        endpoint_parts(endpoint)
        public_key(decoded(key))
        if len(decoded(auth)) != 16:
            raise ValueError("not a secret of 16 bytes")
        which = hashlib.sha256(endpoint.encode()).hexdigest()
        values = {"guest": guest, "endpoint": endpoint, "key": key, "auth": auth, "at": self.tables.clock()}
        oldest = sa.select(subscription.c.id).where(subscription.c.guest == guest, subscription.c.id != which)

        def change(connection: sa.Connection) -> None:
            others = connection.execute(oldest.order_by(subscription.c.at.desc())).scalars().all()
            gone = [which, *others[BROWSERS - 1 :]]
            connection.execute(subscription.delete().where(subscription.c.id.in_(gone)))
            connection.execute(subscription.insert().values(values | {"id": which}))

        await self.tables.store.database.write(change)

    async def forget(self, guest: str) -> None:
        """Tell no browser of a guest any more."""
        await self._write(subscription.delete().where(subscription.c.guest == guest))

    async def browsers(self, guest: str) -> int:
        """How many browsers of a guest are told."""
        query = sa.select(sa.func.count()).where(subscription.c.guest == guest)
        return int((await self._rows(query))[0][0])

    async def _write(self, change: sa.Delete) -> None:
        await self.tables.store.database.write(lambda connection: connection.execute(change))

    async def _rows(self, query: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        return await self.tables.store.database.read(lambda connection: connection.execute(query).all())
