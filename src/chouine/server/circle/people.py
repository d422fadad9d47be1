"""People: the page of each, friends by mutual consent, last opponents, and who is here.

All state is in the store, so any node can serve any visitor. A block is silent: whoever is blocked is answered as if
the other never answered.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from chouine.errors import ChouineError
from chouine.names import NAME_LENGTH
from chouine.server.circle.known import (
    CHOICES,
    HERE,
    ITEMS,
    VILLAGE_LENGTH,
    KnownPerson,
    OwnPersonPage,
    Relation,
)
from chouine.server.database import Damaged, again_and_again, take_turns
from chouine.server.decent_names import decent_name
from chouine.server.schema import block, erasure, friendship, person, playing_table, seat
from chouine.server.tables import Tables
from chouine.table.entries import LEFT, NOBODY

NOTED = 15.0
"""Seconds between two notes of who asked, each in one statement."""
LISTED = 20
FRIENDS, ASKS = 200, 50
"""Most friends of a person, and requests that they have open."""
LINK = 7 * 24 * 3600.0
"""Seconds for which a link that makes friends is good."""
USED = 24 * 3600.0
"""Seconds between two notes that a person uses their page."""
MOST_NOTED = 100_000
"""Guests whose requests wait to be noted."""


class PeopleRefused(ChouineError):
    """What cannot be done among people; `code` is `people/…`."""


@dataclass(frozen=True, slots=True)
class Bonds:
    """What binds a guest to others."""

    friends: frozenset[str]
    asked: frozenset[str]
    """Whom the guest has asked; who asks them is in `asks`."""
    asks: frozenset[str]
    blocked: frozenset[str]
    """Whom the guest has blocked; who has blocked them is in `hidden`, of which nothing may tell."""
    hidden: frozenset[str]


class People:
    """The people of a store, on all its nodes."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.clock = tables, tables.clock
        self.database = tables.store.database
        self._asked: set[str] = set()

    # Who is here

    def note_asked(self, guest: str) -> None:
        """Note that a page of a guest asks; does not wait."""
        if len(self._asked) < MOST_NOTED:
            self._asked.add(guest)

    async def keep_asked(self) -> None:
        """Store when these guests asked, for those whose friends may know."""
        guests, self._asked = [*self._asked], set()
        now = self.clock()
        for start in range(0, len(guests), 500):
            some = person.c.guest.in_(guests[start : start + 500])
            await self.database.execute(person.update().where(some, person.c.present).values(seen=now))

    async def run(self) -> None:
        """Note who asked again and again, until cancelled."""
        await again_and_again(self.keep_asked, NOTED)

    # One's own page

    async def make_known(self, names: Mapping[str, str]) -> None:
        """Give each of these guests a page, under this name, unless they have one or were erased."""
        have = sa.select(person.c.guest).where(person.c.guest.in_([*names]))
        known = {row.guest for row in await self.database.rows(have)}
        for guest in names.keys() - known:
            first = sa.select(sa.func.min(playing_table.c.opened)).where(
                playing_table.c.id.in_(sa.select(seat.c.table_id).where(seat.c.guest == guest))
            )
            since = (await self.database.rows(first))[0][0] or self.clock()
            row: dict[str, Any] = {"guest": guest, "id": secrets.token_urlsafe(12), "name": names[guest]}
            row |= {"since": since, "at": self.clock()}
            values: list[sa.BindParameter[Any]] = [
                sa.bindparam(f"new_{name}", value) for name, value in row.items()
            ]
            gone = sa.exists().where(erasure.c.guest == guest)  # since the name was read, perhaps
            with suppress(IntegrityError):  # another request has just made it
                await self.database.execute(
                    person.insert().from_select([*row], sa.select(*values).where(~gone))
                )

    async def read_own(self, guest: str) -> OwnPersonPage:
        """A guest's own page; an empty one if there is none."""
        rows = await self.rows_of([guest])
        return own_of(rows[0]) if rows else NO_PAGE

    async def own(self, guest: str, name: str) -> OwnPersonPage:
        """A guest's own page, made under this name if they have none; its use is noted. Of the erased an empty one."""
        await self.make_known({guest: name})
        mine = sa.select(person).where(person.c.guest == guest)
        if not (rows := await self.database.rows(mine)):
            return NO_PAGE
        row = rows[0]
        if row.at < self.clock() - USED or (name and not row.name):
            named = sa.case((person.c.name == "", name), else_=person.c.name)  # which may be another by now
            used = person.update().where(person.c.guest == guest).values(at=self.clock(), name=named)
            await self.database.execute(used)
            friends = friendship.update().where(
                sa.or_(friendship.c.guest == guest, friendship.c.other == guest)
            )
            await self.database.execute(friends.where(friendship.c.state == "friend").values(at=self.clock()))
            row = (await self.database.rows(mine))[0]
        return own_of(row)

    async def change(
        self, guest: str, name: str, village: str, emblem: str, choices: Mapping[str, str]
    ) -> None:
        """Change a guest's own page, which there must be. Raises `NameRefused`.

        `choices` may lack some, or have answers that do not exist: these are left as they are.
        """
        values: dict[str, Any] = {
            "name": decent_name(name, NAME_LENGTH),
            "emblem": emblem,
            "at": self.clock(),
        }
        values["village"] = decent_name(village, VILLAGE_LENGTH)
        columns = {item: f"shows_{item}" for item in ITEMS} | {"challenged_by": "challenged_by"}
        chosen = {columns[each]: answer for each, answer in choices.items() if answer in CHOICES[each]}
        await self.database.execute(person.update().where(person.c.guest == guest).values(values | chosen))

    async def show_emblem(self, guest: str, emblem: str) -> None:
        """Change the emblem on a guest's page, if they have one, to that chosen in the settings."""
        own = person.update().where(person.c.guest == guest, person.c.emblem != emblem)
        await self.database.execute(own.values(emblem=emblem))

    async def show_presence(self, guest: str, *, present: bool) -> None:
        """Whether friends see when this guest is here, from now on."""
        values = {"present": present, "seen": self.clock() if present else 0.0}
        self._asked.discard(guest)
        await self.database.execute(person.update().where(person.c.guest == guest).values(values))

    async def link(self, guest: str, *, fresh: bool = False) -> tuple[str, float]:
        """The secret of the link by which others become this guest's friends, and until when it is good.

        A new one is made if it has ended, or if wanted; any earlier one ends.
        """
        query = sa.select(person.c.link, person.c.link_until).where(person.c.guest == guest)
        row = (await self.database.rows(query))[0]
        now = self.clock()
        if row.link and row.link_until > now and not fresh:
            return row.link, row.link_until
        values = {"link": secrets.token_urlsafe(16), "link_until": now + LINK}
        same = person.c.link == row.link  # else another tab has just made one
        await self.database.execute(person.update().where(person.c.guest == guest, same).values(values))
        row = (await self.database.rows(query))[0]
        return row.link, row.link_until

    async def inviter(self, guest: str, link: str) -> KnownPerson | None:
        """Who invites this guest by a link; None if it has ended, is their own, or one has blocked the other."""
        found = await self._find_inviter(guest, link)
        if found is None:
            return None
        row, bonds = found
        return self.describe(row, bonds, "friend" if row.guest in bonds.friends else "met")

    async def accept_link(self, guest: str, link: str) -> None:
        """Make friends of a guest and whoever invites them by a link. Raises `PeopleRefused`."""
        found = await self._find_inviter(guest, link)
        if found is None:
            raise PeopleRefused("people/link-ended")
        await self.accept(guest, found[0].guest, invited=True)

    async def _find_inviter(self, guest: str, link: str) -> tuple[sa.Row[Any], Bonds] | None:
        query = sa.select(person).where(person.c.link == link, person.c.link_until > self.clock())
        rows = await self.database.rows(query.where(person.c.link != ""))
        if not rows or rows[0].guest == guest:
            return None
        bonds = await self.bonds(guest)
        return None if rows[0].guest in bonds.blocked | bonds.hidden else (rows[0], bonds)

    # Others

    async def bonds(self, guest: str) -> Bonds:
        """What binds a guest to others."""
        return await self.database.read(partial(bonds_of, guest))

    async def find_kept_apart(self, guest: str) -> frozenset[str]:
        """Whom a guest has blocked, and who has blocked them."""
        blocks = await self.database.rows(
            sa.select(block).where(sa.or_(block.c.guest == guest, block.c.other == guest))
        )
        return frozenset({row.other for row in blocks} | {row.guest for row in blocks}) - {guest}

    async def relation(self, guest: str, other: str, bonds: Bonds) -> Relation:
        """What another is to a guest."""
        if guest == other:
            return "self"
        if other in bonds.friends:
            return "friend"
        return "met" if other in bonds.asks or await self.have_met(guest, other) else "stranger"

    async def have_met(self, guest: str, other: str) -> bool:
        """Whether two guests have sat at one table."""
        mine = sa.select(seat.c.table_id).where(seat.c.guest == guest)
        query = sa.select(seat.c.seat).where(seat.c.guest == other, seat.c.table_id.in_(mine)).limit(1)
        return bool(await self.database.rows(query))

    async def find(self, guest: str, which: str) -> tuple[str, KnownPerson] | None:
        """The person of an address, and what a guest may know of them; None if that is nothing at all."""
        rows = await self.database.rows(sa.select(person).where(person.c.id == which))
        if not rows:
            return None
        bonds = await self.bonds(guest)
        relation = await self.relation(guest, rows[0].guest, bonds)
        if relation == "stranger" and "everybody" not in {
            getattr(rows[0], f"shows_{each}") for each in ITEMS
        }:
            return None
        return rows[0].guest, self.describe(rows[0], bonds, relation)

    def describe(self, row: sa.Row[Any], bonds: Bonds, relation: Relation) -> KnownPerson:
        """What somebody with this relation to a person may know of them."""
        seen_by = {"self": ("nobody", "friends", "everybody"), "friend": ("friends", "everybody")}
        shown = {
            each: getattr(row, f"shows_{each}") in seen_by.get(relation, ("everybody",)) for each in ITEMS
        }
        here = relation == "friend" and row.present and row.seen > self.clock() - HERE
        met = relation in ("friend", "met")
        blocked = row.guest in bonds.blocked
        return KnownPerson(
            id=row.id,
            name=row.name,
            relation=relation,
            village=row.village if shown["village"] else "",
            emblem=row.emblem if shown["emblem"] else "",
            since=row.since if shown["since"] else 0.0,
            here=bool(here),
            asked=row.guest in bonds.asked,
            asks=row.guest in bonds.asks,
            blocked=blocked,
            may_challenge=met and not blocked and may_be_challenged(row.challenged_by, relation),
        )

    async def friends(self, bonds: Bonds) -> list[KnownPerson]:
        """The friends among these bonds, those who are here first."""
        found = [self.describe(row, bonds, "friend") for row in await self.rows_of(bonds.friends)]
        return sorted(found, key=lambda one: (not one.here, one.name.casefold(), one.id))

    async def neighbours(self, guest: str) -> tuple[str, frozenset[str]]:
        """A guest's village, and who else shows everybody that it is theirs; empty where they name none."""
        own = sa.select(person.c.village).where(person.c.guest == guest)
        village = next((row.village for row in await self.database.rows(own)), "")
        if not village:
            return "", frozenset()
        there = sa.func.lower(person.c.village) == village.lower(), person.c.shows_village == "everybody"
        rows = await self.database.rows(sa.select(person.c.guest).where(*there))
        return village, frozenset(row.guest for row in rows) - {guest}

    async def askers(self, bonds: Bonds) -> list[KnownPerson]:
        """Who asks a guest to be friends."""
        return [self.describe(row, bonds, "met") for row in (await self.rows_of(bonds.asks))[:LISTED]]

    async def opponents(self, guest: str, bonds: Bonds, *, keep: bool = True) -> list[KnownPerson]:
        """The people a guest played with last, the latest first, without those blocked.

        Whoever has no page yet is given one, or left out unless something may be stored (`keep`).
        """
        mine = sa.select(seat.c.table_id).where(seat.c.guest == guest)
        last = (
            sa.select(seat.c.guest, sa.func.max(playing_table.c.opened).label("opened"))
            .join(playing_table, playing_table.c.id == seat.c.table_id)
            .where(seat.c.table_id.in_(mine), seat.c.guest != guest, seat.c.guest != NOBODY)
            .group_by(seat.c.guest)
            .order_by(sa.desc("opened"))
            .limit(LISTED)
        )
        guests = [row.guest for row in await self.database.rows(last)]
        if keep:
            await self.make_known(await self._names_at_tables(guest, guests))
        known = {row.guest: row for row in await self.rows_of(guests)}
        found = []
        for other in guests:
            if other in known and other not in bonds.blocked:
                relation: Relation = "friend" if other in bonds.friends else "met"
                found.append(self.describe(known[other], bonds, relation))
        return found

    async def _names_at_tables(self, guest: str, others: Collection[str]) -> dict[str, str]:
        """The names under which those of these who have no page sat at the guest's tables; nobody without a name."""
        have = {row.guest for row in await self.rows_of(others)}
        missing, names = set(others) - have, dict[str, str]()
        tables = await self.tables.store.table_ids_of(guest) if missing else []
        for table_id, kept in tables:
            if not missing:
                break
            with suppress(Damaged, msgspec.MsgspecError):
                brief = await self.tables.brief(table_id, kept)
                for holder in brief.holders if brief else ():
                    if holder.guest in missing and holder.name not in ("", LEFT):
                        names[holder.guest] = holder.name
                        missing.discard(holder.guest)
        return names

    async def ids(self, names: Mapping[str, str], *, keep: bool = True) -> dict[str, str]:
        """The identifiers of these guests' pages, which are made under their names where there are none yet.

        Not all are there unless something may be stored (`keep`), or for those without a name.
        """
        if keep:
            await self.make_known({guest: name for guest, name in names.items() if name})
        return {row.guest: row.id for row in await self.rows_of(names)}

    # Friends

    async def ask(self, guest: str, other: str) -> None:
        """Ask another to be friends, once; if they have asked already, both are. Raises `PeopleRefused`."""
        bonds = await self.bonds(guest)
        if other in bonds.blocked:
            raise PeopleRefused("people/blocked")
        if other in bonds.asks:
            await self.accept(guest, other)
            return
        if other in bonds.friends or other in bonds.asked:
            return
        again = friendship.update().where(friendship.c.guest == guest, friendship.c.other == other)
        again = again.where(friendship.c.state == "ended").values(state="declined")
        row = {"guest": guest, "other": other, "state": "asked", "at": self.clock()}

        def change(connection: sa.Connection) -> None:
            take_turns(connection, guest)
            if len(bonds_of(guest, connection).asked) >= ASKS:
                raise PeopleRefused("people/too-many-asked", most=ASKS)
            if not connection.execute(again).rowcount:
                connection.execute(friendship.insert().values(row))

        with suppress(IntegrityError):  # asked meanwhile
            await self.database.write(change)

    async def accept(self, guest: str, other: str, *, invited: bool = False) -> None:
        """Make friends of two, where `other` has asked, or has `invited` the guest. Raises `PeopleRefused`."""
        bonds = await self.bonds(guest)
        if other in bonds.friends:
            return
        if other not in bonds.asks and not invited:
            raise PeopleRefused("people/not-asked")
        now = self.clock()
        rows = [
            {"guest": one, "other": two, "state": "friend", "at": now}
            for one, two in ((guest, other), (other, guest))
        ]

        asked = sa.select(friendship).where(friendship.c.guest == other, friendship.c.other == guest)
        asked = asked.where(friendship.c.state.in_(("asked", "friend"))).with_for_update()

        def change(connection: sa.Connection) -> None:
            take_turns(connection, guest, other)
            theirs = [bonds_of(one, connection).friends for one in (guest, other)]
            if other in theirs[0]:
                return  # since a moment ago
            if max(map(len, theirs)) >= FRIENDS:
                raise PeopleRefused("people/too-many-friends", most=FRIENDS)
            if not invited and connection.execute(asked).first() is None:
                raise PeopleRefused("people/not-asked")  # any more
            connection.execute(friendship.delete().where(rows_between(guest, other)))
            connection.execute(friendship.insert(), rows)

        with suppress(IntegrityError):  # both accepted at once
            await self.database.write(change)

    async def decline(self, guest: str, other: str) -> None:
        """Decline what another asked; they are not told, and cannot ask again."""
        asked = friendship.update().where(friendship.c.guest == other, friendship.c.other == guest)
        await self.database.execute(asked.where(friendship.c.state == "asked").values(state="declined"))

    async def undo(self, guest: str, other: str) -> None:
        """End a friendship, or withdraw what a guest asked."""
        mine = friendship.c.guest == guest, friendship.c.other == other

        def change(connection: sa.Connection) -> None:
            both = friendship.delete().where(rows_between(guest, other), friendship.c.state == "friend")
            connection.execute(both)
            connection.execute(friendship.delete().where(*mine, friendship.c.state == "asked"))
            ended = friendship.update().where(*mine, friendship.c.state == "declined").values(state="ended")
            connection.execute(ended)

        await self.database.write(change)

    async def rows_of(self, guests: Iterable[str]) -> Sequence[sa.Row[Any]]:
        """The rows of those of these guests who have a page."""
        return await self.database.rows(
            sa.select(person).where(person.c.guest.in_([*guests])).order_by(person.c.id)
        )


