"""What a contest's desk gives to a season, its club's or another's: a file, a text, a code to scan, an address."""

from __future__ import annotations

import hmac

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.contest import ActRefused
from chouine.season.results import code_of as text_code_of
from chouine.season.results import results_of_contest, text_of
from chouine.server.contest.desk import Desk
from chouine.server.contest.request import DeskRequest
from chouine.server.pages.codes import code_of

LONGEST_CODE = 1800
"""Most characters in a code that phones still read from a screen."""


def results_key(desk: Desk) -> str:
    """The secret in the address of the evening: its names are for other clubs' keepers, not for the public."""
    return hmac.digest(desk.store.seed.encode(), b"evening", "sha256").hex()[:16]


async def evening_page(request: Request) -> Response:
    """The evening for a season, once the contest is over."""
    asked = DeskRequest.of(request)
    asked.check("sign in")
    try:
        evening = results_of_contest(asked.contest, asked.store.people)
    except ActRefused as error:
        return asked.page("evening.html", why=asked.refusal_text(error), text="")
    text, address = (
        text_code_of([evening]),
        f"{asked.desk.address}/evening.json?key={results_key(asked.desk)}",
    )
    codes = [code_of(one, 3) for one in (text, address) if len(one) <= LONGEST_CODE]
    return asked.page("evening.html", why="", text=text, address=address, codes=codes)


async def evening_file(request: Request) -> Response:
    """The evening as JSON, for whoever has its address."""
    desk: Desk = request.app.state.desk
    if not hmac.compare_digest(request.query_params.get("key", "").encode(), results_key(desk).encode()):
        raise HTTPException(404)
    try:
        text = text_of([results_of_contest(desk.store.contest, desk.store.people)])
    except ActRefused as error:
        raise HTTPException(404) from error
    headers = {"Content-Disposition": 'attachment; filename="evening.json"', "Cache-Control": "no-store"}
    return Response(text, media_type="application/json", headers=headers)
