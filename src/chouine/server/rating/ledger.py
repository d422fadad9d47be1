"""What rated matches changed: entered once, in the transaction that ends the match, and read for pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from chouine.match import Forfeit
from chouine.match.score import Match
from chouine.server.rating.glicko import Rating, rate_match, widen
from chouine.server.rating.weng_lin import rate_table
from chouine.server.schema import rating, showing
from chouine.server.store import Store
from chouine.table.state import TableState


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
    row = await store.database.read(lambda connection: connection.execute(query).first())
    return (row.rating, row.play) if row else (False, False)


async def show(store: Store, guest: str, *, rating: bool, play: bool, at: float) -> None:
    """Store what others may see, as chosen at this time."""

    def change(connection: sa.Connection) -> None:
        connection.execute(showing.delete().where(showing.c.guest == guest))
        if rating or play:
            connection.execute(showing.insert().values(guest=guest, rating=rating, play=play, at=at))

    await store.database.write(change)
