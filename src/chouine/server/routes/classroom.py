"""A class: pupils who joined by the code on the board, each under a first name, and where they are in the lessons.

Their teacher has no account, but the secret address of the class. All of it is erased when the school year ends.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.cards import Card
from chouine.days import day_of, start_of
from chouine.errors import ChouineError
from chouine.names import NAME_LENGTH, plain_name
from chouine.school.lessons import lessons
from chouine.server.database import take_turns
from chouine.server.decent_names import decent_name
from chouine.server.pages.cards import face
from chouine.server.pages.env import render
from chouine.server.pages.school import STAGES, parts
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.server.routes.context import Context
from chouine.server.schema import classroom, member, pupil, session
from chouine.server.services import services_of
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

    async def make(self, teacher: str, secret: str) -> str:
        """Make a class with this secret, unless there is one; its secret. Raises `ClassRefused`."""
        theirs = self._kept_classes().where(classroom.c.guest == teacher)
        there = sa.select(classroom.c.secret).where(classroom.c.secret == secret)
        row = {"guest": teacher, "until": school_year_end(self.clock(), self.zone)}

        def change(connection: sa.Connection) -> str:
            take_turns(connection, teacher)
            if connection.scalar(there) is not None:
                return secret
            if len(connection.execute(theirs).all()) >= CLASSES:
                raise ClassRefused("class/too-many", most=CLASSES)
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            connection.execute(classroom.insert().values(row | {"secret": secret, "code": code}))
            return secret

        while True:
            with suppress(IntegrityError):  # another class has this code
                return await self.database.write(change)

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
        there = sa.select(pupil.c.name).where(pupil.c.classroom == secret, pupil.c.guest != guest)

        def change(connection: sa.Connection) -> None:
            take_turns(connection, secret)  # a whole class joins at the same moment
            others = connection.scalars(there).all()
            if plain_name(name) in map(plain_name, others):
                raise ClassRefused("class/same-name", name=name)
            if len(others) >= PUPILS:
                raise ClassRefused("class/full", most=PUPILS)
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


class PupilProgress(NamedTuple):
    """Where a pupil is in the lessons."""

    name: str
    number: int
    """How many lessons are finished."""
    following: str
    """The title of the next one; empty after the last."""
    stage: str
    """The stage of that one; empty after the last."""
    medals: tuple[Card, ...]


def class_page(visit: Visit, found: Classroom) -> str:
    """The page of a class, which prints as a list."""
    return render(
        visit,
        "school/class.html",
        here=f"/class/{found.secret}",
        code=found.code,
        secret=found.secret,
        until=visit.day_in_words(found.until - 12 * 3600),
        places=[place_of(visit, pupil.name, pupil.done) for pupil in found.pupils],
        number=len(lessons()),
        words=words_of(visit),
        face=face,
    )


def place_of(visit: Visit, name: str, done: Collection[str]) -> PupilProgress:
    """Where a pupil is who has finished these lessons."""
    stages = [(title, medal, part) for (title, medal), part in zip(STAGES, parts(), strict=True)]
    left = [(lesson, title) for title, _, part in stages for lesson in part if lesson.name not in done]
    return PupilProgress(
        name,
        len(lessons()) - len(left),
        left[0][0].title[visit.language] if left else "",
        left[0][1] if left else "",
        tuple(medal for _, medal, part in stages if all(one.name in done for one in part)),
    )


async def join(request: Request) -> Response:
    """The form for a pupil, and one for a teacher; a post joins, leaves or makes a class."""
    context = await Context.of(request)
    classes, guest = classes_at(context), context.visitor.guest
    if request.method == "POST":
        form = await context.form()
        with context.refusals():
            return await context.go(await carry_out(context, form))
    known = not context.visitor.new
    own = await classes.of_teacher(guest) if known else []
    return await context.show(
        "school/join_class.html",
        "/class",
        name=await classes.name_of(guest) if known else "",
        own=[(one.code, one.secret) for one in own],
    )


async def carry_out(context: Context, form: Mapping[str, Any]) -> str:
    """Do what a form asks; returns where to go. Raises `ChouineError`."""
    classes, guest = classes_at(context), context.visitor.guest
    match form.get("what"):
        case "make":
            await context.admit(alone=True)
            await context.count("classes")
            return f"/class/{await classes.make(guest, context.name_for('class'))}"
        case "leave":
            await classes.leave(guest)
        case _:
            await context.admit()
            await context.count("pupils")
            await classes.join(guest, str(form.get("code", "")), str(form.get("name", "")))
    return "/class"


async def page(request: Request) -> Response:
    """The teacher's page; a post takes a pupil out, or closes the class."""
    context = await Context.of(request)
    classes = classes_at(context)
    found = await classes.find(str(request.path_params["secret"]))
    if found is None:
        raise HTTPException(404, "no-such-class")
    if request.method == "GET":
        return await context.page(class_page(context.visit, found))
    form = await context.form()
    if form.get("what") == "close":
        await classes.close(found.secret)
        return await context.go("/class")
    await classes.remove(found.secret, str(form.get("name", "")))
    return await context.go(f"/class/{found.secret}")


def classes_at(context: Context) -> Classes:
    """The server's classes."""
    return Classes(context.tables, services_of(context.request).site.zone)
