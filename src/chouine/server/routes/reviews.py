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
from chouine.school.review import Judgement, Review, accounts, annotated, moments
from chouine.server import repetition
from chouine.server.forms import number_of
from chouine.server.limits import Limits
from chouine.server.news import HELLO
from chouine.server.pages.own import own_page
from chouine.server.pages.review import exercise_page, match_review_page, review_page
from chouine.server.records import record_of
from chouine.server.repetition import Mistake, due, gone_over, missed
from chouine.server.reviews import Reviews
from chouine.server.routes.context import Context
from chouine.server.routes.history import finished
from chouine.server.second_try import resumed, seen, tried
from chouine.server.visitors import Saved
from chouine.table.state import FinishedPartie, TableState

PING = 15.0
"""Seconds without news after which a stream sends a keep-alive."""


@dataclass(frozen=True, slots=True)
class ReviewedPartie:
    """A request for the review of a finished partie."""

    context: Context
    reviews: Reviews
    game: str
    room: TableState
    number: int
    played: FinishedPartie

    @classmethod
    async def of(cls, request: Request) -> ReviewedPartie:
        """The finished partie named in the address. Raises 404 for any other."""
        context = await Context.of(request)
        game, room = await context.room()
        number, played = finished(request, room)
        return cls(context, request.app.state.reviews, game, room, number, played)

    async def review(self) -> Review:
        """The review so far; starts computing what is missing."""
        so_far = await self.reviews.of(self.game, self.number)
        return gone_on(self.context, self.game, self.room, self.number, so_far)

    @property
    def seat(self) -> int:
        """The seat of the point of view: the one asked for, else one's own, else seat a."""
        chosen = number_of(self.context.request.query_params.get("seat", ""), len(self.room.holders) - 1)
        return (*self.room.held_by(self.context.visitor.guest), 0)[0] if chosen is None else chosen


def gone_on(context: Context, game: str, room: TableState, number: int, review: Review) -> Review:
    """A partie's review so far; starts computing the rest, charged to this visitor."""
    reviews: Reviews = context.request.app.state.reviews
    state = room.played[number - 1].state
    if (
        not context.head
        and not review.complete
        and looks_back(state.rules)
        and not reviews.begun(game, number)
    ):
        if not review.judged:
            context.count("reviews")
        reviews.begin(game, number, state, review, context.share)
    return review


async def review(request: Request) -> Response:
    """The review of a partie, as far as it has come."""
    asked = await ReviewedPartie.of(request)
    found, context = await asked.review(), asked.context
    page = review_page(context.visit, asked.game, asked.room, asked.number, found, asked.seat)
    return await context.sealed(HTMLResponse(page), joined(asked, found) if found.complete else None)


def joined(asked: ReviewedPartie, found: Review) -> Saved:
    """The visitor's data after their costliest mistakes have joined the repetition queue."""
    saved = asked.context.visitor.saved
    places = {id(each): nth for nth, each in found.judged.items()}
    own = [
        Mistake(asked.game, asked.number, places[id(each)])
        for seat in asked.room.held_by(asked.context.visitor.guest)[:1]
        for each in moments(found.found, seat)
    ]
    again = missed(saved.school.again, own, asked.context.now)
    return replace(saved, school=replace(saved.school, again=again))


async def match(request: Request) -> Response:
    """The reviews of a match's parties, and their totals."""
    context = await Context.of(request)
    game, room = await context.room()
    if not room.played:
        raise HTTPException(404, "no-such-partie")
    so_far = await context.request.app.state.reviews.all_of(game)
    found = [
        gone_on(context, game, room, number, so_far.get(number, Review()))
        for number in range(1, len(room.played) + 1)
    ]
    return await context.page(match_review_page(context.visit, game, room, found))


async def record(request: Request) -> Response:
    """The record with a comment at each mistake found so far."""
    asked = await ReviewedPartie.of(request)
    found, state = (await asked.review()).found, asked.played.state
    if state.result is None:
        raise HTTPException(404, "no-such-partie")
    totals = accounts(state, state.result, found)
    visit = asked.context.visit
    text = annotated(record_of(asked.room, asked.played, visit.zone), found, totals, visit.language)
    name = f'attachment; filename="chouine-{asked.game}-{asked.number}.cgn"'
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
    view, answered = seen(asked.played.state, judged), None
    if request.method == "POST":
        answered = tried(judged, view, str((await asked.context.form()).get("answer", "")))
    saved, now = asked.context.visitor.saved, asked.context.now
    if answered and answered.token:
        answer = repetition.ProblemAnswer(str(Mistake(asked.game, asked.number, nth)), answered.right, now)
        waits = [one for one in saved.school.again if one.problem == answer.problem]
        again = gone_over(saved.school.again, answer) if waits else saved.school.again
        saved = replace(saved, school=replace(saved.school, again=again))
    more = len(due(saved.school.again, now))
    page = exercise_page(
        asked.context.visit, asked.game, asked.room, asked.number, nth, judged, view, answered, more
    )
    return await asked.context.sealed(HTMLResponse(page), saved)


async def play_on(request: Request) -> Response:
    """Open a table against computers that continues the partie from a decision."""
    asked = await ReviewedPartie.of(request)
    context = asked.context
    await context.form()
    context.count("tables")
    _, judged = judgement_of(request, await asked.review())
    opened, done = resumed(context.visit, asked.room, asked.played.state, judged)
    return await context.go(f"/table/{await context.tables.open(opened, set_by=context.set_by, played=done)}")


async def own(request: Request) -> Response:
    """The page "Your play": the cost of this visitor's mistakes."""
    context = await Context.of(request)
    reviews: Reviews = request.app.state.reviews
    found = [] if context.visitor.new else await reviews.own(context.visitor.guest)
    return await context.page(own_page(context.visit, found))


async def stream(request: Request) -> Response:
    """A stream of the review's progress (server-sent events) until it is complete."""
    asked = await ReviewedPartie.of(request)
    await asked.review()
    return Progress(asked, request.app.state.stopping)


class Progress(StreamingResponse):
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
        reviews, key = self.asked.reviews, (self.asked.game, self.asked.number)
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
                if found.complete or not reviews.begun(*key):
                    return
                coming = asyncio.ensure_future(anext(progress))
        finally:
            coming.cancel()
            stopped.cancel()
