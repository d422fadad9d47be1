"""A visitor's own mistakes: their cost, those to be gone over, and the stream of a review in progress."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from chouine.ai.explanations import difference, percent
from chouine.phrases import Language, say
from chouine.phrases.personas import PERSONAS
from chouine.school.review import Review
from chouine.school.review.accounts import LEAST as LEAST_PARTIES
from chouine.school.review.accounts import level_costs, levels_alike, measure_of
from chouine.server.frame_updates import HELLO
from chouine.server.limits import EventStream
from chouine.server.pages.env import render
from chouine.server.pages.review import HEIGHT, LEFT, RIGHT, WIDTH, height, whole_percent, x_on_graph
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.server.repetition import Mistake, due_problems
from chouine.server.reviews import OwnReview
from chouine.server.routes.context import Context
from chouine.server.routes.history import finished_partie
from chouine.server.routes.problems import by_id
from chouine.server.services import services_of

LEAST = 0.2
"""Least height of the plot, in shares of a partie."""
RECENT = 10
"""Number of parties in the moving average."""
TRIED = 12
"""Number of mistakes offered as exercises."""


@dataclass(frozen=True, slots=True)
class PartieCost:
    """A partie on the plot and in the table."""

    address: str
    x: float
    y: float
    mean: float
    """Height of the moving average."""
    cost: str
    mistakes: int


@dataclass(frozen=True, slots=True)
class OfferedMistake:
    """A mistake to be tried again."""

    address: str
    label: str
    cost: str
    trick: int


def own_page(visit: Visit, own: Sequence[OwnReview], *, asked: bool = False) -> str:
    """The page; `own` are the reviewed parties, oldest first. `asked`: reviews have just been asked for."""
    costs = [each.cost for each in own]
    top = max([LEAST, *costs])
    parties = [
        PartieCost(
            address_of(each),
            x_on_graph(nth, len(own)),
            height(each.cost / top),
            height(mean(costs[max(0, nth - RECENT + 1) : nth + 1]) / top),
            percent(each.cost, visit.language),
            len(each.mistakes),
        )
        for nth, each in enumerate(own)
    ]
    return render(
        visit,
        "school/own.html",
        here="/learn/own",
        parties=parties,
        measured=play_sentence(own, words_of(visit)),
        levels_cost=level_rows(visit.language),
        least=LEAST_PARTIES,
        asked=asked,
        recent=percent(mean(costs[-RECENT:]), visit.language) if costs else "",
        many=min(RECENT, len(costs)),
        offered=offered_mistakes(visit, own),
        levels=[(whole_percent(share, visit.language), height(share / top)) for share in (0.0, top / 2, top)],
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
    )


def play_sentence(own: Sequence[OwnReview], words: Words) -> str:
    """The measure of play in words; empty while too few parties are reviewed."""
    found = measure_of([each.cost for each in own if each.measured])
    if found is None:
        return ""
    low, high = levels_alike(found)
    costs = {"low": percent(found.low, words.language), "high": percent(found.high, words.language)}
    text = (
        words.gettext(
            "In %(parties)s classic parties, mistakes cost %(low)s to %(high)s of a partie:"
            " as those of level %(level)s."
        )
        if low == high
        else words.gettext(
            "In %(parties)s classic parties, mistakes cost %(low)s to %(high)s of a partie:"
            " as those of levels %(least)s to %(most)s."
        )
    )
    return text % (costs | {"parties": found.parties, "level": low, "least": low, "most": high})


def level_rows(language: Language) -> list[tuple[int, str, str]]:
    """Each level with the name of its first persona and the cost of its own mistakes."""
    return [
        (number, PERSONAS[number - 1][0], percent(cost, language))
        for number, cost in sorted(level_costs().items())
    ]


def address_of(own: OwnReview) -> str:
    """The address of a partie's review."""
    return f"/match/{own.table_id}/{own.partie}/review"


def offered_mistakes(visit: Visit, own: Sequence[OwnReview]) -> list[OfferedMistake]:
    """The mistakes that cost most."""
    found = [(mistake, nth, each) for each in own for nth, mistake in each.mistakes]
    worst = sorted(found, key=lambda one: -one[0].cost)[:TRIED]
    return [
        OfferedMistake(
            f"{address_of(each)}/{nth}",
            say(f"review/{mistake.label}", visit.language),
            difference(-mistake.cost, visit.language),
            mistake.trick,
        )
        for mistake, nth, each in worst
    ]


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
    coming: asyncio.Future[Review | None] = asyncio.ensure_future(anext(progress, None))
    try:
        yield HELLO
        while not stopped.done():
            waited: list[asyncio.Future[Any]] = [coming, stopped]
            await asyncio.wait(waited, timeout=PING, return_when=asyncio.FIRST_COMPLETED)
            if not coming.done():
                yield b": alive\n\n"
                continue
            found = coming.result()
            if found is None:  # it had ended, and was begun anew meanwhile
                return
            yield b"data: %d\n\n" % len(found.judged)
            if found.complete or not reviews.is_begun(*key):
                return
            coming = asyncio.ensure_future(anext(progress, None))
    finally:
        coming.cancel()
        stopped.cancel()
