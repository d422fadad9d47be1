"""What the school prints: the rules in large letters, exercises with their answers, cards, a score sheet, a diploma."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from markdown_it import MarkdownIt
from markupsafe import Markup

from chouine.cards import PACK
from chouine.phrases import N_, Language
from chouine.phrases.typography import french_print
from chouine.school.exercises import CountExercise, Legal, Takes
from chouine.school.lessons import lessons
from chouine.server.pages.cards import face, sign
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of

PRINTS = {
    "page": (N_("The rules in large letters"), N_("One A4 in 14 point")),
    "booklet": (
        N_("The booklet in large letters"),
        N_("Four pages in 14 point, with an example of the count"),
    ),
    "exercises": (
        N_("Exercises on paper"),
        N_("Who takes, what may be played, how many points; the answers at the end"),
    ),
    "cards": (N_("Cards to cut out"), N_("The whole pack, on four pages of thick paper")),
    "score": (N_("A blank score sheet"), N_("For a match of three manches")),
    "diploma": (N_("The diploma of the school"), N_("For whoever has finished the lessons")),
}
"""What can be printed, by its name in addresses: its title, and what it is."""
DRILLED = 8
"""The first lessons, whose exercises are printed: later ones are about matches and other numbers of players."""


def print_page(visit: Visit, name: str) -> str:
    """A page to print, one of `PRINTS`."""
    drilled = [step for lesson in lessons()[:DRILLED] for step in lesson.steps]
    return render(
        visit,
        "school/print.html",
        here=f"/learn/print/{name}",
        name=name,
        title=PRINTS[name][0],
        text=large_text(name, visit.language) if name in ("page", "booklet") else "",
        exercises=[step for step in drilled if isinstance(step, Takes | Legal | CountExercise)],
        pack=PACK[::-1],
        words=words_of(visit),
        face=face,
        sign=sign,
    )


@cache
def large_text(name: str, language: Language) -> Markup:
    """A text for large letters, from its Markdown; each heading of level 1 begins a page."""
    file = files("chouine.school") / "content" / "prints" / f"{name}-{language}.md"
    text = file.read_text(encoding="utf-8")
    reader = MarkdownIt("commonmark").enable("table")
    return Markup(reader.render(french_print(text) if language == "fr" else text))  # noqa: S704  # our own text
