"""Two guests of one person: what others know of both becomes one's."""

from __future__ import annotations

import sqlalchemy as sa

from chouine.server.schema import block, challenge, friendship, invitee, person

STATES = ("friend", "asked", "declined", "ended")
"""Of two rows about the same pair the one whose state stands first stays."""


def merge_people(connection: sa.Connection, old: str, new: str) -> None:
    """Give all that binds `old` to others to `new`, in a transaction of the caller's.

    Where both have a page, that of `new` stays, with the earlier beginning; of two bonds with the same person the
    stronger stays; what binds the two to each other goes.
    """
    pages = {
        row.guest: row for row in connection.execute(sa.select(person).where(person.c.guest.in_((old, new))))
    }
    if len(pages) == 2:
        since = min(row.since for row in pages.values())
        connection.execute(person.update().where(person.c.guest == new).values(since=since))
        connection.execute(person.delete().where(person.c.guest == old))
    else:
        connection.execute(person.update().where(person.c.guest == old).values(guest=new))
    for table in (friendship, block):
        merge_bonds(connection, table, old, new)
    connection.execute(challenge.update().where(challenge.c.guest == old).values(guest=new))
    both = sa.select(invitee.c.challenge).where(invitee.c.guest == new)
    connection.execute(invitee.delete().where(invitee.c.guest == old, invitee.c.challenge.in_(both)))
    connection.execute(invitee.update().where(invitee.c.guest == old).values(guest=new))
    own = sa.select(challenge.c.id).where(challenge.c.guest == new)
    connection.execute(invitee.delete().where(invitee.c.guest == new, invitee.c.challenge.in_(own)))


def merge_bonds(connection: sa.Connection, table: sa.Table, old: str, new: str) -> None:
    """Rename in a table of pairs (`guest`, `other`): of equal pairs one stays, and nobody is bound to themselves."""
    either = sa.or_(table.c.guest.in_((old, new)), table.c.other.in_((old, new)))
    kept: dict[tuple[str, str], dict[str, object]] = {}
    for row in connection.execute(sa.select(table).where(either)).all():
        values = dict(row._mapping)  # noqa: SLF001  # SQLAlchemy's name for it
        for end in ("guest", "other"):
            values[end] = new if values[end] == old else values[end]
        pair = str(values["guest"]), str(values["other"])
        if pair[0] != pair[1] and (pair not in kept or rank(values) < rank(kept[pair])):
            kept[pair] = values
    connection.execute(table.delete().where(either))
    if kept:
        connection.execute(table.insert(), [*kept.values()])


def rank(values: dict[str, object]) -> int:
    """How weak a bond is; all blocks are alike."""
    return STATES.index(str(values["state"])) if "state" in values else 0
