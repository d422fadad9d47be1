"""What is kept of people: of each table whose rows are somebody's, what they see of it and until when it is kept.

A person's archive (`personal`) and its page (`routes/mine`), erasing (`erasure`), the deletion of what is old
(`retention`), `chouine prune` and the privacy page are made from `KEPT`: a new table about people has a row here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from chouine.phrases import N_


class ArchivePart(NamedTuple):
    """A part of a person's archive."""

    name: str
    label: str
    """What it is, in words to the person."""
    shown: str
    """Its columns. Not shown are keys and secrets, and what is another's: whom a block means, who blocks or reports the
    person, whether a request was declined."""
    whose: str = "guest"
    """The column that names the person."""


class Age(NamedTuple):
    """How long rows are kept."""

    kind: str
    """The setting's name."""
    days: float | None
    """By default; None: for ever."""
    says: str
    """What the setting is, in words to whoever runs the server."""
    since: str = "at"
    """The column with the time from which rows age; empty where `retention` computes it."""


class OwnedTable(NamedTuple):
    """A table of the database whose rows are somebody's."""

    table: str
    part: ArchivePart | None
    age: Age | None = None
    """None where rows go with others of the person, or of the table at which they sat."""
    also: Age | None = None
    """For some of the rows another age."""
    own: bool = True
    """Whether rows are deleted with their person; else `erasure` says what becomes of them."""


