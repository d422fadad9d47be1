"""The page behind the link of a letter."""

from __future__ import annotations

from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.push.mail import Mailbox


def letters_page(visit: Visit, secret: str, mailbox: Mailbox | None, *, answered: bool) -> str:
    """Whether letters come to an address; `answered`: it was just said."""
    return render(
        visit, "letters.html", here=f"/letters/{secret}", secret=secret, mailbox=mailbox, answered=answered
    )
