"""What a server stores of a person: shown, and handed out as one archive."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from functools import partial
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec
import sqlalchemy as sa

from chouine.server.database import Damaged
from chouine.server.forms import MOST, number_of
from chouine.server.push.mail import normal_form
from chouine.server.records import record_text
from chouine.server.schema import (
    access,
    block,
    bot,
    browser,
    challenge,
    classroom,
    contest,
    credential,
    daily_listing,
    daily_play,
    entrant,
    friendship,
    holiday,
    imported,
    invitee,
    mailbox,
    member,
    person,
    playing_table,
    prepared,
    pupil,
    rating,
    reminder,
    report,
    ruling,
    seat,
    session,
    showing,
    subscription,
    tally,
    waiting,
)
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.server.visitors import Secrets

FRIEND = sa.select(person.c.name).where(person.c.guest == friendship.c.other).scalar_subquery().label("name")
ASKED_AS = sa.case((friendship.c.state == "friend", "friend"), else_="asked").label("state")
PARTS: dict[str, tuple[sa.Column[str], tuple[sa.ColumnElement[Any], ...]]] = {
    "account": (member.c.guest, (member.c.since, member.c.seen, member.c.settings)),
    "devices": (browser.c.guest, (browser.c.begun, browser.c.seen, browser.c.device)),
    "credentials": (
        credential.c.guest,
        (credential.c.kind, credential.c.at, credential.c.used, credential.c.label),
    ),
    "browsers": (session.c.guest, (session.c.begun, session.c.seen, session.c.settings)),
    "seats": (seat.c.guest, (seat.c.table_id, seat.c.seat)),
    "tables": (
        playing_table.c.owner,
        (playing_table.c.id, playing_table.c.opened, playing_table.c.over, playing_table.c.origin),
    ),
    "contests": (
        contest.c.owner,
        (
            contest.c.id,
            contest.c.opened,
            contest.c.state,
            contest.c.move,
            contest.c.reserve,
            contest.c.origin,
        ),
    ),
    "entries": (
        entrant.c.guest,
        (entrant.c.contest, entrant.c.number, entrant.c.name, entrant.c.origin),
    ),
    "waits": (
        waiting.c.guest,
        (
            waiting.c.name,
            waiting.c.since,
            waiting.c.seen,
            waiting.c.table_id,
            waiting.c.origin,
            waiting.c.rated,
        ),
    ),
    "dailies": (
        daily_play.c.guest,
        (
            daily_play.c.day,
            daily_play.c.nth,
            daily_play.c.table_id,
            daily_play.c.begun,
            daily_play.c.ended,
            daily_play.c.counts,
            daily_play.c.mark,
            daily_play.c.gain,
            daily_play.c.chouine,
            daily_play.c.acts,
        ),
    ),
    "daily name": (daily_listing.c.guest, (daily_listing.c.name, daily_listing.c.at)),
    "blocks": (block.c.guest, (block.c.name, block.c.at)),
    "reports": (
        report.c.guest,
        (report.c.at, report.c.table_id, report.c.seat, report.c.name, report.c.reason, report.c.words),
    ),
    "rulings": (
        ruling.c.guest,
        (ruling.c.at, ruling.c.what, ruling.c.name, ruling.c.reason, ruling.c.until, ruling.c.answer),
    ),
    "notifications": (
        subscription.c.guest,
        (subscription.c.endpoint, subscription.c.at, subscription.c.failures, subscription.c.retry),
    ),
    "ratings": (
        rating.c.guest,
        (
            rating.c.table_id,
            rating.c.variant,
            rating.c.at,
            rating.c.place,
            rating.c.mean_before,
            rating.c.mean,
            rating.c.spread,
        ),
    ),
    "tallies": (tally.c.guest, (tally.c.table_id, tally.c.seat, tally.c.at, tally.c.body)),
    "showing": (showing.c.guest, (showing.c.rating, showing.c.play, showing.c.at)),
    "reminder": (reminder.c.guest, (reminder.c.hour, reminder.c.zone, reminder.c.at, reminder.c.sent)),
    "holidays": (holiday.c.guest, (holiday.c.first, holiday.c.last, holiday.c.begins, holiday.c.ends)),
    "prepared acts": (
        prepared.c.guest,
        (prepared.c.table_id, prepared.c.seat, prepared.c.card, prepared.c.token, prepared.c.at),
    ),
    "addresses": (
        mailbox.c.guest,
        (mailbox.c.address, mailbox.c.language, mailbox.c.confirmed, mailbox.c.at),
    ),
    "tokens": (access.c.guest, (access.c.name, access.c.scopes, access.c.begun, access.c.seen)),
    "bots": (bot.c.guest, (bot.c.name, bot.c.seen)),
    "page": (
        person.c.guest,
        tuple(each for each in person.columns if each.key not in ("guest", "link", "link_until")),
    ),
    "friends": (friendship.c.guest, (FRIEND, ASKED_AS, friendship.c.at)),
    "challenges": (
        challenge.c.guest,
        (
            challenge.c.at,
            challenge.c.until,
            challenge.c.rules,
            challenge.c.format,
            challenge.c.move,
            challenge.c.reserve,
            challenge.c.state,
            challenge.c.table_id,
        ),
    ),
    "answers": (invitee.c.guest, (invitee.c.challenge, invitee.c.answer)),
    "imports": (
        imported.c.guest,
        (imported.c.id, imported.c.at, imported.c.title, imported.c.parties, imported.c.body),
    ),
    "classes": (classroom.c.guest, (classroom.c.code, classroom.c.until)),
    "class": (pupil.c.guest, (pupil.c.name,)),
}
"""The parts of an archive: the column that names the guest, and the columns shown. Not shown are keys and secrets, and
what is another's: whom a block means, who blocks or reports the guest, whether a request was declined."""
TIMES = {
    "begun",
    "ended",
    "seen",
    "opened",
    "since",
    "at",
    "retry",
    "until",
    "used",
    "sent",
    "begins",
    "ends",
}
"""Columns with seconds since 1970."""
Parts = dict[str, list[dict[str, Any]]]


