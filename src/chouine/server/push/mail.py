"""Letters as a mail server takes them."""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from typing import Self
from urllib.parse import unquote, urlsplit

ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}")
"""Of a person, as everybody writes it: no comments, no quotes, no second one."""
LONGEST = 200
"""Letters of an address."""
TIMEOUT = 15.0
"""Seconds for each step."""
LINES = SMTP.clone(max_line_length=300)
"""A link stays in one piece."""
PORTS = {"smtp": 587, "smtps": 465}


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address that a guest gave; `confirmed` by an answer to the first letter."""

    address: str
    confirmed: bool


def is_address(text: str) -> bool:
    """Whether a letter can be sent there."""
    return len(text) <= LONGEST and ADDRESS.fullmatch(text) is not None


def letter(sender: str, to: str, subject: str, text: str, stop: str) -> EmailMessage:
    """A letter that no person writes; `stop` is the address by which who gets it wants no more (RFC 8058)."""
    message = EmailMessage(policy=LINES)
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message["List-Unsubscribe"], message["List-Unsubscribe-Post"] = f"<{stop}>", "List-Unsubscribe=One-Click"
    message.set_content(text)
    return message


@dataclass(frozen=True, slots=True)
class Mailer:
    """Hands letters to a mail server. Called in a thread: it waits."""

    host: str
    port: int
    sender: str
    """What letters are from."""
    user: str = ""
    password: str = field(default="", repr=False)
    wrapped: bool = False
    """Whether TLS is there from the first byte; else it is begun where the server can, and always before a password."""
    context: Callable[[], ssl.SSLContext] = ssl.create_default_context

    @classmethod
    def of(cls, url: str, sender: str) -> Self | None:
        """From the settings: `smtp://user:password@host:587` or `smtps://…:465`; none where both are empty.

        `ValueError` for what cannot be read.
        """
        if not url and not sender:
            return None
        if not is_address(sender):
            raise ValueError(f"not an address that letters can be from: {sender!r}")
        parts = urlsplit(url)
        if parts.scheme not in PORTS or not parts.hostname or parts.path.strip("/") or parts.query:
            raise ValueError("not the address of a mail server such as smtps://user:password@host")
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        wrapped = parts.scheme == "smtps"
        return cls(parts.hostname, parts.port or PORTS[parts.scheme], sender, user, password, wrapped)

    def send(self, message: EmailMessage) -> None:
        """Until the server has taken it; `OSError` where it does not, `SMTPRecipientsRefused` for nobody's address."""
        with self.connected() as server:
            if not self.wrapped and (self.user or server.has_extn("starttls")):
                server.starttls(context=self.context())
            if self.user:
                server.login(self.user, self.password)
            server.send_message(message)

    def connected(self) -> smtplib.SMTP:
        """The server, greeted."""
        if self.wrapped:
            return smtplib.SMTP_SSL(self.host, self.port, timeout=TIMEOUT, context=self.context())
        server = smtplib.SMTP(self.host, self.port, timeout=TIMEOUT)
        server.ehlo()
        return server
