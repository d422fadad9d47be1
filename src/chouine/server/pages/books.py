"""The rule book as a page, whole or one chapter at a time, and the page for clubs with the volunteers' page."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from urllib.parse import urlencode

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from chouine.phrases import Language
from chouine.phrases.books import handbook, rulebook
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading of the second level and what follows it. `key` is its `section` in an address."""

    key: str
    anchor: str
    title: str
    body: Markup


@dataclass(frozen=True, slots=True)
class RenderedRules:
    """A rule book, rendered."""

    opening: Markup
    """Its title and what comes before the first chapter."""
    chapters: tuple[Chapter, ...]


def rules_address(section: str = "", back: str = "") -> str:
    """Where the book is read, or one chapter of it; `back` is the page that the reader comes from."""
    asked = {name: value for name, value in (("section", section), ("back", back)) if value}
    return "/rules" + ("?" + urlencode(asked) if asked else "")


def rules_page(visit: Visit, section: str, back: str = "") -> str:
    """The whole book, or the chapter that `section` names: "8" is §8. `back` is the page the reader comes from."""
    book = book_in(visit.language)
    keys = [chapter.key for chapter in book.chapters]
    place = keys.index(section) if section in keys else None
    return render(
        visit,
        "rules.html",
        here=rules_address(section if place is not None else "", back),
        back=back,
        address=rules_address,
        book=book,
        chapter=None if place is None else book.chapters[place],
        earlier=book.chapters[place - 1] if place else None,
        later=book.chapters[place + 1] if place is not None and place + 1 < len(keys) else None,
    )


@cache
def book_in(language: Language) -> RenderedRules:
    """The rule book in a language, rendered once."""
    return book_of(rulebook(language))


def book_of(text: str) -> RenderedRules:
    """Render a rule book from its Markdown: the preamble, and a chapter for each heading of level 2."""
    reader = MarkdownIt("commonmark").enable("table")
    parts: list[list[Token]] = [[]]
    for token in reader.parse(text):
        if token.type == "heading_open" and token.tag == "h2":
            parts.append([])
        parts[-1].append(token)

    def markup_of(tokens: list[Token], title: str) -> Markup:
        return Markup(reader.renderer.render(frame_examples(tokens, title), reader.options, {}))  # noqa: S704

    def chapter(tokens: list[Token]) -> Chapter:
        title = tokens[1].content
        numbered = re.match(r"§(\d+)", title)
        key = numbered[1] if numbered else slug(title)
        return Chapter(key, f"s{key}" if numbered else key, title, markup_of(tokens[3:], title))

    return RenderedRules(markup_of(parts[0], ""), tuple(map(chapter, parts[1:])))


WIDEST = 2
"""Columns that need no names where each row of a table is a list, as on a phone."""
ROLES = {
    "table": "table",
    "thead": "rowgroup",
    "tbody": "rowgroup",
    "tr": "row",
    "th": "columnheader",
    "td": "cell",
}
"""What the parts of a table are, which some browsers forget where it is laid out as lists."""


def frame_examples(tokens: list[Token], title: str) -> list[Token]:
    """Wrap each table in a scrollable `div`, for narrow screens, and turn empty header cells into data cells."""
    frame = {"class": "scroll", "tabindex": "0", "role": "group", "aria-label": title}
    found: list[Token] = []
    begun = 0
    for place, token in enumerate(tokens):
        if token.type == "table_open":
            found.append(Token("scroll_open", "div", 1, attrs=dict(frame), block=True))
            begun = len(found)
        if token.type == "th_open" and not tokens[place + 1].content:
            token.tag = tokens[place + 2].tag = "td"
        found.append(token)
        if token.type == "table_close":
            found[begun:] = fold_rows(found[begun:])
            found.append(Token("scroll_close", "div", -1, block=True))
    return found


def fold_rows(table: list[Token]) -> list[Token]:
    """A table that a narrow screen shows as a list of each row, its cells with their columns' names if it is wide.

    A cell that is alone in its row, the heading of the next rows, has none.
    """
    heads = [cell.content.strip("`*") for token, cell in pairwise(table) if token.type == "th_open"]
    table[0].attrSet("class", "fold")
    found: list[Token] = []
    names = iter(heads)
    for place, token in enumerate(table):
        if token.nesting == 1:
            token.attrSet("role", ROLES[token.tag])
        if token.type == "tr_open":
            row = [cell.content for cell in table[place : place + 3 * len(heads)] if cell.type == "inline"]
            names = iter(heads if any(row[1:]) and len(heads) > WIDEST else [""] * len(heads))
        if token.type == "td_open" and (name := next(names)):
            token.attrSet("data-column", name)
        cell = token.type == "inline" and found[-1].type == "td_open" and token.content
        found += [Token("cell_open", "span", 1), token, Token("cell_close", "span", -1)] if cell else [token]
    return found


def slug(title: str) -> str:
    """The anchor of an unnumbered heading, as links in the books write it: lower case, hyphens for spaces."""
    kept = "".join(sign for sign in title.lower() if sign.isalnum() or sign in " -")
    return unicodedata.normalize("NFC", kept).replace(" ", "-")


def clubs_page(visit: Visit) -> str:
    return render(visit, "clubs.html", here="/clubs", handbook=handbook_in(visit.language))


@cache
def handbook_in(language: Language) -> Markup:
    """The volunteers' page."""
    return Markup(MarkdownIt("commonmark").render(handbook(language)))  # noqa: S704  # it is our own text
