"""Two guests become one: the same person with another cookie, or who signs in to an account.

What is one guest's goes to the other, in every table of `PARTS`. Where a table can hold only one row of a person, as of
an entry in a contest, the row of the guest who stays is kept and the other goes.
"""

from __future__ import annotations

from functools import partial

import msgspec
import sqlalchemy as sa

from chouine.school.problems.shipped import DAYS, REMEMBERED
from chouine.server.accounts.browsers import note_signed_out
from chouine.server.contest.online import Contests
from chouine.server.counting import join_records
from chouine.server.database import take_turns
from chouine.server.erasure import leave_contests
from chouine.server.personal import PARTS
from chouine.server.repetition import MOST
from chouine.server.saved import KEPT, SavedState, Schooling, encode_saved
from chouine.server.saved_changes import apply_changes
from chouine.server.schema import (
    block,
    bot,
    challenge,
    former,
    friendship,
    invitee,
    member,
    person,
    report,
    seat,
    session,
    subscription,
    tally,
)
from chouine.server.tables import Tables
from chouine.server.visitors import saved_in
from chouine.table.commands import Sit
from chouine.table.state import TableState

ELSEWHERE = (seat, session, member, person, friendship, block, challenge, invitee)
"""Tables whose rows are moved by rules of their own."""


async def merge_guests(tables: Tables, contests: Contests, old: str, new: str, token: str = "") -> None:
    """Give all that is `old`'s to `new`, the same person: `old` then has nothing, and its cookie opens nothing.

    `token`: the digest of the cookie with which the person goes on in the browser of `old`. Settings and progress go to
    the member `new`, or else to that browser. Raises `Unreachable`; it can be repeated after that.
    """
    await leave_contests(contests, old, new)  # one person plays one entry
    held = sa.select(seat.c.table_id).where(seat.c.guest == old)

    def sits(table: TableState) -> list[Sit]:
        mine = ((each, table.holders[each]) for each in table.held_by(old))
        return [Sit(each, new, holder.name, old, holder.emblem) for each, holder in mine]

    table_ids = {row.table_id for row in await tables.store.database.rows(held)}
    await tables.sit_again(table_ids, sits, partial(move_rows, old, new, token, tables.clock()))


def move_rows(old: str, new: str, token: str, now: float, connection: sa.Connection) -> None:
    """Change the rows of `old` into rows of `new`, except seats, which the tables' logs change."""
    take_turns(connection, old, new)
    if connection.scalar(sa.select(member.c.guest).where(member.c.guest == new)) is not None:
        connection.execute(bot.delete().where(bot.c.guest == old))  # an account is a person's
    move_saved(old, new, token, connection)
    for owner, _ in PARTS.values():
        if owner.table not in ELSEWHERE:
            move_column(owner, old, new, connection)
    for table in (report, tally):
        move_column(table.c.other, old, new, connection)
    merge_people(connection, old, new)
    here = subscription.c.guest == new, subscription.c.browser == ""
    connection.execute(subscription.update().where(*here).values(browser=token))
    if connection.execute(member.delete().where(member.c.guest == old)).rowcount:
        note_signed_out(connection)  # its browsers are another's now
    connection.execute(former.update().where(former.c.guest == old).values(guest=new))
    connection.execute(former.delete().where(former.c.former == old))
    connection.execute(former.insert().values(former=old, guest=new, at=now))


def move_column(column: sa.Column[str], old: str, new: str, connection: sa.Connection) -> None:
    """Put `new` in place of `old`, after deleting the rows that a key would then hold twice."""
    table, twin = column.table, column.table.alias()
    for key in table.constraints:
        if isinstance(key, sa.PrimaryKeyConstraint | sa.UniqueConstraint) and column.key in key.columns:
            same = [twin.c[each.key] == each for each in key.columns if each.key != column.key]
            there = sa.exists().where(twin.c[column.key] == new, *same)
            connection.execute(table.delete().where(column == old, there))
    connection.execute(table.update().where(column == old).values({column: new}))


def move_saved(old: str, new: str, token: str, connection: sa.Connection) -> None:
    """Give the settings and progress of a guest, or of a member, to a member or to another cookie."""
    found = sa.select(session).where(session.c.guest == old).order_by(session.c.seen.desc())
    latest = connection.execute(found).first()
    connection.execute(session.delete().where(session.c.guest == old))
    was_member = connection.scalar(sa.select(member.c.settings).where(member.c.guest == old))
    joining = was_member if latest is None else latest.settings
    kept = connection.scalar(sa.select(member.c.settings).where(member.c.guest == new))
    if joining is not None and kept is not None:
        both = merge_saved(saved_in(kept, new), saved_in(joining, old))
        change = member.update().where(member.c.guest == new).values(settings=encode_saved(both))
        connection.execute(change)
    elif latest is not None and token:
        connection.execute(session.insert().values(latest._asdict() | {"token": token, "guest": new}))


def merge_saved(kept: SavedState, joining: SavedState) -> SavedState:
    """What one person has stored in two places: `kept`'s choices, where there are any, and the progress of both."""
    return msgspec.structs.replace(
        apply_changes(SavedState(), kept, joining),
        school=merge_schooling(kept.school, joining.school),
        sheets=(*joining.sheets, *kept.sheets)[-KEPT:],
    )


def merge_schooling(kept: Schooling, joining: Schooling) -> Schooling:
    """The lessons, problems and days of both; of a problem that both repeat, what was answered last."""
    waiting = {one.problem: one for one in sorted((*joining.again, *kept.again), key=lambda one: one.last)}
    return Schooling(
        done=tuple(dict.fromkeys((*kept.done, *joining.done))),
        course=max(kept.course, joining.course, key=len),
        solved=tuple(dict.fromkeys((*joining.solved, *kept.solved)))[-REMEMBERED:],
        days=tuple(sorted({*kept.days, *joining.days}))[-DAYS:],
        again=tuple(waiting.values())[-MOST:],
        rated=max(kept.rated, joining.rated, key=lambda one: one.tries),
        counting=join_records(kept.counting, joining.counting),
    )


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
