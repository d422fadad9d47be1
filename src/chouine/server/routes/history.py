"""Pages of finished play: a match, its parties with all hands, records, and proofs of deals."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from chouine.server.forms import number_of
from chouine.server.new_table import same_deal
from chouine.server.pages.match import match_page
from chouine.server.pages.replay import replay_page
from chouine.server.records import deal_data, film_of, record_text, seat_again
from chouine.server.routes.request_context import context_of
from chouine.table.state import FinishedPartie, TableState


async def match(request: Request) -> Response:
    """A match and its finished parties."""
    context = await context_of(request)
    table_id, table = await context.match()
    return await context.page(match_page(context.visit, table_id, table))


def finished_partie(request: Request, table: TableState) -> tuple[int, FinishedPartie]:
    """The finished partie named in the address. Raises 404 while it is being played: nobody may see it."""
    number = int(request.path_params["number"])
    if not 1 <= number <= len(table.played):
        raise HTTPException(404, "no-such-partie")
    return number, table.played[number - 1]


async def partie(request: Request) -> Response:
    """Replay of a finished partie at one trick; the last pages are an unfinished trick and the count."""
    context = await context_of(request)
    table_id, table = await context.match()
    number, played = finished_partie(request, table)
    trick = number_of(request.query_params.get("trick", ""), played.state.position.tricks + 2) or 0
    return await context.page(replay_page(context.visit, table_id, table, number, trick))


async def record(request: Request) -> Response:
    """The finished parties as a `.cgn` file."""
    context = await context_of(request)
    table_id, table = await context.match()
    disposition = f'attachment; filename="chouine-{table_id}.cgn"'
    return PlainTextResponse(
        record_text(table, context.visit.zone), headers={"Content-Disposition": disposition}
    )


async def deal(request: Request) -> Response:
    """The proof of a finished partie's deal as JSON."""
    context = await context_of(request)
    _, table = await context.match()
    _, played = finished_partie(request, table)
    return JSONResponse(deal_data(played))


async def film(request: Request) -> Response:
    """A finished partie as a film: one SVG, for a message."""
    context = await context_of(request)
    table_id, table = await context.match()
    number, played = finished_partie(request, table)
    picture = await context.run_beside(film_of, table, played, context.visit.language)
    disposition = f'attachment; filename="chouine-{table_id}-{number}.svg"'
    return Response(picture, media_type="image/svg+xml", headers={"Content-Disposition": disposition})


async def play_again(request: Request) -> Response:
    """Open a table against computers on the deal of a finished partie, with the seats swapped if the form says so."""
    context = await context_of(request)
    form = await context.form()
    await context.admit(alone=True)
    await context.count("tables")
    _, table = await context.match()
    _, played = finished_partie(request, table)
    mine = seat_again(table, context.guest, swap=form.get("swap") == "1")
    opened = same_deal(context.visit, table, played.state, mine)
    return await context.go(f"/table/{await context.set_table(opened)}")
