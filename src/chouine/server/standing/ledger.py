"""What rated matches changed: entered once, in the transaction that ends the match, read for pages, and done again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa

from chouine.match import Forfeit
from chouine.match.score import Match
from chouine.server.codec import decode_brief
from chouine.server.database import Damaged
from chouine.server.schema import playing_table, rating, showing
from chouine.server.standing.glicko import Rating, rate_match, rate_table, widen
from chouine.server.store import Store
from chouine.table.state import TableState

if TYPE_CHECKING:
    from chouine.server.tables import Tables


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a rated match changed for one of its people; `guest` is empty for somebody erased."""

    n: int
    seat: int
    table_id: str
    guest: str
    variant: str
    at: float
    place: int
    before: Rating
    after: Rating

    @classmethod
    def of(cls, row: sa.Row[Any]) -> RatingChange:
        """A stored row."""
        earlier = Rating(row.mean_before, row.spread_before, row.wander_before)
        now = Rating(row.mean, row.spread, row.wander)
        return cls(row.n, row.seat, row.table_id, row.guest, row.variant, row.at, row.place, earlier, now)

    @property
    def row(self) -> dict[str, Any]:
        """The row to store."""
        names = ("mean_before", "spread_before", "wander_before", "mean", "spread", "wander")
        figures = dict(zip(names, (*self.before, *self.after), strict=True))
        own = ("n", "seat", "table_id", "guest", "variant", "at", "place")
        return {name: getattr(self, name) for name in own} | figures


def places_of(match: Match) -> tuple[int, ...]:
    """The places of a match that is over, by seat: 1 the winner's, equal for equals. Whoever left is last."""
    last = match.entries[-1] if match.entries else None
    left = last.seat if isinstance(last, Forfeit) else None
    keys = [(seat == left, seat != match.winner, -won) for seat, won in enumerate(match.score)]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def rate(places: Sequence[int], before: Sequence[Rating]) -> list[Rating]:
    """The ratings after a match of two, three or four."""
    return rate_match(places, before) if len(before) == 2 else rate_table(places, before)


def enter_match(
    table_id: str, before: TableState, over: TableState, at: float, connection: sa.Connection
) -> None:
    """Enter a rated match that ends with the state `over`; `before` it all were named who played.

    Of two nodes that enter a match at once the second fails by the key, and tries again.
    """
    variant = over.match.rules.preset
    n = (
        connection.scalar(sa.select(sa.func.max(rating.c.n))) or 0
    ) + 1  # first: what is read now is no older
    guests = [holder.guest or "" for holder in before.holders]
    earlier = [rating_of(connection, guest, variant, at) for guest in guests]
    places = places_of(over.match)
    for seat, later in enumerate(rate(places, earlier)):
        change = RatingChange(
            n, seat, table_id, guests[seat], variant, at, places[seat], earlier[seat], later
        )
        connection.execute(rating.insert().values(change.row))


def rating_of(connection: sa.Connection, guest: str, variant: str, now: float) -> Rating:
    """A person's present rating; a newcomer's if there is none."""
    own = sa.select(rating).where(rating.c.guest == guest, rating.c.variant == variant)
    row = connection.execute(own.order_by(rating.c.n.desc()).limit(1)).first() if guest else None
    return widen(RatingChange.of(row).after, now - row.at) if row else Rating()


async def changes_of(store: Store, guest: str) -> list[list[RatingChange]]:
    """A person's rated matches, oldest first: each with the changes of all its people, by seat."""
    mine = sa.select(rating.c.n).where(rating.c.guest == guest)
    query = sa.select(rating).where(rating.c.n.in_(mine)).order_by(rating.c.n, rating.c.seat)
    rows = await store.database.rows(query)
    return by_match(map(RatingChange.of, rows))


def by_match(changes: Iterable[RatingChange]) -> list[list[RatingChange]]:
    """Changes in the order of matches, those of each match together."""
    found: dict[int, list[RatingChange]] = {}
    for each in changes:
        found.setdefault(each.n, []).append(each)
    return list(found.values())


async def shown_of(store: Store, guest: str) -> tuple[bool, bool]:
    """Whether others may see a person's rating, and their measure of play."""
    query = sa.select(showing).where(showing.c.guest == guest)
    row = await store.database.first(query)
    return (row.rating, row.play) if row else (False, False)


