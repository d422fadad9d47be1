"""The deal of the day on a server: who played it, what they made of it, and the tables of a week and a month.

A visitor plays each partie at an ordinary table. What they made of it is read from its log once it is over.
"""

from __future__ import annotations

import asyncio
import hmac
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache, partial
from typing import Any

import sqlalchemy as sa
import structlog
from sqlalchemy.exc import IntegrityError

from chouine.ai.levels import LEVELS, NeedsFast, level
from chouine.daily import PARTIES, SEAT, Day, play_partie
from chouine.days import day_of
from chouine.notation.lines import actions_of
from chouine.notation.tokens import token
from chouine.partie.deal import Deal
from chouine.partie.events import Declared, Exchanged, Played
from chouine.partie.result import Result
from chouine.partie.state import State
from chouine.rules.options import Rules
from chouine.server.database import Damaged
from chouine.server.fair_queue import NOBODY
from chouine.server.schema import daily_listing, daily_play, daily_reference, playing_table
from chouine.server.store import Conflict
from chouine.server.tables import Tables
from chouine.server.thinking import FairPool
from chouine.table.entries import DAILY, Opened, SeatHolder

log = structlog.get_logger()

NAMES = ("Octave", "Honorine")
"""The opponents' names."""
CHOUINE = 100
"""Points by which a chouine counts as won or lost."""
FEWEST = 5
"""Players of whom something is told together; of fewer one could guess who did what."""
AGE = 60.0
"""Seconds for which what all players did is not read anew."""
LATE = 60.0
"""Seconds by which another node's clock, and its transaction, may be behind."""
SHOWN = 20
"""Lines of a table."""
AT_ONCE = 200
"""Finished tables read at a time."""
FIRST = date(2026, 11, 1)
"""The first day that can be played."""
ALL = sa.true()
ACTED = Played | Declared | Exchanged


@dataclass(frozen=True, slots=True, order=True)
class Score:
    """What somebody made of a partie, greater for better."""

    mark: int
    """2 for a win, 1 for a nulle, 0 for a loss."""
    gain: int
    """By how many points, `CHOUINE` for a chouine."""
    chouine: bool = False
    """Whether a chouine ended it: a count can differ by as many points."""

    @classmethod
    def of(cls, result: Result, seat: int = SEAT) -> Score:
        """The score of a seat."""
        others = [points for other, points in enumerate(result.points) if other != seat]
        gain = result.points[seat] - max(others)
        if result.winner is None:
            return cls(1, 0)
        won = result.winner == seat
        if result.by == "chouine":
            return cls(2 if won else 0, CHOUINE if won else -CHOUINE, chouine=True)
        return cls(2 if won else 0, max(gain, 1) if won else min(gain, -1))


@dataclass(frozen=True, slots=True)
class Attempt:
    """A guest's partie of a day; `score` is None while it is being played."""

    guest: str
    nth: int
    table_id: str
    score: Score | None
    acts: tuple[str, ...]
    """The guest's own acts, as tokens."""
    counts: bool
    """Whether it was played on its day."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What all did who came to the same decision: they and their opponent had done the same until then."""

    act: str
    share: float
    players: int
    favourite: str
    """The act that most chose, and…"""
    favoured: float
    """… their share."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a table."""

    place: int
    name: str
    won: float
    """Parties won; a nulle is half of one."""
    gain: int
    days: int
    own: bool


@dataclass(slots=True)
class Field:
    """All counted parties of a day, by their number."""

    until: float = 0.0
    """All that ended before is here."""
    read: float = float("-inf")
    attempts: dict[tuple[int, str], Attempt] = field(default_factory=dict)

    def of(self, nth: int) -> list[Attempt]:
        """The attempts at a partie, in no order."""
        return [one for one in self.attempts.values() if one.nth == nth]

    def share_below(self, nth: int, score: Score) -> float | None:
        """The share of the other players who did worse, half of the equal ones; None for too few."""
        scores = sorted(one.score for one in self.of(nth) if one.score is not None)
        if len(scores) < FEWEST:
            return None
        low, high = bisect_left(scores, score), bisect_right(scores, score)
        others = len(scores) - (1 if high > low else 0)
        return (low + max(high - low - 1, 0) / 2) / others

    def choices(self, nth: int, acts: Sequence[str]) -> list[Choice]:
        """How the players' acts divide at each of these decisions, until too few came to it."""
        group, found = self.of(nth), list[Choice]()
        for at, act in enumerate(acts):
            chosen = Counter(one.acts[at] for one in group if len(one.acts) > at)
            players = chosen.total()
            if players < FEWEST:
                break
            favourite, most = min(chosen.items(), key=lambda each: (-each[1], each[0]))
            found.append(Choice(act, chosen[act] / players, players, favourite, most / players))
            group = [one for one in group if one.acts[at : at + 1] == (act,)]
        return found


