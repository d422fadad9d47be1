"""Tokens with which programs act for a guest, and the guests that are programs themselves: bots.

A token is shown once. The store has its digest, its scopes, and the day on which it was last used.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from chouine.errors import ChouineError
from chouine.names import NAME_LENGTH
from chouine.server.database import take_turns
from chouine.server.decent_names import BOT, decent_name
from chouine.server.schema import access, bot, entrant, seat, waiting
from chouine.server.store import Store
from chouine.server.token_form import FORM, PREFIX

SCOPES = ("play", "tables", "matches")
"""What a token may do: act at one's tables and follow them; open and join tables; read one's finished matches."""
MOST = 10
"""Most tokens of a guest."""
DAY = 24 * 3600.0


class TokenRefused(ChouineError):
    """A token cannot be made, or a guest cannot become a bot; `code` is `token/…`."""


class Holder(NamedTuple):
    """Whom a token stands for."""

    guest: str
    scopes: frozenset[str]
    name: str
    """The token's."""
    bot: str
    """The bot's name with its mark; empty for a person."""


def digest_of(token: str) -> str:
    """The digest by which the store knows a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Tokens:
    """The tokens and the bots of a store."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.store, self.clock = store, clock

    async def make(self, guest: str, name: str, scopes: Collection[str]) -> str:
        """Make a token, and return it. Raises `TokenRefused`, or `NameRefused` for its name."""
        chosen = [scope for scope in SCOPES if scope in scopes]
        shown = decent_name(name, NAME_LENGTH)
        if not shown:
            raise TokenRefused("token/no-name")
        if not chosen:
            raise TokenRefused("token/no-scope")
        token, now = PREFIX + secrets.token_urlsafe(32), self.clock()
        values = {
            "id": secrets.token_urlsafe(8),
            "digest": digest_of(token),
            "guest": guest,
            "name": shown,
            "scopes": " ".join(chosen),
            "begun": now,
            "seen": now,
        }

        def change(connection: sa.Connection) -> None:
            take_turns(connection, guest)
            many = connection.scalar(sa.select(sa.func.count()).where(access.c.guest == guest))
            if (many or 0) >= MOST:
                raise TokenRefused("token/too-many", most=MOST)
            connection.execute(access.insert().values(values))

        await self.store.database.write(change)
        return token

    async def of(self, guest: str) -> Sequence[sa.Row[Any]]:
        """A guest's tokens, newest first, as rows."""
        query = sa.select(access).where(access.c.guest == guest).order_by(access.c.begun.desc(), access.c.id)
        return await self.store.database.rows(query)

    async def revoke(self, guest: str, which: str) -> None:
        """End a guest's token."""
        gone = access.delete().where(access.c.guest == guest, access.c.id == which)
        await self.store.database.execute(gone)

    async def revoke_all(self, guest: str) -> None:
        """End all of a guest's tokens, as when other browsers are signed out: nobody can tell who made them."""
        gone = access.delete().where(access.c.guest == guest)
        await self.store.database.execute(gone)

    async def holder(self, token: str) -> Holder | None:
        """Whom a token stands for; None if it is none, or was revoked. Notes the day of its use."""
        if not FORM.fullmatch(token):
            return None
        digest = digest_of(token)
        query = sa.select(access, bot.c.name.label("bot")).outerjoin(bot, bot.c.guest == access.c.guest)
        rows = await self.store.database.rows(query.where(access.c.digest == digest))
        if not rows:
            return None
        row, now = rows[0], self.clock()
        if row.seen < now - DAY:

            def note(connection: sa.Connection) -> None:
                for column, whose in ((access.c.digest, digest), (bot.c.guest, row.guest)):
                    connection.execute(column.table.update().where(column == whose).values(seen=now))

            await self.store.database.write(note)
        return Holder(row.guest, frozenset(row.scopes.split()), row.name, row.bot or "")

    async def bot_name(self, guest: str) -> str:
        """The name of a guest that is a bot, with its mark; empty for a person."""
        rows = await self.store.database.rows(sa.select(bot.c.name).where(bot.c.guest == guest))
        return str(rows[0].name) if rows else ""

    async def become_bot(self, guest: str, name: str) -> str:
        """Make a bot of a guest who has never played, for good, and return its name with the mark.

        Raises `TokenRefused`, or `NameRefused`.
        """
        shown = decent_name(name, NAME_LENGTH - len(BOT))
        if not shown:
            raise TokenRefused("token/no-name")
        values = {"guest": guest, "name": BOT + shown, "seen": self.clock()}

        def change(connection: sa.Connection) -> None:
            for played in (seat, entrant, waiting):
                if connection.execute(sa.select(played.c.guest).where(played.c.guest == guest)).first():
                    raise TokenRefused("token/has-played")
            connection.execute(bot.insert().values(values))

        try:
            await self.store.database.write(change)
        except IntegrityError as error:
            if await self.bot_name(guest):
                raise TokenRefused("token/is-bot") from error
            raise TokenRefused("token/name-taken", name=BOT + shown) from error
        return BOT + shown