def rows_between(guest: str, other: str) -> sa.ColumnElement[bool]:
    """The rows of two guests, either way round."""
    one = sa.and_(friendship.c.guest == guest, friendship.c.other == other)
    return sa.or_(one, sa.and_(friendship.c.guest == other, friendship.c.other == guest))


def may_be_challenged(chosen: str, relation: Relation) -> bool:
    """Whether a person who chose this may be challenged by somebody with this relation."""
    return {"met": relation in ("friend", "met"), "friends": relation == "friend"}.get(chosen, False)


def own_of(row: sa.Row[Any]) -> OwnPersonPage:
    """A row as its owner sees it."""
    choices = {item: str(getattr(row, f"shows_{item}")) for item in ITEMS} | {
        "challenged_by": row.challenged_by
    }
    return OwnPersonPage(row.id, row.name, row.village, row.emblem, row.since, choices, bool(row.present))


NO_PAGE = OwnPersonPage(
    "", "", "", "", 0.0, {each: answers[0] for each, answers in CHOICES.items()}, present=True
)
"""What is shown of somebody who has no page yet."""


def bonds_of(guest: str, connection: sa.Connection) -> Bonds:
    """What binds a guest to others; who has blocked the other is no friend, and asks nothing."""
    rows, blocks = (
        connection.execute(
            sa.select(table).where(sa.or_(table.c.guest == guest, table.c.other == guest))
        ).all()
        for table in (friendship, block)
    )
    blocked = frozenset(row.other for row in blocks if row.guest == guest)
    hidden = frozenset(row.guest for row in blocks if row.other == guest)
    mine = {row.other: row.state for row in rows if row.guest == guest}
    asks = {row.guest for row in rows if row.other == guest and row.state == "asked"}
    return Bonds(
        friends=frozenset(other for other, state in mine.items() if state == "friend") - blocked - hidden,
        asked=frozenset(other for other, state in mine.items() if state in ("asked", "declined")) - blocked,
        asks=frozenset(asks) - blocked - hidden,
        blocked=blocked,
        hidden=hidden,
    )
