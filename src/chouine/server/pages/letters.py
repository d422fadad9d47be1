"""The page of a link in an e-mail."""

from __future__ import annotations

from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.push.mail import Mailbox


def letters_page(visit: Visit, secret: str, mailbox: Mailbox | None, *, answered: bool) -> str:
    """The page on which an address is confirmed or unsubscribed; `answered`: it was just done."""
    return render(
        visit, "letters.html", here=f"/letters/{secret}", secret=secret, mailbox=mailbox, answered=answered
    )
