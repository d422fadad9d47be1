"""What two requests change of one visitor's settings at the same time is all kept; who is gone stays gone."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial

import pytest
import sqlalchemy as sa
from msgspec.structs import replace as altered

from chouine.server.contest.online import Contests
from chouine.server.counting import CountRecord
from chouine.server.difficulty import TrialRating
from chouine.server.erasure import erase
from chouine.server.pages.visit import Settings
from chouine.server.saved import KEPT, Repetition, SavedSheet, SavedState, Schooling, encode_saved
from chouine.server.saved_changes import Outcome, apply_changes, forget_browser, keep_changes
from chouine.server.schema import member, session
from chouine.server.store import Store
from chouine.server.visitors import Visitor, saved_in
from tests.server.stores import Clock, keep_session, tables_of, with_store

BEFORE = SavedState(name="Jean", language="fr", settings=Settings(large=True))
VISITOR = Visitor("token", "guest", BEFORE, new=False, seen=1.0)
RENAMED = altered(BEFORE, name="Charles")
IN_ENGLISH = altered(BEFORE, language="en")


async def keep(store: Store, visitor: Visitor, after: SavedState) -> Outcome:
    return await store.database.write(partial(keep_changes, visitor, after, 2.0))


async def stored_of(store: Store) -> SavedState | None:
    row = await store.session(VISITOR.stored)
    return saved_in(row.settings, "guest") if row else None


def test_two_requests_at_a_time_both_count(database: str) -> None:
    """Whether or not the browser had a row before, and of a member too."""
    both = altered(BEFORE, name="Charles", language="en")

    async def test(store: Store) -> None:
        await keep_session(store, VISITOR.stored, "guest", encode_saved(BEFORE), 1.0)
        done = await asyncio.gather(keep(store, VISITOR, RENAMED), keep(store, VISITOR, IN_ENGLISH))
        assert (set(done), await stored_of(store)) == ({"kept"}, both)
        await store.database.execute(session.delete())
        fresh = replace(VISITOR, saved=SavedState(), seen=None)
        named, english = SavedState(name="Charles"), SavedState(language="en")
        await asyncio.gather(keep(store, fresh, named), keep(store, fresh, english))
        assert await stored_of(store) == SavedState(name="Charles", language="en")
        row = {"guest": "guest", "since": 0.0, "seen": 0.0, "settings": encode_saved(BEFORE)}
        await store.database.execute(member.insert().values(row))
        of_member = replace(VISITOR, member=True)
        await asyncio.gather(keep(store, of_member, RENAMED), keep(store, of_member, IN_ENGLISH))
        kept = await store.database.read(lambda connection: connection.scalar(sa.select(member.c.settings)))
        assert kept is not None
        assert saved_in(kept, "guest") == both

    with_store(database, test)


def test_who_is_forgotten_or_erased_meanwhile_is_not_stored_again(database: str) -> None:
    async def test(store: Store) -> None:
        await keep_session(store, VISITOR.stored, "guest", encode_saved(BEFORE), 1.0)
        await store.database.execute(session.delete())
        assert await keep(store, VISITOR, RENAMED) == "forgotten"
        tables = tables_of(store)
        fresh, named = replace(VISITOR, saved=SavedState(), seen=None), SavedState(name="Jean")
        await asyncio.gather(
            erase(tables, Contests(store, Clock()), "guest"), *(keep(store, fresh, named) for _ in range(5))
        )
        assert await keep(store, fresh, named) == "erased"
        count = sa.select(sa.func.count()).select_from(session)
        assert await store.database.read(lambda connection: connection.scalar(count)) == 0

    with_store(database, test)


def test_a_browser_forgotten_before_anything_was_stored_is_not_stored_either(database: str) -> None:
    """Nor its guest erased: another browser of theirs stays."""

    async def test(store: Store) -> None:
        fresh, named = replace(VISITOR, saved=SavedState(), seen=None), SavedState(name="Jean")
        other = replace(fresh, token="another")
        for _ in range(2):  # it may ask twice
            await store.database.write(partial(forget_browser, fresh, 2.0))
        assert await keep(store, fresh, named) == "erased"
        assert await keep(store, other, named) == "kept"
        tokens = await store.database.read(
            lambda connection: connection.scalars(sa.select(session.c.token)).all()
        )
        assert tokens == [other.stored]

    with_store(database, test)


def test_back_to_the_defaults_is_a_change_too(sqlite: str) -> None:
    """The row stays, so that another request of the time knows the browser was not forgotten."""

    async def test(store: Store) -> None:
        await keep_session(store, VISITOR.stored, "guest", encode_saved(BEFORE), 1.0)
        assert await keep(store, VISITOR, SavedState()) == "kept"
        row = await store.session(VISITOR.stored)
        assert row is not None
        assert row.settings == b"{}"
        assert await keep(store, VISITOR, RENAMED) == "kept"
        assert await stored_of(store) == SavedState(name="Charles")

    with_store(sqlite, test)


def test_each_setting_is_one_change() -> None:
    large, calm = Settings(large=True), Settings(pace="calm")
    found = apply_changes(SavedState(), SavedState(settings=large), SavedState(settings=calm))
    assert found.settings == Settings(large=True, pace="calm")


def repetition(problem: str, day: int) -> Repetition:
    moment = datetime(2026, 3, day, tzinfo=UTC)
    return Repetition(problem, moment, moment, 1.0, 5.0)


LEARNED = Schooling(
    done=("takes",),
    course=("7h",),
    solved=("a", "b"),
    days=(date(2026, 3, 1),),
    again=(repetition("p", 1), repetition("q", 1)),
    rated=TrialRating(1.0, 1.0, 3),
    counting=(CountRecord("calm", 1, 4),),
)


def test_progress_of_two_pages_is_added_up() -> None:
    here = altered(
        LEARNED, solved=("a", "b", "c"), again=(repetition("q", 1), repetition("p", 2)), course=("7h", "8h")
    )
    there = altered(
        LEARNED,
        done=("takes", "trump"),
        solved=("b", "a", "d"),
        days=(date(2026, 2, 1), date(2026, 3, 1)),
        again=(repetition("p", 1), repetition("r", 3)),
    )
    found = apply_changes(*(SavedState(school=one) for one in (LEARNED, here, there))).school
    assert found.done == ("takes", "trump")
    assert sorted(found.solved) == ["a", "b", "c", "d"]
    assert found.days == (date(2026, 2, 1), date(2026, 3, 1))
    assert sorted(found.again, key=lambda one: one.problem) == [repetition("p", 2), repetition("r", 3)]
    assert found.course == ("7h", "8h")


def test_progress_that_was_erased_meanwhile_does_not_come_back() -> None:
    """Only what the other page has just added."""
    after = altered(
        LEARNED,
        solved=("a", "b", "c"),
        course=("7h", "8h"),
        again=(repetition("p", 2), repetition("q", 1)),
        rated=TrialRating(2.0, 1.0, 4),
        counting=(CountRecord("calm", 2, 4),),
    )
    found = apply_changes(SavedState(school=LEARNED), SavedState(school=after), SavedState())
    assert found == SavedState(school=Schooling(solved=("c",)))


@pytest.mark.parametrize("many", [1, KEPT])
def test_sheets_of_two_pages_are_both_there(many: int) -> None:
    sheets = tuple(SavedSheet(("Jean", str(nth)), "classic", "3x2") for nth in range(many))
    here, there = SavedSheet(("Ici", "B"), "classic", "3x2"), SavedSheet(("Là", "B"), "classic", "3x2")
    before, after, stored = (SavedState(sheets=(*sheets, *more)[-KEPT:]) for more in ((), (here,), (there,)))
    found = apply_changes(before, after, stored).sheets
    assert (found[-1], there in found, len(found)) == (here, True, min(KEPT, many + 2))