class DealsOfTheDay:
    """The deals of all days, and what is known of those who played them."""

    def __init__(self, tables: Tables, studies: FairPool, seed: bytes, zone: tzinfo) -> None:
        self.tables, self.studies, self.seed, self.zone = tables, studies, seed, zone
        self.day = lru_cache(64)(partial(Day.of, seed))
        self.fields: dict[date, Field] = {}
        self.standings: dict[tuple[date, date], tuple[float, list[sa.Row[Any]]]] = {}
        self.thinking: dict[tuple[date, int], asyncio.Task[None]] = {}

    @property
    def today(self) -> date:
        """The present day of the site."""
        return day_of(datetime.fromtimestamp(self.tables.clock(), UTC), self.zone)

    def is_public(self, day: date) -> bool:
        """Whether a day's deals are public: whoever began late has the next day to finish."""
        return day + timedelta(2) <= self.today

    def table_id(self, day: date, nth: int, guest: str) -> str:
        """The one table at which a guest plays a partie: two tries are one."""
        return hmac.digest(self.seed, f"table {day} {nth} {guest}".encode(), "sha256").hex()[:32]

    async def begin(self, day: date, nth: int, person: SeatHolder, opened: Opened, origin: str) -> str:
        """Open a guest's table of a partie, or find it. `opened`: the visitor's settings. Raises as `Tables.open`."""
        guest, now = person.guest or "", self.tables.clock()
        found = {one.nth: one for one in await self.attempts(day, guest)}
        if nth in found:
            return found[nth].table_id
        of_day, table_id = self.day(day), self.table_id(day, nth, guest)
        others = (SeatHolder(DAILY, name) for name in NAMES[: of_day.rules.seats - 1])
        terms = replace(
            opened,
            rules=str(of_day.rules),
            format="1x1",
            chairs=(person, *others),
            deal=str(of_day.deals[nth]),
        )
        row = {
            "guest": guest,
            "day": str(day),
            "nth": nth,
            "table_id": table_id,
            "begun": now,
            "counts": day == self.today,
        }

        def claim(connection: sa.Connection) -> None:
            connection.execute(daily_play.insert().values(row))

        with suppress(Conflict, IntegrityError):  # begun in another window meanwhile
            await self.tables.open(terms, table_id, (guest, origin), claim=claim)
        return table_id

    async def attempts(self, day: date, guest: str) -> list[Attempt]:
        """A guest's parties of a day."""
        await self.settle(daily_play.c.guest == guest)
        mine = (daily_play.c.guest == guest) & (daily_play.c.day == str(day))
        return [attempt_of(row) for row in await self._rows(sa.select(daily_play).where(mine))]

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
        return [date.fromisoformat(row.day) for row in await self._rows(done)]

    async def may_read(self, table_id: str, guest: str) -> bool:
        """Whether a guest may see another's table: the day's deals are public, or they have played that partie."""
        found = await self._rows(sa.select(daily_play).where(daily_play.c.table_id == table_id))
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
        for row in await self._rows(due):
            now, values = self.tables.clock(), {"counts": False, "mark": 0, "gain": -CHOUINE, "acts": ""}
            with suppress(Damaged):
                table = await self.tables.table(row.table_id)
                if table is not None and table.played:
                    partie = table.played[-1]
                    score = Score.of(partie.result)
                    done = day_of(datetime.fromtimestamp(table.since, UTC), self.zone)
                    late = date.fromisoformat(row.day) + timedelta(1) < done
                    values = {
                        **asdict(score),
                        "acts": " ".join(own_acts(partie.state)),
                        "counts": row.counts and not late,
                    }
            change = daily_play.update().where(daily_play.c.table_id == row.table_id, daily_play.c.ended == 0)
            await self._write(change.values(ended=now, **values))

    async def field(self, day: date) -> Field:
        """All counted parties of a day, read at most once in `AGE` seconds."""
        known, now = self.fields.setdefault(day, Field()), self.tables.clock()
        if now - known.read >= AGE:
            known.read = now
            await self.settle(daily_play.c.day == str(day))
            newer = sa.select(daily_play).where(
                daily_play.c.day == str(day), daily_play.c.counts, daily_play.c.ended > known.until - LATE
            )
            for row in await self._rows(newer):
                known.attempts[row.nth, row.guest] = attempt_of(row)
                known.until = max(known.until, row.ended)
            for old in sorted(self.fields)[:-30]:
                del self.fields[old]
        return known

    async def table(
        self, first: date, last: date, guest: str, among: Collection[str] | None = None
    ) -> list[Standing]:
        """The best of these days who wish to be named, and the guest's own line, with their places among all.

        `among`: only these guests take part.
        """
        rows = [row for row in await self._totals(first, last) if among is None or row.guest in among]
        shown = [(place, row) for place, row in enumerate(rows, 1) if place <= SHOWN or row.guest == guest]
        listed = daily_listing.c.guest.in_([row.guest for _, row in shown])
        names = {row.guest: row.name for row in await self._rows(sa.select(daily_listing).where(listed))}
        return [
            Standing(place, names.get(row.guest, ""), row.marks / 2, row.gains, row.days, row.guest == guest)
            for place, row in shown
            if row.guest in names or row.guest == guest
        ]

    async def _totals(self, first: date, last: date) -> list[sa.Row[Any]]:
        """Everybody's sums, the best first; read at most once in `AGE` seconds."""
        at, rows = self.standings.get((first, last), (float("-inf"), []))
        if (now := self.tables.clock()) - at >= AGE:
            await self.settle()
            play = daily_play.c
            query = (
                sa.select(
                    play.guest,
                    sa.func.sum(play.mark).label("marks"),
                    sa.func.sum(play.gain).label("gains"),
                    sa.func.count(sa.distinct(play.day)).label("days"),
                )
                .where(play.day.between(str(first), str(last)), play.ended > 0, play.counts)
                .group_by(play.guest)
            )
            rows = sorted(await self._rows(query), key=lambda row: (-row.marks, -row.gains, row.guest))
            self.standings = {**dict([*self.standings.items()][-8:]), (first, last): (now, rows)}
        return rows

    async def name_of(self, guest: str) -> str:
        """The name under which a guest is listed; empty if they are not."""
        found = await self._rows(sa.select(daily_listing.c.name).where(daily_listing.c.guest == guest))
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
            await self.tables.store.database.write(change)

    async def reference(self, day: date, nth: int) -> Score | None:
        """What level 8 made of the same cards; None until it is known, and from then on it is being worked out."""
        this = (daily_reference.c.day == str(day)) & (daily_reference.c.nth == nth)
        for row in await self._rows(sa.select(daily_reference).where(this)):
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
            await self._write(row)

    async def _rows(self, query: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        return await self.tables.store.database.read(lambda connection: connection.execute(query).all())

    async def _write(self, change: sa.UpdateBase) -> None:
        await self.tables.store.database.write(lambda connection: connection.execute(change))


def reference_score(rules: str, deal: Deal) -> Score:
    """What level 8 makes of a deal at the player's seat. Raises `NeedsFast`."""
    found = Rules.parse(rules)
    state = play_partie(found, deal, level(LEVELS[-1], found, seed=1))
    return Score.of(state.result or Result(None, state.position.points, "unfinished"))


def own_acts(state: State) -> list[str]:
    """The player's acts in a partie, as tokens."""
    own = (event for event in state.events if isinstance(event, ACTED) and event.seat == SEAT)
    return [*map(token, actions_of(own))]


def attempt_of(row: Any) -> Attempt:
    """The attempt in a row of `daily_play`."""
    score = score_of(row) if row.ended else None
    return Attempt(row.guest, row.nth, row.table_id, score, tuple(row.acts.split()), row.counts)


def score_of(row: Any) -> Score:
    """The score in a row."""
    return Score(row.mark, row.gain, row.chouine)


def week_of(day: date) -> tuple[date, date]:
    """Monday and Sunday of a day's week."""
    monday = day - timedelta(day.weekday())
    return monday, monday + timedelta(6)


def month_of(day: date) -> tuple[date, date]:
    """The first and the last day of a day's month."""
    first = day.replace(day=1)
    return first, (first + timedelta(31)).replace(day=1) - timedelta(1)
