"""Error pages."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from math import ceil
from typing import Any, NamedTuple

from chouine.phrases import N_, Language, say, translations
from chouine.server.pages.env import render
from chouine.server.pages.form_back import FormBack
from chouine.server.pages.visit import Visit
from chouine.server.request_parts import TAKEN, announced_length

SENTENCES = {
    "cross-site": N_("This came from another site’s page, so nothing was done. Go back and do it here."),
    "unknown-host": N_("This server does not know the name by which you asked for it. Check the address."),
    "csrf": N_(
        "This form is too old, or came from another site. Go back, load the page again and try once more."
    ),
    "no-cookies": N_(
        "Your browser keeps no cookies of this site, and without them nobody here knows you again. Allow cookies for"
        " this site in the browser’s settings, load the page again and try once more."
    ),
    "sealed": N_(
        "This is a deal of the day: others see how it was played once they have played it themselves, or when its cards"
        " are published."
    ),
    "sealed-round": N_(
        "The same cards are still being played at other tables of this contest: others see this table once the round"
        " is over."
    ),
    "no-such-day": N_(
        "There is no deal of that day here: look for today’s on the page of the deal of the day."
    ),
    "no-daily": N_(
        "The deal of the day cannot be played here: this server lacks what its opponent needs, or its keeper has"
        " switched levels 7 and 8 off."
    ),
    "no-such-table": N_("There is no such table. Perhaps the link was cut short on its way."),
    "table-gone": N_("This table is gone: its match was removed from this server."),
    "no-such-partie": N_(
        "This partie is not over, or was never played. Hands are shown only once it is over."
    ),
    "no-seat": N_(
        "This link leads to no seat. Perhaps it was cut short, or somebody has sat down meanwhile."
    ),
    "no-push": N_("This server cannot tell you of your turns: it does not know its own address over HTTPS."),
    "no-letters": N_("This server sends no letters."),
    "signed-out": N_("You are signed out of your account in this browser: sign in again."),
    "no-such-letter": N_("This link is in no e-mail from this server. Perhaps it was cut short on its way."),
    "no-such-seat": N_("At this table nobody else sat down with you."),
    "no-such-class": N_(
        "There is no class here: it is closed, the school year is over, or the address was cut short."
    ),
    "no-such-person": N_("Nobody is shown here: the address was cut short, or this page is not for you."),
    "no-such-friend": N_("This link is no longer good. Ask for a new one: each is good for a week."),
    "no-such-contest": N_("There is no such contest. Perhaps the link was cut short on its way."),
    "title-removed": N_(
        "The log of this contest begins with a title that the keeper of the server has replaced, so it is not shown."
        " Ask the keeper for it."
    ),
    "not-operator": N_(
        "This page is opened by a link that the command `chouine operator` prints: it works once, within a quarter of"
        " an hour."
    ),
    "old-code": N_(
        "This code is not one of the round that is being played. Scan the code on the slip of this round, or hand the"
        " slip in at the desk."
    ),
    "damaged": N_(
        "This match is damaged: part of it is missing from the server’s database, so it cannot be played on."
        " Whoever runs the server has to restore it from a backup."
    ),
    "damaged-database": N_(
        "Part of the server’s database is damaged, so this page cannot be shown. Whoever runs the server has to"
        " restore it from a backup."
    ),
    "renewed": N_("This server has just been renewed. Load the page again in a moment; nothing is lost."),
    "needs-network": N_("This needs a network. Without one you can play here, and read the rules."),
    "no-day-here": N_(
        "This day is not on this device. Open the first page with a network: the past days are then downloaded."
    ),
    "gone": N_(
        "Since this page was opened, your data here were erased or became part of an account: nothing was done."
    ),
    "too-slow": N_(
        "What you sent did not arrive whole: the connection is slow, or was cut. Nothing was done: go back and send it"
        " again."
    ),
    "busy": N_(
        "So much is going on here that this has to wait a moment. Nothing is lost: load the page again."
    ),
    "failure": N_("Something went wrong here, and it is not your doing. Your match is safe: go back to it."),
    "hall-failure": N_(
        "Something went wrong, and it is not your doing. All that was confirmed is on the disk: load the page again."
    ),
}
SENTENCES |= dict.fromkeys(
    ("another-address", "behind-https", "only-https"),
    N_(
        "Your browser and this server do not agree on the site’s address, so nothing was done. It is a setting of the"
        " server: show this page to whoever runs it."
    ),
)
OPERATOR = {
    "unknown-host": N_(
        "The browser asked for %(seen)s, and the server answers to %(own)s. If %(seen)s is this site, correct"
        " --public-url or --allowed-hosts. If it is the proxy’s own name, let the proxy pass the visitor’s on, in the"
        " header Host."
    ),
    "cross-site": N_("The page was one of “%(seen)s”. If that is this site, set --public-url to it."),
    "another-address": N_(
        "The browser has this page at %(seen)s, and the server believes that it is %(own)s: set --public-url to"
        " %(seen)s."
    ),
    "only-https": N_(
        "The browser has this page at %(seen)s, and --public-url says %(own)s: let the proxy lead http:// to https://,"
        " or correct --public-url."
    ),
    "behind-https": N_(
        "The browser has this page at %(seen)s, and the server knows nothing of HTTPS: set --public-url to %(seen)s,"
        " and --trusted-proxies to the proxy’s address; it must send X-Forwarded-For and X-Forwarded-Proto."
    ),
}
"""For whoever runs the server: what the request named, what the server expects, and which setting differs."""
STATUSES = {
    400: N_("That could not be read: go back, load the page again and try once more."),
    403: N_("This is not open to you."),
    404: N_("There is nothing at this address."),
    405: N_("This address is not asked in that way."),
    503: N_("The table is out of reach for a moment; nothing is lost. Load the page again."),
}


FOR_PROGRAMS = {
    "no-token": N_(
        "This address needs a token, in the header “Authorization: Bearer TOKEN”, and nowhere else."
    ),
    "unknown-token": N_(
        "This token is not known here: it was revoked, or cut short. Make another on /mine/tokens."
    ),
    "scope": N_("This token does not allow that. Make one that does on /mine/tokens."),
    "no-such-table": N_("You hold no seat at a table of this name."),
    "not-json": N_("The body must be a JSON object in UTF-8, as /api/1/openapi.json describes it."),
    "invalid": N_("The body is JSON, but not as /api/1/openapi.json describes it."),
    "no-such-seat": N_("You do not hold that seat."),
    "unavailable": N_("The database does not answer for a moment; nothing is lost. Ask again soon."),
    "renewed": N_("This server has just been renewed. Ask again in a moment; nothing is lost."),
    "busy": N_("The server is busy for a moment; nothing is lost. Ask again soon."),
    "failure": N_("Something went wrong on the server. Nothing was done, and it is not your doing."),
}
"""Sentences for programs, where those for people would not help, by code."""
FOR_PROGRAMS_BY_STATUS = {
    404: N_("There is nothing at this address. /api/1/openapi.json lists those that there are."),
    405: N_("This address takes another method. /api/1/openapi.json says which."),
    429: N_("That was too fast: wait as many seconds as the header Retry-After says."),
}


class Excess(NamedTuple):
    """How far a request went beyond a limit; 0 where it did not, or nobody knows."""

    wait: int = 0
    """Seconds until the limit ends."""
    sent: int = 0
    """Bytes that were sent."""
    most: int = 0
    """Bytes of which the address takes no more."""

    @classmethod
    def of(cls, scope: MutableMapping[str, Any], headers: Mapping[str, str] | None = None) -> Excess:
        """Of a request, and of the headers of its refusal."""
        wait = int((headers or {}).get("Retry-After", 0))
        return cls(wait, announced_length(scope) or 0, scope.get(TAKEN, 0))


NOTHING = Excess()


def program_sentence(language: Language, status: int, code: str, excess: Excess = NOTHING) -> str:
    """The sentence for an error that a program is told of."""
    sentence = FOR_PROGRAMS.get(code)
    if sentence is None and code not in SENTENCES:
        sentence = FOR_PROGRAMS_BY_STATUS.get(status)
    return (
        translations(language).gettext(sentence)
        if sentence
        else error_sentence(language, status, code, excess)
    )


KILOBYTE, MEGABYTE = 1000, 1_000_000
MOMENT, IN_MINUTES = 30, 55 * 60
"""The longest wait called a moment, and the longest given in minutes, in seconds; beyond it hours are given."""


def wait_sentence(language: Language, seconds: int) -> str:
    """The sentence for a limit that was reached and holds for so long yet."""
    gettext, ngettext = translations(language).gettext, translations(language).ngettext
    if seconds <= MOMENT:
        return gettext("That was too fast: wait a moment and try again.")
    if seconds <= IN_MINUTES:
        minutes = ceil(seconds / 60)
        return ngettext(
            "That was too much in a short time: try again in %(num)s minute.",
            "That was too much in a short time: try again in %(num)s minutes.",
            minutes,
        ) % {"num": minutes}
    hours = ceil(seconds / 3600)
    return ngettext(
        "That was too much in a short time: try again in %(num)s hour.",
        "That was too much in a short time: try again in %(num)s hours.",
        hours,
    ) % {"num": hours}


def size_in_words(language: Language, size: int) -> str:
    """An amount of bytes."""
    gettext = translations(language).gettext
    if size >= MEGABYTE:
        return gettext("%(num)s MB") % {"num": size // MEGABYTE}
    return gettext("%(num)s KB") % {"num": size // KILOBYTE}


def size_sentence(language: Language, sent: int, most: int) -> str:
    """The sentence for a body of so many bytes, of more than may be sent."""
    gettext, most_in_words = translations(language).gettext, size_in_words(language, most)
    if sent <= most:  # it was not announced
        return gettext(
            "That was too much at once: %(most)s at most can be taken. Nothing of it was stored. Send less at a time,"
            " or a smaller file."
        ) % {"most": most_in_words}
    return gettext(
        "That was too much at once: you sent %(sent)s, and %(most)s at most can be taken. Nothing of it was stored."
        " Send less at a time, or a smaller file."
    ) % {"sent": size_in_words(language, sent), "most": most_in_words}


def error_sentence(language: Language, status: int, code: str, excess: Excess = NOTHING) -> str:
    """The sentence for an error."""
    if code.startswith("closed/"):
        return say(code, language)
    if status == 429 and code not in SENTENCES:
        return wait_sentence(language, excess.wait)
    if status == 413 and excess.most:
        return size_sentence(language, excess.sent, excess.most)
    sentence = SENTENCES.get(code) or STATUSES.get(status) or SENTENCES["failure"]
    return translations(language).gettext(sentence)


def operator_sentence(language: Language, code: str, seen: str, own: str) -> str:
    """The sentence about the server's settings."""
    return translations(language).gettext(OPERATOR[code]) % {"seen": seen, "own": own}


@dataclass(frozen=True, slots=True)
class Refusal:
    """What the page for an error says."""

    status: int
    code: str
    excess: Excess = NOTHING
    operator: str = ""
    """A sentence for whoever runs the server."""
    back: FormBack | None = None


def error_page(visit: Visit, refusal: Refusal, template: str = "error.html") -> str:
    """The page for an error, with a link home."""
    sentence = error_sentence(visit.language, refusal.status, refusal.code, refusal.excess)
    return render(
        visit,
        template,
        status=refusal.status,
        sentence=sentence,
        operator=refusal.operator,
        back=refusal.back,
    )
