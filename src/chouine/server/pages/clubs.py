"""For clubs that run a contest in a hall: what they need, and the volunteers' page."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

from chouine.phrases import Language
from chouine.phrases.handbook import handbook
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit


def clubs_page(visit: Visit) -> str:
    return render(visit, "clubs.html", here="/clubs", handbook=handbook_in(visit.language))


@cache
def handbook_in(language: Language) -> Markup:
    """The volunteers' page."""
    return Markup(MarkdownIt("commonmark").render(handbook(language)))  # noqa: S704  # it is our own text
