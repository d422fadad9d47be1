"""One reminder a day, at the evening hour that a person chose, of the tables that wait for them."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from chouine.days import day_of, zone_named
from chouine.phrases import N_
from chouine.server.push.turn_notifier import TurnNotifier
from chouine.server.schema import reminder
from chouine.server.slow.holidays import Holidays
from chouine.server.slow.listing import listed_tables, waiting_tables
from chouine.server.tables import Tables

HOURS = range(17, 23)
"""The evening hours to choose from."""
NEVER = 0
"""In place of an hour: no more, by whoever was reminded today. It is kept until tomorrow, so that one a day is one."""
LATE = 3600.0
"""Seconds after the hour in which a reminder is still sent: a node that was down does not wake people at night."""
MOST = 100
"""Reminders sent in one look."""
END = N_(
    "%(table)s\n\nThis e-mail comes once a day at most, at the hour that you chose, and only if a table waits."
    " To change or end it, open the same page.\n\nNo more e-mails:\n%(letters)s\n\n"
    "No e-mail from this server, ever again:\n%(never)s"
)
ONE = (N_("One table waits for you"), END)
SEVERAL = (N_("%(several)s tables wait for you"), END)
"""Subject and text, for one table and for several."""


class Reminders:
    """The reminders of a store; `turns` sends them."""

    def __init__(self, tables: Tables, holidays: Holidays, turns: TurnNotifier | None) -> None:
        self.tables, self.holidays, self.turns = tables, holidays, turns
        self.database = tables.store.database

    async def hour_of(self, guest: str) -> int | None:
        """The hour that a guest chose; None for no reminders."""
        query = sa.select(reminder.c.hour).where(reminder.c.guest == guest)
        return await self.database.read(lambda connection: connection.scalar(query)) or None

    async def choose(self, guest: str, hour: int | None, zone: tzinfo) -> None:
        """Remind a guest at this hour of a time zone, or no more. Whoever was reminded today is again tomorrow."""
        now = self.tables.clock()
        own = reminder.c.guest == guest

        def change(connection: sa.Connection) -> None:
            sent = connection.scalar(sa.select(reminder.c.sent).where(own)) or 0.0
            connection.execute(reminder.delete().where(own))
            today = day_of(datetime.fromtimestamp(now, UTC), zone)
            if hour is not None or day_of(datetime.fromtimestamp(sent, UTC), zone) == today:
                due = next_at(hour or min(HOURS), zone, now, sent)
                values = {
                    "guest": guest,
                    "hour": hour or NEVER,
                    "zone": str(zone) if hour else "",
                    "at": now,
                    "due": due,
                    "sent": sent,
                }
                connection.execute(reminder.insert().values(values))

        with suppress(IntegrityError):  # the same form, sent twice
            await self.database.write(change)

    async def look(self) -> None:
        """Send the reminders that are due. Whoever moves a reminder to the next day sends it: one node, once."""
        now = self.tables.clock()
        query = sa.select(reminder).where(reminder.c.due <= now).order_by(reminder.c.due).limit(MOST)
        for row in await self.database.rows(query):
            zone = zone_named(row.zone) or UTC
            values = {"due": next_at(row.hour, zone, now, now), "sent": now}
            this = reminder.c.guest == row.guest, reminder.c.due == row.due
            if row.hour == NEVER:
                await self.database.execute(reminder.delete().where(*this))
                continue
            claimed = await self.database.execute(reminder.update().where(*this).values(values))
            if claimed and now - row.due < LATE:
                await self.remind(row.guest)

    async def remind(self, guest: str) -> None:
        """Tell a guest how many tables wait, if any do: in their browsers, or by e-mail if none is subscribed."""
        if self.turns is None or await self.holidays.is_away(guest):
            return
        waiting = waiting_tables(await listed_tables(self.tables, guest, going=True), guest)
        if not waiting or await self.turns.tell(guest, "/tables", len(waiting)):
            return
        if self.turns.letters is not None:
            words = ONE if len(waiting) == 1 else SEVERAL
            await self.turns.letters.tell(guest, "/tables", words, several=str(len(waiting)))


def next_at(hour: int, zone: tzinfo, now: float, sent: float) -> float:
    """The next moment at which it is this hour in a time zone, on a later date than that of `sent`."""
    today = day_of(datetime.fromtimestamp(now, UTC), zone)
    before = day_of(datetime.fromtimestamp(sent, UTC), zone)
    for nth in range(3):
        day = today + timedelta(nth)
        at = datetime(day.year, day.month, day.day, hour, tzinfo=zone).timestamp()
        if at > now and day > before:
            return at
    raise AssertionError("an hour comes every day")
