"""Decides who is notified of a turn: people whose table has waited for them for a while."""

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
"""Seconds that a table waits before a notification: a player who is looking has acted by then."""
EVERY = 1.0
BROWSERS = 5
"""Most subscribed browsers of a guest; a new one replaces the oldest."""
OFTEN = Rate(30, 3600)
"""Limit of messages to a guest."""
AT_ONCE = 8
"""Messages sent concurrently."""
GONE = (404, 410)
"""Statuses by which a push service says that a subscription has ended."""


@dataclass(frozen=True, slots=True)
class Due:
    """A table and the guests it has waited for since an entry."""

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
        """`letters` sends e-mails, after the longer wait `long`; None if the server sends none."""
        self.tables, self.signer, self.sender, self.letters = tables, signer, sender, letters
        self.due: dict[str, Due] = {}
        self.ways = [(wait, self.due, self.tell)]
        if letters is not None:
            self.ways.append((long, {}, letters.tell))
        self.windows = Windows()
        self.room = asyncio.Semaphore(AT_ONCE)
        tables.turned = self.turned

    def turned(self, game: str, room: TableState) -> None:
        """Note a table's new state: the waits of its next players begin."""
        people = {seat: room.holders[seat].guest for seat in room.people}
        guests = frozenset(guest for seat in room.awaited & room.people if (guest := people[seat]))
        if len(set(people.values())) > 1 and guests and room.paused is None:
            for wait, waiting, _ in self.ways:
                waiting[game] = Due(monotonic() + wait, room.n, guests)
        else:
            for _, waiting, _ in self.ways:
                waiting.pop(game, None)

    async def run(self) -> None:
        """Poll for turns that have waited long enough, until cancelled."""
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
                except Exception as error:  # noqa: BLE001  # one table that cannot be read is not the others'
                    log.warning("cannot tell of a turn", kind=type(error).__name__)

    async def tell(self, guest: str, table: str) -> None:
        """Notify every browser of a guest and delete ended subscriptions. The message holds the table's link alone."""
        found = await self._rows(sa.select(subscription).where(subscription.c.guest == guest))
        if not found or not self.windows.hit(OFTEN, "push", guest):
            return
        text = json.dumps({"table": table}).encode()
        gone = [row.id for row in found if await self.sent(row, text) in GONE]
        if gone:
            await self._write(subscription.delete().where(subscription.c.id.in_(gone)))

    async def sent(self, row: Any, text: bytes) -> int:
        """The status of the push service's response; 0 if there was none."""
        body = encrypted(text, decoded(row.key), decoded(row.auth))
        authorization = self.signer.authorization(row.endpoint, self.tables.clock())
        try:
            async with self.room:
                return await asyncio.to_thread(self.sender.post, row.endpoint, body, authorization)
        except (OSError, ValueError) as error:
            log.warning("cannot push", kind=type(error).__name__)
            return 0

    async def subscribe(self, guest: str, endpoint: str, key: str, auth: str) -> None:
        """Subscribe a browser to its guest's turns. Raises `ValueError` for data no browser gives."""
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
        """Delete a guest's subscriptions."""
        await self._write(subscription.delete().where(subscription.c.guest == guest))

    async def browsers(self, guest: str) -> int:
        """The number of a guest's subscribed browsers."""
        query = sa.select(sa.func.count()).where(subscription.c.guest == guest)
        return int((await self._rows(query))[0][0])

    async def _write(self, change: sa.Delete) -> None:
        await self.tables.store.database.write(lambda connection: connection.execute(change))

    async def _rows(self, query: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        return await self.tables.store.database.read(lambda connection: connection.execute(query).all())
