"""Turn notifications by e-mail, to guests who gave an address and confirmed it."""

from __future__ import annotations

import asyncio
import smtplib
from typing import Any

import sqlalchemy as sa
import structlog

from chouine.phrases import N_, translations
from chouine.server.limits import Rate, Windows
from chouine.server.pages.visit import Language
from chouine.server.push.mail import Mailbox, Mailer, is_address, letter
from chouine.server.schema import mailbox
from chouine.server.tables import Tables
from chouine.server.visitors import Secrets

log = structlog.get_logger()

WAIT = 600.0
"""Seconds that a table waits for a player before an e-mail is sent."""
OFTEN = Rate(10, 24 * 3600)
"""Limit of e-mails to a guest."""
QUESTIONS = Rate(3, 24 * 3600)
"""Limit of confirmation e-mails to one address, whoever enters it: it may be somebody else's."""
UNANSWERED = 2 * 24 * 3600.0
"""Seconds until an unconfirmed address is deleted."""
ANSWER = (
    N_("Your turn at Chouine: is this your address?"),
    N_(
        "Somebody, you perhaps, asked for a letter when it is your turn at a table of Chouine.\n\n"
        "If it was you, say so here:\n%(letters)s\n\nIf not, do nothing: no other letter will come."
    ),
)
TURN = (
    N_("Your turn to play"),
    N_("A table of Chouine waits for you:\n%(table)s\n\nNo more letters:\n%(letters)s"),
)


class Letters:
    """Sends e-mails and stores the addresses."""

    def __init__(self, tables: Tables, secrets: Secrets, mailer: Mailer, site: str) -> None:
        self.tables, self.secrets, self.mailer, self.site = tables, secrets, mailer, site
        self.windows = Windows()

    async def subscribe(self, guest: str, address: str, language: Language) -> None:
        """Send a confirmation e-mail to an address. Raises `ValueError` for an invalid one."""
        if not is_address(address):
            raise ValueError("not an address")
        which = self.secrets.mailbox(guest, address)
        known = await self._found(mailbox.c.guest == guest)
        if known is not None and known.id == which and known.confirmed:
            return
        now = self.tables.clock()
        values = {"id": which, "guest": guest, "address": address, "language": language, "at": now}
        old = sa.or_(mailbox.c.guest == guest, ~mailbox.c.confirmed & (mailbox.c.at < now - UNANSWERED))

        def change(connection: sa.Connection) -> None:
            connection.execute(mailbox.delete().where(old))
            connection.execute(mailbox.insert().values(values | {"confirmed": False}))

        await self.tables.store.database.write(change)
        if self.windows.hit(QUESTIONS, "question", address.lower()):
            await self.send(await self._found(mailbox.c.id == which), ANSWER)

    async def of(self, guest: str) -> Mailbox | None:
        """A guest's address, if they gave one."""
        return mailbox_of(await self._found(mailbox.c.guest == guest))

    async def known(self, which: str) -> Mailbox | None:
        """The address behind an e-mail's link."""
        return mailbox_of(await self._found(mailbox.c.id == which))

    async def confirm(self, which: str) -> None:
        """Confirm an address."""
        await self._write(mailbox.update().where(mailbox.c.id == which).values(confirmed=True))

    async def forget(self, which: str) -> None:
        """Forget the address behind a letter's link."""
        await self._write(mailbox.delete().where(mailbox.c.id == which))

    async def forget_guest(self, guest: str) -> None:
        """Forget the address that a guest gave."""
        await self._write(mailbox.delete().where(mailbox.c.guest == guest))

    async def tell(self, guest: str, table: str) -> None:
        """Send a guest who confirmed an address the notice of a turn, with the table's link."""
        row = await self._found(sa.and_(mailbox.c.guest == guest, mailbox.c.confirmed))
        if row is not None and self.windows.hit(OFTEN, "letter", guest):
            await self.send(row, TURN, table=f"{self.site}{table}")

    async def send(self, row: Any, words: tuple[str, str], **links: str) -> None:
        """Send an e-mail in the language chosen at subscription; a rejected address is deleted."""
        if row is None:
            return
        gettext, stop = translations(row.language).gettext, f"{self.site}/letters/{row.id}"
        subject, text = (gettext(each) for each in words)
        message = letter(
            self.mailer.sender, row.address, subject, text % {"letters": stop, **links} + "\n", stop
        )
        try:
            await asyncio.to_thread(self.mailer.send, message)
        except smtplib.SMTPRecipientsRefused:
            await self.forget(row.id)
        except (OSError, ValueError) as error:
            log.warning("cannot send a letter", kind=type(error).__name__)

    async def _write(self, change: sa.Delete | sa.Update) -> None:
        await self.tables.store.database.write(lambda connection: connection.execute(change))

    async def _found(self, which: sa.ColumnElement[bool]) -> Any:
        query = sa.select(mailbox).where(which)
        return await self.tables.store.database.read(lambda connection: connection.execute(query).first())


def mailbox_of(row: Any) -> Mailbox | None:
    """A row of the database as the pages use it."""
    return None if row is None else Mailbox(row.address, bool(row.confirmed))
