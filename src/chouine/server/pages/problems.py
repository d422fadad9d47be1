"""Problems as pages: today's, and practice by theme. A page knows the solver's view alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from chouine.ai.levels import looks_ahead
from chouine.notation.french import arranged
from chouine.notation.tokens import token
from chouine.partie.actions import Action, Play
from chouine.partie.view import View
from chouine.phrases import card_name
from chouine.phrases.catalogue import N_
from chouine.school.problems import Problem, shipped
from chouine.server.difficulty import Rated
from chouine.server.pages.cards import back, face, sign
from chouine.server.pages.env import render
from chouine.server.pages.school import offers_of
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of

THEMES = {
    "seven": N_("The seven: now or later"),
    "hold": N_("Hold a declaration"),
    "trumps": N_("Keep trumps"),
    "der": N_("Dix de der"),
    "ruff": N_("A forced ruff"),
    "chouine": N_("A chouine threatens"),
    "lead": N_("Who must lead"),
    "count": N_("The count"),
}
"""What a problem is about, as `school.problems.themes` names it."""
FEWEST = 10
"""Problems that make a theme worth a button."""


@dataclass(frozen=True, slots=True)
class Tried:
    """An answer that was given: what came of it, as cards that everybody has seen since."""

    accepted: bool
    act: str
    replies: tuple[str, ...]
    """What the others did then, in words."""
    following: str = ""
    """Where the problem goes on; empty where it is solved."""


def problems_page(
    visit: Visit, today: str, solved: Collection[str], again: int, days: int, level: int | None
) -> str:
    """Today's problem and the ways to practise.

    `again` problems are to be gone over, `days` in a row were solved; `level` is the visitor's rating, once known.
    """
    themes = Counter(theme for problem in shipped() for theme in problem.themes)
    presets = Counter(problem.rules.preset for problem in shipped())
    return render(
        visit,
        "school/problems.html",
        here="/learn/problems",
        today=today,
        reviewed=looks_ahead(),
        done=today in solved,
        again=again,
        days=days,
        level=level,
        solved=len(solved),
        themes=[(theme, THEMES[theme], themes[theme]) for theme in THEMES if themes[theme] >= FEWEST],
        presets=sorted(presets),
        every=len(shipped()),
    )


def problem_page(
    visit: Visit,
    problem: Problem,
    view: View,
    address: str,
    tried: Tried | None = None,
    refused: str = "",
    people: Rated | None = None,
) -> str:
    """A problem as the seat to act sees it, and what came of the last answer; `people`, where enough have tried it."""
    words = words_of(visit)
    seats = range(view.rules.seats)
    hidden = len(view.unseen) if problem.kind != "ending" else 0
    return render(
        visit,
        "school/problem.html",
        here=address,
        problem=problem,
        view=view,
        me=problem.seat,
        tried=tried,
        refused=refused,
        others=[seat for seat in seats if seat != problem.seat],
        open_hand=arranged(view.unseen) if problem.kind == "ending" else [],
        hidden=hidden,
        themes=[THEMES[theme] for theme in problem.themes if theme in THEMES],
        gap=round(100 * problem.gap),
        difficulty=round(people.mean if people else problem.difficulty),
        people=people,
        offers=offers_of(visit, view.legal),
        words=words,
        face=face,
        back=back,
        sign=sign,
        arranged=arranged,
    )


def done_in_words(visit: Visit, act: Action) -> str:
    """An act that was done, short."""
    return card_name(act.card, visit.language) if isinstance(act, Play) else token(act)
