"""The rule book as a page: every § has its anchor, and all links of the book work."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

from chouine.phrases import Language
from chouine.server.pages.books import book_in, rules_address, rules_page
from chouine.server.pages.visit import Visit
from tests.server.pages.reading import Page

LANGUAGES: tuple[Language, ...] = ("fr", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_section_can_be_addressed(language: Language) -> None:
    page = Page(rules_page(Visit(language, "t", "g"), ""))
    assert [f"s{section}" for section in range(1, 18) if f"s{section}" not in page.ids] == []
    within = [unquote(link[1:]) for link in page.links if link.startswith("#") and link != "#main"]
    assert within
    assert set(within) <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_chapter_at_a_time(language: Language) -> None:
    chapters = book_in(language).chapters
    for place, chapter in enumerate(chapters):
        page = Page(rules_page(Visit(language, "t", "g"), chapter.key))
        assert [one for one in page.ids if one in {other.anchor for other in chapters}] == [chapter.anchor]
        turning = [link for link in page.links if link.startswith("/rules?section=")]
        neighbours = [*chapters[max(place - 1, 0) : place], *chapters[place + 1 : place + 2]]
        assert turning == [rules_address(other.key) for other in neighbours]


def test_who_was_playing_finds_the_way_back() -> None:
    page = Page(rules_page(Visit("fr", "t", "g"), "", "/table/g?as=1"))
    assert "/table/g?as=1" in page.links
    assert "Revenir à la table" in page.text
    assert "Revenir à la table" not in Page(rules_page(Visit("fr", "t", "g"), "")).text


def test_the_way_back_stays_from_chapter_to_chapter_and_in_the_other_language() -> None:
    page = Page(rules_page(Visit("fr", "t", "g"), "8", "/table/g?as=1"))
    turning = [link for link in page.links if link.startswith("/rules?")]
    back = "back=%2Ftable%2Fg%3Fas%3D1"
    assert turning == [f"/rules?{back}#s8", f"/rules?section=7&{back}", f"/rules?section=9&{back}"]
    assert page.form("/language").sent["back"] == f"/rules?section=8&{back}"


def test_who_was_elsewhere_goes_back_there() -> None:
    page = Page(rules_page(Visit("en", "t", "g"), "", "/join/g/1/secret"))
    assert "/join/g/1/secret" in page.links
    assert "Back to the table" not in page.text


def test_a_section_that_is_not_there_is_the_whole_book() -> None:
    visit = Visit("en", "t", "g")
    assert rules_page(visit, "99") == rules_page(visit, "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_can_be_scrolled_by_keys(language: Language) -> None:
    html = rules_page(Visit(language, "t", "g"), "")
    assert len(re.findall("<table", html)) == len(re.findall(r'<div class="scroll" tabindex="0"', html)) > 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cells_of_a_wide_table_are_named_where_its_columns_are_not_seen(language: Language) -> None:
    """A phone shows each row as a list, of two cells without names. A row of one cell is a heading, without a name."""
    book = rules_page(Visit(language, "t", "g"), "")
    tables = re.findall('<table class="fold".*?</table>', book, re.DOTALL)
    assert len(tables) == book.count("<table")
    for table in tables:
        heads = [re.sub("<[^>]*>", "", head) for head in re.findall(r"<th role[^>]*>(.*?)</th>", table)]
        first, *rows = table.split("<tr role")[1:]
        names = {tuple(re.findall('data-column="(.*?)"', row)) for row in rows}
        assert names <= {tuple(heads), ()}
        assert (names == {()}) == (first.count('role="c') == 2)
