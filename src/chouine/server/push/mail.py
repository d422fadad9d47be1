"""E-mails, and the connection to the mail server."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP as LINES_OF_MAIL
from email.utils import formatdate, make_msgid
from gettext import gettext as _
from typing import Self
from urllib.parse import unquote, urlsplit

from aiosmtplib import SMTP, SMTPException
from email_validator import validate_email

LONGEST = 200
"""Longest address, in characters."""
DEADLINE = 30.0
"""Seconds for a whole delivery: the connection, TLS, the password and the message."""
LINES = LINES_OF_MAIL.clone(max_line_length=300)
"""A policy with long lines, so that no link is broken."""
PORTS = {"smtp": 587, "smtps": 465}
ALIASES = {
    **dict.fromkeys(("gmail.com", "googlemail.com"), "gmail.com"),
    **dict.fromkeys(("proton.me", "protonmail.com", "pm.me"), "proton.me"),
}
"""Domains where dots in the name before the @ do not count, with the domain that has the same mailboxes."""


def address_in(text: str, *, public: bool = True) -> str:
    """The address in a text, its domain in ASCII; `public`: no local network's.

    Raises `ValueError` if it is none.
    """
    if len(text) > LONGEST:
        raise ValueError("too long an address")
    found = validate_email(
        text, allow_smtputf8=False, check_deliverability=False, globally_deliverable=public
    )
    return found.ascii_email or found.normalized


def normal_form(address: str) -> str:
    """The one form of an address for all that reach the same mailbox."""
    name, _, domain = address.lower().rpartition("@")
    name = name.partition("+")[0] or name
    return f"{name.replace('.', '')}@{ALIASES[domain]}" if domain in ALIASES else f"{name}@{domain}"


def letter(sender: str, to: str, subject: str, text: str, never: str) -> EmailMessage:
    """An automatic e-mail; `never` is the link that ends all letters with one click (RFC 8058)."""
    message = EmailMessage(policy=LINES)
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message["List-Unsubscribe"], message["List-Unsubscribe-Post"] = f"<{never}>", "List-Unsubscribe=One-Click"
    message.set_content(text)
    return message


class Connection(SMTP):
    """A connection that is closed at once: a server may be slow to end TLS, and the loop may stop before it does."""

    def close(self) -> None:
        if isinstance(self.transport, asyncio.Transport):
            self.transport.abort()
        super().close()


@dataclass(frozen=True, slots=True)
class Mailer:
    """Sends e-mails through a mail server, which the operator names: unlike a push service it may be near."""

    host: str
    port: int
    sender: str
    """The sender's address."""
    user: str = ""
    password: str = field(default="", repr=False)
    wrapped: bool = False
    """Whether the connection uses TLS from the start; else STARTTLS where offered, and always before a password."""
    context: Callable[[], ssl.SSLContext] = ssl.create_default_context
    deadline: float = DEADLINE

    @classmethod
    def of(cls, url: str, sender: str) -> Self | None:
        """Read the settings: `smtp://user:password@host:587` or `smtps://…:465`; None if both are empty.

        Raises `ValueError` for what cannot be read.
        """
        if not url and not sender:
            return None
        try:
            sender = address_in(sender, public=False)
        except ValueError as error:
            raise ValueError(
                _("not an address that e-mails can be from: %(text)s") % {"text": repr(sender)}
            ) from error
        parts = urlsplit(url)
        try:
            usual = PORTS[parts.scheme]
            port = parts.port or usual
        except (ValueError, KeyError):
            port = 0
        if not port or not parts.hostname or parts.path.strip("/") or parts.query:
            raise ValueError(_("not the address of a mail server such as smtps://user:password@host"))
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        wrapped = parts.scheme == "smtps"
        return cls(parts.hostname, port, sender, user, password, wrapped)

    async def send(self, message: EmailMessage) -> None:
        """Send an e-mail. Raises `OSError` or `SMTPException`, `SMTPRecipientsRefused` for an unknown address."""
        async with self.server(self.deadline) as server:
            await server.send_message(message)

    async def try_out(self, deadline: float) -> None:
        """Let the server take the password and the sender, and send nothing. Raises `OSError` or `SMTPException`."""
        async with self.server(deadline) as server:
            await server.ehlo()
            await server.mail(self.sender)

    @asynccontextmanager
    async def server(self, deadline: float) -> AsyncIterator[Connection]:
        """The mail server, connected and logged in; all that is done there is done within `deadline` seconds."""
        server = Connection(
            hostname=self.host,
            port=self.port,
            username=self.user or None,
            password=self.password or None,
            use_tls=self.wrapped,
            start_tls=False if self.wrapped else True if self.user else None,
            tls_context=self.context(),
            timeout=deadline,
        )
        try:
            async with asyncio.timeout(deadline):
                await server.connect()
                yield server
                with suppress(SMTPException):
                    await server.quit(timeout=1)
        finally:
            server.close()
