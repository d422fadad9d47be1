"""Storing what a request changed of a visitor's settings and progress.

Two pages of a browser may answer at the same time, and while somebody erases themselves another page of theirs may be
on its way. So what a request changed is applied to what is stored by then, and whoever is gone stays gone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import asdict
from typing import Literal, TypeVar

import sqlalchemy as sa

from chouine.school.problems.shipped import DAYS, REMEMBERED
from chouine.server.counting import join_records
from chouine.server.database import take_turns
from chouine.server.difficulty import TrialRating
from chouine.server.pages.visit import Settings
from chouine.server.repetition import MOST
from chouine.server.saved import KEPT, SavedState, Schooling, encode_saved
from chouine.server.schema import erasure, member, session
from chouine.server.visitors import Visitor, is_gone, saved_in

Value = TypeVar("Value")
Item = TypeVar("Item", bound=Hashable)
Outcome = Literal["kept", "forgotten", "erased"]
"""`forgotten`: what was stored is gone since the request began; `erased`: and nothing of this guest is stored again."""


def keep_changes(visitor: Visitor, after: SavedState, now: float, connection: sa.Connection) -> Outcome:
    """Store what a request changed, whose visitor came with `visitor.saved` and leaves with `after`."""
    take_turns(connection, visitor.guest)
    if is_gone(visitor.guest, visitor.mark, connection):
        return "erased"
    table, this = (
        (member, member.c.guest == visitor.guest)
        if visitor.member
        else (session, session.c.token == visitor.stored)
    )
    stored = connection.scalar(sa.select(table.c.settings).where(this))
    if stored is not None:
        saved = apply_changes(visitor.saved, after, saved_in(stored, visitor.guest))
        seen = {} if visitor.member else {"seen": now}
        connection.execute(table.update().where(this).values(settings=encode_saved(saved), **seen))
        return "kept"
    if visitor.seen is not None:
        return "forgotten"
    if after != SavedState():
        row = {"token": visitor.stored, "guest": visitor.guest, "begun": now, "seen": now}
        connection.execute(session.insert().values(row | {"settings": encode_saved(after)}))
    return "kept"


def forget_browser(visitor: Visitor, now: float, connection: sa.Connection) -> None:
    """Delete what is stored for a browser, and note it: a page on its way may be the first to store anything."""
    take_turns(connection, visitor.guest)
    connection.execute(session.delete().where(session.c.token == visitor.stored))
    if not is_gone(visitor.guest, visitor.mark, connection):
        connection.execute(erasure.insert().values(guest=visitor.mark, at=now, done=True))


def apply_changes(before: SavedState, after: SavedState, stored: SavedState) -> SavedState:
    """What is `stored`, with what a request changed that found `before` and leaves `after`."""
    if stored == before:
        return after
    choices = [asdict(one.settings) for one in (before, after, stored)]
    settings = {name: choose(*(one[name] for one in choices)) for name in choices[0]}
    return SavedState(
        name=choose(before.name, after.name, stored.name),
        language=choose(before.language, after.language, stored.language),
        settings=Settings(**settings),
        level=choose(before.level, after.level, stored.level),
        explain=choose(before.explain, after.explain, stored.explain),
        school=apply_to_school(before.school, after.school, stored.school),
        sheets=apply_to_list(before.sheets, after.sheets, stored.sheets)[-KEPT:],
    )


def apply_to_school(before: Schooling, after: Schooling, stored: Schooling) -> Schooling:
    """The learning progress likewise. What was erased meanwhile stays erased."""
    again = apply_to_list(before.again, after.again, stored.again, lambda one: one.problem)
    return Schooling(
        done=apply_to_list(before.done, after.done, stored.done),
        course=choose(before.course, after.course, stored.course, ()),
        solved=apply_to_list(before.solved, after.solved, stored.solved)[-REMEMBERED:],
        days=tuple(sorted(apply_to_list(before.days, after.days, stored.days)))[-DAYS:],
        again=again[-MOST:],
        rated=choose(before.rated, after.rated, stored.rated, TrialRating()),
        counting=stored.counting
        if after.counting == before.counting or (before.counting and not stored.counting)
        else join_records(after.counting, stored.counting),
    )


def choose(before: Value, after: Value, stored: Value, erased: Value | None = None) -> Value:
    """What a request chose; if it changed nothing, or the value was `erased` meanwhile, what is stored."""
    return stored if after == before or (stored == erased != before) else after


def apply_to_list(
    before: tuple[Item, ...],
    after: tuple[Item, ...],
    stored: tuple[Item, ...],
    name: Callable[[Item], Hashable] = lambda one: one,
) -> tuple[Item, ...]:
    """What a request added to a list, changed or took from it, done to the list that is stored.

    `name`: what stays the same of an item that is changed. An item that was taken away meanwhile stays away.
    """
    had, has = {name(one): one for one in before}, {name(one): one for one in stored}
    changed = {name(one): one for one in after if had.get(name(one)) != one}
    gone = had.keys() - {name(one) for one in after}
    found = {which: one for which, one in has.items() if which not in gone and which not in changed}
    found |= {which: one for which, one in changed.items() if which not in had or which in has}
    if after and after[-1:] != before[-1:] and (last := name(after[-1])) in found:
        found[last] = found.pop(last)  # it was chosen, or came up, last
    return tuple(found.values())
