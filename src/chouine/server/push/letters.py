"""E-mails: notifications of turns, to guests who gave an address and confirmed it, and links that sign in.

Their limits are counted in the database: for all nodes, and across restarts.
"""

from __future__ import annotations

from contextlib import suppress
from email.message import EmailMessage
from functools import partial
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa
import structlog
from aiosmtplib import SMTPException, SMTPRecipientsRefused
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from chouine.errors import ChouineError
from chouine.phrases import N_, Language, translations
from chouine.server.limits import NETWORK, WIDE, Rate
from chouine.server.push.deliveries import Deliveries, Delivery, site_of
from chouine.server.push.mail import Mailer, address_in, letter, normal_form
from chouine.server.schema import mailbox, passage, spending, unwanted
from chouine.server.tables import Tables
from chouine.server.visitors import Secrets


def spend(connection: sa.Connection, what: str, rate: Rate, now: float) -> bool:
    """Count an e-mail, unless the limit is reached. Returns whether it was not."""
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    fresh = {"count": 0, "ends": now + rate.seconds}
    connection.execute(insert(spending).values(id=what, **fresh).on_conflict_do_nothing())
    this = spending.update().where(spending.c.id == what)
    connection.execute(this.where(spending.c.ends <= now).values(fresh))
    counted = this.where(spending.c.count < rate.most).values(count=spending.c.count + 1)
    return bool(connection.execute(counted).rowcount)


def is_spent(connection: sa.Connection, what: str, rate: Rate, now: float) -> bool:
    """Whether the limit is reached."""
    full = sa.and_(spending.c.count >= rate.most, spending.c.ends > now)
    return connection.execute(sa.select(spending).where(spending.c.id == what, full)).first() is not None


def forget_spent(connection: sa.Connection, now: float) -> None:
    """Delete the counts of windows that ended a while ago: nobody counts in these at the same time."""
    connection.execute(spending.delete().where(spending.c.ends < now - 3600))


log = structlog.get_logger()

WAIT = 600.0
"""Seconds that a table waits for a player before an e-mail is sent."""
DAY = 24 * 3600
OFTEN = Rate(10, DAY)
"""Limit of turn notifications to a mailbox."""
QUESTIONS = Rate(3, 7 * DAY)
"""Limit of confirmation e-mails to a mailbox, whoever asks for them: it may be somebody else's."""
OF_ASKER = Rate(20, DAY)
"""Limit of confirmation e-mails asked for from one network address; from an IPv6 /48, `WIDE` times as many."""
OF_SITE = Rate(50, DAY)
"""Limit of confirmation e-mails to one domain, all of whose addresses may lead to one mailbox."""
OF_SERVER = Rate(200, DAY)
"""Limit of all confirmation e-mails."""
SIGNINGS = Rate(5, DAY)
"""Limit of e-mails to a mailbox that sign in, whoever asks for them."""
UNANSWERED = 2 * 24 * 3600.0
"""Seconds until an unconfirmed address is deleted."""
ANSWER = (
    N_("Your turn at Chouine: is this your address?"),
    N_(
        "Somebody, you perhaps, asked for an e-mail when it is your turn at a table of Chouine.\n\n"
        "If it was you, say so here:\n%(letters)s\n\n"
        "If not, do nothing: without your answer, nothing comes but this question, a few times a week at most,"
        " whoever asks for it. For no e-mail from this server, ever again:\n%(never)s"
    ),
)
TURN = (
    N_("Your turn to play"),
    N_(
        "A table of Chouine waits for you:\n%(table)s\n\nNo more e-mails:\n%(letters)s\n\n"
        "No e-mail from this server, ever again:\n%(never)s"
    ),
)


SIGN_IN = (
    N_("Sign in to Chouine"),
    N_(
        "To sign in to Chouine, open this link within half an hour, in the browser in which you want to play."
        " It works once:\n%(link)s\n\n"
        "If it was not you who asked for it, do nothing: without this link nobody gets in.\n\n"
        "No e-mail from this server, ever again, nor one to sign in:\n%(never)s"
    ),
)
PASSES = 30 * 60.0
"""Seconds for which such an e-mail's link signs in."""


class Recipient(NamedTuple):
    """A mailbox that asked for no turn notifications, with the columns of one that did."""

    id: str
    address: str
    language: Language
    owner: str


CHALLENGED = (
    N_("A challenge at Chouine"),
    N_(
        "Somebody offers you a match of Chouine. Accept or decline it here:\n%(table)s\n\n"
        "No more e-mails:\n%(letters)s\n\nNo e-mail from this server, ever again:\n%(never)s"
    ),
)


class LetterRefused(ChouineError):
    """An e-mail that is not sent; `code` is `letters/…`."""


