"""What a browser stores to play without a network: matches, as it uploads them too, and past deals of the day.

A match is its log in the server's codec. Only days whose deals are public are taken along: the cards of a day still
played would lie readable on the device.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from typing import NamedTuple

import msgspec

from chouine.daily import PARTIES, Day
from chouine.server.codec import decode, encode
from chouine.table.brief import Brief
from chouine.table.entries import LogEntry


class StoredMatch(msgspec.Struct, frozen=True):
    """A stored match: its identifier, its line in lists, and its entries with their times."""

    id: str
    brief: Brief
    log: tuple[tuple[float, msgspec.Raw], ...]

    @property
    def entries(self) -> list[tuple[LogEntry, float]]:
        """The decoded log. Raises `msgspec.ValidationError`."""
        return [(decode(bytes(body)), at) for at, body in self.log]


def stored_match(table_id: str, brief: Brief, entries: Iterable[tuple[LogEntry, float]]) -> StoredMatch:
    """A match in its stored form."""
    return StoredMatch(table_id, brief, tuple((at, msgspec.Raw(encode(entry))) for entry, at in entries))


write = msgspec.json.Encoder().encode
read = msgspec.json.Decoder(StoredMatch).decode


TAKEN = 60
"""The latest public days that a device takes along."""
TABLE = re.compile(r"(\d{4}-\d\d-\d\d)-([1-9])")
"""The identifier of a partie's table on a device: there is one, so that two tries are one."""


class SealedPartie(NamedTuple):
    """A partie of a day; `nth` from 0."""

    day: Day
    nth: int


def read_days(text: str) -> dict[date, Day]:
    """The days that a device has taken along, the oldest first; without those whose digest is of other deals."""
    found = []
    for data in json.loads(text)["days"] if text else ():
        with suppress(ValueError):
            found.append(Day.read(data))
    return {one.day: one for one in sorted(found, key=lambda one: one.day)}


def table_id_of(day: date, nth: int) -> str:
    """The identifier of a partie's table on a device."""
    return f"{day}-{nth + 1}"


def partie_in(table_id: str) -> tuple[date, int] | None:
    """The day and the partie, from 0, that a table's identifier names; None for that of any other table."""
    found = TABLE.fullmatch(table_id)
    if found is None or int(found[2]) > PARTIES:
        return None
    with suppress(ValueError):
        return date.fromisoformat(found[1]), int(found[2]) - 1
    return None
