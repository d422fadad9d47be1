"""Reviews of finished parties: the page that fills in, decisions taken once more, the record with comments."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from chouine.notation.lines import actions_of
from chouine.notation.tokens import PASS
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.school.review import Judgement, Review, accounts, annotate, moments, state_before
from chouine.server.forms import number_of
from chouine.server.new_table import same_deal
from chouine.server.pages.review import SecondTry, exercise_page, match_review_page, review_page
from chouine.server.pages.visit import Visit
from chouine.server.records import record_of
from chouine.server.repetition import Mistake, ProblemAnswer, due_problems
from chouine.server.routes.history import finished_partie
from chouine.server.routes.request_context import RequestContext, context_of
from chouine.server.saved import Repetition, SavedState
from chouine.table.entries import Opened
from chouine.table.state import FinishedPartie, TableState

ENOUGH = 0.02
"""An answer that costs less is as good as the best: it has no name among mistakes."""


def view_of_mistake(finished: State, judged: Judgement) -> View:
    """What the seat saw before this decision."""
    deal = State.new(finished.rules, finished.deal)
    return state_before(deal, list(actions_of(finished.events)), judged.number)[0].view(judged.seat)


def judge_try(judged: Judgement, view: View, text: str) -> SecondTry:
    """What an answer, as a token, is worth."""
    wins = dict(judged.options)
    known = text in wins and (text == PASS or text in map(str, view.legal))
    if not known:
        return SecondTry()
    advised = judged.second_thought and text == judged.done
    return SecondTry(text, advised or judged.before - wins[text] < ENOUGH, wins[text])


def resume_partie(
    visit: Visit, table: TableState, finished: State, judged: Judgement
) -> tuple[Opened, list[tuple[int, str]]]:
    """A table on the same deal with the visitor in the seat that decided, and the acts before, as (seat, token)."""
    deal = State.new(finished.rules, finished.deal)
    _, done = state_before(deal, list(actions_of(finished.events)), judged.number)
    return same_deal(visit, table, finished, judged.seat), done


@dataclass(frozen=True, slots=True)
class ReviewedPartie:
    """A request for the review of a finished partie."""

    context: RequestContext
    table_id: str
    table: TableState
    number: int
    played: FinishedPartie

    @classmethod
    async def of(cls, request: Request) -> ReviewedPartie:
        """The finished partie named in the address. Raises 404 for any other."""
        context = await context_of(request)
        table_id, table = await context.match()
        return cls(context, table_id, table, *finished_partie(request, table))

    async def review(self) -> Review:
        """The review so far; starts computing what is missing."""
        return await self.context.review(self.table_id, self.table, self.number)

    @property
    def seat(self) -> int:
        """The seat of the point of view: the one asked for, else one's own, else seat a."""
        chosen = number_of(self.context.request.query_params.get("seat", ""), len(self.table.holders) - 1)
        return (*self.table.held_by(self.context.guest), 0)[0] if chosen is None else chosen


async def review(request: Request) -> Response:
    """The review of a partie, as far as it has come."""
    asked = await ReviewedPartie.of(request)
    found, context = await asked.review(), asked.context
    page = review_page(context.visit, asked.table_id, asked.table, asked.number, found, asked.seat)
    return await context.seal(HTMLResponse(page), join_found(asked, found) if found.complete else None)


def join_found(asked: ReviewedPartie, found: Review) -> SavedState:
    """The visitor's data after their costliest mistakes have joined the repetition queue."""
    places = {id(each): nth for nth, each in found.judged.items()}
    own = [
        Mistake(asked.table_id, asked.number, places[id(each)])
        for seat in asked.table.held_by(asked.context.guest)[:1]
        for each in moments(found.found, seat)
    ]
    return with_again(asked.context.saved, asked.context.repeat_mistakes(own))


def with_again(saved: SavedState, again: tuple[Repetition, ...]) -> SavedState:
    """A visitor's data with another repetition queue."""
    return replace(saved, school=replace(saved.school, again=again))


async def match(request: Request) -> Response:
    """The reviews of a match's parties, and their totals."""
    context = await context_of(request)
    table_id, table = await context.match()
    if not table.played:
        raise HTTPException(404, "no-such-partie")
    found = await context.reviews(table_id, table)
    return await context.page(match_review_page(context.visit, table_id, table, found))


async def record(request: Request) -> Response:
    """The record with a comment at each mistake found so far."""
    asked = await ReviewedPartie.of(request)
    found, state = (await asked.review()).found, asked.played.state
    if state.result is None:
        raise HTTPException(404, "no-such-partie")
    totals = accounts(state, state.result, found)
    visit = asked.context.visit
    text = annotate(record_of(asked.table, asked.played, visit.zone), found, totals, visit.language)
    name = f'attachment; filename="chouine-{asked.table_id}-{asked.number}.cgn"'
    return PlainTextResponse(f"{text}\n", headers={"Content-Disposition": name})


def judgement_of(request: Request, found: Review) -> tuple[int, Judgement]:
    """The number and judgement of the decision in the address. Raises 404 until it is judged."""
    nth = int(request.path_params["nth"])
    if nth not in found.judged:
        raise HTTPException(404, "no-such-page")
    return nth, found.judged[nth]


async def exercise(request: Request) -> Response:
    """The exercise of a decision; a post is an answer."""
    asked = await ReviewedPartie.of(request)
    nth, judged = judgement_of(request, await asked.review())
    view, answered = view_of_mistake(asked.played.state, judged), None
    if request.method == "POST":
        answered = judge_try(judged, view, str((await asked.context.form()).get("answer", "")))
    saved, now = asked.context.saved, asked.context.now
    if answered and answered.token:
        answer = ProblemAnswer(str(Mistake(asked.table_id, asked.number, nth)), answered.right, now)
        if any(one.problem == answer.problem for one in saved.school.again):
            saved = with_again(saved, asked.context.repeat(answer))
    more = len(due_problems(saved.school.again, now))
    page = exercise_page(
        asked.context.visit, asked.table_id, asked.table, asked.number, nth, judged, view, answered, more
    )
    return await asked.context.seal(HTMLResponse(page), saved)


async def play_on(request: Request) -> Response:
    """Open a table against computers that continues the partie from a decision."""
    asked = await ReviewedPartie.of(request)
    context = asked.context
    await context.form()
    await context.admit(alone=True)
    await context.count("tables")
    _, judged = judgement_of(request, await asked.review())
    opened, done = resume_partie(context.visit, asked.table, asked.played.state, judged)
    return await context.go(f"/table/{await context.set_table(opened, done)}")
