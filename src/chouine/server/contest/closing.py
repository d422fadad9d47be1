"""The palmarès, the log with its undoings, the end; what goes out to a spreadsheet."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.cards import Card
from chouine.phrases import card_name, say, translations
from chouine.server.contest import sheets
from chouine.server.contest.asked import Asked, desk_name, go, line, number
from chouine.server.contest.standing import clock
from chouine.tournament import (
    Act,
    Amended,
    Contest,
    Paid,
    Present,
    Refused,
    Revealed,
    Settled,
    Undone,
    Withdrew,
    palmares,
)
from chouine.tournament.field import pool_rounds
from chouine.tournament.ranking import equals, pool_equals
from chouine.tournament.views import over, totals


async def palmares_page(request: Request) -> Response:
    """The ranking, best lady, best junior, the consolante; equals that the club settles; accounts."""
    asked, refused = Asked.of(request, "correct"), ""
    if request.method == "POST":
        form = await asked.form()
        try:
            await asked.do(settling(form))
        except Refused as error:
            refused = asked.why(error)
        else:
            return go("/palmares")
    contest = asked.contest
    return asked.page(
        "palmares.html",
        refused=refused,
        palmares=palmares(contest),
        equals=to_settle(contest),
        totals=totals(contest),
        over=over(contest),
    )


def settling(form: FormData) -> Settled:
    """What the club decided between equals; `Refused` without its reason."""
    if not line(form, "reason"):
        raise Refused("contest/no-reason")
    order = [int(one) for one in line(form, "order").split() if one.isascii() and one.isdigit()]
    return Settled(tuple(order), line(form, "reason"))


def to_settle(contest: Contest) -> tuple[tuple[int, ...], ...]:
    """Equals between whom the club may decide: of poules once they are played, of all at the end."""
    if (
        contest.formula.kind == "poules"
        and len(contest.main) == pool_rounds(contest)
        and not contest.main[-1].open
    ):
        return pool_equals(contest)
    return equals(contest) if over(contest) else ()


async def log_page(request: Request) -> Response:
    """Every act, newest first; the referee undoes one, or closes the contest by revealing its seed."""
    asked, refused = Asked.of(request, "correct"), ""
    if request.method == "POST":
        form = await asked.form()
        try:
            await asked.do(log_act(asked, form))
        except Refused as error:
            refused = asked.why(error)
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
        gone={one.act.act for one in lines if isinstance(one.act, Undone)},
        over=over(asked.contest),
    )


def log_act(asked: Asked, form: FormData) -> Act:
    """The act that the log's forms ask for."""
    if form.get("act") == "reveal":
        return Revealed(asked.store.seed)
    if not line(form, "reason"):
        raise Refused("contest/no-reason")
    return Undone(number(form, "undo", 99_999), line(form, "reason"))


def act_sentence(act: Act, asked: Asked) -> str:
    """An act in words: its kind, and whom, which table and what it is about."""
    language, names = asked.visit.language, asked.names
    gettext = translations(language).gettext
    told: list[str] = []
    if (entry := getattr(act, "number", None)) in names:
        told.append(f"{entry} {names[entry]}")
    told += [f"{one} {names.get(one, '')}" for field in ("one", "other") if (one := getattr(act, field, 0))]
    if getattr(act, "stage", "main") == "consolante":
        told.append(gettext("Consolante"))
    if number := getattr(act, "round", 0):
        told.append(gettext("Round %(number)s") % {"number": number})
    if table := getattr(act, "table", 0):
        told.append(gettext("Table %(table)s") % {"table": table})
    if cents := getattr(act, "cents", 0):
        told.append(f"{sheets.euros(cents)} €")
    if card := getattr(act, "card", ""):
        told.append(card_name(Card(card), language))
    told += [str(own) for field in ("score", "act", "reason") if (own := getattr(act, field, ""))]
    kind = say(f"desk/act/{type(act).__name__.lower()}", language)
    return gettext("%(what)s: %(of)s") % {"what": kind, "of": ", ".join(told)} if told else kind


def unchanged(asked: Asked, form: FormData, entry: int) -> None:
    """`Refused`, with what happened, where an entry has been changed since its form was shown (field `seen`)."""
    seen = number(form, "seen", 99_999)
    for one in asked.contest.lines[seen:] if seen else ():
        if isinstance(one.act, Amended | Paid | Present | Withdrew) and one.act.number == entry:
            what = act_sentence(one.act, asked)
            raise Refused("contest/meanwhile", what=what, by=one.by, at=clock(one.at))


async def spreadsheet(request: Request) -> Response:
    """Entries, results or ranking, as CSV or `.ods`."""
    asked, what, kind = Asked.of(request), request.path_params["what"], request.path_params["kind"]
    if what not in sheets.TABLES or kind not in ("csv", "ods"):
        raise HTTPException(404)
    rows = sheets.TABLES[what](asked.contest, asked.store.people)
    headers = {"Content-Disposition": f'attachment; filename="{what}.{kind}"'}
    if kind == "ods":
        return Response(sheets.as_ods(rows), media_type=sheets.ODS, headers=headers)
    return Response(sheets.as_csv(rows), media_type="text/csv; charset=utf-8", headers=headers)
