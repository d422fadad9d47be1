"""Problems: today's, practice by theme, one problem step by step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chouine.days import day_of
from chouine.errors import ChouineError
from chouine.notation.tokens import read_action
from chouine.partie import Action, State, View
from chouine.phrases import say
from chouine.school.problems import (
    Problem,
    ending,
    judge_answer,
    of_the_day,
    own_steps,
    shipped_problems,
    streak,
)
from chouine.school.problems.answer import at_step
from chouine.school.problems.shipped import choose_practice, remember_solved
from chouine.server.difficulty import FAMILIAR, by_levels
from chouine.server.forms import number_of
from chouine.server.pages.problems import (
    Hints,
    Tried,
    act_in_words,
    address_of,
    counsel_in_words,
    ends_in_words,
    hints_of,
    problem_page,
    problems_page,
    solution_in_words,
)
from chouine.server.repetition import ProblemAnswer, due_problems
from chouine.server.routes.request_context import RequestContext, context_of, lot
from chouine.server.saved import Schooling

SOLUTION = 3
"""The step of hints that tells all."""
RANGE = 200
"""Practice offers problems within this distance of the asked difficulty."""


@cache
def by_id() -> dict[str, Problem]:
    return {problem.id: problem for problem in shipped_problems()}


async def index(request: Request) -> Response:
    """Today's problem and the ways to practise."""
    context = await context_of(request)
    school, now = context.saved.school, context.now
    today = day_of(now, context.visit.zone)
    return await context.page(
        problems_page(
            context.visit,
            of_the_day(shipped_problems(), today).id,
            school.solved,
            again=len(due_problems(school.again, now)),
            days=streak(school.days, today),
            level=round(school.rated.mean) if school.rated.tries >= FAMILIAR else None,
        )
    )


async def practise(request: Request) -> Response:
    """Redirect to a random unsolved problem of a theme, a preset or a difficulty."""
    context = await context_of(request)
    asked = request.query_params
    level = number_of(asked.get("difficulty", ""), 3000)
    found = choose_practice(asked)
    if level is not None:
        people = await context.difficulties()
        rated = ((problem, people.get(problem.id, by_levels(problem))) for problem in found)
        found = [problem for problem, rating in rated if abs(rating.mean - level) <= RANGE]
    solved = frozenset(context.saved.school.solved)
    fresh = [problem for problem in found if problem.id not in solved] or found
    if not fresh:
        raise HTTPException(404, "no-such-page")
    return await context.go(address_of(fresh[lot(len(fresh))], asked))


async def problem(request: Request) -> Response:
    """A problem at one of the solver's steps; a post is an answer."""
    context = await context_of(request)
    shown = by_id().get(str(request.path_params["id"]))
    step = number_of(request.query_params.get("step", "0"), 100)
    if shown is None or step not in own_steps(shown):
        raise HTTPException(404, "no-such-page")
    visit, state = context.visit, at_step(shown, step)
    asked = request.query_params
    address = address_of(shown, asked, step)
    view = state.view(shown.seat)
    if request.method == "GET":
        return await context.page(problem_page(visit, shown, view, address))
    form = await context.form()
    text, hint = str(form.get("answer", "")), number_of(str(form.get("hint", "0")), SOLUTION) or 0
    if hint and "answer" not in form:
        return await give_hint(context, shown, step, hint)
    hints = hints_of(visit, view, read_action(shown.solution[step]), hint) if hint else Hints()
    try:
        act = read_action(text)
        found = await context.run_study(judge_answer, shown, act, step)
    except ChouineError as error:
        refused = say(error.code, visit.language, **error.data)
        return await context.page(problem_page(visit, shown, view, address, refused=refused, hints=hints))
    replies = tuple(act_in_words(visit, reply) for reply in found.reply)
    following = next((nth for nth in own_steps(shown) if nth > step), None)
    onward = address_of(shown, asked, following) if found.accepted and following is not None else ""
    why = await reason(context, shown, act, view, found.ends) if found.solved or found.ends else ""
    attempt = Tried(found.accepted, act_in_words(visit, act), replies, onward, why)
    if found.accepted and not found.solved:
        return await context.page(problem_page(visit, shown, view, address, attempt))
    school = await learn_answer(context, shown, right=found.solved, helped=hint > 0)
    people = (await context.difficulties()).get(shown.id)
    page = HTMLResponse(problem_page(visit, shown, view, address, attempt, people=people, hints=hints))
    return await context.seal(page, replace(context.saved, school=school))


async def give_hint(context: RequestContext, shown: Problem, step: int, hint: int) -> Response:
    """The page with one hint more; with the solution, which counts as a miss."""
    visit, view = context.visit, at_step(shown, step).view(shown.seat)
    address = address_of(shown, context.request.query_params, step)
    best = read_action(shown.solution[step])
    if hint < SOLUTION:
        return await context.page(
            problem_page(visit, shown, view, address, hints=hints_of(visit, view, best, hint))
        )
    ends = await context.run_study(ending.ends, at_step(shown, step)) if shown.kind == "ending" else ()
    told = Hints(
        step=hint,
        solution=solution_in_words(visit, shown, step),
        why=await reason(context, shown, best, view, ends),
    )
    school = await learn_answer(context, shown, right=False)
    page = HTMLResponse(problem_page(visit, shown, view, address, hints=told))
    return await context.seal(page, replace(context.saved, school=school))


async def reason(
    context: RequestContext, shown: Problem, act: Action, view: View, ends: Sequence[tuple[Action, State]]
) -> str:
    """Why the solving act is right: how the partie ends, or what the adviser says with hidden cards."""
    if ends:
        return ends_in_words(context.visit, shown.seat, ends)
    return counsel_in_words(context.visit, act, await context.advise(view))


async def learn_answer(
    context: RequestContext, shown: Problem, *, right: bool, helped: bool = False
) -> Schooling:
    """A visitor's progress after a problem was solved or missed; `helped`: with a hint, which rates nobody.

    The first try rates problem and visitor; later tries change nothing.
    """
    school, now = context.saved.school, context.now
    if not helped and shown.id not in school.solved and all(one.problem != shown.id for one in school.again):
        school = replace(school, rated=await context.rate(shown, right=right))
    school = replace(school, again=context.repeat(ProblemAnswer(shown.id, right, now)))
    if not right:
        return school
    solved, days = remember_solved(school.solved, school.days, shown.id, day_of(now, now.tzinfo))
    return replace(school, solved=solved, days=days)
