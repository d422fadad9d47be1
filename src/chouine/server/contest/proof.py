"""What the public needs to verify the draws: the digest on paper, and a page that checks the log by itself."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from chouine.cards import Card
from chouine.contest import RoundDrawn
from chouine.phrases import card_name
from chouine.server.contest.desk import Desk
from chouine.server.contest.request import DeskRequest, visit_of
from chouine.server.contest.screen import compressed_response
from chouine.server.contest.standing import clock, round_name
from chouine.server.pages.codes import code_of
from chouine.server.pages.env import render


async def digest_print(request: Request) -> Response:
    """The digest of the seed, to pin up before the first draw, with the code of the page that checks it."""
    asked = DeskRequest.for_paper(request)
    address = f"{asked.desk.address}/check"
    return asked.page("digest.html", address=address, code=code_of(address), alone=asked.desk.alone)


async def check_page(request: Request) -> Response:
    """Public page: digest, draws and, once the contest is closed, the seed; its script verifies the log. No sign-in."""
    desk: Desk = request.app.state.desk
    visit = visit_of(request)

    def make_page() -> str:
        contest = desk.store.contest
        draws = [
            (act, clock(line.at), card_name(Card(act.card), visit.language) if act.card else "", line.n)
            for line in contest.lines
            if isinstance(act := line.act, RoundDrawn)
        ]
        named = partial(round_name, contest, visit.language)
        return render(
            visit, "contest/check.html", here="/check", contest=contest, draws=draws, round_name=named
        )

    return compressed_response(request, desk.cached_page(("check", visit.language), make_page))


async def log_lines(request: Request) -> Response:
    """The log, a line for each act, as `chouine concours log` prints it: nothing in it names a person. No sign-in."""
    desk: Desk = request.app.state.desk
    log = desk.cached_page("log", lambda: "".join(f"{line}\n" for line in desk.store.contest.lines))
    return compressed_response(request, log, "text/plain")
