"""Routes of reviews: the page that fills in, the exercises, the record with comments."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from chouine.ai.levels import looks_back
from chouine.school.review import Judgement, Review, accounts, annotate, moments
from chouine.server import repetition
from chouine.server.forms import number_of
from chouine.server.frame_updates import HELLO
from chouine.server.limits import Limits
from chouine.server.pages.own import own_page
from chouine.server.pages.review import exercise_page, match_review_page, review_page
from chouine.server.records import record_of
from chouine.server.repetition import Mistake, add_mistakes, due_problems, gone_over
from chouine.server.reviews import Reviews
from chouine.server.routes.context import Context
from chouine.server.routes.history import finished_partie
from chouine.server.second_try import judge_try, resume_partie, view_of_mistake
from chouine.server.services import services_of
from chouine.server.visitors import Saved
from chouine.table.state import FinishedPartie, TableState

PING = 15.0
"""Seconds without news after which a stream sends a keep-alive."""


@dataclass(frozen=True, slots=True)
class ReviewedPartie:
    """A request for the review of a finished partie."""

    context: Context
    reviews: Reviews
    table_id: str
    table: TableState
    number: int
    played: FinishedPartie

    @classmethod
    async def of(cls, request: Request) -> ReviewedPartie:
        """The finished partie named in the address. Raises 404 for any other."""
        context = await Context.of(request)
        table_id, table = await context.match()
        number, played = finished_partie(request, table)
        return cls(context, services_of(request).reviews, table_id, table, number, played)

    async def review(self) -> Review:
        """The review so far; starts computing what is missing."""
        so_far = await self.reviews.of(self.table_id, self.number)
        return await gone_on(self.context, self.table_id, self.table, self.number, so_far)

    @property
    def seat(self) -> int:
        """The seat of the point of view: the one asked for, else one's own, else seat a."""
        chosen = number_of(self.context.request.query_params.get("seat", ""), len(self.table.holders) - 1)
        return (*self.table.held_by(self.context.visitor.guest), 0)[0] if chosen is None else chosen


AT_ONCE = 5
"""Reviews begun by one press of a button: each takes a processor for some seconds."""


async def gone_on(context: Context, table_id: str, table: TableState, number: int, review: Review) -> Review:
    """A partie's review so far; starts computing the rest, charged to this visitor."""
    reviews = services_of(context.request).reviews
    played = table.played[number - 1]
    state = played.state
    if (
        not context.head
        and not review.complete
        and looks_back(state.rules)
        and not reviews.is_begun(table_id, number)
    ):
        if not review.judged:
            await context.count("reviews")
        reviews.begin(table_id, number, state, review, context.share, played.followed)
    return review


async def review(request: Request) -> Response:
    """The review of a partie, as far as it has come."""
    asked = await ReviewedPartie.of(request)
    found, context = await asked.review(), asked.context
    page = review_page(context.visit, asked.table_id, asked.table, asked.number, found, asked.seat)
    return await context.seal(HTMLResponse(page), join_found(asked, found) if found.complete else None)


def join_found(asked: ReviewedPartie, found: Review) -> Saved:
    """The visitor's data after their costliest mistakes have joined the repetition queue."""
    saved = asked.context.visitor.saved
    places = {id(each): nth for nth, each in found.judged.items()}
    own = [
        Mistake(asked.table_id, asked.number, places[id(each)])
        for seat in asked.table.held_by(asked.context.visitor.guest)[:1]
        for each in moments(found.found, seat)
    ]
    again = add_mistakes(saved.school.again, own, asked.context.now)
    return replace(saved, school=replace(saved.school, again=again))


async def match(request: Request) -> Response:
    """The reviews of a match's parties, and their totals."""
    context = await Context.of(request)
    table_id, table = await context.match()
    if not table.played:
        raise HTTPException(404, "no-such-partie")
    so_far = await services_of(context.request).reviews.all_of(table_id)
    found = [
        await gone_on(context, table_id, table, number, so_far.get(number, Review()))
        for number in range(1, len(table.played) + 1)
    ]
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
    saved, now = asked.context.visitor.saved, asked.context.now
    if answered and answered.token:
        answer = repetition.ProblemAnswer(
            str(Mistake(asked.table_id, asked.number, nth)), answered.right, now
        )
        waits = [one for one in saved.school.again if one.problem == answer.problem]
        again = gone_over(saved.school.again, answer) if waits else saved.school.again
        saved = replace(saved, school=replace(saved.school, again=again))
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
    return await context.go(f"/table/{await context.tables.open(opened, set_by=context.set_by, played=done)}")


async def own(request: Request) -> Response:
    """The page "Your play": the cost of this visitor's mistakes. A post asks for the reviews of the latest parties."""
    context = await Context.of(request)
    reviews = services_of(request).reviews
    if request.method == "POST":
        await context.form()
        await begin_latest(context)
        return await context.go("/learn/own?asked")
    found = [] if context.visitor.new else await reviews.own(context.visitor.guest)
    return await context.page(own_page(context.visit, found, asked="asked" in request.query_params))


async def begin_latest(context: Context) -> None:
    """Begin the reviews that the visitor's latest parties lack, a few at a time, won and lost alike."""
    reviews, begun = services_of(context.request).reviews, 0
    for table_id, brief in await context.tables.store.table_ids_of(context.visitor.guest):
        table = await context.tables.table(table_id) if brief else None
        if table is None or table.opened.rules != "classic" or table.opened.deal is not None:
            continue
        so_far = await reviews.all_of(table_id)
        for number in range(len(table.played), 0, -1):
            review = so_far.get(number, Review())
            if not review.complete and not reviews.is_begun(table_id, number):
                await gone_on(context, table_id, table, number, review)
                begun += 1
            if begun == AT_ONCE:
                return


async def stream(request: Request) -> Response:
    """A stream of the review's progress (server-sent events) until it is complete."""
    asked = await ReviewedPartie.of(request)
    await asked.review()
    return ReviewProgress(asked, services_of(request).stopping)


class ReviewProgress(StreamingResponse):
    """Server-sent events with the number of judged decisions."""

    media_type = "text/event-stream"

    def __init__(self, asked: ReviewedPartie, stopping: asyncio.Event) -> None:
        super().__init__(self.server_sent(), headers={"X-Accel-Buffering": "no"})
        self.asked, self.stopping = asked, stopping
        self.limits: Limits = asked.context.limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.limits.stream(scope):
            await super().__call__(scope, receive, send)

    async def server_sent(self) -> AsyncIterator[bytes]:
        reviews, key = self.asked.reviews, (self.asked.table_id, self.asked.number)
        progress = aiter(reviews.progress(*key))
        stopped = asyncio.ensure_future(self.stopping.wait())
        coming: asyncio.Future[Review] = asyncio.ensure_future(anext(progress))
        try:
            yield HELLO
            while not stopped.done():
                waited: list[asyncio.Future[Any]] = [coming, stopped]
                await asyncio.wait(waited, timeout=PING, return_when=asyncio.FIRST_COMPLETED)
                if not coming.done():
                    yield b": alive\n\n"
                    continue
                found = coming.result()
                yield b"data: %d\n\n" % len(found.judged)
                if found.complete or not reviews.is_begun(*key):
                    return
                coming = asyncio.ensure_future(anext(progress))
        finally:
            coming.cancel()
            stopped.cancel()
