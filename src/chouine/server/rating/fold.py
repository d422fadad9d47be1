"""All ratings once more, from the first match on: the same figures as were stored match by match."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import msgspec
import sqlalchemy as sa

from chouine.server.codec import decode_brief
from chouine.server.database import Damaged
from chouine.server.rating.glicko import Rating, widen
from chouine.server.rating.ledger import RatingChange, by_match, enter_match, places_of, rate
from chouine.server.schema import playing_table, rating
from chouine.server.tables import Tables
from chouine.table.state import TableState

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
    rows = await database.read(lambda connection: connection.execute(IN_ORDER).all())
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
