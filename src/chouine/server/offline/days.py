"""The past deals of the day that a device takes along, to play them without a network, and their tables there.

Only days whose deals are public are taken along: the cards of a day still played would lie readable on the device.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from datetime import date
from typing import NamedTuple

from chouine.daily import PARTIES, Day

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
