"""The pages of an account: the ways to one, one's own, a member's card, and the question before a link signs in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from chouine.phrases import N_, date_in_words
from chouine.server.accounts import card
from chouine.server.pages.codes import code_of
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit

DONE = {
    "made": N_("Your account is made, and what you did in this browser is in it."),
    "in": N_("You are signed in."),
    "added": N_("Done: this signs you in too, from now on."),
    "remove": N_("Done: it signs nobody in any more."),
    "browser": N_("Done: that browser is signed out."),
    "others": N_("Done: you are signed out everywhere else."),
    "joined": N_("Done: it is all in your account."),
    "left": N_("You are signed out. Your account is where it was: come back when you like."),
    "sent": N_(
        "If letters can be sent to this address, one is on its way. Open its link in the browser in which you want to"
        " play; it works once, for half an hour."
    ),
}
"""What has just been done, by the name in the address."""


class Passkeys(NamedTuple):
    """What a browser is asked for a passkey, as JSON: to make one, and to sign in by one."""

    make: str
    enter: str


def account_page(
    visit: Visit,
    passkeys: Passkeys | None,
    credentials: Sequence[Any],
    browsers: Sequence[Any],
    *,
    here: str,
    joins: bool,
    letters: bool,
    done: str = "",
    refused: str = "",
) -> str:
    """The ways to an account, or the visitor's own: rows of `credential` and `browser`.

    `here`: the digest of this browser's cookie. `joins`: whether something of this browser can join the account.
    `passkeys`: None where browsers make none; `refused`: why the last try failed.
    """
    kinds = {kind: [one for one in credentials if one.kind == kind] for kind in ("passkey", "card", "mail")}
    return render(
        visit,
        "account/index.html",
        here="/account",
        kinds=kinds,
        passkeys=passkeys,
        browsers=browsers,
        this=here,
        joins=joins,
        letters=letters,
        done=DONE.get(done, ""),
        refused=refused,
        when=partial(day_of, visit),
    )


def day_of(visit: Visit, at: float) -> str:
    """A day of the calendar, in the visitor's time zone and language."""
    return date_in_words(datetime.fromtimestamp(at, UTC).astimezone(visit.zone), visit.language)


def card_page(visit: Visit, secret: bytes, site: str) -> str:
    """A card to print or to photograph; `site` is the address with which links begin."""
    address = f"{site}/account/card/{card.text_of(secret)}"
    words = card.words_of(secret, visit.language)
    return render(visit, "account/card.html", here="/account", words=words, code=code_of(address), site=site)


def enter_page(visit: Visit, path: str, whose: str, *, new: bool) -> str:
    """The question whether to sign in as the person `whose` link was followed, empty if they gave no name."""
    return render(visit, "account/enter.html", here="/account", path=path, whose=whose, new=new)
