"""Limits of e-mails, counted in the database: for all nodes, and across restarts."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from chouine.server.limits import Rate
from chouine.server.schema import spending


def spend(connection: sa.Connection, what: str, rate: Rate, now: float) -> bool:
    """Count an e-mail, unless the limit is reached. Returns whether it was not."""
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    fresh = {"count": 0, "ends": now + rate.seconds}
    connection.execute(insert(spending).values(id=what, **fresh).on_conflict_do_nothing())
    this = spending.update().where(spending.c.id == what)
    connection.execute(this.where(spending.c.ends <= now).values(fresh))
    counted = this.where(spending.c.count < rate.most).values(count=spending.c.count + 1)
    return bool(connection.execute(counted).rowcount)


def spent(connection: sa.Connection, what: str, rate: Rate, now: float) -> bool:
    """Whether the limit is reached."""
    full = sa.and_(spending.c.count >= rate.most, spending.c.ends > now)
    return connection.execute(sa.select(spending).where(spending.c.id == what, full)).first() is not None


def forget_spent(connection: sa.Connection, now: float) -> None:
    """Delete the counts of windows that ended a while ago: nobody counts in these at the same time."""
    connection.execute(spending.delete().where(spending.c.ends < now - 3600))
