"""The pages of links in an e-mail."""

from __future__ import annotations

from dataclasses import dataclass

from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A guest's address; `confirmed` once the first e-mail was answered."""

    address: str
    confirmed: bool


def letters_page(visit: Visit, secret: str, mailbox: Mailbox | None, *, answered: bool) -> str:
    """The page on which an address is confirmed or unsubscribed; `answered`: it was just done."""
    return render(
        visit, "letters.html", here=f"/letters/{secret}", secret=secret, mailbox=mailbox, answered=answered
    )


def never_page(visit: Visit, secret: str, *, ended: bool) -> str:
    """The page on which all letters to a mailbox are ended, or allowed again; `ended`: they are."""
    return render(visit, "never.html", here=f"/letters/never/{secret}", ended=ended)