async def parts_of(store: Store, guest: str) -> Parts:
    """All that is stored of a guest, by part, as JSON values; times are in UTC (ISO 8601), empty ones left out."""
    return await store.database.read(partial(read_parts, guest))


def read_parts(guest: str, connection: sa.Connection) -> Parts:
    """All that is stored of a guest, by part, as JSON values; empty ones left out."""
    return {
        part: [
            {
                str(column.key): as_json(str(column.key), value)
                for column, value in zip(columns, row, strict=True)
            }
            for row in connection.execute(sa.select(*columns).where(owner == guest))
        ]
        for part, (owner, columns) in PARTS.items()
    }


def as_json(name: str, value: Any) -> Any:
    """A stored value as JSON has it."""
    if name in TIMES and value:
        return datetime.fromtimestamp(value, UTC).isoformat(timespec="seconds")
    if isinstance(value, bytes):
        with suppress(msgspec.DecodeError):
            return msgspec.json.decode(value)
        return None
    return value


async def archive_of(tables: Tables, guest: str, zone: tzinfo | None = None) -> bytes:
    """A ZIP file: `chouine.json` with all parts, and `matches/ID.cgn` with the finished parties of each match.

    Days of records are those of `zone`.
    """
    parts, file = await parts_of(tables.store, guest), BytesIO()
    about = {"version": 1, "guest": guest, "made": as_json("at", tables.clock())}
    with ZipFile(file, "w") as archive:
        text = msgspec.json.format(msgspec.json.encode(about | parts), indent=1)
        archive.writestr(ZipInfo("chouine.json"), text, ZIP_DEFLATED)
        for table_id in dict.fromkeys(row["table_id"] for row in parts["seats"]):
            await asyncio.sleep(0)  # others are served between two tables that must be read
            with suppress(Damaged):
                table = await tables.table(table_id)
                if table is not None and table.played:
                    record = ZipInfo(f"matches/{table_id}.cgn")
                    archive.writestr(record, record_text(table, zone), ZIP_DEFLATED)
    return file.getvalue()


async def guests_named(store: Store, secrets: Secrets, text: str) -> list[str]:
    """The guests meant by their number, an e-mail address, or a match and its seat from 1 (`MATCH:2`); known ones."""
    match, _, place = text.rpartition(":")
    number = number_of(place, MOST)
    if "@" in text:
        told = sa.select(mailbox.c.guest).where(mailbox.c.owner == secrets.owner(normal_form(text.strip())))
        signs_in = sa.select(credential.c.guest).where(credential.c.id == secrets.signs_in(text.strip()))
        query = sa.union(told, signs_in)
    elif match and number is not None:
        query = sa.union(sa.select(seat.c.guest).where(seat.c.table_id == match, seat.c.seat == number - 1))
    else:
        return [text] if any((await parts_of(store, text)).values()) else []
    return await store.database.read(lambda connection: [*connection.scalars(query)])
