"""The rule books REGLES.md and RULES.md agree with each other, with the options in the code and with the tests."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from chouine.phrases import Language, translations
from chouine.phrases.typography import french_print
from chouine.rules.options import PRESETS, VALUES, Rules, text_name
from chouine.server.pages.wording import OPTION_WORDS

ROOT = Path(__file__).parent.parent
BOOKS = ("REGLES.md", "RULES.md")
CHAPTERS = list(range(1, 18))
CITATION = re.compile(r"§+\s?(\d+)")
TEXTS = {".py", ".md", ".html", ".js", ".css", ".txt", ".cgn", ".po", ".json"}
TO_ENGLISH = str.maketrans("RDV", "KQJ")


def sections(book: str) -> dict[str, str]:
    """The text under each `##` heading of a book."""
    parts = re.split(r"^## (.+)$", (ROOT / book).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def chapters(book: str) -> list[tuple[int, str]]:
    """The numbered chapters of a book, in its order: number and text."""
    return [
        (int(number[1]), text)
        for heading, text in sections(book).items()
        if (number := re.match(r"§(\d+) ", heading))
    ]


def rows(book: str, heading: str) -> Iterator[list[str]]:
    """The table rows under a heading whose first cell is `code`, as cells; a value in bold is the default."""
    for line in sections(book)[heading].splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def words(cell: str) -> tuple[str, ...]:
    """The `code` words of a cell."""
    return tuple(re.findall(r"`([\w-]+)`", cell))


def citations(text: str) -> set[int]:
    return {int(number) for number in CITATION.findall(text)}


def cited_by_tests() -> set[int]:
    """Chapters cited by test functions, except those of the referee, which test a test tool."""
    found: set[int] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        if path == Path(__file__) or path.parent.name == "referee":
            continue
        source = path.read_text(encoding="utf-8")
        if not citations(source):
            continue
        lines = source.split("\n")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
                found |= citations("\n".join(lines[node.lineno - 1 : node.end_lineno]))
    return found


@pytest.mark.parametrize("book", BOOKS)
def test_a_book_has_every_chapter_once_in_order(book: str) -> None:
    assert [number for number, _ in chapters(book)] == CHAPTERS


def marks(text: str) -> Counter[str]:
    """The language-independent marks of a chapter: cards (letters aside), figures in tables, `code`, citations."""
    cards = re.findall(r"(?:10|[A-Z7-9])[♠♥♦♣]", text)
    figures = re.findall(r"(?<=\| )[*\d]+(?= \|)", text)
    code = re.findall(r"`[^`]+`", text)
    return Counter([card.translate(TO_ENGLISH) for card in cards] + figures + code + CITATION.findall(text))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_both_books_say_the_same(chapter: int) -> None:
    french, english = (dict(chapters(book))[chapter] for book in BOOKS)
    assert marks(french) == marks(english)


def test_every_chapter_is_tested() -> None:
    assert set(CHAPTERS) - cited_by_tests() == set()


def test_a_citation_names_a_chapter() -> None:
    paths = [path for top in ("src", "tests") for path in (ROOT / top).rglob("*") if path.suffix in TEXTS]
    for path in [*paths, *(ROOT / book for book in BOOKS)]:
        assert citations(path.read_text(encoding="utf-8")) <= set(CHAPTERS), path


@pytest.mark.parametrize(("book", "heading"), [("REGLES.md", "Les options"), ("RULES.md", "The options")])
def test_options_values_and_defaults_are_the_code_s(book: str, heading: str) -> None:
    told = {
        words(name): (words(values), words("".join(re.findall(r"\*\*.+?\*\*", values))))
        for name, values, *_ in rows(book, heading)
    }
    assert told == {
        (text_name(option),): (values, (getattr(Rules(), option),)) for option, values in VALUES.items()
    }


@pytest.mark.parametrize(
    ("language", "book", "heading"), [("fr", "REGLES.md", "Les options"), ("en", "RULES.md", "The options")]
)
def test_options_are_told_in_the_form_s_words(language: Language, book: str, heading: str) -> None:
    told = {words(name)[0]: french_print(text) for name, _, text, *_ in rows(book, heading)}
    gettext = translations(language).gettext
    for option, wording in OPTION_WORDS.items():
        for sentence in (wording.question, *wording.answers.values()):
            assert french_print(gettext(sentence)) in told[text_name(option)]


@pytest.mark.parametrize(
    ("book", "heading"), [("REGLES.md", "Les jeux proposés"), ("RULES.md", "The presets")]
)
def test_presets_are_the_code_s(book: str, heading: str) -> None:
    told = {
        words(name): (int(seats), turnup == "–", words(declare))
        for name, seats, _, turnup, _, declare, _ in rows(book, heading)
    }
    assert told == {(name,): (*PRESETS[name], (Rules.of_preset(name).declare,)) for name in PRESETS}