async def show(store: Store, guest: str, *, rating: bool, play: bool, at: float) -> None:
    """Store what others may see, as chosen at this time."""

    def change(connection: sa.Connection) -> None:
        connection.execute(showing.delete().where(showing.c.guest == guest))
        if rating or play:
            connection.execute(showing.insert().values(guest=guest, rating=rating, play=play, at=at))

    await store.database.write(change)


NEAR = 1e-6
"""Points by which a figure may differ between two machines."""


@dataclass(frozen=True, slots=True)
class Redone:
    """What doing all ratings again found."""

    matches: int
    entered: int
    """Rated matches that an older node had ended without entering them."""
    differing: int
    """Figures that were others; now as they should be."""


def fold(changes: Iterable[RatingChange]) -> list[RatingChange]:
    """The changes of all matches, in their order, computed anew from who met whom and the places.

    Somebody erased has the rating that is stored. Who is two seats since two browsers became one person gains nothing.
    """
    known: dict[tuple[str, str], RatingChange] = {}
    found = []
    for match in by_match(changes):
        guests = [each.guest for each in match if each.guest]
        before = [before_of(each, known) for each in match]
        after = rate([each.place for each in match], before)
        if len({*guests}) < len(guests):
            after = before
        for each, earlier, later in zip(match, before, after, strict=True):
            now = replace(each, before=earlier, after=later)
            known[each.guest, each.variant] = now
            found.append(now)
    return found


def before_of(change: RatingChange, known: dict[tuple[str, str], RatingChange]) -> Rating:
    """The rating with which somebody came to a match."""
    if not change.guest:
        return change.before
    last = known.get((change.guest, change.variant))
    return widen(last.after, change.at - last.at) if last else Rating()


def differ(one: RatingChange, other: RatingChange) -> bool:
    """Whether two computations of a change differ."""
    figures = zip((*one.before, *one.after), (*other.before, *other.after), strict=True)
    return one.place != other.place or any(abs(here - there) > NEAR for here, there in figures)


async def redo(tables: Tables) -> Redone:
    """Enter what is missing, compare the places with the logs that are kept, and compute all figures again."""
    database = tables.store.database
    entered = 0
    for table_id in await database.read(missing_matches):
        table = await table_kept(tables, table_id)
        if table is not None and table.rated:
            await database.write(partial(enter_match, table_id, table, table, table.since))
            entered += 1
    rows = await database.rows(IN_ORDER)
    stored = [*map(RatingChange.of, rows)]
    true = [await with_place(tables, each) for each in stored]
    differing = [now for now, was in zip(fold(true), stored, strict=True) if differ(now, was)]

    def change(connection: sa.Connection) -> None:
        for each in differing:
            this = rating.update().where(rating.c.n == each.n, rating.c.seat == each.seat)
            connection.execute(this.values(each.row))

    if differing:
        await database.write(change)
    return Redone(len(by_match(stored)), entered, len(differing))


async def with_place(tables: Tables, change: RatingChange) -> RatingChange:
    """A change with the place that the match's log gives, if the log is still kept."""
    await asyncio.sleep(0)
    table = await table_kept(tables, change.table_id)
    return change if table is None else replace(change, place=places_of(table.match)[change.seat])


async def table_kept(tables: Tables, table_id: str) -> TableState | None:
    """A table; None if it has been removed or cannot be read."""
    with suppress(Damaged):
        return await tables.table(table_id)
    return None


def missing_matches(connection: sa.Connection) -> list[str]:
    """Finished tables at which all agreed to a rating and none is entered, the oldest first."""
    entered = sa.select(rating.c.table_id)
    over = sa.select(playing_table.c.id, playing_table.c.brief).where(
        playing_table.c.over, playing_table.c.brief.is_not(None), playing_table.c.id.not_in(entered)
    )
    found = []
    for row in connection.execute(over.order_by(playing_table.c.opened, playing_table.c.id)):
        with suppress(msgspec.MsgspecError):
            if all(holder.rated for holder in decode_brief(row.brief).holders):
                found.append(row.id)
    return found


IN_ORDER = sa.select(rating).order_by(rating.c.n, rating.c.seat)
