"""Decides who is notified of a turn: people whose table has waited for them for a while."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa
import structlog

from chouine.server.database import take_turns
from chouine.server.limits import Rate, TimeWindows
from chouine.server.metrics import DELIVERIES
from chouine.server.push.deliveries import Deliveries, Delivery, site_of
from chouine.server.push.letters import WAIT as LONG
from chouine.server.push.letters import Letters
from chouine.server.push.web_push import Sender, Signer, decode_base64, encrypt, endpoint_parts, public_key
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
READS = 8
"""Tables read concurrently."""
READING = 5.0
"""Timeout in seconds for a table that is read."""
LATER = (600.0, 3600.0, 6 * 3600.0)
"""Seconds without a try after a failed delivery to a subscription; a failure more deletes it."""
GONE = (404, 410)
"""Statuses by which a push service says that a subscription has ended."""


Tell = Callable[[str, str], Awaitable[object]]
"""Notifies a guest of a page's address."""


@dataclass(frozen=True, slots=True)
class DueTable:
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
        self.database = tables.store.database
        self.due: dict[str, DueTable] = {}
        self.ways: list[tuple[str, float, dict[str, DueTable], Tell]] = [("push", wait, self.due, self.tell)]
        if letters is not None:
            self.ways.append(("mail", long, {}, letters.tell))
        self.deliveries = Deliveries()
        self.reads = asyncio.Semaphore(READS)
        self.tasks: set[asyncio.Task[None]] = set()
        self.windows = TimeWindows()
        tables.turned.append(self.note_turn)

    def note_turn(self, table_id: str, table: TableState) -> None:
        """Note a table's state: if it is a new one, the waits of its next players begin."""
        people = {seat: table.holders[seat].guest for seat in table.people}
        guests = frozenset(guest for seat in table.awaited & table.people if (guest := people[seat]))
        if len(set(people.values())) > 1 and guests and table.paused is None:
            for _, wait, waiting, _ in self.ways:
                if table_id not in waiting or waiting[table_id].n != table.n:
                    waiting[table_id] = DueTable(monotonic() + wait, table.n, guests)
        else:
            for _, _, waiting, _ in self.ways:
                waiting.pop(table_id, None)

    async def run(self) -> None:
        """Poll for turns that have waited long enough, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(EVERY)

    def look(self) -> None:
        """Begin to send the notifications that are due, each table's in a task of its own."""
        now = monotonic()
        for way, _, waiting, tell in self.ways:
            for table_id, due in [(table_id, due) for table_id, due in waiting.items() if due.at <= now]:
                del waiting[table_id]
                task = asyncio.create_task(self.announce(way, table_id, due, tell))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)

    async def announce(self, way: str, table_id: str, due: DueTable, tell: Tell) -> None:
        """Notify the guests that a table still waits for."""
        async with self.reads:
            try:
                async with asyncio.timeout(READING):
                    table = await self.tables.table(table_id)
                    if table is not None and table.n == due.n:
                        await asyncio.gather(*(tell(guest, f"/table/{table_id}") for guest in due.guests))
            except Exception as error:  # noqa: BLE001  # one table that cannot be read is not the others'
                DELIVERIES.labels(way, "failed").inc()
                log.warning("cannot tell of a turn", kind=type(error).__name__)

    async def close(self) -> None:
        """Drop all notifications that are not sent."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.deliveries.close()
        if self.letters is not None:
            await self.letters.deliveries.close()

    async def tell(self, guest: str, table: str, waiting: int = 0) -> bool:
        """Notify every browser of a guest; False if there is none. The message holds the page's link.

        `waiting`: how many tables wait, for a reminder of them all.
        """
        query = sa.select(subscription).where(subscription.c.guest == guest)
        found = await self.database.rows(query.where(subscription.c.retry <= self.tables.clock()))
        if not found or not self.windows.hit(OFTEN, "push", guest):
            return bool(found)
        text = json.dumps({"table": table} | ({"waiting": waiting} if waiting else {})).encode()
        for row in found:
            site = site_of(urlsplit(row.endpoint).hostname or "")
            self.deliveries.add(Delivery("push", guest, site, partial(self.deliver, row, text)))
        return True

    async def deliver(self, row: Any, text: bytes) -> str:
        """Deliver a message and return the outcome; a subscription that has ended, or keeps failing, is deleted."""
        this = subscription.c.id == row.id
        status = await self.send(row, text)
        if status in GONE:
            await self.database.execute(subscription.delete().where(this))
            return "gone"
        if 200 <= status < 300:
            if row.failures:
                await self.database.execute(subscription.update().where(this).values(failures=0, retry=0.0))
            return "sent"
        if row.failures == len(LATER):
            await self.database.execute(subscription.delete().where(this))
        else:
            retry = self.tables.clock() + LATER[row.failures]
            await self.database.execute(
                subscription.update().where(this).values(failures=row.failures + 1, retry=retry)
            )
        return "failed"

    async def send(self, row: Any, text: bytes) -> int:
        """The status of the push service's response; 0 if there was none."""
        try:
            body = encrypt(text, decode_base64(row.key), decode_base64(row.auth))
            authorization = self.signer.authorization(row.endpoint, self.tables.clock())
            return await self.sender.post(row.endpoint, body, authorization)
        except (OSError, ValueError) as error:
            log.warning("cannot push", kind=type(error).__name__)
            return 0

    async def subscribe(
        self, guest: str, endpoint: str, key: str, auth: str, old: str = "", browser: str = ""
    ) -> None:
        """Subscribe a browser to its guest's turns, in place of its former endpoint `old`.

        `browser`: the digest of its cookie, if it is signed in to an account.

        Raises `ValueError` for data no browser gives.
        """
        endpoint_parts(endpoint)
        public_key(decode_base64(key))
        if len(decode_base64(auth)) != 16:
            raise ValueError("not a secret of 16 bytes")
        which = digest(endpoint)
        values: dict[str, Any] = {"guest": guest, "endpoint": endpoint, "key": key, "auth": auth}
        values |= {"browser": browser, "at": self.tables.clock()}
        oldest = sa.select(subscription.c.id).where(subscription.c.guest == guest, subscription.c.id != which)

        def change(connection: sa.Connection) -> None:
            take_turns(connection, guest)
            connection.execute(subscription.delete().where(subscription.c.id.in_((which, digest(old)))))
            others = connection.execute(oldest.order_by(subscription.c.at.desc())).scalars().all()
            beyond = others[BROWSERS - 1 :]
            connection.execute(subscription.delete().where(subscription.c.id.in_(beyond)))
            connection.execute(subscription.insert().values(values | {"id": which}))

        await self.database.write(change)

    async def forget(self, guest: str, endpoint: str = "") -> None:
        """Delete a guest's subscription with this endpoint, or all of them."""
        theirs = subscription.c.guest == guest
        which = sa.and_(theirs, subscription.c.id == digest(endpoint)) if endpoint else theirs
        await self.database.execute(subscription.delete().where(which))

    async def browsers(self, guest: str) -> list[str]:
        """The digests of the endpoints of a guest's subscribed browsers."""
        query = sa.select(subscription.c.id).where(subscription.c.guest == guest)
        return [row.id for row in await self.database.rows(query.order_by(subscription.c.at))]


def digest(endpoint: str) -> str:
    """The digest by which an endpoint is known."""
    return hashlib.sha256(endpoint.encode()).hexdigest()
