"""The page of a visitor's progress."""

from __future__ import annotations

from datetime import datetime

from chouine.days import day_of
from chouine.phrases import thousands_apart
from chouine.school.lessons import lessons
from chouine.school.problems import shipped_problems, streak
from chouine.server.difficulty import FAMILIAR
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.repetition import due_problems
from chouine.server.saved import Schooling


def progress_page(
    visit: Visit, school: Schooling, now: datetime, refused: str = "", *, done: bool = False
) -> str:
    """The page. `refused`: why a file was not accepted; `done`: whether a request was just carried out."""
    return render(
        visit,
        "school/progress.html",
        here="/learn/progress",
        lessons=[
            (lesson.title[visit.language], lesson.name, lesson.name in school.done) for lesson in lessons()
        ],
        solved=len(school.solved),
        every=thousands_apart(len(shipped_problems()), visit.language),
        days=len(school.days),
        row=streak(school.days, day_of(now, visit.zone)),
        again=len(due_problems(school.again, now)),
        waiting=len(school.again),
        level=round(school.rated.mean) if school.rated.tries >= FAMILIAR else None,
        spread=round(school.rated.spread),
        counted=max((record.best for record in school.counting), default=0),
        refused=refused,
        done=done,
    )
