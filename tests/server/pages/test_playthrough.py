"""Whole matches as the pages show them, entry by entry, compared with reviewed texts.

`pytest --update-playthroughs` rewrites the texts; review the difference like any other change.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chouine.errors import ChouineError
from chouine.match import Format
from chouine.notation.tokens import PASS
from chouine.phrases import Language
from chouine.rules import Rules
from chouine.school.exercises import AnswerVerdict
from chouine.school.guide import moment as guided
from chouine.school.lessons import lessons
from chouine.school.problems import KINDS, shipped_problems
from chouine.school.review import Judgement, Review
from chouine.server.pages.frames import Viewer
from chouine.server.pages.home import home_page
from chouine.server.pages.match import match_page
from chouine.server.pages.replay import replay_page
from chouine.server.pages.review import match_review_page, review_page
from chouine.server.pages.school import guide_page, lesson_page
from chouine.server.pages.sheet import ListedSheet, sheet_page, start_page
from chouine.server.pages.visit import Settings, Visit
from chouine.server.routes.problems import TriedAnswer, problem_page
from chouine.table import Phase
from chouine.table.brief import Brief
from chouine.table.sheet import Sheet
from tests.needs import at_length
from tests.server.pages.matches import Table, play_match, seating
from tests.server.pages.outline import changes, outline
from tests.server.pages.tables import random_match

FOLDER = Path(__file__).parent / "playthroughs"
TABLES: list[tuple[str, str, str, int | None, Language]] = [
    ("classic", "1x1", "ab", 0, "fr"),
    ("classic", "1x1", "aa", 1, "en"),
    ("three;figure=held", "1", "a-b", 2, "fr"),
    ("mondoubleau-four", "1", "abcd", None, "en"),
]


def compare(name: str, told: list[str], *, update: bool) -> None:
    path = FOLDER / f"{name}.txt"
    text = "\n".join(told) + "\n"
    if update:
        path.write_text(text, encoding="utf-8")
    else:
        assert text == path.read_text(encoding="utf-8")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-playthroughs"))


@pytest.mark.parametrize(("rules", "format_", "guests", "observer", "language"), at_length(TABLES))
def test_a_match_as_it_is_seen(
    rules: str, format_: str, guests: str, observer: int | None, language: Language, *, update: bool
) -> None:
    """§2 to §14, from the tirage to the end of the match."""
    told = list(page_changes(rules, format_, guests, observer, language))
    compare(f"{rules.partition(';')[0]}-{format_}-{guests}-{observer}", told, update=update)


def page_changes(
    rules: str, format_: str, guests: str, observer: int | None, language: Language
) -> Iterator[str]:
    """Each entry with the page lines it changes and the sentences it says."""
    settings = Settings(recall=language == "en", across=guests == "aa", sorted=language == "fr")
    viewer = Viewer(Visit(language, "csrf", "a", settings=settings), "g", observer)
    shown: list[str] = []
    for moment in random_match(rules, format_, guests, 6):
        yield ""
        yield f"== {moment.entry}"
        for frame in viewer.frames(moment.before, moment.entry, moment.after):
            last, shown = shown, outline(frame.html)
            yield from changes(last, shown)
            yield from (f"   {said}" for said in frame.say)


FOUND = {
    0: Judgement(
        1, 1, 0, "Qs", "7s", 0.03, "inaccuracy", 0.264, 0.234, exact=False, reasons=(("declared", 4.8),)
    ),
    1: Judgement(
        8,
        4,
        1,
        "Ad",
        "8s",
        0.207,
        "blunder",
        0.552,
        0.345,
        exact=False,
        options=(("8s", 0.552), ("Ad", 0.345)),
    ),
    2: Judgement(12, 6, 0, "Qd+20d", "Qd+20d", 0.0, None, 0.66, 0.66, exact=True),
}


@pytest.mark.parametrize(
    ("rules", "form", "language"), at_length([("classic", "2x1", "fr"), ("three", "2", "en")])
)
def test_a_match_looked_back_on(rules: str, form: str, language: Language, *, update: bool) -> None:
    """A finished match: its page, each trick of a partie, and reviews from each seat."""
    table, visit = play_match(rules, form, 3), Visit(language, "csrf", "guest-1", "Charles")
    tricks = 32 // len(table.seats)
    found = Review(len(FOUND), FOUND)
    pages = [
        match_page(visit, "g", table),
        *(replay_page(visit, "g", table, 1, trick) for trick in range(tricks + 2)),
        *(review_page(visit, "g", table, 1, found, seat) for seat in table.seats),
        match_review_page(visit, "g", table, [found] * len(table.played)),
    ]
    told: list[str] = []
    shown: list[str] = []
    for html in pages:
        last, shown = shown, outline(html)
        told += ["", "==", *changes(last, shown)]
    compare(f"{rules}-looked-back-on", told, update=update)


SHEETS = [
    ("classic", "3x2", "da th sa20s sb20h cap57- sb40h sbchs"),
    ("classic", "1x2", "db ts sa50 xa da th fb1 da th r"),
    ("three", "3", "da th sa20h sb30s cap57p40-"),
]
"""Score sheets of real tables, tap by tap; invalid taps are refused."""
COURSE = ("7x", "8c", "Jc", "Kc+20c", "8h", "7h", "Qh")


def test_pages_beside_the_table(*, update: bool) -> None:
    """The first page, score sheets, problems, lessons and the guided partie."""
    told: list[str] = []
    shown: list[str] = []
    for html in other_pages(Visit("fr", "csrf", "guest-1", "Charles")):
        last, shown = shown, outline(html)
        told += ["", "==", *changes(last, shown)]
    compare("beside", told, update=update)


def other_pages(visit: Visit) -> Iterator[str]:
    table = Table(seed=5)
    table.play_to(Phase.COUNT)
    rooms = enumerate((table.table, play_match(seed=1), play_match(seed=2), seating()))
    yield home_page(visit, [])
    yield home_page(visit, [(f"g{nth}", Brief.of(table)) for nth, table in rooms])
    for rules, form, acts in SHEETS:
        sheet = Sheet.read(Rules.parse(rules), Format.parse(form))
        names = ("Anne", "", "Jean")[: len(sheet.seats)]
        for act in acts.split():
            refused = ""
            try:
                sheet = sheet.after(act)
            except ChouineError as error:
                refused = error.code
            yield sheet_page(visit, sheet, names, refused)
        yield start_page(visit, [ListedSheet(names, sheet.match)])
    for kind in KINDS:
        problem = next(problem for problem in shipped_problems() if problem.kind == kind)
        yield problem_page(visit, problem, problem.view, "/here")
        for tried in (
            TriedAnswer(accepted=False, act="Kd", replies=("…",)),
            TriedAnswer(accepted=True, act="Kd", replies=(), following="/next", why="because"),
        ):
            yield problem_page(visit, problem, problem.view, "/here", tried)
    for lesson in lessons():
        last = len(lesson.steps)
        yield lesson_page(visit, lesson, 1)
        yield lesson_page(visit, lesson, last, AnswerVerdict(right=lesson.name != "takes", text="because"))
    now, course = guided(()), iter(COURSE)
    yield guide_page(visit, now)
    while now.view.result is None:
        legal = [str(act) for act in now.view.legal]
        done = next(course, legal[-1] if legal else PASS)
        now = guided((*now.acts, done))
        yield guide_page(visit, now, "brisque" if len(now.acts) == 9 else "")
