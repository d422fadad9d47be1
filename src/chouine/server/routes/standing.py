"""Pages of how well one plays and what one has done: the rating, statistics and feats."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from chouine.server.feats.counting import count_matches, counted_of, names_at
from chouine.server.feats.statistics import Counted, statistics_of
from chouine.server.pages.feats import feats_page
from chouine.server.pages.rating import rating_data, rating_page
from chouine.server.rating.ledger import show
from chouine.server.routes.context import Context
from chouine.server.store import Store


async def rating(request: Request) -> Response:
    """The visitor's rating; a post stores what others may see."""
    context = await Context.of(request)
    store, guest = context.tables.store, context.visitor.guest
    if request.method == "POST":
        form = await context.form()
        await context.count("showings")
        chosen = {name: form.get(name) == "1" for name in ("rating", "play")}
        await show(store, guest, **chosen, at=context.tables.clock())
        return await context.seal(RedirectResponse("/mine/rating?saved", 303))
    saved = "saved" in request.query_params
    page = rating_page(context.visit, *await rating_data(store, guest), saved=saved)
    return await context.page(page)


async def feats(request: Request) -> Response:
    """The visitor's matches in figures, after those that are not counted yet have been."""
    context = await Context.of(request)
    guest, left = context.visitor.guest, 0
    if not context.visitor.new and not context.head:
        left = await count_matches(context.tables, guest)
    counted = await counted_of(context.tables.store, guest)
    names = await names_met(context.tables.store, counted)
    return await context.page(feats_page(context.visit, statistics_of(counted), names, left))


async def names_met(store: Store, counted: list[Counted]) -> dict[str, str]:
    """The names of the people met at tables of two, each as at the latest match, by guest."""
    latest = {each.other: each for each in counted if each.other}
    names = await names_at(store, [each.table_id for each in latest.values()])
    return {
        other: names[each.table_id][1 - each.tally.seat]
        for other, each in latest.items()
        if each.table_id in names
    }
