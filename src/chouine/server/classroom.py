"""A class: pupils who joined by the code on the board, each under a first name, and where they are in the lessons.

Their teacher has no account, but the secret address of the class. All of it is erased when the school year ends.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from chouine.days import day_of, start_of
from chouine.errors import ChouineError
from chouine.names import NAME_LENGTH, plain_name
from chouine.server.decent_names import decent_name
from chouine.server.schema import classroom, member, pupil, session
from chouine.server.tables import Tables
from chouine.server.visitors import saved_in

LETTERS = "BCDFGHJKLMNPRSTVWXZ"
"""Letters of a code: no vowels, so that no word appears, and none that looks like another."""
LENGTH = 5
PUPILS = 40
"""Most pupils of a class."""
CLASSES = 10
"""Most classes of a teacher at a time."""
FIRST_NAME = re.compile(r"[^\W\d_]+(?:[-’][^\W\d_]+)*(?: [^\W\d_]\.?)?")
"""One word, with or without hyphens, and an initial where two pupils have the same."""


class ClassRefused(ChouineError):
    """What a class does not allow; `code` is `class/…`."""


@dataclass(frozen=True, slots=True)
class Pupil:
    """A pupil as the teacher sees them."""

    name: str
    done: Collection[str]
    """The lessons finished, by name."""


@dataclass(frozen=True, slots=True)
class Classroom:
    """A class, for its teacher."""

    secret: str
    code: str
    until: float
    pupils: tuple[Pupil, ...] = ()


class Classes:
    """The classes of a server."""

    def __init__(self, tables: Tables, zone: tzinfo) -> None:
        self.database, self.clock, self.zone = tables.store.database, tables.clock, zone

    async def make(self, teacher: str) -> str:
        """Make a class; its secret. Raises `ClassRefused`."""
        if len(await self.of_teacher(teacher)) >= CLASSES:
            raise ClassRefused("class/too-many", most=CLASSES)
        until = school_year_end(self.clock(), self.zone)
        while True:
            secret, code = secrets.token_hex(16), "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            row = {"secret": secret, "guest": teacher, "code": code, "until": until}
            with suppress(IntegrityError):  # another class has this code
                await self.database.execute(classroom.insert().values(row))
                return secret

    async def of_teacher(self, teacher: str) -> list[Classroom]:
        """The classes that a teacher has made, without their pupils."""
        found = await self.database.rows(self._kept_classes().where(classroom.c.guest == teacher))
        return [Classroom(row.secret, row.code, row.until) for row in found]

    async def find(self, secret: str) -> Classroom | None:
        """The class with this secret, with its pupils in the order of their names; None if there is none."""
        found = await self.database.rows(self._kept_classes().where(classroom.c.secret == secret))
        if not found:
            return None
        row = found[0]
        enrolled = await self.database.rows(sa.select(pupil).where(pupil.c.classroom == secret))
        done = await self._lessons_of([one.guest for one in enrolled])
        pupils = [Pupil(one.name, done.get(one.guest, frozenset())) for one in enrolled]
        return Classroom(
            row.secret, row.code, row.until, tuple(sorted(pupils, key=lambda one: plain_name(one.name)))
        )

    async def join(self, guest: str, code: str, first_name: str) -> None:
        """Let a guest into the class of a code; whoever is in another leaves it. Raises `ClassRefused`."""
        name = first_name_of(first_name)
        plain = re.sub(r"[\W_]", "", code).upper()
        found = await self.database.rows(self._kept_classes().where(classroom.c.code == plain))
        if not found:
            raise ClassRefused("class/no-such-code")
        secret = found[0].secret
        others = await self.database.rows(
            sa.select(pupil.c.name).where(pupil.c.classroom == secret, pupil.c.guest != guest)
        )
        if plain_name(name) in {plain_name(row.name) for row in others}:
            raise ClassRefused("class/same-name", name=name)
        if len(others) >= PUPILS:
            raise ClassRefused("class/full", most=PUPILS)

        def change(connection: sa.Connection) -> None:
            connection.execute(pupil.delete().where(pupil.c.guest == guest))
            connection.execute(pupil.insert().values(guest=guest, classroom=secret, name=name))

        with suppress(IntegrityError):  # sent twice at once, or the class was closed meanwhile
            await self.database.write(change)

    async def name_of(self, guest: str) -> str:
        """The first name under which a guest is in a class; empty for none."""
        joined = sa.select(pupil.c.name).join(classroom, classroom.c.secret == pupil.c.classroom)
        found = await self.database.rows(
            joined.where(pupil.c.guest == guest, classroom.c.until > self.clock())
        )
        return found[0].name if found else ""

    async def leave(self, guest: str) -> None:
        """Take a guest out of their class."""
        await self.database.execute(pupil.delete().where(pupil.c.guest == guest))

    async def remove(self, secret: str, name: str) -> None:
        """Take the pupil of a name out of a class."""
        await self.database.execute(pupil.delete().where(pupil.c.classroom == secret, pupil.c.name == name))

    async def close(self, secret: str) -> None:
        """Erase a class with its pupils' names."""

        def change(connection: sa.Connection) -> None:
            connection.execute(pupil.delete().where(pupil.c.classroom == secret))
            connection.execute(classroom.delete().where(classroom.c.secret == secret))

        await self.database.write(change)

    async def _lessons_of(self, guests: Collection[str]) -> dict[str, frozenset[str]]:
        """The lessons that guests have finished, in whichever of their browsers."""
        found: dict[str, frozenset[str]] = {}
        for table in (session, member):
            rows = sa.select(table.c.guest, table.c.settings).where(table.c.guest.in_(guests))
            for row in await self.database.rows(rows):
                done = saved_in(row.settings, row.guest).school.done
                found[row.guest] = found.get(row.guest, frozenset()).union(done)
        return found

    def _kept_classes(self) -> sa.Select[Any]:
        return sa.select(classroom).where(classroom.c.until > self.clock())


def first_name_of(text: str) -> str:
    """A first name that can be shown, and nothing that says more of a child. Raises `ClassRefused` or `NameRefused`."""
    name = decent_name(text, NAME_LENGTH)
    if not FIRST_NAME.fullmatch(name):
        raise ClassRefused("class/first-name")
    return name


def school_year_end(now: float, zone: tzinfo) -> float:
    """The end of the next 31 July."""
    today = day_of(datetime.fromtimestamp(now, UTC), zone)
    last = date(today.year, 7, 31)
    if today > last:
        last = last.replace(year=today.year + 1)
    return start_of(last + timedelta(1), zone).timestamp()
