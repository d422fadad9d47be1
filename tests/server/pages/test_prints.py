"""What the school prints fits its pages; its exercises and their answers are the lessons'."""

from __future__ import annotations

import re

import pytest

from chouine.cards import PACK
from chouine.phrases import Language
from chouine.phrases.catalogue import NAMES
from chouine.school.lessons import lessons
from chouine.server.pages.school import PRINTS, end_page, lessons_page, parts, print_page
from chouine.server.pages.visit import Visit

LANGUAGES: tuple[Language, ...] = tuple(NAMES)


def test_a_stage_that_is_complete_has_its_medal() -> None:
    visit, first = Visit("fr", "csrf", "a"), [lesson.name for lesson in lessons()[:4]]
    assert "votre médaille est le sept de cœur" in end_page(visit, lessons()[3], first)
    assert "votre médaille" not in end_page(visit, lessons()[3], first[1:])
    page = lessons_page(visit, first, "/learn/partie")
    assert page.count("Médaille") == page.count("Médaille\N{NO-BREAK SPACE}: le sept de cœur") == 1
    assert [len(part) for part in parts()] == [4, 4, 4, 4]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PRINTS)
def test_each_print_says_its_name_in_both_languages(name: str, language: Language) -> None:
    page = print_page(Visit(language, "csrf", "a"), name)
    assert page.count("<h1") >= 1
    assert f'class="print of-{name}"' in page


def test_the_pack_to_cut_out_is_whole() -> None:
    page = print_page(Visit("fr", "csrf", "a"), "cards")
    labels = re.findall(r'<li><span class="card" role="img" aria-label="([^"]+)"', page)
    assert len(set(labels)) == len(labels) == len(PACK)


def test_each_exercise_on_paper_has_its_answer() -> None:
    page = print_page(Visit("fr", "csrf", "a"), "exercises")
    asked, answers = page.split('class="answers"')
    assert asked.count("<li><p>") == answers.count("<li>") > 20
    assert "Touchez la carte" not in asked
