"""The deal of the day on a server: who played it, what they made of it, and the tables of a week and a month.

A visitor plays each partie at an ordinary table. What they made of it is read from its log once it is over.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache, partial
from typing import Any

import sqlalchemy as sa
import structlog
from sqlalchemy.exc import IntegrityError

from chouine.ai.levels import LEVELS, NeedsFast, level
from chouine.daily import CHOUINE, PARTIES, SEAT, DailyScore, Day, play_partie
from chouine.days import day_of
from chouine.notation.lines import actions_of
from chouine.notation.tokens import token
from chouine.partie.deal import Deal
from chouine.partie.events import Declared, Exchanged, Played
from chouine.partie.result import Result
from chouine.partie.state import State
from chouine.rules.options import Rules
from chouine.server.daily_field import Attempt, DailyField, attempt_of, score_of, sorted_scores
from chouine.server.database import Damaged
from chouine.server.fair_queue import NOBODY
from chouine.server.schema import daily_listing, daily_play, daily_reference, playing_table
from chouine.server.shared_work import SharedWork
from chouine.server.store import Conflict
from chouine.server.tables import Tables
from chouine.server.thinking import FairPool
from chouine.table.entries import Opened, SeatHolder

log = structlog.get_logger()

AGE = 60.0
"""Seconds for which what all players did is not read anew."""
DAYS_AT_HAND = 30
"""Days of which what all players did stays in memory: those read last."""
LATE = 60.0
"""Seconds by which another node's clock, and its transaction, may be behind."""
SHOWN = 20
"""Lines of a table."""
AT_ONCE = 200
"""Finished tables read at a time."""
FIRST = date(2026, 11, 1)
"""The first day that can be played."""
PUBLIC_AFTER = timedelta(2)
"""From a day's beginning until its deals are public."""
DAYS_KEPT = 400
"""Days kept in memory: far more than a device takes along at once, whatever old ones are looked at meanwhile."""
ALL = sa.true()
ACTED = Played | Declared | Exchanged


@dataclass(frozen=True, slots=True)
class DailyLine:
    """A line of a table."""

    place: int
    name: str
    won: float
    """Parties won; a nulle is half of one."""
    gain: int
    days: int
    own: bool


@dataclass(frozen=True, slots=True)
class DailyTotals:
    """Everybody's sums over some days, the best first, and each guest's place from 1."""

    read: float = float("-inf")
    rows: Sequence[sa.Row[Any]] = ()
    places: Mapping[str, int] = field(default_factory=dict)


