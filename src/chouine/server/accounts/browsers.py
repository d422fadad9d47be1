"""Which browsers are signed in to accounts, as a node knows it without asking the database at every move.

A member's browser is signed in as long as it is stored. A node remembers whom it has looked up. Whenever a browser is
signed out, a value in the database changes, which every node reads twice a second; one that could not read it lately
looks every browser up.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any

import sqlalchemy as sa

from chouine.server.database import again_and_again
from chouine.server.schema import browser, member, setting, subscription
from chouine.server.tables import Tables

LOOKS = 0.5
"""Seconds between two looks."""
FRESH = 2.0
"""Seconds after which what a node remembers counts no more, if it could not look: then a sign-out holds everywhere."""
MOST = 50_000
"""Browsers remembered by a node."""
AT_ONCE = 500
"""Browsers looked up in one query."""
CHANGED = "signed-out"
"""The setting that changes when a browser is signed out."""


@dataclass
class Browsers:
    """The browsers that this node knows to be signed in, by the digests of their cookies, each with its guest."""

    tables: Tables
    known: dict[str, str] = field(default_factory=dict)
    _state: str | None = None
    _looked: float = -FRESH
    _turn: int = 0

    @property
    def fresh(self) -> bool:
        """Whether this node has looked lately, so that what it remembers is right."""
        return monotonic() - self._looked < FRESH

    def guest_of(self, stored: str) -> str | None:
        """The guest of a browser that is surely signed in; None if that must be looked up."""
        return self.known.get(stored) if self.fresh else None

    async def find(self, stored: str) -> sa.Row[Any] | None:
        """A browser's `guest`, `settings` and `seen`, from the database; None if it is not signed in."""
        turn = self._turn
        query = (
            sa.select(browser.c.guest, member.c.settings, browser.c.seen)
            .join(member, member.c.guest == browser.c.guest)
            .where(browser.c.token == stored)
        )
        row = await self.tables.store.database.first(query)
        if row is None:
            self.known.pop(stored, None)
        elif turn == self._turn:  # else it may have been signed out since it was read
            if len(self.known) >= MOST:
                self.known.clear()
            self.known[stored] = row.guest
        return row

    async def look(self) -> None:
        """Forget who was signed out since the last look, and end their streams."""
        begun, was_fresh = monotonic(), self.fresh
        state = await self.tables.store.setting(CHANGED) or ""
        changed = state != self._state
        if changed:
            self._turn += 1
            known, self.known = list(self.known), {}
            for start in range(0, len(known), AT_ONCE):
                self.known |= await self.tables.store.database.read(
                    partial(guests_of, known[start : start + AT_ONCE])
                )
            self._state = state
        self._looked = begun
        if changed or not was_fresh:
            self.tables.notify_all()

    async def touch(self, stored: str, now: float) -> None:
        """Note that a browser, and so its member, was seen."""
        which = sa.select(browser.c.guest).where(browser.c.token == stored)

        def change(connection: sa.Connection) -> None:
            connection.execute(browser.update().where(browser.c.token == stored).values(seen=now))
            connection.execute(member.update().where(member.c.guest.in_(which)).values(seen=now))

        await self.tables.store.database.write(change)

    async def list_of(self, guest: str) -> Sequence[sa.Row[Any]]:
        """A member's browsers, the one seen last first."""
        query = sa.select(browser).where(browser.c.guest == guest)
        query = query.order_by(browser.c.seen.desc(), browser.c.begun.desc(), browser.c.token)
        return await self.tables.store.database.rows(query)

    async def sign_out(self, guest: str, *, only: str = "", but: str = "") -> int:
        """Sign a member's browsers out: one, all but one, or all; returns how many it were.

        Their notifications end too. Returns once no node serves them any more.
        """
        which = browser.c.guest == guest
        if only:
            which &= browser.c.token == only
        which &= browser.c.token != but

        def change(connection: sa.Connection) -> int:
            ended = connection.scalars(sa.select(browser.c.token).where(which)).all()
            connection.execute(subscription.delete().where(subscription.c.browser.in_(ended)))
            connection.execute(browser.delete().where(browser.c.token.in_(ended)))
            if ended:
                note_signed_out(connection)
            return len(ended)

        ended = await self.tables.store.database.write(change)
        if ended:
            await self.until_known()
        return ended

    async def until_known(self) -> None:
        """Wait until every node knows who was just signed out: this one at once, others if there can be any."""
        await self.look()
        if self.tables.store.database.dialect != "sqlite":
            await asyncio.sleep(FRESH)

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        await again_and_again(self.look, LOOKS)


def guests_of(tokens: Sequence[str], connection: sa.Connection) -> dict[str, str]:
    """Those of these browsers that are signed in, each with its guest."""
    query = sa.select(browser.c.token, browser.c.guest).where(browser.c.token.in_(tokens))
    return {row.token: row.guest for row in connection.execute(query)}


def note_signed_out(connection: sa.Connection) -> None:
    """Let every node look who is still signed in."""
    connection.execute(setting.delete().where(setting.c.name == CHANGED))
    connection.execute(setting.insert().values(name=CHANGED, value=secrets.token_hex(8)))
