"""Pages of finished play: a match, its parties with all hands, records, and proofs of deals."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from chouine.server.forms import number_of
from chouine.server.openings import same_deal
from chouine.server.pages import match_page, replay_page
from chouine.server.records import proof_of, record_text
from chouine.server.routes.context import Context
from chouine.server.verify import FIELDS
from chouine.table.state import FinishedPartie, TableState


async def match(request: Request) -> Response:
    """A match and its finished parties."""
    context = await Context.of(request)
    game, room = await context.room()
    return await context.page(match_page(context.visit, game, room))


def finished(request: Request, room: TableState) -> tuple[int, FinishedPartie]:
    """The finished partie named in the address. Raises 404 while it is being played: nobody may see it."""
    number = int(request.path_params["number"])
    if not 1 <= number <= len(room.played):
        raise HTTPException(404, "no-such-partie")
    return number, room.played[number - 1]


async def partie(request: Request) -> Response:
    """Replay of a finished partie at one trick; the last pages are an unfinished trick and the count."""
    context = await Context.of(request)
    game, room = await context.room()
    number, played = finished(request, room)
    trick = number_of(request.query_params.get("trick", ""), played.state.position.tricks + 2) or 0
    return await context.page(replay_page(context.visit, game, room, number, trick))


async def record(request: Request) -> Response:
    """The finished parties as a `.cgn` file."""
    context = await Context.of(request)
    game, room = await context.room()
    disposition = f'attachment; filename="chouine-{game}.cgn"'
    return PlainTextResponse(
        record_text(room, context.visit.zone), headers={"Content-Disposition": disposition}
    )


async def deal(request: Request) -> Response:
    """The proof of a finished partie's deal as JSON: nonce, digest and pack, or the rules and the deal alone."""
    context = await Context.of(request)
    _, room = await context.room()
    _, played = finished(request, room)
    proof = proof_of(played)
    deal_only = {"rules": str(played.state.rules), "deal": str(played.state.deal)}
    return JSONResponse(proof.to_data() if proof else dict.fromkeys(FIELDS) | deal_only)


async def again(request: Request) -> Response:
    """Open a table against computers on the deal of a finished partie, with the seats swapped if the form says so."""
    context = await Context.of(request)
    form = await context.form()
    context.count("tables")
    _, room = await context.room()
    _, played = finished(request, room)
    mine = ((*room.held_by(context.visitor.guest), 0)[0] + (form.get("swap") == "1")) % len(room.holders)
    opened = same_deal(context.visit, room, played.state, mine)
    return await context.go(f"/table/{await context.set_table(opened)}")
