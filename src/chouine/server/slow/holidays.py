"""Holidays from slow matches: so many days a year, in which a person's clocks stand still.

A holiday is planned here; once it begins, each of the person's slow tables has it in its log, and its clock needs
nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, tzinfo
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from chouine.days import day_of, start_of
from chouine.errors import ChouineError
from chouine.server.schema import holiday
from chouine.server.slow.listing import ListedTable, listed_tables
from chouine.server.table_ids import contest_in
from chouine.server.tables import Tables
from chouine.table import commands as ask
from chouine.table.state import Phase

DAYS = 14
"""Days of holiday that a person has in a calendar year."""
AHEAD = 365
"""Days ahead for which a holiday can be planned."""
SETTLED = 24 * 3600.0
"""Seconds after the end of a holiday in which it is still looked whether all tables know of it."""


class HolidayRefused(ChouineError):
    """A holiday that cannot be taken. `code` is `holiday/…`."""


class OwnHoliday(NamedTuple):
    """A holiday as its owner sees it."""

    first: date
    last: date
    begun: bool


class Span(NamedTuple):
    """The days of a holiday, as dates, and the moments at which it begins and ends."""

    first: str
    last: str
    begins: float
    ends: float


class Holidays:
    """The holidays of a store."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.database = tables, tables.store.database

    async def next_of(self, guest: str) -> OwnHoliday | None:
        """The holiday that a guest is on, or plans."""
        now = self.tables.clock()
        for row in await self._rows(holiday.c.guest == guest, holiday.c.ends > now):
            return OwnHoliday(date.fromisoformat(row.first), date.fromisoformat(row.last), row.begins <= now)
        return None

    async def is_away(self, guest: str) -> bool:
        """Whether a guest is on holiday."""
        own = await self.next_of(guest)
        return own is not None and own.begun

    async def days_left(self, guest: str, year: int) -> int:
        """The days of holiday that a guest may still take in a year."""
        taken = days_taken(year, await self._rows(holiday.c.guest == guest))
        return max(0, DAYS - taken)  # of two browsers that became one person more can be taken

    async def take(self, guest: str, first: date, last: date, zone: tzinfo | None) -> None:
        """Plan a holiday of whole days in a time zone; one that begins today begins at once.

        Raises `HolidayRefused`.
        """
        now = self.tables.clock()
        today = day_of(datetime.fromtimestamp(now, UTC), zone)
        if last < first:
            raise HolidayRefused("holiday/order")
        if first < today:
            raise HolidayRefused("holiday/past")
        if last > today + timedelta(AHEAD):
            raise HolidayRefused("holiday/far")
        begins = max(now, start_of(first, zone).timestamp())
        ends = start_of(last + timedelta(1), zone).timestamp()
        span = Span(first.isoformat(), last.isoformat(), begins, ends)

        def change(connection: sa.Connection) -> None:
            earlier = connection.execute(sa.select(holiday).where(holiday.c.guest == guest)).all()
            if any(each.ends > now for each in earlier):
                raise HolidayRefused("holiday/one")
            for year in sorted({first.year, last.year}):
                left = max(0, DAYS - days_taken(year, earlier))
                if days_taken(year, [*earlier, span]) > DAYS:
                    raise HolidayRefused("holiday/days", days=left, year=str(year))
            latest = max(
                (each.begins for each in earlier), default=0.0
            )  # one holiday follows it, not two at once
            key = sha256(f"{guest} {latest}".encode()).hexdigest()[:16]
            connection.execute(holiday.insert().values(id=key, guest=guest, **span._asdict()))

        try:
            await self.database.write(change)
        except IntegrityError as error:  # another was taken at the same moment
            raise HolidayRefused("holiday/one") from error
        await self.follow(guest)

    async def end(self, guest: str, zone: tzinfo | None) -> None:
        """End a guest's holiday, with today as its last day; one that has not begun costs no day."""
        now = self.tables.clock()
        today = day_of(datetime.fromtimestamp(now, UTC), zone).isoformat()
        own = holiday.c.guest == guest, holiday.c.ends > now

        def change(connection: sa.Connection) -> None:
            connection.execute(holiday.delete().where(*own, holiday.c.begins > now))
            shorter = holiday.update().where(*own)
            first = holiday.c.first  # which can be later than today in another time zone
            shortened = shorter.where(holiday.c.last > today)
            connection.execute(shortened.values(last=sa.case((first > today, first), else_=today)))
            connection.execute(shorter.values(ends=now))

        await self.database.write(change)
        await self.follow(guest)

    async def follow(self, guest: str = "") -> None:
        """Let the tables know of holidays that have begun or ended early: a guest's, or everybody's."""
        now = self.tables.clock()
        recent = holiday.c.begins <= now, holiday.c.ends > now - SETTLED
        rows = await self._rows(*recent, holiday.c.guest == guest if guest else sa.true())
        away = {row.guest: row for row in rows if row.ends > now}
        for each in {row.guest for row in rows}:
            for listed in await listed_tables(self.tables, each, going=True):
                await self._tell(listed, each, away.get(each))

    async def _tell(self, listed: ListedTable, guest: str, row: Any) -> None:
        """Let a table know whether a guest who sits there is on the holiday `row`, or on none."""
        brief = listed.brief
        if not brief.slow or brief.paused or brief.phase in (Phase.SEATING, Phase.OVER):
            return
        if contest_in(listed.table_id):
            return  # whose rounds the others wait for
        known = {each.seat for each in brief.holidays}
        for seat in sorted(brief.held_by(guest)):
            command: ask.Command | None = None
            if row is not None and seat not in known:
                command = ask.GoOnHoliday(seat, row.ends, row.last)
            elif row is None and seat in known:
                command = ask.ComeBack(seat)
            if command is not None:
                with suppress(ChouineError):  # another node was quicker, or the match has just ended
                    await self.tables.do(listed.table_id, command)

    async def _rows(self, *which: sa.ColumnElement[bool]) -> Collection[sa.Row[Any]]:
        query = sa.select(holiday).where(*which).order_by(holiday.c.begins)
        return await self.database.rows(query)


def days_taken(year: int, spans: Iterable[Span | sa.Row[Any]]) -> int:
    """How many days of a year holidays take, each date counted once, but no fewer than the whole days they last.

    By one time zone that is the same; going from one to another a date has up to 50 hours.
    """
    spans = [*spans]
    dates = {
        date.fromisoformat(one.first) + timedelta(nth)
        for one in spans
        for nth in range((date.fromisoformat(one.last) - date.fromisoformat(one.first)).days + 1)
    }
    begins, ends = (datetime(each, 1, 1, tzinfo=UTC).timestamp() for each in (year, year + 1))
    seconds = sum(max(0.0, min(one.ends, ends) - max(one.begins, begins)) for one in spans)
    return max(sum(each.year == year for each in dates), int(seconds // (24 * 3600)))
