"""A class: a code for the board, first names alone, one page for the teacher, and nothing after the school year."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import httpx
import pytest
from starlette.exceptions import HTTPException

from chouine.errors import ChouineError
from chouine.school.lessons import lessons
from chouine.server.limits import Limits
from chouine.server.pages.visit import Visit
from chouine.server.routes.classroom import (
    LENGTH,
    LETTERS,
    PUPILS,
    Classes,
    ClassRefused,
    Classroom,
    Pupil,
    class_page,
    first_name_of,
    place_of,
    school_year_end,
)
from chouine.server.store import Store
from tests.server.serving import Browser, RunningServer
from tests.server.stores import tables_of, with_store

PARIS = ZoneInfo("Europe/Paris")


def post(browser: Browser, address: str, **data: str) -> httpx.Response:
    return browser.http.post(address, data={"csrf": browser.csrf, **data}, follow_redirects=False)


def make_class(teacher: Browser) -> tuple[str, str]:
    """A class: its page's address, and its code."""
    teacher.get("/class")
    form = next(one for one in teacher.forms("/class") if ("what", "make") in one.buttons)
    address = teacher.submit(form, what="make").url.path
    (code,) = re.findall(
        rf'<strong class="board">([{LETTERS}]{{{LENGTH}}})</strong>', teacher.get(address).text
    )
    return address, code


def join(served: RunningServer, code: str, name: str) -> Browser:
    pupil = served.visit()
    pupil.get("/class")
    assert post(pupil, "/class", what="join", code=code, name=name).status_code == 303
    return pupil


def test_pupils_find_the_way_that_the_board_names(served: RunningServer) -> None:
    """The words in quotation marks are those of the links."""
    teacher, pupil = served.visit(), served.visit()
    page = teacher.get(make_class(teacher)[0]).text
    first, second = re.findall(r"« (.+?) »|“(.+?)”", page.replace("\N{NO-BREAK SPACE}", " "))[:2]
    for name, start in ((first, "/"), (second, "/learn")):
        assert re.search(rf"<a [^>]*>(<[^>]+>)*{''.join(name)}<", pupil.get(start).text), name


def test_pupils_who_join_at_once_are_told_apart(database: str) -> None:
    """A whole class types the code at the same moment: no two have one name, and none is one too many."""

    async def test(store: Store) -> None:
        classes = Classes(tables_of(store), PARIS)
        await classes.make("teacher", "secret")
        (made,) = await classes.of_teacher("teacher")
        names = ["Emma"] * 3 + [
            f"{first} {chr(ord('a') + nth)}" for first in ("Léa", "Tom") for nth in range(26)
        ]
        joined = await asyncio.gather(
            *(classes.join(f"pupil {nth}", made.code, name) for nth, name in enumerate(names)),
            return_exceptions=True,
        )
        found = await classes.find(made.secret)
        assert found is not None
        assert len({one.name for one in found.pupils}) == len(found.pupils) == joined.count(None) == PUPILS
        assert {type(one) for one in joined} == {type(None), ClassRefused}

    with_store(database, test)


def test_the_teacher_sees_who_is_where_and_nobody_else_does(served: RunningServer) -> None:
    teacher = served.visit()
    address, code = make_class(teacher)
    lea = join(served, f" {code[:2].lower()}-{code[2:]} ", "Léa")
    tom = join(served, code, "Tom")
    for lesson in lessons()[:4]:
        lea.get(f"/learn/{lesson.name}/end")
    page = teacher.get(address).text
    rows = re.findall(
        r"<tr>\s*<th scope=\"row\">(.*?)</th>\s*<td>(\d+)&#8239;/&#8239;16</td>\s*<td>(.*?) <small>(.*?)</small>",
        page,
    )
    french = [(one.title["fr"]) for one in lessons()]
    assert rows == [("Léa", "4", french[4], "Annoncer"), ("Tom", "0", french[0], "Découvrir")]
    assert page.count('<td><span class="card" role="img" aria-label="sept de cœur">') == 1
    assert "Léa" in lea.get("/class").text
    assert "Léa" not in tom.get("/class").text
    assert address not in tom.get("/class").text + lea.get("/class").text
    assert address in teacher.get("/class").text


