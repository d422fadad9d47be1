"""The pages of people: one's circle, a person's page, one's own, and the link that makes friends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from chouine.days import day_of
from chouine.names import NAME_LENGTH
from chouine.phrases import N_
from chouine.phrases.naming import date_in_words, hour_in_words
from chouine.rules import Rules
from chouine.server.circle.known import (
    CHOICES,
    HERE,
    ITEMS,
    VILLAGE_LENGTH,
    Challenge,
    KnownPerson,
    OwnPersonPage,
)
from chouine.server.pages import wording
from chouine.server.pages.codes import code_of
from chouine.server.pages.env import render
from chouine.server.pages.portraits import emblem
from chouine.server.pages.settings import emblems_in
from chouine.server.pages.visit import Visit
from chouine.server.waits import Blocked

SECONDS = 5
"""Seconds after which the circle is fetched again."""
LABELS = {
    "name": N_("My name"),
    "village": N_("My village"),
    "emblem": N_("My emblem"),
    "since": N_("Since when I have played here"),
    "challenged_by": N_("Who may challenge me"),
}
ANSWERS = {
    "nobody": N_("nobody"),
    "friends": N_("my friends"),
    "met": N_("those I have played with, and friends"),
    "everybody": N_("everybody who has the address of my page"),
}
PACES = {"60 300": N_("This evening, a minute a card"), "86400 172800": N_("A slow match, one day a card")}
"""The paces of a challenge: seconds for each card, and in reserve."""
PRESETS = ("classic", "mondoubleau")
"""The rules for two."""
FORMATS = {
    "3x1": N_("First to three parties"),
    "5x1": N_("First to five parties"),
    "1x1": N_("A single partie"),
}


@dataclass(frozen=True, slots=True)
class Circle:
    """What a visitor's circle holds."""

    friends: Sequence[KnownPerson]
    asking: Sequence[KnownPerson]
    opponents: Sequence[KnownPerson]
    received: Sequence[Challenge]
    sent: Sequence[Challenge]
    blocked: dict[str, Blocked]
    present: bool
    """Whether friends see when the visitor is here."""
    onward: str = ""
    """A table that a challenge of the visitor's has just opened; empty if there is none."""


def circle_page(visit: Visit, circle: Circle, refused: str = "", done: str = "") -> str:
    """The circle. `refused`: why the last form was refused; `done`: what it did, in words."""
    return render(
        visit, "people/circle.html", "/circle", refused=refused, done=done, **circle_variables(visit, circle)
    )


def circle_list(visit: Visit, circle: Circle) -> str:
    """The part of it that pages reload."""
    return render(visit, "people/lists.html", "/circle", **circle_variables(visit, circle))


def circle_variables(visit: Visit, circle: Circle) -> dict[str, object]:
    """What both templates show."""
    return {
        "circle": circle,
        "seconds": SECONDS,
        "here_minutes": int(HERE / 60),
        "terms_of": terms_of,
        "until": lambda at: hour_of_day(visit, at),
        "portrait": emblem,
    }


def person_page(
    visit: Visit, one: KnownPerson, standing: Sequence[str] = (), refused: str = "", done: str = ""
) -> str:
    """Another person's page, with what the visitor may do. `standing`: what they let others see of how they play."""
    return render(
        visit,
        "people/person.html",
        f"/people/{one.id}",
        one=one,
        standing=standing,
        refused=refused,
        done=done,
        since=day_of_time(visit, one.since) if one.since else "",
        portrait=emblem(one.emblem),
        paces=PACES,
        presets={preset: wording.PRESETS[preset][0] for preset in PRESETS},
        formats=FORMATS,
    )


def own_page(visit: Visit, own: OwnPersonPage, refused: str = "", *, done: bool = False) -> str:
    """One's own page: what it says, and who may see which of it."""
    return render(
        visit,
        "people/own.html",
        f"/people/{own.id}",
        own=own,
        refused=refused,
        done=done,
        since=day_of_time(visit, own.since),
        emblems=emblems_in(visit),
        items=(*ITEMS, "challenged_by"),
        labels=LABELS,
        answers=ANSWERS,
        choices=CHOICES,
        name_length=NAME_LENGTH,
        village_length=VILLAGE_LENGTH,
    )


def link_page(visit: Visit, address: str, until: float) -> str:
    """The link by which others become the visitor's friends, as text and as a code."""
    return render(
        visit,
        "people/link.html",
        "/circle/link",
        address=address,
        code=code_of(address),
        until=day_of_time(visit, until),
    )


def invited_page(visit: Visit, link: str, one: KnownPerson, refused: str = "") -> str:
    """The page of such a link: who invites, and the button that accepts."""
    return render(
        visit, "people/invited.html", f"/friend/{link}", one=one, refused=refused, name_length=NAME_LENGTH
    )


def terms_of(challenge: Challenge) -> list[str]:
    """A challenge's terms as msgids: rules, length, pace."""
    rules = Rules.parse(challenge.rules)
    pace = next((name for move, name in wording.MOVES.items() if move == str(challenge.move or "")), "")
    own = next((name for value, name in PACES.items() if value.split()[0] == str(challenge.move)), "")
    length = FORMATS.get(challenge.format) or wording.FORMATS.get(challenge.format, challenge.format)
    return [wording.PRESETS[rules.preset][0], length, *filter(None, [own or pace])]


def day_of_time(visit: Visit, at: float) -> str:
    """The date of a time, in words."""
    return date_in_words(day_of(datetime.fromtimestamp(at, UTC), visit.zone), visit.language)


def hour_of_day(visit: Visit, at: float) -> str:
    """A time as an hour, with its date unless it is within a day."""
    then, now = datetime.fromtimestamp(at, visit.zone), datetime.now(visit.zone)
    hour = hour_in_words(then, visit.language)
    day, today = day_of(then, visit.zone), day_of(now, visit.zone)
    return hour if day == today else f"{date_in_words(day, visit.language)}, {hour}"