class DealsOfTheDay:
    """The deals of all days, and what is known of those who played them."""

    def __init__(self, tables: Tables, studies: FairPool, seed: bytes, zone: tzinfo) -> None:
        self.tables, self.studies, self.seed, self.zone = tables, studies, seed, zone
        self.database = tables.store.database
        self.day = lru_cache(DAYS_KEPT)(partial(Day.of, seed))
        self.fields: dict[date, DailyField] = {}
        self.standings: dict[tuple[date, date], DailyTotals] = {}
        self.readings = SharedWork()
        self.thinking: dict[tuple[date, int], asyncio.Task[None]] = {}

    @property
    def today(self) -> date:
        """The present day of the site."""
        return day_of(datetime.fromtimestamp(self.tables.clock(), UTC), self.zone)

    def is_public(self, day: date) -> bool:
        """Whether a day's deals are public: whoever began late has the next day to finish."""
        return day + PUBLIC_AFTER <= self.today

    def public_days(self, most: int) -> list[date]:
        """The latest days whose deals are public, the newest first."""
        latest = self.today - PUBLIC_AFTER
        return [day for nth in range(most) if (day := latest - timedelta(nth)) >= FIRST]

    def table_id(self, day: date, nth: int, guest: str) -> str:
        """The one table at which a guest plays a partie: two tries are one."""
        return hmac.digest(self.seed, f"table {day} {nth} {guest}".encode(), "sha256").hex()[:32]

    async def begin(self, day: date, nth: int, person: SeatHolder, opened: Opened, origin: str) -> str:
        """Open a guest's table of a partie with the visitor's settings, or find it. Raises what `Tables.open` does."""
        guest = person.guest or ""
        found = {one.nth: one for one in await self.attempts(day, guest)}
        if nth in found:
            return found[nth].table_id
        table_id = self.table_id(day, nth, guest)
        terms, claim = self.day(day).table(nth, person, opened), self.claim(day, nth, guest, table_id)
        with suppress(Conflict, IntegrityError):  # begun in another window meanwhile
            await self.tables.open(terms, table_id, (guest, origin), claim=claim)
        return table_id

    def claim(self, day: date, nth: int, guest: str, table_id: str) -> Callable[[sa.Connection], None]:
        """What notes, with the opening of a table, that it is the guest's only one of this partie."""
        row = {
            "guest": guest,
            "day": str(day),
            "nth": nth,
            "table_id": table_id,
            "begun": self.tables.clock(),
            "counts": day == self.today,
        }

        def note(connection: sa.Connection) -> None:
            connection.execute(daily_play.insert().values(row))

        return note

    async def attempts(self, day: date, guest: str) -> list[Attempt]:
        """A guest's parties of a day."""
        await self.settle(daily_play.c.guest == guest)
        mine = (daily_play.c.guest == guest) & (daily_play.c.day == str(day))
        return [attempt_of(row) for row in await self.database.rows(sa.select(daily_play).where(mine))]

    async def days_of(self, guest: str) -> list[date]:
        """The days whose parties a guest has all finished in time, the oldest first."""
        await self.settle(daily_play.c.guest == guest)
        done = (
            sa.select(daily_play.c.day)
            .where(daily_play.c.guest == guest, daily_play.c.ended > 0, daily_play.c.counts)
            .group_by(daily_play.c.day)
            .having(sa.func.count() == PARTIES)
            .order_by(daily_play.c.day)
        )
        return [date.fromisoformat(row.day) for row in await self.database.rows(done)]

    async def may_read(self, table_id: str, guest: str) -> bool:
        """Whether a guest may see another's table: the day's deals are public, or they have played that partie."""
        found = await self.database.rows(sa.select(daily_play).where(daily_play.c.table_id == table_id))
        if not found:
            return False
        row = found[0]
        day = date.fromisoformat(row.day)
        mine = [one for one in await self.attempts(day, guest) if one.nth == row.nth]
        return self.is_public(day) or any(one.score is not None for one in mine)

    async def settle(self, which: sa.ColumnElement[bool] = ALL) -> None:
        """Note what was made of tables that are over, from their logs."""
        over = sa.select(playing_table.c.id).where(
            playing_table.c.over, playing_table.c.id == daily_play.c.table_id
        )
        due = sa.select(daily_play).where(which, daily_play.c.ended == 0, over.exists()).limit(AT_ONCE)
        for row in await self.database.rows(due):
            now, values = self.tables.clock(), {"counts": False, "mark": 0, "gain": -CHOUINE, "acts": ""}
            with suppress(Damaged):
                table = await self.tables.table(row.table_id)
                if table is not None and table.played:
                    partie = table.played[-1]
                    score = DailyScore.of(partie.result)
                    done = day_of(datetime.fromtimestamp(table.since, UTC), self.zone)
                    late = date.fromisoformat(row.day) + timedelta(1) < done
                    values = {
                        **asdict(score),
                        "acts": " ".join(own_acts(partie.state)),
                        "counts": row.counts and not late,
                    }
            change = daily_play.update().where(daily_play.c.table_id == row.table_id, daily_play.c.ended == 0)
            await self.database.execute(change.values(ended=now, **values))

    async def field(self, day: date) -> DailyField:
        """All counted parties of a day, read at most once in `AGE` seconds."""
        known = self.fields.get(day, DailyField())
        if self.tables.clock() - known.read < AGE:
            return known
        return await self.readings.join(day, self._read_field(day))

    async def _read_field(self, day: date) -> DailyField:
        """Add what ended since a day's parties were read."""
        known, now = self.fields.get(day, DailyField()), self.tables.clock()
        await self.settle(daily_play.c.day == str(day))
        newer = sa.select(daily_play).where(
            daily_play.c.day == str(day), daily_play.c.counts, daily_play.c.ended > known.until - LATE
        )

        def read(connection: sa.Connection) -> tuple[float, dict[tuple[int, str], Attempt]]:
            rows = connection.execute(newer).all()
            until = max((row.ended for row in rows), default=0.0)
            return until, {(row.nth, row.guest): attempt_of(row) for row in rows}

        until, found = await self.database.survey(read)
        everyone = known.attempts | found
        scores = await asyncio.to_thread(sorted_scores, everyone.values())
        found_now = self.fields[day] = DailyField(max(known.until, until), now, everyone, scores)
        for old in sorted(self.fields, key=lambda each: self.fields[each].read)[:-DAYS_AT_HAND]:
            del self.fields[old]
        return found_now

    async def table(
        self, first: date, last: date, guest: str, among: Collection[str] | None = None
    ) -> list[DailyLine]:
        """The best of these days who wish to be named, and the guest's own line, with their places among all.

        `among`: only these guests take part.
        """
        totals = await self._totals(first, last)
        if among is None:
            places = [*range(1, 1 + min(SHOWN, len(totals.rows)))]
            if totals.places.get(guest, 0) > SHOWN:
                places.append(totals.places[guest])
            shown = [(place, totals.rows[place - 1]) for place in places]
        else:
            own = sorted(totals.places[one] for one in {*among} if one in totals.places)
            those = [(place, totals.rows[at - 1]) for place, at in enumerate(own, 1)]
            shown = [(place, row) for place, row in those if place <= SHOWN or row.guest == guest]
        listed = sa.select(daily_listing).where(daily_listing.c.guest.in_([row.guest for _, row in shown]))
        names = {row.guest: row.name for row in await self.database.rows(listed)}
        return [
            DailyLine(place, names.get(row.guest, ""), row.marks / 2, row.gains, row.days, row.guest == guest)
            for place, row in shown
            if row.guest == guest or row.guest in names
        ]

    async def _totals(self, first: date, last: date) -> DailyTotals:
        """Everybody's sums, read at most once in `AGE` seconds."""
        span = first, last
        known = self.standings.get(span, DailyTotals())
        if self.tables.clock() - known.read < AGE:
            return known
        return await self.readings.join(span, self._read_totals(span))

    async def _read_totals(self, span: tuple[date, date]) -> DailyTotals:
        """Sum up what all made of some days."""
        now, play = self.tables.clock(), daily_play.c
        await self.settle()
        query = (
            sa.select(
                play.guest,
                sa.func.sum(play.mark).label("marks"),
                sa.func.sum(play.gain).label("gains"),
                sa.func.count(sa.distinct(play.day)).label("days"),
            )
            .where(play.day.between(str(span[0]), str(span[1])), play.ended > 0, play.counts)
            .group_by(play.guest)
            .order_by(sa.desc("marks"), sa.desc("gains"), play.guest)
        )

        def read(connection: sa.Connection) -> DailyTotals:
            rows = connection.execute(query).all()
            return DailyTotals(now, rows, {row.guest: place for place, row in enumerate(rows, 1)})

        totals = await self.database.survey(read)
        self.standings = {**dict([*self.standings.items()][-8:]), span: totals}
        return totals

    async def name_of(self, guest: str) -> str:
        """The name under which a guest is listed; empty if they are not."""
        found = await self.database.rows(
            sa.select(daily_listing.c.name).where(daily_listing.c.guest == guest)
        )
        return str(found[0].name) if found else ""

    async def list_as(self, guest: str, name: str) -> None:
        """List a guest under a name, or no more under any if it is empty."""
        gone = daily_listing.delete().where(daily_listing.c.guest == guest)
        listed = daily_listing.insert().values(guest=guest, name=name, at=self.tables.clock())

        def change(connection: sa.Connection) -> None:
            connection.execute(gone)
            if name:
                connection.execute(listed)

        with suppress(IntegrityError):  # done twice at once
            await self.database.write(change)

    async def reference(self, day: date, nth: int) -> DailyScore | None:
        """What level 8 made of the same cards; None until it is known, and from then on it is being worked out."""
        this = (daily_reference.c.day == str(day)) & (daily_reference.c.nth == nth)
        for row in await self.database.rows(sa.select(daily_reference).where(this)):
            return score_of(row)
        if (day, nth) not in self.thinking:
            self.thinking[day, nth] = task = asyncio.create_task(self._think(day, nth))
            task.add_done_callback(lambda _: self.thinking.pop((day, nth), None))
        return None

    async def _think(self, day: date, nth: int) -> None:
        """Have level 8 play a partie, and keep what it made of it."""
        of_day = self.day(day)
        try:
            score = await self.studies.run(NOBODY, reference_score, str(of_day.rules), of_day.deals[nth])
        except NeedsFast:
            return
        except Exception as error:  # noqa: BLE001  # asked again with the next page; its text might name a card
            log.warning("cannot play the deal of the day", kind=type(error).__name__)
            return
        row = daily_reference.insert().values(day=str(day), nth=nth, **asdict(score))
        with suppress(IntegrityError):  # another node was first
            await self.database.execute(row)


def reference_score(rules: str, deal: Deal) -> DailyScore:
    """What level 8 makes of a deal at the player's seat. Raises `NeedsFast`."""
    found = Rules.parse(rules)
    state = play_partie(found, deal, level(LEVELS[-1], found, seed=1))
    return DailyScore.of(state.result or Result(None, state.position.points, "unfinished"))


def own_acts(state: State) -> list[str]:
    """The player's acts in a partie, as tokens."""
    own = (event for event in state.events if isinstance(event, ACTED) and event.seat == SEAT)
    return [*map(token, actions_of(own))]


def week_of(day: date) -> tuple[date, date]:
    """Monday and Sunday of a day's week."""
    monday = day - timedelta(day.weekday())
    return monday, monday + timedelta(6)


def month_of(day: date) -> tuple[date, date]:
    """The first and the last day of a day's month."""
    first = day.replace(day=1)
    return first, (first + timedelta(31)).replace(day=1) - timedelta(1)
