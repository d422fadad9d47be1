"""The ranking (palmarès), its prizes, and what goes out of it: spreadsheets, and the evening for a season."""

from __future__ import annotations

import hmac
from collections.abc import Callable

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.contest import (
    ActRefused,
    Contest,
    PrizesSet,
    Settled,
)
from chouine.contest.field import pool_rounds
from chouine.contest.ranking import Prize, equals, pool_equals, prizes, ranking
from chouine.contest.views import is_final, totals
from chouine.phrases import N_, translations
from chouine.season.results import code_of as text_code_of
from chouine.season.results import results_of_contest, text_of
from chouine.server.contest import spreadsheet
from chouine.server.contest.desk import Desk
from chouine.server.contest.hall import go, line, number
from chouine.server.contest.request import DeskContext, check_unchanged
from chouine.server.contest.standing import ending_told, place_words
from chouine.server.pages.codes import code_of


async def palmares_page(request: Request) -> Response:
    """The ranking, best lady, best junior, the consolante; ties that the club settles; accounts."""
    asked = DeskContext.of(request, "correct")
    if request.method == "POST":
        form = await asked.form()
        with asked.refusals():
            if form.get("act") == "prizes":
                await asked.do(prizes_set(form))
            else:
                await asked.do(lambda contest: settled_tie(asked, contest, form))
            return go("/palmares")
    contest = asked.contest
    return await asked.show(
        "palmares.html",
        ranking=ranking(contest),
        prizes=prize_lines(asked),
        kinds=PRIZES,
        counts=dict(contest.prizes.counts)
        | {kind: 0 for kind in PRIZES if kind not in dict(contest.prizes.counts)},
        without=() if contest.formula.knock_out else ("consolante",),
        equals=to_settle(contest),
        totals=totals(contest),
        over=is_final(contest),
        ending=ending_told(contest, asked.names, asked.language),
    )


PRIZES = {
    "place": N_("Places"),
    "consolante": N_("Consolante"),
    "lady": N_("Ladies"),
    "junior": N_("Juniors"),
    "village": N_("Villages"),
}
"""The kinds of prizes, as the page that sets them names them."""


def prizes_set(form: FormData) -> PrizesSet:
    """The club's prizes from a form: how many of each kind, and in which order."""
    order = sorted(PRIZES, key=lambda kind: number(form, f"order-{kind}") or len(PRIZES))
    return PrizesSet(tuple((kind, number(form, kind)) for kind in order), "once" in form)


def prize_lines(asked: DeskContext) -> list[tuple[Prize, str, list[str]]]:
    """The prizes, each with its words and the names of its winners, several if they tie."""
    contest, gettext, names = asked.contest, translations(asked.language).gettext, asked.names
    places = {
        contest.entrants[number].details.village: person.village
        for number, person in sorted(asked.store.people.items(), reverse=True)
        if number in contest.entrants
    }
    return [
        (
            one,
            prize_words(gettext, one),
            [places.get(n, "?") if one.kind == "village" else names[n] for n in one.winners],
        )
        for one in prizes(contest)
    ]


def prize_words(gettext: Callable[[str], str], one: Prize) -> str:
    """`First place`, `2nd place`, `Best lady`, `Ladies, 2nd place`, and so on."""
    firsts = {
        "place": place_words(gettext, 1),
        "consolante": gettext("First place of the consolante"),
        "lady": gettext("Best lady"),
        "junior": gettext("Best junior"),
        "village": gettext("Best village"),
    }
    if one.rank == 1:
        return firsts[one.kind]
    place = place_words(gettext, one.rank)
    return (
        place
        if one.kind == "place"
        else gettext("%(what)s, %(of)s") % {"what": gettext(PRIZES[one.kind]), "of": place}
    )


def settled_tie(asked: DeskContext, contest: Contest, form: FormData) -> Settled:
    """The club's decision on a tie. Raises `ActRefused` without a reason, or if it was decided meanwhile."""
    check_unchanged(asked, contest, form, lambda act: isinstance(act, Settled))
    if not line(form, "reason"):
        raise ActRefused("contest/no-reason")
    order = [int(one) for one in line(form, "order").split() if one.isascii() and one.isdigit()]
    return Settled(tuple(order), line(form, "reason"))


def to_settle(contest: Contest) -> tuple[tuple[int, ...], ...]:
    """Ties that the club may settle: within poules once they are played, over all entries at the end."""
    if contest.pools and len(contest.main) == pool_rounds(contest) and not contest.main[-1].open:
        return pool_equals(contest)
    return equals(contest) if is_final(contest) else ()


async def export_spreadsheet(request: Request) -> Response:
    """Entries, results or ranking, as CSV or `.ods`."""
    asked, what, kind = (
        DeskContext.for_paper(request),
        request.path_params["what"],
        request.path_params["kind"],
    )
    if what not in spreadsheet.TABLES or kind not in ("csv", "ods"):
        raise HTTPException(404)
    rows = spreadsheet.TABLES[what](asked.contest, asked.store.people, asked.language)
    return spreadsheet.download(rows, what, kind)


LONGEST_CODE = 1800
"""Most characters in a code that phones still read from a screen."""


def results_key(desk: Desk) -> str:
    """The secret in the address of the evening: its names are for other clubs' keepers, not for the public."""
    return hmac.digest(desk.store.seed.encode(), b"evening", "sha256").hex()[:16]


async def evening_page(request: Request) -> Response:
    """The evening for a season, once the contest is over."""
    asked = DeskContext.of(request)
    asked.check("sign in")
    try:
        evening = results_of_contest(asked.contest, asked.store.people)
    except ActRefused as error:
        return await asked.show("evening.html", why=asked.sentence(error), text="")
    text, address = (
        text_code_of([evening]),
        f"{asked.desk.address}/evening.json?key={results_key(asked.desk)}",
    )
    codes = [code_of(one, 3) for one in (text, address) if len(one) <= LONGEST_CODE]
    return await asked.show("evening.html", why="", text=text, address=address, codes=codes)


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
