"""The ranking (palmarès), the log with undo, closing the contest, and spreadsheet exports."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.contest import (
    ActRefused,
    Contest,
    ContestAct,
    Ended,
    PrizesSet,
    Revealed,
    Settled,
    Undone,
    add,
    commit,
    palmares,
)
from chouine.contest.field import pool_rounds
from chouine.contest.prizes import Prize, prizes
from chouine.contest.ranking import equals, pool_equals
from chouine.contest.views import is_final, totals
from chouine.phrases import N_, translations
from chouine.server.contest import spreadsheet
from chouine.server.contest.conflicts import act_sentence, check_unchanged
from chouine.server.contest.contest_store import now
from chouine.server.contest.ending import ending_told, place_words
from chouine.server.contest.request import DeskRequest, desk_name, go, line, number
from chouine.server.contest.standing import clock


async def palmares_page(request: Request) -> Response:
    """The ranking, best lady, best junior, the consolante; ties that the club settles; accounts."""
    asked, refused = DeskRequest.of(request, "correct"), ""
    if request.method == "POST":
        form = await asked.form()
        try:
            if form.get("act") == "prizes":
                await asked.do(prizes_set(form))
            else:
                await asked.do(lambda contest: settled_tie(asked, contest, form))
        except ActRefused as error:
            refused = asked.refusal_text(error)
        else:
            return go("/palmares")
    contest = asked.contest
    return asked.page(
        "palmares.html",
        refused=refused,
        palmares=palmares(contest),
        prizes=prize_lines(asked),
        kinds=PRIZES,
        counts=dict(contest.prizes.counts)
        | {kind: 0 for kind in PRIZES if kind not in dict(contest.prizes.counts)},
        without=() if contest.formula.knock_out else ("consolante",),
        equals=to_settle(contest),
        totals=totals(contest),
        over=is_final(contest),
        ending=ending_told(contest, asked.names, asked.visit.language),
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


def prize_lines(asked: DeskRequest) -> list[tuple[Prize, str, list[str]]]:
    """The prizes, each with its words and the names of its winners, several if they tie."""
    contest, gettext, names = asked.contest, translations(asked.visit.language).gettext, asked.names
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


def settled_tie(asked: DeskRequest, contest: Contest, form: FormData) -> Settled:
    """The club's decision on a tie. Raises `ActRefused` without a reason, or if it was decided meanwhile."""
    check_unchanged(asked, contest, form, lambda act: isinstance(act, Settled))
    if not line(form, "reason"):
        raise ActRefused("contest/no-reason")
    order = [int(one) for one in line(form, "order").split() if one.isascii() and one.isdigit()]
    return Settled(tuple(order), line(form, "reason"))


def to_settle(contest: Contest) -> tuple[tuple[int, ...], ...]:
    """Ties that the club may settle: within poules once they are played, over all entries at the end."""
    if (
        contest.formula.kind == "poules"
        and len(contest.main) == pool_rounds(contest)
        and not contest.main[-1].open
    ):
        return pool_equals(contest)
    return equals(contest) if is_final(contest) else ()


async def log_page(request: Request) -> Response:
    """The log, newest act first. The referee may undo an act; the desk may end the contest and close it."""
    asked, refused = DeskRequest.of(request, "correct"), ""
    if request.method == "POST":
        form, seed = await asked.form(), secrets.token_hex(32)
        try:
            act = log_act(asked, form, seed)
            page = confirmation_page(asked, form, act)
            if page is not None:
                return page
            await asked.do(act, seed=seed)
        except ActRefused as error:
            refused = asked.refusal_text(error)
        else:
            return go("/log")
    lines = asked.contest.lines
    return asked.page(
        "log.html",
        refused=refused,
        lines=[
            (one.n, clock(one.at), desk_name(one.by, asked.visit.language), act_sentence(one.act, asked))
            for one in reversed(lines)
        ],
        undo=number(FormData(request.query_params), "undo", 99_999) or "",
        gone=asked.contest.undone,
        over=is_final(asked.contest),
    )


def log_act(asked: DeskRequest, form: FormData, seed: str) -> ContestAct:
    """The act of a form on the log's page. `seed`: a new one, for an undone closing. Raises 403 without the right."""
    contest, reason, undo = asked.contest, line(form, "reason"), number(form, "undo", 99_999)
    if form.get("act") == "reveal":
        asked.check("close")
        return Revealed(asked.store.seed)
    if not reason:
        raise ActRefused("contest/no-reason")
    if form.get("act") == "end":
        asked.check("close")
        return Ended(reason)
    if not undo:
        raise ActRefused("contest/no-number")
    target = contest.lines[undo - 1].act if 0 < undo <= len(contest.lines) else None
    if isinstance(target, Ended | Revealed):
        asked.check("close")
    return Undone(undo, reason, commit(seed) if isinstance(target, Revealed) else "")


def confirmation_page(asked: DeskRequest, form: FormData, act: ContestAct) -> Response | None:
    """The page that asks whether to end or close the contest, with what that means; None if it was asked already.

    Raises `ActRefused` if the act is not possible now.
    """
    contest, gettext = asked.contest, translations(asked.visit.language).gettext
    if not isinstance(act, Ended | Revealed):
        return None
    add(contest, act, asked.worker.name, now())
    playing = sum(len(round_.open) for round_ in contest.all_rounds())
    if isinstance(act, Ended):
        told = [
            gettext("The contest ends now: no more results, no more draws. The desk can undo it."),
            gettext("Tables without a result: %(count)s.") % {"count": playing},
        ]
        return asked.ask(form, told, act="end", reason=act.reason)
    told = [
        gettext("The contest is closed and its seed is shown: anybody can check the draws."),
        gettext("The copy forgets the names that were erased."),
        gettext("The desk can undo the closing; further draws then need a new seed."),
    ]
    return asked.ask(form, told, act="reveal")


async def export_spreadsheet(request: Request) -> Response:
    """Entries, results or ranking, as CSV or `.ods`."""
    asked, what, kind = (
        DeskRequest.for_paper(request),
        request.path_params["what"],
        request.path_params["kind"],
    )
    if what not in spreadsheet.TABLES or kind not in ("csv", "ods"):
        raise HTTPException(404)
    rows = spreadsheet.TABLES[what](asked.contest, asked.store.people, asked.visit.language)
    headers = {"Content-Disposition": f'attachment; filename="{what}.{kind}"'}
    if kind == "ods":
        return Response(spreadsheet.as_ods(rows), media_type=spreadsheet.ODS, headers=headers)
    return Response(spreadsheet.as_csv(rows), media_type="text/csv; charset=utf-8", headers=headers)
