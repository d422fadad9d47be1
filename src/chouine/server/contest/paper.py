"""Paper: score slips four to an A4, call sheets, the ranking, diplomas. Black and white, by the browser's print."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from chouine.server.contest.marqueur import codes_of
from chouine.server.contest.request import DeskRequest, round_of, stage_of
from chouine.server.contest.standing import day, round_view
from chouine.server.contest.tree import bracketed, columns, sheets
from chouine.server.pages.clubs import handbook_in
from chouine.tournament import palmares
from chouine.tournament.views import is_final

DIPLOMAS = 3
"""Places that get a diploma, besides best lady and best junior."""


async def slips(request: Request) -> Response:
    """A slip for each table: both names, circles to cross for manches and parties, signatures, the code for phones."""
    asked = DeskRequest.of(request)
    round_ = round_of(request, asked)
    return asked.page(
        "slips.html",
        round=round_,
        alone=asked.desk.alone,
        codes=codes_of(asked.desk, round_) if asked.worker.may("results") else {},
        boards=range(1, asked.contest.formula.members + 1),
        manches=range(1, 2 * round_.match.manches),
        parties=range(1, round_.match.parties + 1),
    )


async def calls(request: Request) -> Response:
    """The call sheet by name and by table."""
    asked = DeskRequest.of(request)
    return asked.page("calls.html", **round_view(asked.contest, round_of(request, asked), asked.names))


async def tree(request: Request) -> Response:
    """A tree from its first round to its winner, with blanks for rounds to come; a large one over several sheets."""
    asked, stage = DeskRequest.of(request), stage_of(request)
    found = columns(asked.contest, stage)
    bracket = bracketed(asked.contest, stage, found)
    pieces = sheets(found) if bracket else (found,) if found else ()
    return asked.page("tree.html", stage=stage, bracket=bracket, pieces=pieces)


async def ranking_sheet(request: Request) -> Response:
    """The ranking (palmarès)."""
    asked = DeskRequest.of(request)
    return asked.page("ranking.html", palmares=palmares(asked.contest), over=is_final(asked.contest))


async def instructions(request: Request) -> Response:
    """One page for volunteers."""
    asked = DeskRequest.of(request)
    return asked.page("handbook.html", handbook=handbook_in(asked.visit.language))


async def diplomas(request: Request) -> Response:
    """Diplomas, one a page, for the first places, the best lady, the best junior and the consolante's winner.

    There are none before the end; those who tie, until the club settles it, have one each.
    """
    asked = DeskRequest.of(request)
    found = palmares(asked.contest)
    best = ("lady", found.ladies), ("junior", found.juniors), ("consolante", found.consolante)
    prizes = [("place", one.rank, one.number) for one in found.ranking if one.rank <= DIPLOMAS]
    prizes += [(kind, 0, one) for kind, numbers in best for one in numbers]
    if not is_final(asked.contest):
        prizes = []
    return asked.page("diplomas.html", prizes=prizes, day=day(asked.contest.head.at, asked.visit.language))
