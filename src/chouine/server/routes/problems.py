"""Problems: today's, practice by theme, one problem step by step. A page knows the solver's view alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from urllib.parse import parse_qsl, urlencode, urlsplit
from zlib import crc32

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chouine.ai.explanations import outcome
from chouine.ai.levels import looks_ahead
from chouine.cards import CardSet
from chouine.days import day_of
from chouine.errors import ChouineError
from chouine.notation.display import arrange
from chouine.notation.tokens import read_action, token
from chouine.partie import Action, State, View
from chouine.phrases import N_, say, score_of, thousands_apart
from chouine.rules import PRESETS
from chouine.school.problems import (
    Problem,
    choose_problems,
    ending,
    judge_answer,
    of_the_day,
    own_steps,
    shipped_problems,
    streak,
)
from chouine.school.problems.answer import at_step
from chouine.school.problems.shipped import choose_practice, remember_solved
from chouine.server.difficulty import FAMILIAR, TrialRating, by_levels
from chouine.server.forms import number_of
from chouine.server.pages import wording
from chouine.server.pages.advising import idea, preference, the_act
from chouine.server.pages.env import render
from chouine.server.pages.school import choice_of
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.server.repetition import ProblemAnswer, due_problems
from chouine.server.routes.request_context import RequestContext, context_of, lot
from chouine.server.saved import Schooling
from chouine.table.entries import GivenAdvice

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
"""Labels of the themes of `school.problems.themes`."""
FEW = 3
"""With fewer acts, naming two of them says nothing."""
FEWEST = 10
"""Least number of problems for which a theme gets a button."""
NEARER_TO_A_TENTH = 0.075
"""From this loss on, a tenth is nearer to it than a twentieth; no problem loses less than a twentieth."""


@dataclass(frozen=True, slots=True)
class TriedAnswer:
    """An answer and its result, in public cards alone."""

    accepted: bool
    act: str
    replies: tuple[str, ...]
    """The opponents' acts after it, in words."""
    following: str = ""
    """The position line to continue from; empty once solved."""
    why: str = ""
    """Why the act is right, shown once the problem is solved; of a wrong one in an ending, where it leads."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What was asked for beforehand: the first steps, or the solution."""

    step: int = 0
    """Hints given so far."""
    idea: str = ""
    pair: tuple[str, ...] = ()
    """Two acts of which one is right."""
    solution: tuple[str, ...] = ()
    """The right act and all that follows, in words, with their players where others answer in between."""
    why: str = ""
    last: bool = False
    """Whether only the solution is left to ask for."""


def hints_of(visit: Visit, view: View, best: Action, step: int) -> Hints:
    """The first hints for a position: an idea; then two acts of which one is right, unless there are only two."""
    few, words = len(view.legal) < FEW, words_of(visit)
    pair = list[str]()
    if step > 1 and not few:
        others = sorted(token(act) for act in view.legal if act != best)
        pair = sorted((token(best), others[crc32(str(view.hand).encode()) % len(others)]))
    return Hints(
        step=step,
        idea=words.gettext(idea(view, best)),
        pair=tuple(the_act(words, read_action(each)) for each in pair),
        last=few or step > 1,
    )


def problems_page(
    visit: Visit, today: str, solved: Collection[str], again: int, days: int, level: int | None
) -> str:
    """Today's problem and the ways to practise.

    `again`: number of problems due for repetition; `days`: daily problems solved in a row; `level`: the visitor's
    rating, None while it is unknown.
    """
    classic = choose_problems(shipped_problems(), preset="classic", quick=False)
    themes = Counter(theme for problem in classic for theme in problem.themes)
    return render(
        visit,
        "school/problems.html",
        here="/learn/problems",
        wording=wording,
        today=today,
        reviewed=looks_ahead(),
        done=today in solved,
        again=again,
        days=days,
        level=level,
        solved=len(solved),
        themes=[(theme, THEMES[theme], themes[theme]) for theme in THEMES if themes[theme] >= FEWEST],
        presets=[preset for preset in PRESETS if preset != "classic"],
        quick=len(choose_problems(shipped_problems(), preset="classic", quick=True)),
        every=thousands_apart(len(shipped_problems()), visit.language),
    )


