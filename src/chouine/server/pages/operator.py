"""The keeper's page, what visitors are told of the keeper's acts, and the page that reports a stranger's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from chouine.phrases import N_, date_in_words
from chouine.phrases.naming import hour_in_words
from chouine.server.order import REASON, Target
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.server.partners import reported_at

ACTS = {
    "settle": N_("Nothing: the report is dealt with"),
    "warn": N_("Warn"),
    "rename": N_("Replace the name or the title"),
    "remove": N_("Remove: the match, the entry, the wait or the contest"),
    "bar": N_("Bar the player"),
    "bar-address": N_("Bar the player and the address"),
}
REASONS = {
    "name": N_("An insulting name"),
    "delay": N_("Lets the other wait on purpose, or leaves"),
    "other": N_("Something else"),
}
MOST_WORDS = 300
PAGES = {"table": "/match/", "contest": "/contests/"}


def operator_page(visit: Visit, refused: str, **found: object) -> str:
    """Reports, the words that strangers see now, and the log; `found` are these and the time, as the route has them."""
    usual = {
        "acts": ACTS,
        "pages": PAGES,
        "reasons": REASONS,
        "longest": REASON,
        "when": partial(hour_of, visit),
    }
    usual["reported_at"] = reported_at
    return render(visit, "operator/index.html", here="/operator", refused=refused, **usual, **found)


def told_page(visit: Visit, rulings: Sequence[Any], now: float) -> str:
    """The keeper's acts about this visitor, each with a form for the one answer."""
    found = {"rulings": rulings, "now": now, "longest": REASON, "when": partial(hour_of, visit)}
    return render(visit, "operator/told.html", here="/told", **found)


def report_page(visit: Visit, place: str, which: str, others: Mapping[str, Target], *, done: bool) -> str:
    """The words of others at a place, to report one of them."""
    return render(
        visit,
        "operator/report.html",
        here=f"/report/{place}/{which}",
        back=f"{PAGES[place]}{which}" if place in PAGES else "/partners",
        others={
            key: words_of(visit).player(one.name, one.number - 1) if place == "table" else one.name
            for key, one in others.items()
        },
        done=done,
        reasons=REASONS,
        most_words=MOST_WORDS,
    )


def hour_of(visit: Visit, at: float) -> str:
    """A day of the calendar and its hour, in the visitor's time zone and language."""
    moment = datetime.fromtimestamp(at, UTC).astimezone(visit.zone)
    return f"{date_in_words(moment, visit.language)}, {hour_in_words(moment, visit.language)}"
