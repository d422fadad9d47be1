"""The catalogue matches the sources and is compiled; every sentence is complete in both languages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir

from chouine.notation import deals, lines, setup
from chouine.phrases import PHRASES, Language, say, translations
from chouine.phrases.books import handbook, rulebook
from chouine.phrases.reading import FORMS
from chouine.phrases.typography import english_print, french_print
from chouine.server.pages.school import large_text
from tools.messages import (
    KEYWORDS,
    METHODS,
    OPTIONS,
    SOURCES,
    TRANSLATED,
    as_mo,
    as_text,
    forms,
    po_of,
    update_catalogue,
)

STALE = "run `make messages`"
LANGUAGES: tuple[Language, ...] = get_args(Language)
PLACEHOLDER = re.compile(r"%\((\w+)\)")


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    """The catalogue extracted from the sources, cached: it takes a second."""
    return update_catalogue()


@pytest.fixture(scope="module")
def messages(catalogue: Catalog) -> list[Message]:
    return [message for message in catalogue if message.id]


def english(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def placeholders(texts: tuple[str, ...]) -> set[str]:
    return {name for text in texts for name in PLACEHOLDER.findall(text)}


def test_sentences_are_found_in_code_templates_and_plurals(messages: list[Message]) -> None:
    found = {message.id for message in messages}
    assert {"The partie is over, §12.", "Your turn to play", ("%(num)s trick", "%(num)s tricks")} <= found


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_is_that_of_the_sources_and_compiled(language: Language) -> None:
    catalogue, path = update_catalogue(language), po_of(language)
    assert path.read_bytes() == as_text(catalogue), STALE
    assert path.with_suffix(".mo").read_bytes() == as_mo(catalogue), STALE


def test_every_sentence_is_in_french(messages: list[Message]) -> None:
    assert not [message.id for message in messages if message.fuzzy or not all(forms(message))]
    assert all(len(forms(message)) == len(english(message)) for message in messages)


def test_both_languages_have_the_same_placeholders(messages: list[Message]) -> None:
    assert not [
        message.id for message in messages if placeholders(forms(message)) != placeholders(english(message))
    ]


def test_nothing_is_kept_that_is_no_longer_said(catalogue: Catalog) -> None:
    assert b"#~" not in po_of("fr").read_bytes()
    assert not catalogue.obsolete


def test_french_spaces_do_not_break(messages: list[Message]) -> None:
    assert translations("fr").gettext("Chouine: home") == "Chouine\N{NO-BREAK SPACE}: accueil"
    for message in messages:
        for french in forms(message):
            assert french == french_print(french)


def test_the_form_of_a_line_is_told_in_french() -> None:
    assert set(FORMS) == {deals.FORM, lines.LINE, setup.FORM}
    told = say("syntax/short", "fr", form=deals.FORM)
    assert told == "Il manque quelque chose. La forme est\N{NO-BREAK SPACE}: donneur mains retourne talon."


def test_english_pages_have_no_typed_marks() -> None:
    """Apostrophes and quotation marks are those of print, on pages and in the books; commands may have typed ones."""
    for book in (rulebook("en"), handbook("en")):
        assert english_print(book) == book
    assert "’" in large_text("booklet", "en")
    assert not [
        (name, line)
        for name, line, message, *_ in extract_from_dir(SOURCES, METHODS, OPTIONS, KEYWORDS)
        if Path(name).parts[1] in {"pages", "routes", "templates"} and re.search(r"\w'\w", "".join(message))
    ]


def test_one_french_word_for_each_thing(messages: list[Message]) -> None:
    """French terms are consistent: a trick is a "pli", a hand a "main", to lead "attaquer", to cut "lever"."""
    readme = po_of("fr").parents[6].joinpath("README.md").read_text("utf-8")
    for french in (readme, *(form for message in messages for form in forms(message))):
        assert not re.search(r"\blevées?\b(?! à la coupe)", french, re.IGNORECASE), french
        assert not re.search(r"\b(a|ai|avez|avoir|prend|prenez|garde|gardez) la main\b", french), french


def test_every_code_has_its_sentence_in_both_languages() -> None:
    """Every code's sentence can be filled with its placeholders."""
    for code, texts in PHRASES.items():
        names = placeholders((texts,) if isinstance(texts, str) else texts)
        for language in LANGUAGES:
            said = say(code, language, **(dict.fromkeys(names, "…") | {"num": 2}))
            assert said
            assert "%(" not in said


@pytest.mark.parametrize(
    ("num", "french", "english"),
    [
        (1, "1 problème dans", "1 problem in"),
        (2, "2 problèmes dans", "2 problems in"),
        (1.5, "1.5 problème dans", "1.5 problems in"),
        (0.5, "0.5 problème dans", "0.5 problems in"),
        (2.5, "2.5 problèmes dans", "2.5 problems in"),
    ],
)
def test_french_counts_from_two_and_english_all_but_one_as_several(
    num: float, french: str, english: str
) -> None:
    assert say("problem/packed", "fr", num=num, file="").startswith(french)
    assert say("problem/packed", "en", num=num, file="").startswith(english)
