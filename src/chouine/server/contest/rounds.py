"""Draws and rounds."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.cards import PACK, Card
from chouine.desk.contest_store import now
from chouine.desk.people import regrouped
from chouine.desk.solver import matching
from chouine.errors import ChouineError
from chouine.notation.tokens import read_card
from chouine.phrases import card_name, the_card
from chouine.server.contest.conflicts import unchanged
from chouine.server.contest.request import DeskRequest, go, line, number, round_of, stage_of
from chouine.server.contest.standing import round_view, standing
from chouine.tournament import Act, ActRefused, Called, Contest, Paired, Round, RoundDrawn, Swapped, draw
from chouine.tournament.draw import attempt
from chouine.tournament.formula import Stage
from chouine.tournament.views import absent, next_draw


async def home(request: Request) -> Response:
    """The desk's home page: the state of the contest and the next step."""
    asked = DeskRequest.of(request)
    return asked.page("home.html", **standing(asked.contest, now()))


async def draw_round(request: Request) -> Response:
    """The draw of the next round: the seed's digest is shown, a card is cut in public, the draw is made."""
    asked, refused, stage, cut = DeskRequest.of(request, "draw"), "", stage_of(request), ""
    if request.method == "POST":
        form = await asked.form()
        try:
            cut = line(form, "card")
            card = str(read_card(cut)) if cut else ""
            for act in regrouped(asked.store.people, asked.contest) if not asked.contest.main else ():
                await asked.do(act)
            contest = await asked.do(lambda contest: new_draw(asked, contest, form, stage, card))
        except ChouineError as error:
            refused = asked.why(error)
        else:
            return go(f"/round/{stage}/{len(contest.rounds(stage))}")
    cards = [(str(card), card_name(card, asked.visit.language)) for card in PACK]
    return asked.page("draw.html", refused=refused, cards=cards, cut=cut, **draw_view(asked, stage))


def new_draw(asked: DeskRequest, contest: Contest, form: FormData, stage: Stage, card: str) -> RoundDrawn:
    """Draw the next round. Raises `ActRefused` if another desk has drawn or undone a round meanwhile."""
    unchanged(asked, contest, form, lambda act: isinstance(act, RoundDrawn) and act.stage == stage)
    return draw(contest, stage, asked.store.seed, card, solver=matching)


def draw_view(asked: DeskRequest, stage: Stage) -> dict[str, Any]:
    """The variables of the next draw, or the reason why nothing can be drawn."""
    found = next_draw(asked.contest, stage)
    number, reason = (0, asked.why(found)) if isinstance(found, ActRefused) else (found, "")
    return {
        "stage": stage,
        "number": number,
        "reason": reason,
        "again": number and attempt(asked.contest, stage, number) - 1,
        "present": sum(entrant.here for entrant in asked.contest.entrants.values()),
        "absent": absent(asked.contest),
    }


async def round_page(request: Request) -> Response:
    """A round's call sheet; the referee may publish it, swap two entries or set a pair."""
    asked, refused = DeskRequest.of(request, "draw"), ""
    shown = round_of(request, asked)
    if request.method == "POST":
        form = await asked.form()
        try:
            await asked.do(lambda contest: round_act(asked, contest, form, shown))
        except ActRefused as error:
            refused = asked.why(error)
        shown = round_of(request, asked)
    by_name = request.query_params.get("by") == "name"
    view = round_view(asked.contest, shown, asked.names)
    card = the_card(Card(shown.card), asked.visit.language) if shown.card else ""
    return asked.page("round.html", refused=refused, by_name=by_name, card=card, **view)


def round_act(asked: DeskRequest, contest: Contest, form: FormData, round_: Round) -> Act:
    """The act of a round's form. Raises `ActRefused` for a change without a reason, or after a conflicting one."""
    if form.get("act") not in ("call", "swap", "pair"):
        raise HTTPException(400)
    changes = Called if form.get("act") == "call" else (RoundDrawn, Swapped, Paired)
    unchanged(
        asked,
        contest,
        form,
        lambda act: isinstance(act, changes) and (act.stage, act.round) == (round_.stage, round_.number),
    )
    where, one, other = (round_.stage, round_.number), number(form, "one"), number(form, "other")
    if changes is Called:
        return Called(*where)
    if not line(form, "reason"):
        raise ActRefused("contest/no-reason")
    kind = Swapped if form.get("act") == "swap" else Paired
    return kind(*where, one, other, line(form, "reason"))
