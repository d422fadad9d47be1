"""Combinations by pairs: of any two levels of two factors one combination is tried, all of them at night."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Literal, NamedTuple, get_args

import pytest
from _pytest.mark import ParameterSet
from allpairspy import AllPairs

from chouine.phrases import Language
from tests.browser.moments import Moment
from tests.browser.visitor import DESKTOP, PHONE, Size
from tests.night import is_night

Theme = Literal["light", "dark"]
LANGUAGES: tuple[Language, ...] = ("fr", "en")
THEMES: tuple[Theme, ...] = get_args(Theme)
TURNS = 8
"""Pages with the same number, counted in so many, are looked at in the same views."""


class Screen(NamedTuple):
    """A window as the browser lays pages out in it."""

    size: Size
    scale: int = 1
    """Pixels of the screen for one of the page, in a zoomed window."""
    text: str = ""
    """The size of the root's text, where the system asks for larger text."""


SMALL = Screen((320, 568))
ZOOMED = Screen((640, 400), 2)
"""A desktop page at 200 %."""
LARGER = (
    Screen((390, 844), text="25.5px"),
    Screen(PHONE, text="34px"),
    Screen((1024, 768), text="21.6px"),
)
"""Text at 150 and 200 %, and the program's own large letters on a tablet."""
SCREENS = (Screen(PHONE), Screen(DESKTOP), SMALL, ZOOMED, *LARGER)
VIEWS = tuple(map(tuple, AllPairs([range(TURNS), LANGUAGES, SCREENS, THEMES])))


def by_pairs(*factors: Sequence[object]) -> list[ParameterSet]:
    """The product of the factors' levels as parameters of a test; those beyond the pairs are left to the night."""
    by_day = set(map(tuple, AllPairs(factors)))
    return [
        pytest.param(
            *levels,
            marks=() if levels in by_day else pytest.mark.nightly,
            id="-".join(map(name_of, levels)),
        )
        for levels in product(*factors)
    ]


def name_of(level: object) -> str:
    """A function's name, the rules of a moment, a size as 360x740, or the value itself, in a test's name."""
    if isinstance(level, Moment):
        return level.rules
    return "x".join(map(str, level)) if isinstance(level, tuple) else getattr(level, "__name__", str(level))


def views_of(number: int, language: Language) -> list[tuple[Screen, Theme]]:
    """The screens and themes in which the page of this number in a tour is looked at."""
    if is_night():
        return list(product(SCREENS, THEMES))
    return [
        (screen, theme)
        for turn, spoken, screen, theme in VIEWS
        if (turn, spoken) == (number % TURNS, language)
    ]


def themes_of(number: int, language: Language) -> Sequence[Theme]:
    """The themes in which axe-core sees the page: by day one in each language."""
    return THEMES if is_night() else (THEMES[(number + LANGUAGES.index(language)) % 2],)


def rules_of(number: int, language: Language) -> Sequence[str]:
    """The rules by which axe-core judges the page, none for all: by day all in one language, colours in the other."""
    return () if is_night() or language == LANGUAGES[number // 2 % 2] else ("color-contrast",)
