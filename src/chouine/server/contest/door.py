"""The door list: those entered in advance who are missing, each marked here and paid by one touch; and the accounts."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.contest import ActRefused, Contest, ContestAct, Entrant, Present, Undone
from chouine.contest.people import Person, surname_first
from chouine.contest.views import absent_entries, debt, entries_open, payments, totals
from chouine.names import begins, is_found
from chouine.phrases import translations
from chouine.server.contest.entries import give_table, who_made_room
from chouine.server.contest.request import DeskRequest, check_unchanged, desk_name, go, line, number
from chouine.server.contest.standing import clock


async def door(request: Request) -> Response:
    """The list of those who are missing; a touch marks one here, paid and fed, and another takes that back."""
    asked, refused = DeskRequest.of(request, "entry"), ""
    query = FormData(request.query_params)
    if request.method == "POST":
        form = await asked.form()
        try:
            contest = await asked.do(lambda contest: door_act(asked, contest, form))
            if form.get("act") != "undo":
                await give_table(asked, number(form, "number"))
        except ActRefused as error:
            refused = asked.refusal_text(error)
        else:
            return go("/door" if form.get("act") == "undo" else f"/door?done={contest.head.n}")
    contest, search = asked.contest, line(query, "q")
    n = number(query, "done", 99_999)
    done = arrival(contest, n)
    away = set(absent_entries(contest))
    listed = [which for which in asked.names.listed if which in away]
    missing = [row for which in listed if (row := missing_row(asked, which, search))]
    missing.sort(
        key=lambda row: not begins(search, row[1].name)
    )  # what is written begins a name, rather than a village
    return asked.page(
        "door.html",
        refused=refused,
        search=search,
        missing=missing,
        surname_first=surname_first,
        done=done,
        line=n,
        seat=contest.seat_of(done.number) if done else None,
        moved=who_made_room(contest, done.number) if done else 0,
        totals=totals(contest),
        entering=entries_open(contest),
    )


def missing_row(asked: DeskRequest, which: int, search: str) -> tuple[Entrant, Person, int] | None:
    """A missing entry with what it will owe; None for one that is not searched for."""
    entrant = asked.contest.entrants[which]
    person = asked.store.people.get(which, Person(asked.names[which]))
    if search not in ("", str(which)) and not is_found(search, person.name, person.village):
        return None
    return entrant, person, debt(asked.contest, entrant)


def arrival(contest: Contest, n: int) -> Present | None:
    """The arrival that the n-th line of the log holds, unless it was undone."""
    act = contest.lines[n - 1].act if 0 < n <= len(contest.lines) and n not in contest.undone else None
    return act if isinstance(act, Present) and act.here else None


def door_act(asked: DeskRequest, contest: Contest, form: FormData) -> ContestAct:
    """The act of a touch on the list. Raises `ActRefused` after a conflicting one, 403 to undo another desk's."""
    which = number(form, "number")
    if form.get("act") == "undo":
        n = number(form, "line", 99_999)
        if arrival(contest, n) is None:
            raise ActRefused("contest/no-act", act=n)
        if contest.lines[n - 1].by != asked.worker.name and not asked.worker.may("correct"):
            raise HTTPException(403, "role")
        return Undone(n, translations(asked.visit.language).gettext("taken back at the door"))
    check_unchanged(asked, contest, form, lambda act: isinstance(act, Present) and act.number == which)
    entrant, meals = contest.entrant(which), int(form.get("act") == "meal")
    due = debt(contest, entrant) + meals * contest.opened.meal
    return Present(which, here=True, cents=0 if form.get("act") == "later" else due, meals=meals)


async def accounts(request: Request) -> Response:
    """The treasurer's paper: who paid how much, when and to which desk, who owes what, and the totals, to be signed."""
    asked = DeskRequest.for_paper(request)
    contest, language, by_desk = asked.contest, asked.visit.language, dict[str, int]()
    taken = payments(contest)
    for one in taken:
        by_desk[one.by] = by_desk.get(one.by, 0) + one.cents
    part = contest.participants
    owing = [(number, debt(contest, contest.entrants[number])) for number in asked.names.listed]
    return asked.page(
        "accounts.html",
        payments=[(one, clock(one.at), desk_name(one.by, language)) for one in taken],
        by_desk=[(desk_name(by, language), cents) for by, cents in by_desk.items()],
        owing=[(number, cents) for number, cents in owing if cents < 0 or (cents and number in part)],
        totals=totals(contest),
    )
