"""What a server stores of a person: shown, and handed out as one archive."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec
import sqlalchemy as sa

from chouine.server.database import Damaged
from chouine.server.forms import MOST, number_of
from chouine.server.keeping import KEPT
from chouine.server.push.mail import normal_form
from chouine.server.records import record_text
from chouine.server.schema import credential, friendship, mailbox, metadata, person, seat
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.server.visitors import Secrets

FRIEND = sa.select(person.c.name).where(person.c.guest == friendship.c.other).scalar_subquery().label("name")
ASKED_AS = sa.case((friendship.c.state == "friend", "friend"), else_="asked").label("state")
COMPUTED: dict[tuple[str, str], sa.ColumnElement[Any]] = {
    ("friends", "name"): FRIEND,
    ("friends", "state"): ASKED_AS,
}
"""Columns that are not as they are stored, by their part and name."""


def column_of(table: sa.Table, part: str, name: str) -> sa.ColumnElement[Any]:
    """A column of a part."""
    computed = COMPUTED.get((part, name))
    return table.c[name] if computed is None else computed


PARTS = {
    part.name: (
        metadata.tables[table].c[part.whose],
        tuple(column_of(metadata.tables[table], part.name, name) for name in part.shown.split()),
    )
    for table, part, *_ in KEPT
    if part
}
"""The parts of an archive: the column that names the guest, and the columns shown."""
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

    def read(connection: sa.Connection) -> Parts:
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

    return await store.database.read(read)


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