def passage_id(secret: str, taker: str = "") -> str:
    """The digest under which a link that signs in is stored, once a cookie has taken it under another."""
    return sha256(f"{secret} {taker}".encode() if taker else secret.encode()).hexdigest()


def typed_address(text: str) -> str:
    """The address that a person typed. Raises `LetterRefused` if it is none."""
    try:
        return address_in(text.strip())
    except ValueError as error:
        raise LetterRefused("letters/no-address") from error


class Letters:
    """Sends e-mails and stores the addresses."""

    def __init__(self, tables: Tables, secrets: Secrets, mailer: Mailer, site: str) -> None:
        self.tables, self.secrets, self.mailer, self.site = tables, secrets, mailer, site
        self.database = tables.store.database
        self.deliveries = Deliveries()

    async def subscribe(self, guest: str, address: str, language: Language, asker: str) -> None:
        """Send a confirmation e-mail to an address; `asker`: a digest of the network address that asks (`origin`).

        Raises `LetterRefused` for an invalid address, or if too many were asked for, from one network or of this
        server. Where only this mailbox gets none, nothing tells: who asks must not learn who else asked, nor what its
        owner wants.
        """
        address = typed_address(address)
        which, owner = self.secrets.mailbox(guest, address), self.secrets.owner(normal_form(address))
        known = await self._find(mailbox.c.guest == guest)
        if known is not None and known.id == which and known.confirmed:
            return
        now = self.tables.clock()
        values = {"id": which, "guest": guest, "address": address, "language": language, "owner": owner}
        old = sa.or_(mailbox.c.guest == guest, ~mailbox.c.confirmed & (mailbox.c.at < now - UNANSWERED))

        def change(connection: sa.Connection) -> Literal["asked", "quiet", "held"]:
            answer = self.permission(connection, owner, address, asker)
            if answer != "held":
                connection.execute(mailbox.delete().where(old))
                connection.execute(mailbox.insert().values(values | {"confirmed": False, "at": now}))
            return answer

        answer = await self.database.write(change)
        if answer == "held":
            raise LetterRefused("letters/held")
        if answer == "asked":
            self.send(await self._find(mailbox.c.id == which), ANSWER)

    async def send_passage(self, address: str, language: Language, asker: str) -> None:
        """Send a link that signs in, to whom the address is whosever it is: nothing here knows who has an account.

        Raises `LetterRefused` as `subscribe` does.
        """
        address = typed_address(address)
        owner, secret, now = (
            self.secrets.owner(normal_form(address)),
            token_urlsafe(24)[:32],
            self.tables.clock(),
        )
        row = {"id": passage_id(secret), "address": address, "at": now}

        def change(connection: sa.Connection) -> Literal["asked", "quiet", "held"]:
            answer = self.permission(connection, owner, address, asker, "sign-in", SIGNINGS)
            connection.execute(passage.delete().where(passage.c.at < now - PASSES))
            if answer != "held":
                connection.execute(passage.insert().values(row))
            return answer

        answer = await self.database.write(change)
        if answer == "held":
            raise LetterRefused("letters/held")
        if answer == "asked":
            to = Recipient("", address, language, owner)
            self.send(to, SIGN_IN, link=f"{self.site}/account/mail/{secret}")

    async def signing_in_address(self, secret: str, taker: str = "") -> str:
        """The address to which a link that signs in was sent; empty for one that does not, or no more.

        `taker`: a cookie by which it may have been taken, so that it still signs that browser in.
        """
        query = sa.select(passage.c.address).where(self._is_good(secret, "", taker))
        return await self.database.read(lambda connection: connection.scalar(query)) or ""

    async def take_passage(self, secret: str, taker: str) -> str:
        """Take a link that signs in for a cookie: from now on it signs in by no other. Its address, as above."""
        take = passage.update().where(self._is_good(secret)).values(id=passage_id(secret, taker))
        query = sa.select(passage.c.address).where(self._is_good(secret, taker))

        def change(connection: sa.Connection) -> str:
            connection.execute(take)
            return connection.scalar(query) or ""

        return await self.database.write(change)

    def _is_good(self, secret: str, *takers: str) -> sa.ColumnElement[bool]:
        """Whether a row is this link's, by one of these or by nobody, and in time."""
        ids = {passage_id(secret, taker) for taker in takers or ("",)}
        return passage.c.id.in_(ids) & (passage.c.at > self.tables.clock() - PASSES)

    def permission(
        self,
        connection: sa.Connection,
        owner: str,
        address: str,
        asker: str,
        what: str = "question",
        often: Rate = QUESTIONS,
    ) -> Literal["asked", "quiet", "held"]:
        """Count an e-mail that anybody can ask for: whether it may be sent, is held back, or left out without a word.

        `what` it is, and how many of these a mailbox gets.
        """
        now, named = self.tables.clock(), self.secrets.spending_digest
        site = site_of(address.rpartition("@")[2])
        wide = ((named("server"), OF_SERVER), (named(f"site:{site}"), OF_SITE))
        network = Rate(OF_ASKER.most * WIDE, OF_ASKER.seconds)
        askers = ((named(f"asker:{asker}"), OF_ASKER), (named(f"network:{asker[:NETWORK]}"), network))
        forget_spent(connection, now)
        if any(is_spent(connection, each, rate, now) for each, rate in wide):
            return "held"
        if not all(spend(connection, each, rate, now) for each, rate in askers):
            return "held"
        if is_refused(connection, owner) or not spend(connection, named(f"{what}:{owner}"), often, now):
            return "quiet"
        for server, rate in wide:
            spend(connection, server, rate, now)
        return "asked"

    async def of(self, guest: str) -> sa.Row[Any] | None:
        """The mailbox of a guest who gave an address."""
        return await self._find(mailbox.c.guest == guest)

    async def known_mailbox(self, which: str) -> sa.Row[Any] | None:
        """The mailbox behind an e-mail's link."""
        return await self._find(mailbox.c.id == which)

    async def confirm(self, which: str) -> None:
        """Confirm an address. Its owner wants letters, whatever they wanted before."""

        def change(connection: sa.Connection) -> None:
            owner = sa.select(mailbox.c.owner).where(mailbox.c.id == which)
            connection.execute(unwanted.delete().where(unwanted.c.owner.in_(owner)))
            connection.execute(mailbox.update().where(mailbox.c.id == which).values(confirmed=True))

        await self.database.write(change)

    async def forget(self, which: str) -> None:
        """Forget the address behind a letter's link."""
        await self.database.execute(mailbox.delete().where(mailbox.c.id == which))

    async def forget_guest(self, guest: str) -> None:
        """Forget the address that a guest gave."""
        await self.database.execute(mailbox.delete().where(mailbox.c.guest == guest))

    async def end(self, owner: str) -> None:
        """Never write to a mailbox again, and forget its address."""

        def change(connection: sa.Connection) -> None:
            connection.execute(mailbox.delete().where(mailbox.c.owner == owner))
            if not is_refused(connection, owner):
                connection.execute(unwanted.insert().values(owner=owner, at=self.tables.clock()))

        with suppress(IntegrityError):  # another node has just done the same
            await self.database.write(change)

    async def allow(self, owner: str) -> None:
        """Let a mailbox receive letters again."""
        await self.database.execute(unwanted.delete().where(unwanted.c.owner == owner))

    async def refuses_letters(self, owner: str) -> bool:
        """Whether a mailbox receives no letters."""
        return await self.database.read(partial(is_refused, owner=owner))

    async def tell(self, guest: str, table: str, words: tuple[str, str] = TURN, **named: str) -> None:
        """Send a guest who confirmed an address the notice of a turn, or these words, with the page's link."""
        row = await self._find(sa.and_(mailbox.c.guest == guest, mailbox.c.confirmed))
        if row is None:
            return
        what, now = self.secrets.spending_digest(f"turn:{row.owner}"), self.tables.clock()

        def change(connection: sa.Connection) -> bool:
            return not is_refused(connection, row.owner) and spend(connection, what, OFTEN, now)

        if await self.database.write(change):
            self.send(row, words, table=f"{self.site}{table}", **named)

    def send(self, row: Any, words: tuple[str, str], **named: str) -> None:
        """Send an e-mail in the language chosen at subscription; `named`: links, and what else the words name."""
        gettext, letters = translations(row.language).gettext, f"{self.site}/letters"
        never = f"{letters}/never/{self.secrets.never_secret(row.owner)}"
        values = {"letters": f"{letters}/{row.id}", "never": never, **named}
        subject, text = (gettext(each) % values for each in words)
        message = letter(self.mailer.sender, row.address, subject, f"{text}\n", never)
        site = site_of(row.address.rpartition("@")[2])
        self.deliveries.add(Delivery("mail", row.owner, site, partial(self.deliver, row.id, message)))

    async def deliver(self, which: str, message: EmailMessage) -> str:
        """Deliver an e-mail and return the outcome; an address rejected for good is deleted."""
        try:
            await self.mailer.send(message)
        except (OSError, ValueError, SMTPException) as error:
            if isinstance(error, SMTPRecipientsRefused) and error.recipients[0].code >= 500:
                await self.forget(which)
                return "gone"
            log.warning("cannot send a letter", kind=type(error).__name__)
            return "failed"
        return "sent"

    async def _find(self, which: sa.ColumnElement[bool]) -> sa.Row[Any] | None:
        query = sa.select(mailbox).where(which)
        return await self.database.first(query)


def is_refused(connection: sa.Connection, owner: str) -> bool:
    """Whether a mailbox receives no letters."""
    return connection.execute(sa.select(unwanted).where(unwanted.c.owner == owner)).first() is not None
