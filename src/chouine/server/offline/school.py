"""Lessons, the guided partie, counting and problems on a device without a network, and their progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache
from secrets import randbelow

import msgspec

from chouine.days import day_of
from chouine.errors import ChouineError
from chouine.notation.tokens import read_action
from chouine.phrases import say
from chouine.school.problems import (
    Problem,
    judge_answer,
    of_the_day,
    own_steps,
    shipped_problems,
    streak,
)
from chouine.school.problems.answer import at_step
from chouine.school.problems.shipped import choose_practice, remember_solved
from chouine.server.counting import Records
from chouine.server.forms import number_of
from chouine.server.learning import Learnt, LessonProgress, NoLesson, Question, learn
from chouine.server.pages.problems import (
    Tried,
    act_in_words,
    address_of,
    ends_in_words,
    problem_page,
    problems_page,
)
from chouine.server.pages.visit import Visit

RANGE = 200
"""Practice offers problems within this distance of the asked difficulty."""


class Learned(msgspec.Struct, frozen=True):
    """Progress on this device, in the form of `server/visitors.py`, without repetitions and ratings."""

    done: tuple[str, ...] = ()
    course: tuple[str, ...] = ()
    solved: tuple[str, ...] = ()
    days: tuple[date, ...] = ()
    counting: Records = ()


class Schooled(msgspec.Struct, frozen=True):
    """A response, and the progress after it."""

    learned: Learned
    page: str = ""
    onward: str = ""


@cache
def by_id() -> Mapping[str, Problem]:
    return {problem.id: problem for problem in shipped_problems()}


def answer_school(
    visit: Visit,
    path: Sequence[str],
    query: Mapping[str, str],
    form: Mapping[str, Sequence[str]] | None,
    learned: Learned,
    now: float,
) -> Schooled:
    """Answer a request under `/learn`. Raises `NoLesson`."""
    today = day_of(datetime.fromtimestamp(now, UTC), visit.zone)
    answers = form.get("answer", ()) if form is not None else None
    match path:
        case ["problems"]:
            of_today, days = of_the_day(shipped_problems(), today).id, streak(learned.days, today)
            return Schooled(
                learned, problems_page(visit, of_today, learned.solved, again=0, days=days, level=None)
            )
        case ["problems", "one"]:
            return Schooled(learned, onward=address_of(draw_problem(query, learned), query))
        case ["problem", name]:
            return try_problem(visit, name, query, answers, learned, today)
        case _:
            sure = form is not None and "sure" in form
            asked = Question(visit, path, query, answers, sure, offline=True)
            known = LessonProgress(learned.done, learned.course, learned.counting)
            found: Learnt = learn(asked, known, randbelow)
            learned = msgspec.structs.replace(learned, **found.known._asdict())
            return Schooled(learned, found.page, found.onward)


def draw_problem(query: Mapping[str, str], learned: Learned) -> Problem:
    """A random unsolved problem of a preset, a theme or about a difficulty."""
    found = choose_practice(query)
    level = number_of(query.get("difficulty", ""), 3000)
    if level is not None:
        found = [problem for problem in found if abs(problem.difficulty - level) <= RANGE]
    solved = frozenset(learned.solved)
    fresh = [problem for problem in found if problem.id not in solved] or found
    if not fresh:
        raise NoLesson
    return fresh[randbelow(len(fresh))]


def try_problem(
    visit: Visit,
    name: str,
    query: Mapping[str, str],
    answers: Sequence[str] | None,
    learned: Learned,
    today: date,
) -> Schooled:
    """A problem at one of the solver's steps, with the result of an answer."""
    shown, step = by_id().get(name), number_of(query.get("step", "0"), 100)
    if shown is None or step not in own_steps(shown):
        raise NoLesson
    view = at_step(shown, step).view(shown.seat)
    address = address_of(shown, query, step)
    if answers is None:
        return Schooled(learned, problem_page(visit, shown, view, address))
    try:
        act = read_action((*answers, "")[0])
        found = judge_answer(shown, act, step)
    except ChouineError as error:
        why = say(error.code, visit.language, **error.data)
        return Schooled(learned, problem_page(visit, shown, view, address, refused=why))
    following = next((nth for nth in own_steps(shown) if nth > step), None)
    onward = address_of(shown, query, following) if found.accepted and following is not None else ""
    replies = tuple(act_in_words(visit, reply) for reply in found.reply)
    why = ends_in_words(visit, shown.seat, found.ends) if found.solved and found.ends else ""
    attempt = Tried(found.accepted, act_in_words(visit, act), replies, onward, why)
    if found.solved:
        solved, days = remember_solved(learned.solved, learned.days, shown.id, today)
        learned = msgspec.structs.replace(learned, solved=solved, days=days)
    return Schooled(learned, problem_page(visit, shown, view, address, attempt))