def test_a_pupil_leaves_or_is_taken_out_and_the_class_is_closed(served: RunningServer) -> None:
    teacher = served.visit()
    address, code = make_class(teacher)
    lea, tom = join(served, code, "Léa"), join(served, code, "Tom")
    assert post(lea, "/class", what="leave").status_code == 303
    assert post(teacher, address, what="remove", name="Tom").status_code == 303
    page = teacher.get(address).text
    assert "Léa" not in page
    assert "Tom" not in page
    assert "Tom" not in tom.get("/class").text
    assert post(tom, "/class", what="join", code=code, name="Tom").status_code == 303
    assert post(teacher, address, what="close").headers["location"] == "/class"
    assert teacher.get(address).status_code == 404
    assert "Tom" not in tom.get("/class").text
    refused = post(lea, "/class", what="join", code=code, name="Léa")
    assert (refused.status_code, "Aucune classe n’a ce code" in refused.text) == (422, True)


def test_whoever_is_in_a_class_and_joins_another_is_in_one(served: RunningServer) -> None:
    teacher = served.visit()
    first, code = make_class(teacher)
    second, other = make_class(teacher)
    lea = join(served, code, "Léa")
    assert post(lea, "/class", what="join", code=other, name="Léa").status_code == 303
    assert "Léa" not in teacher.get(first).text
    assert "Léa" in teacher.get(second).text


def test_two_pupils_are_told_apart_and_a_refused_form_keeps_what_was_typed(served: RunningServer) -> None:
    teacher = served.visit()
    _, code = make_class(teacher)
    join(served, code, "Léa")
    twin = served.visit()
    twin.get("/class")
    refused = post(twin, "/class", what="join", code=code, name="LEA")
    assert refused.status_code == 422
    assert f'value="{code}"' in refused.text
    assert 'value="LEA"' in refused.text
    assert post(twin, "/class", what="join", code=code, name="Léa M.").status_code == 303


@pytest.mark.parametrize("name", ["Léa", "Jean-Luc", "Anne-Sophie B.", "Léa M", "N’Golo", "Noémie"])
def test_a_first_name_is_taken(name: str) -> None:
    assert first_name_of(name) == name


@pytest.mark.parametrize(
    "name", ["", "Léa Martin", "Léa 2", "lea@example.org", "Léa, 9 ans", "12", "Connard", "BOT Léa", "06 12"]
)
def test_what_says_more_than_a_first_name_is_not(name: str) -> None:
    with pytest.raises(ChouineError):
        first_name_of(name)


@pytest.mark.parametrize(
    ("day", "end"),
    [
        (datetime(2026, 11, 28, tzinfo=UTC), datetime(2027, 8, 1, 4, tzinfo=PARIS)),
        (datetime(2027, 7, 31, 12, tzinfo=UTC), datetime(2027, 8, 1, 4, tzinfo=PARIS)),
        (datetime(2027, 8, 1, 12, tzinfo=UTC), datetime(2028, 8, 1, 4, tzinfo=PARIS)),
    ],
)
def test_a_class_ends_with_the_school_year(day: datetime, end: datetime) -> None:
    assert school_year_end(day.timestamp(), PARIS) == end.timestamp()
    page = class_page(
        Visit("en", "", "g", zone=PARIS), Classroom("s", "BCDFG", end.timestamp(), (Pupil("Tom", ()),))
    )
    assert f"31 July {end.year}" in page


def test_a_pupil_who_has_finished_everything_has_every_medal() -> None:
    place = place_of(Visit("en", "", "g"), "Léa", [one.name for one in lessons()])
    assert (place.following, place.number, len(place.medals)) == ("", len(lessons()), 4)


def test_who_guesses_codes_is_stopped() -> None:
    """A class of thirty joins behind one address; more tries an hour than a few classes need are refused."""
    limits, scope = Limits(), {"client": ("192.0.2.7", 1)}
    for nth in range(80):
        limits.count("pupils", f"guest {nth}", scope)
    with pytest.raises(HTTPException) as refused:
        limits.count("pupils", "another", scope)
    assert refused.value.status_code == 429
