"""What a day is, everywhere in Chouine: it runs from 4 h to 4 h by somebody's clock, so that an evening is one day."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

BEGINS = 4
"""The hour at which a day begins."""


def day_of(at: datetime, zone: tzinfo | None) -> date:
    """The day in which a moment falls, in a time zone or by this machine's clock.

    >>> day_of(datetime(2026, 11, 23, 2, 30, tzinfo=UTC), ZoneInfo("Europe/Paris"))
    datetime.date(2026, 11, 22)
    """
    return (at.astimezone(zone).replace(tzinfo=None) - timedelta(hours=BEGINS)).date()


def start_of(day: date, zone: tzinfo | None) -> datetime:
    """The moment at which a day begins, in UTC; it ends when the next begins, 23, 24 or 25 hours later."""
    return datetime.combine(day, time(BEGINS), zone).astimezone(UTC)


def zone_named(name: str) -> ZoneInfo | None:
    """The time zone of a name such as `Europe/Paris`; None if there is none."""
    return ZoneInfo(name) if name in zones() else None


@cache
def zones() -> frozenset[str]:
    """The names of all time zones."""
    return frozenset(available_timezones())