OF_MATCHES = (
    Age("nobodys", 7, N_("days to keep tables of computers alone, after the last move")),
    Age("abandoned", None, N_("days to keep people's matches where nothing happens, after the last move")),
    Age("finished", None, N_("days to keep people's finished matches, after the last move")),
)
"""How long tables with their logs, seats and reviews are kept."""
KEPT = (
    OwnedTable(
        "member",
        ArchivePart(
            "account", N_("Your account, with your name, settings and progress"), "since seen settings"
        ),
        Age("members", 800, N_("days to keep accounts of which no browser comes back"), "seen"),
    ),
    OwnedTable(
        "browser",
        ArchivePart("devices", N_("Browsers signed in to your account"), "begun seen device"),
        Age(
            "browsers", 400, N_("days to keep browsers signed in to an account that do not come back"), "seen"
        ),
    ),
    OwnedTable(
        "credential",
        ArchivePart(
            "credentials", N_("Passkeys, cards and addresses that sign you in"), "kind at used label"
        ),
    ),
    OwnedTable(
        "session",
        ArchivePart(
            "browsers", N_("Name, settings, progress and score sheets of this browser"), "begun seen settings"
        ),
        Age(
            "sessions",
            400,
            N_("days to keep the settings and progress of a browser that does not come back"),
            "seen",
        ),
    ),
    OwnedTable(
        "seat",
        ArchivePart("seats", N_("Seats at tables, with what you played and said there"), "table_id seat"),
    ),
    OwnedTable(
        "game",
        ArchivePart("tables", N_("Tables that you set"), "id opened over origin", whose="owner"),
        own=False,
    ),
    OwnedTable(
        "contest",
        ArchivePart(
            "contests",
            N_("Contests that you announced"),
            "id opened state move reserve origin",
            whose="owner",
        ),
        Age("contests", None, N_("days to keep contests with their names, from the announcement"), "opened"),
        own=False,
    ),
    OwnedTable(
        "entrant",
        ArchivePart("entries", N_("Your entries in contests"), "contest number name origin"),
        Age(
            "names",
            800,
            N_("days to keep the names of those who entered contests, from the announcement"),
            "",
        ),
        own=False,
    ),
    OwnedTable(
        "waiting",
        ArchivePart("waits", N_("Your search for a partner"), "name since seen table_id origin rated"),
        Age("waits", 1, N_("days to keep searches for a partner, after the last sign of life"), "seen"),
    ),
    OwnedTable(
        "daily_play",
        ArchivePart(
            "dailies",
            N_("Deals of the day that you played"),
            "day nth table_id begun ended counts mark gain chouine acts",
        ),
        Age("dailies", 800, N_("days to keep what players made of the deals of the day"), "begun"),
    ),
    OwnedTable(
        "daily_listing",
        ArchivePart("daily name", N_("Your name in the tables of the day"), "name at"),
        Age(
            "listings",
            800,
            N_("days to keep the names of those who are listed in the tables of the day, from their choice"),
        ),
    ),
    OwnedTable(
        "block",
        ArchivePart("blocks", N_("Players whom you do not want to meet"), "name at"),
        Age("blocks", 800, N_("days to keep whom a player does not want to meet")),
    ),
    OwnedTable(
        "report",
        ArchivePart(
            "reports",
            N_("What you reported to the keeper of the server"),
            "at table_id seat name reason words",
        ),
        Age("reports", 400, N_("days to keep reports")),
    ),
    OwnedTable(
        "ruling",
        ArchivePart(
            "rulings",
            N_("What the keeper of the server decided about you"),
            "at what name reason until answer",
        ),
        Age("rulings", 400, N_("days to keep what the keeper decided, and bars from their end"), ""),
    ),
    OwnedTable(
        "subscription",
        ArchivePart(
            "notifications",
            N_("Browsers that are notified when it is your turn"),
            "endpoint at failures retry",
        ),
        Age("pushes", 800, N_("days to keep browsers' subscriptions to notifications")),
    ),
    OwnedTable(
        "rating",
        ArchivePart(
            "ratings",
            N_("Matches that counted for your rating"),
            "table_id variant at place mean_before mean spread",
        ),
        Age("ratings", None, N_("days to keep what rated matches changed, from their end")),
        own=False,
    ),
    OwnedTable(
        "tally",
        ArchivePart("tallies", N_("Matches counted in your statistics"), "table_id seat at body"),
        Age(
            "tallies",
            None,
            N_("days to keep what matches count in their players' statistics, from their end"),
        ),
    ),
    OwnedTable(
        "showing",
        ArchivePart(
            "showing", N_("Whether others see your rating and your measure of play"), "rating play at"
        ),
        Age("showings", 800, N_("days to keep what a player lets others see, after the choice")),
    ),
    OwnedTable(
        "reminder",
        ArchivePart(
            "reminder", N_("The hour at which you wish to be reminded of your tables"), "hour zone at sent"
        ),
        Age(
            "reminders",
            800,
            N_("days to keep the hour at which a player wishes to be reminded, after the choice"),
        ),
    ),
    OwnedTable(
        "holiday",
        ArchivePart("holidays", N_("Your holidays from slow matches"), "first last begins ends"),
        Age("holidays", 800, N_("days to keep holidays from slow matches, after their end"), "ends"),
    ),
    OwnedTable(
        "prepared",
        ArchivePart(
            "prepared acts", N_("Acts that you prepared for another’s card"), "table_id seat card token at"
        ),
        Age("prepared", 60, N_("days to keep acts prepared for another's card")),
    ),
    OwnedTable(
        "mailbox",
        ArchivePart("addresses", N_("E-mail addresses"), "address language confirmed at"),
        Age("letters", 800, N_("days to keep e-mail addresses")),
        also=Age("unanswered", 2, N_("days to keep e-mail addresses that nobody confirmed")),
    ),
    OwnedTable(
        "token",
        ArchivePart("tokens", N_("Tokens of programs that play for you"), "name scopes begun seen"),
        Age("tokens", 400, N_("days to keep tokens of programs, after their last use"), "seen"),
    ),
    OwnedTable(
        "bot",
        ArchivePart("bots", N_("That this browser is a program’s, and its name"), "name seen"),
        Age("bots", 800, N_("days to keep which visitors are programs, after they last played"), "seen"),
    ),
    OwnedTable(
        "person",
        ArchivePart(
            "page",
            N_("Your page for others, and when you were last seen if friends may know"),
            "id name village emblem since at shows_name shows_village shows_emblem shows_since challenged_by"
            " present seen",
        ),
        Age("people", 800, N_("days to keep what others see of a person, since they last used it")),
    ),
    OwnedTable(
        "friendship",
        ArchivePart("friends", N_("Your friends, and whom you have asked"), "name state at"),
        Age("friends", 800, N_("days to keep friends, since one of the two last used their page")),
        also=Age(
            "asks",
            90,
            N_("days to keep requests to be friends; as long nobody can ask the same person again"),
        ),
    ),
    OwnedTable(
        "challenge",
        ArchivePart(
            "challenges", N_("Matches that you offered"), "at until rules format move reserve state table_id"
        ),
        Age("challenges", 30, N_("days to keep challenges with their answers")),
    ),
    OwnedTable(
        "invitee",
        ArchivePart("answers", N_("Your answers to matches offered to you"), "challenge answer"),
        own=False,
    ),
    OwnedTable(
        "imported",
        ArchivePart("imports", N_("Parties that you imported from files"), "id at title parties body"),
        Age("imports", 400, N_("days to keep parties that were imported from files")),
    ),
    OwnedTable(
        "classroom",
        ArchivePart("classes", N_("Classes that you made as a teacher"), "code until"),
        Age(
            "classes", 0, N_("days to keep teachers' classes with their first names, after 31 July"), "until"
        ),
    ),
    OwnedTable("pupil", ArchivePart("class", N_("Your first name in a class"), "name")),
    OwnedTable(
        "passage",
        None,
        Age("passages", 1, N_("days to keep links sent by e-mail that sign in, which work for half an hour")),
        own=False,
    ),
    OwnedTable(
        "former",
        None,
        Age(
            "formers", 400, N_("days to keep which guest became which, so that copies can be cleared of them")
        ),
    ),
    OwnedTable(
        "erasure",
        None,
        Age("erasures", 400, N_("days to keep who was erased, so that copies can be cleared of them")),
        own=False,
    ),
)
"""In the order of the archive."""
AGES = (*OF_MATCHES, *(age for each in KEPT for age in (each.age, each.also) if age))
DAYS: Mapping[str, float | None] = {age.kind: age.days for age in AGES}
"""Days for which each kind of record is kept by default; None: for ever."""


def kept_text(name: str) -> str:
    """The days for a kind of record as `CHOUINE_KEEP_` and its name set them, else by default; empty: for ever."""
    days = DAYS[name]
    return os.environ.get(f"CHOUINE_KEEP_{name.upper()}", "" if days is None else f"{days:g}")