def problem_page(
    visit: Visit,
    problem: Problem,
    view: View,
    address: str,
    tried: TriedAnswer | None = None,
    refused: str = "",
    people: TrialRating | None = None,
    hints: Hints = Hints(),
) -> str:
    """A problem's page, with the result of the last answer; `people` is its rating, if enough people tried it."""
    words = words_of(visit)
    hidden = len(view.unseen) if problem.kind != "ending" else 0
    return render(
        visit,
        "school/problem.html",
        here=address,
        wording=wording,
        another=with_query("/learn/problems/one", practice_query(dict(parse_qsl(urlsplit(address).query)))),
        problem=problem,
        me=problem.seat,
        tried=tried,
        hints=hints,
        refused=refused,
        others=[
            (other_player(words, problem, seat), view.points[seat])
            for seat in range(view.rules.seats)
            if seat != problem.seat
        ],
        open_hand=arrange(other_hand(view)) if problem.kind == "ending" else [],
        hidden=hidden,
        themes=[THEMES[theme] for theme in problem.themes if theme in THEMES],
        gap=gap_sentence(words, problem.gap) if problem.kind != "ending" else "",
        difficulty=round(people.mean if people else problem.difficulty),
        people=people,
        **choice_of(visit, view),
    )


def gap_sentence(words: Words, gap: float) -> str:
    """How many parties the next best move loses, in tenths; of three problems in ten a twentieth is nearer."""
    if gap < NEARER_TO_A_TENTH:
        return words.gettext("The next best move wins about one partie in twenty fewer.")
    tenths = round(10 * gap)
    return words.ngettext(
        "The next best move wins about %(num)s partie in ten fewer.",
        "The next best move wins about %(num)s parties in ten fewer.",
        tenths,
    ) % {"num": tenths}


def other_player(words: Words, problem: Problem, seat: int) -> str:
    """What another player of a problem is called."""
    return words.gettext("The other") if problem.rules.seats == 2 else words.player("", seat)


def solution_in_words(visit: Visit, problem: Problem, step: int) -> tuple[str, ...]:
    """The solution's acts from a step on; each with its player where others answer in between."""
    words, acts = words_of(visit), problem.solution[step:]
    said = [the_act(words, read_action(act)) for act in acts]
    turns = [at_step(problem, step + nth).position.turn for nth in range(len(acts))]
    if set(turns) == {problem.seat}:
        return tuple(said)
    names = [
        words.gettext("You") if seat == problem.seat else other_player(words, problem, seat) for seat in turns
    ]
    return tuple(
        words.gettext("%(name)s: %(card)s") % {"name": name, "card": act}
        for name, act in zip(names, said, strict=True)
    )


def address_of(problem: Problem, query: Mapping[str, str], step: int = 0) -> str:
    """The address of a problem at a step; it keeps what practice was asked for, so that the next is alike."""
    query = practice_query(query) | ({"step": str(step)} if step else {})
    return with_query(f"/learn/problem/{problem.id}", query)


def with_query(path: str, query: Mapping[str, str]) -> str:
    """An address with a query, if there is one."""
    return f"{path}?{urlencode(query)}" if query else path


def practice_query(query: Mapping[str, str]) -> dict[str, str]:
    """What of an address says which problems are wanted."""
    return {name: query[name][:20] for name in ("preset", "theme", "difficulty", "quick") if name in query}


def other_hand(view: View) -> CardSet:
    """The opponent's hand after the last draw, with two seats: cards that it has shown, and all that are unseen."""
    return CardSet(view.unseen.mask | sum(view.position.hands) & ~view.hand.mask)


def ends_in_words(visit: Visit, seat: int, ends: Sequence[tuple[Action, State]]) -> str:
    """Why an act is right in an ending: the results of best play after it and after the second best."""
    words = words_of(visit)
    said = [
        words.gettext("%(act)s, %(end)s")
        % {"act": the_act(words, act), "end": end_in_words(visit, seat, state)}
        for act, state in ends
    ]
    return words.gettext("If both play on as well as they can: %(ends)s.") % {
        "ends": words.gettext("; ").join(said)
    }


def end_in_words(visit: Visit, seat: int, state: State) -> str:
    """A seat's result, with both counts if the partie is counted."""
    result = state.result
    if result is None:
        raise ValueError("a partie that is not over")
    got = outcome(0.5 if result.winner is None else float(result.winner == seat), visit.language)
    counts = f" ({score_of((result.points[seat], result.points[1 - seat]))})"
    return got + (counts if result.by in ("points", "nulle") else "")


def advice_in_words(visit: Visit, act: Action, advice: GivenAdvice) -> str:
    """Why an act is right with hidden cards; empty if the adviser prefers another."""
    return preference(words_of(visit), advice) if advice.best == token(act) else ""


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
    words = words_of(visit)
    replies = tuple(the_act(words, reply) for reply in found.reply)
    following = next((nth for nth in own_steps(shown) if nth > step), None)
    onward = address_of(shown, asked, following) if found.accepted and following is not None else ""
    why = await reason(context, shown, act, view, found.ends) if found.solved or found.ends else ""
    attempt = TriedAnswer(found.accepted, the_act(words, act), replies, onward, why)
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
    return advice_in_words(context.visit, act, await context.advise(view))


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
