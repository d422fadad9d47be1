"""A visitor's own mistakes: their cost, those to be gone over, and the stream of a review in progress."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from chouine.school.review import Review
from chouine.server.frame_updates import HELLO
from chouine.server.limits import EventStream
from chouine.server.pages.own import own_page
from chouine.server.repetition import Mistake, due_problems
from chouine.server.routes.context import Context
from chouine.server.routes.history import finished_partie
from chouine.server.routes.problems import by_id
from chouine.server.services import services_of

PING = 15.0
"""Seconds without news after which a stream sends a keep-alive."""
AT_ONCE = 5
"""Reviews begun by one press of a button: each takes a processor for some seconds."""


async def another(request: Request) -> Response:
    """Redirect to the item that is overdue longest, a problem or a mistake; to the list if none is due."""
    context = await Context.of(request)
    reviews = services_of(request).reviews
    for name in due_problems(context.visitor.saved.school.again, context.now):
        if name in by_id():
            return await context.go(f"/learn/problem/{name}")
        mistake = Mistake.parse(name)
        if mistake and mistake.nth in (await reviews.of(mistake.table_id, mistake.partie)).judged:
            return await context.go(mistake.address)
    return await context.go("/learn/problems")


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
                await context.continue_review(table_id, table, number, review)
                begun += 1
            if begun == AT_ONCE:
                return


async def stream(request: Request) -> Response:
    """A stream of the review's progress (server-sent events) until it is complete."""
    context = await Context.of(request)
    table_id, table = await context.match()
    number, _ = finished_partie(request, table)
    await context.review(table_id, table, number)
    return EventStream(context.limits, review_progress(context, table_id, number))


async def review_progress(context: Context, table_id: str, number: int) -> AsyncIterator[bytes]:
    """Server-sent events with the number of judged decisions."""
    services, key = services_of(context.request), (table_id, number)
    reviews = services.reviews
    progress = aiter(reviews.progress(*key))
    stopped = asyncio.ensure_future(services.stopping.wait())
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
