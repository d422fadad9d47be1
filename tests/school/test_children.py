"""The edition for children says "tu" on each of its pages, whatever is answered; the other pages say "vous"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from random import Random
from typing import Any

import pytest

from chouine.notation.tokens import PASS
from chouine.phrases import PHRASES, Language, translations
from chouine.phrases.catalogue import CHILD
from chouine.school.exercises import ActExercise, Choice, CountExercise, Legal, LessonStep, Takes
from chouine.school.guide import LEARNER, moment
from chouine.school.lessons import Lesson, lessons
from chouine.server.pages.env import TEMPLATES
from chouine.server.pages.visit import Settings, Visit
from chouine.server.routes.school import Question, learn
from chouine.server.saved import Schooling
from tools.messages import extract_sentences, forms, update_catalogue

VOUS = re.compile(r"\b(vous|votre|vos|vôtres?)\b|\b(?!assez|chez|nez|rez)\w+ez\b", re.IGNORECASE)
"""How one addresses an adult: by a pronoun, or by a verb."""
TU = re.compile(r"\b(tu|te|toi|ton|ta|tes|tiens?|tiennes?|t’\w+)\b", re.IGNORECASE)
PAGES = ("base", "larger", "language", "old")
SCHOOL = ("lessons", "lesson", "end", "guide", "trainer", "cards")
CODES = ("lesson/", "guide/", "illegal/", "event/")
"""The beginnings of the codes of all that is said in a lesson and in the guided partie."""
EDITION = [lesson for lesson in lessons() if CHILD in lesson.able]


def page(path: str, answers: tuple[str, ...] | None = None, language: Language = "fr", **query: str) -> str:
    """A page as a child has it, with what is said to those who hear it only; nothing for a redirect."""
    visit = Visit(language, "csrf", "guest", settings=Settings(child=True))
    parts = path.split("/") if path else []
    found = learn(Question(visit, parts, query, answers), Schooling(), lambda _: 7)
    return unescape(found.page)


def answers_to(step: LessonStep) -> Iterator[tuple[str, ...]]:
    """Every single answer, one that cannot be read, and none."""
    yield from ((), ("nonsense",))
    match step:
        case Takes(trick=cards):
            yield from ((str(place),) for place in range(len(cards)))
        case Legal(board=board):
            yield from ((str(card),) for card in board.hand)
            yield tuple(map(str, board.hand))
            yield tuple(map(str, sorted(step.right)))
        case CountExercise():
            yield from (("0",), (str(step.right),))
        case ActExercise(board=board):
            yield from ((str(act),) for act in board.acts)
            yield from ((str(card),) for card in board.hand)
            yield ("7x",)
        case Choice(options=options):
            yield from ((str(place),) for place in range(len(options)))


def test_the_first_nine_lessons_are_in_the_edition() -> None:
    assert lessons()[: len(EDITION)] == tuple(EDITION)
    assert len(EDITION) >= 9


@pytest.mark.parametrize("lesson", EDITION, ids=lambda lesson: lesson.name)
def test_a_lesson_says_tu_whatever_is_answered(lesson: Lesson) -> None:
    seen = [page(f"{lesson.name}/end")]
    assert TU.search(seen[0])
    for number, step in enumerate(lesson.steps, 1):
        address = f"{lesson.name}/{number}"
        seen.append(page(address))
        seen += [page(address, answer) for answer in answers_to(step)]
    assert [found[0] for text in seen if (found := VOUS.search(text))] == []


@pytest.mark.parametrize("seed", range(8))
def test_the_guided_partie_says_tu_to_its_end(seed: int) -> None:
    """Random parties, in each of which every card of the hand is tried before one is played."""
    rng, acts = Random(seed), list[str]()
    while True:
        now = moment(acts)
        seen = [page("partie", None, acts=",".join(now.acts))]
        assert "Toi" in seen[0]
        if now.view.result:
            break
        legal = [str(act) for act in now.view.legal] or [PASS]
        tries = {*map(str, now.view.hand), *legal, "7x", "7s"}
        seen += [page("partie", (one,), acts=",".join(now.acts)) for one in tries]
        assert [found[0] for text in seen if (found := VOUS.search(text))] == []
        acts = [*now.acts, rng.choice([*legal, PASS] if now.view.turn != LEARNER else legal)]


def test_the_list_and_the_trainer_and_the_exercises_on_paper_say_tu() -> None:
    for text in (page(""), page("count", None, pile="7"), page("count", ("x",), pile="7", full="1")):
        assert not VOUS.search(text)
    assert not VOUS.search(page("print/exercises"))


def test_the_two_editions_lead_to_each_other() -> None:
    """From the list and from the first step of each lesson that has both, in French alone."""
    adult = Visit("fr", "csrf", "guest")
    switch = re.compile(
        r'action="/edition".*?name="back" value="(.*?)".*?name="child" value="(1?)"', re.DOTALL
    )
    for path in ("", f"{EDITION[0].name}/1"):
        asked = Question(adult, path.split("/") if path else [], {}, None)
        there = switch.findall(learn(asked, Schooling(), lambda _: 7).page)
        assert there == [(f"/learn/{path}".rstrip("/"), "1")]
        assert switch.findall(page(path)) == [(there[0][0], "")]
        assert not switch.findall(page(path, language="en"))
    assert not switch.findall(page(f"{EDITION[0].name}/2"))
    assert not switch.findall(page(f"{lessons()[-1].name}/1"))


def test_no_sentence_of_these_pages_is_left_out() -> None:
    """Those that no walk above has met too: rare refusals, a browser that is old, a keeper who has written."""
    files = [f"{name}.html" for name in PAGES] + [f"school/{name}.html" for name in SCHOOL]
    said: set[Any] = {texts for code, texts in PHRASES.items() if code.startswith(CODES)}
    for file in files:
        source = (TEMPLATES / file).read_text(encoding="utf-8")
        said |= {
            message.id for message in extract_sentences() if message.id and in_template(message.id) in source
        }
    words = translations(CHILD)
    french = [
        words.gettext(one) if isinstance(one, str) else words.ngettext(one[0], one[1], 2) for one in said
    ]
    assert [sentence for sentence in french if VOUS.search(sentence)] == []


def in_template(message: Any) -> str:
    """A sentence as it stands in a template."""
    return f"'{message if isinstance(message, str) else message[0]}'"


def test_the_catalogue_says_only_what_is_said_otherwise() -> None:
    french = {message.id: forms(message) for message in update_catalogue("fr")}
    for message in update_catalogue(CHILD):
        if message.id:
            assert forms(message) != french[message.id]
            assert not any(map(VOUS.search, forms(message)))


def test_later_lessons_and_other_languages_are_as_ever() -> None:
    later = lessons()[len(EDITION)]
    assert VOUS.search(page(f"{later.name}/end"))
    assert "You know" in page(f"{EDITION[0].name}/end", language="en")
