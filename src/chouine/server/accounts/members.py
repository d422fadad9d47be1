"""Members: whom a passkey, a card or an address signs in, and what is done to these."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import sqlalchemy as sa

from chouine.server.accounts import card
from chouine.server.accounts.browsers import Browsers, note_signed_out
from chouine.server.accounts.merging import merge_guests
from chouine.server.contest.online import Contests
from chouine.server.database import take_turns
from chouine.server.limits import Rate
from chouine.server.push.letters import forget_spent, spend
from chouine.server.saved import SavedState
from chouine.server.schema import browser, credential, member, subscription
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.server.visitors import Visitor, noted_as, saved_in, stored_as

Kind = Literal["passkey", "card", "mail"]
MOST: dict[Kind, int] = {"passkey": 20, "card": 1, "mail": 3}
"""How many of each a member has; of more, those used longest ago go. A second card replaces the first."""
BROWSERS = 50
"""Browsers signed in to an account; of more, those seen longest ago are signed out."""
ONCE = Rate(1, 3600)
"""How often a cookie signs in, for longer than any address by which it does so is good (`AGAIN`)."""


async def is_member(store: Store, guest: str) -> bool:
    """Whether a guest has an account, so that they are the same person on all their devices."""
    query = sa.select(member.c.guest).where(member.c.guest == guest)
    return await store.database.first(query) is not None


class SignedOut(Exception):
    """A cookie that has signed in, and was signed out since: it must not sign in again."""


@dataclass(frozen=True, slots=True)
class Credential:
    """What signs in: its kind and the digest it is stored under; of a passkey its identifier and public key too."""

    kind: Kind
    id: str
    label: str = ""
    raw: bytes | None = None
    key: bytes | None = None
    counter: int = 0


@dataclass(frozen=True, slots=True)
class Members:
    """The accounts of a server."""

    tables: Tables
    contests: Contests
    browsers: Browsers

    async def holder(self, which: str) -> sa.Row[Any] | None:
        """The row of a credential that signs in; None if there is none."""
        query = sa.select(credential).join(member, member.c.guest == credential.c.guest)
        query = query.where(credential.c.id == which)
        return await self.tables.store.database.first(query)

    async def credentials(self, guest: str) -> Sequence[sa.Row[Any]]:
        """What signs a member in, the oldest first."""
        query = sa.select(credential).where(credential.c.guest == guest)
        query = query.order_by(credential.c.at, credential.c.id)
        return await self.tables.store.database.rows(query)

    async def begin(self, guest: str = "") -> str:
        """A new account, for this `guest` unless there is one; returns its guest."""
        new, now = guest or secrets.token_hex(16), self.tables.clock()
        fresh = member.insert().values(guest=new, since=now, seen=now, settings=b"{}")

        def change(connection: sa.Connection) -> None:
            take_turns(connection, new)
            if connection.scalar(sa.select(member.c.guest).where(member.c.guest == new)) is None:
                connection.execute(fresh)

        await self.tables.store.database.write(change)
        return new

    async def sign_in(self, guest: str, token: str, device: str, before: Visitor, *, joins: bool) -> Visitor:
        """Sign a browser in to a member's account by a new cookie, `token`; returns its visitor.

        `before`: who the browser was until now; whether all that is theirs `joins` the account. A member who was signed
        in there is signed out, and after joining has no account of their own any more. Raises `SignedOut`.
        """
        stored, now = stored_as(token), self.tables.clock()
        row = {"token": stored, "guest": guest, "begun": now, "seen": now, "device": device[:40]}
        goes_on = before.stored if before.member and (joins or before.guest == guest) else ""
        await self.tables.store.database.write(partial(insert_browser, row, goes_on))
        if joins and before.guest != guest:
            await merge_guests(self.tables, self.contests, before.guest, guest, stored)
            await self.browsers.look()
        if before.member:  # last, so that all is done again by whoever asks again
            await self.browsers.sign_out(guest if joins else before.guest, only=before.stored)
        return Visitor(token, guest, SavedState(), new=False, member=True)

    async def add(self, guest: str, one: Credential) -> None:
        """Let something sign a member in, unless it does; what is beyond `MOST` of its kind does so no more."""
        now = self.tables.clock()
        values = {
            "id": one.id,
            "guest": guest,
            "kind": one.kind,
            "label": one.label[:200],
            "counter": one.counter,
        }
        values |= {"raw": one.raw, "key": one.key, "at": now, "used": now}
        same = sa.select(credential.c.id).where(credential.c.guest == guest, credential.c.kind == one.kind)

        def change(connection: sa.Connection) -> None:
            take_turns(connection, guest)
            others = connection.scalars(same.order_by(credential.c.used.desc())).all()
            if one.id in others:
                return
            beyond = others[MOST[one.kind] - 1 :]
            connection.execute(credential.delete().where(credential.c.id.in_(beyond)))
            connection.execute(credential.insert().values(values))

        await self.tables.store.database.write(change)

    async def add_card(self, guest: str) -> bytes:
        """A new card's secret, which is nowhere else; any earlier card signs in no more."""
        secret = card.new_secret()
        await self.add(guest, Credential("card", card.digest_of(secret)))
        return secret

    async def issue_card(self, guest: str) -> tuple[str, bytes]:
        """A card for somebody who lost all that signed them in, or never had an account: whom it signs in, its secret.

        That is the guest, or a new account that the guest is to become.
        """
        account = guest if await is_member(self.tables.store, guest) else await self.begin()
        return account, await self.add_card(account)

    async def note_use(self, which: str, counter: int = 0, was: int = 0) -> bool:
        """Note that a credential was used; False if it is gone, or its counter is not `was` any more."""
        this = credential.update().where(credential.c.id == which, credential.c.counter == was)
        used = this.values(used=self.tables.clock(), counter=counter)
        return await self.tables.store.database.execute(used) > 0

    async def remove(self, guest: str, which: str) -> None:
        """Let one of a member's credentials sign in no more."""
        gone = credential.delete().where(credential.c.guest == guest, credential.c.id == which)
        await self.tables.store.database.execute(gone)

    async def name_of(self, guest: str) -> str:
        """The name that a member plays under; empty if none was given yet."""
        query = sa.select(member.c.settings).where(member.c.guest == guest)
        settings = await self.tables.store.database.read(lambda connection: connection.scalar(query))
        return saved_in(settings, guest).name if settings else ""


def insert_browser(row: dict[str, Any], before: str, connection: sa.Connection) -> None:
    """Store a browser, unless this was done before; a member's beyond `BROWSERS` are signed out.

    Raises `SignedOut` for one that was signed out since.
    `before`: the digest of the cookie that it had until now, whose notifications go on; empty if none do.
    """
    take_turns(connection, row["guest"])
    mine = sa.select(browser.c.token).where(browser.c.guest == row["guest"])
    if connection.scalar(mine.where(browser.c.token == row["token"])) is not None:
        return
    forget_spent(connection, row["begun"])
    if not spend(connection, noted_as(row["token"]), ONCE, row["begun"]):
        raise SignedOut
    beyond = connection.scalars(mine.order_by(browser.c.seen.desc()).offset(BROWSERS - 1)).all()
    if beyond:
        connection.execute(browser.delete().where(browser.c.token.in_(beyond)))
        note_signed_out(connection)
    connection.execute(browser.insert().values(row))
    if before:
        told = subscription.update().where(subscription.c.browser == before)
        connection.execute(told.values(browser=row["token"]))
