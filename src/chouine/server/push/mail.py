"""E-mails, and the connection to the mail server."""

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
"""The usual form of an address: no comments, no quotes, no list."""
LONGEST = 200
"""Longest address, in characters."""
TIMEOUT = 15.0
"""Timeout in seconds of each network step."""
LINES = SMTP.clone(max_line_length=300)
"""A policy with long lines, so that no link is broken."""
PORTS = {"smtp": 587, "smtps": 465}


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A guest's address; `confirmed` once the first e-mail was answered."""

    address: str
    confirmed: bool


def is_address(text: str) -> bool:
    """Whether a text is a valid address."""
    return len(text) <= LONGEST and ADDRESS.fullmatch(text) is not None


def letter(sender: str, to: str, subject: str, text: str, stop: str) -> EmailMessage:
    """An automatic e-mail; `stop` is the address to unsubscribe with one click (RFC 8058)."""
    message = EmailMessage(policy=LINES)
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message["List-Unsubscribe"], message["List-Unsubscribe-Post"] = f"<{stop}>", "List-Unsubscribe=One-Click"
    message.set_content(text)
    return message


@dataclass(frozen=True, slots=True)
class Mailer:
    """Sends e-mails through a mail server. Blocks: call it in a thread."""

    host: str
    port: int
    sender: str
    """The sender's address."""
    user: str = ""
    password: str = field(default="", repr=False)
    wrapped: bool = False
    """Whether the connection uses TLS from the start; else STARTTLS where offered, and always before a password."""
    context: Callable[[], ssl.SSLContext] = ssl.create_default_context

    @classmethod
    def of(cls, url: str, sender: str) -> Self | None:
        """Read the settings: `smtp://user:password@host:587` or `smtps://…:465`; None if both are empty.

        Raises `ValueError` for what cannot be read.
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
        """Send an e-mail. Raises `OSError` if it fails, `SMTPRecipientsRefused` for an unknown address."""
        with self.connected() as server:
            if not self.wrapped and (self.user or server.has_extn("starttls")):
                server.starttls(context=self.context())
            if self.user:
                server.login(self.user, self.password)
            server.send_message(message)

    def connected(self) -> smtplib.SMTP:
        """An open connection to the server."""
        if self.wrapped:
            return smtplib.SMTP_SSL(self.host, self.port, timeout=TIMEOUT, context=self.context())
        server = smtplib.SMTP(self.host, self.port, timeout=TIMEOUT)
        server.ehlo()
        return server
