"""Entry at the door, and corrections of entries."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.desk.people import Person, details_of, plain
from chouine.phrases import Language, translations
from chouine.server.contest import sheets
from chouine.server.contest.conflicts import unchanged
from chouine.server.contest.request import DeskRequest, go, line, number
from chouine.server.contest.sheets import alphabetical
from chouine.server.contest.standing import drawable
from chouine.tournament import (
    Act,
    ActRefused,
    Amended,
    Contest,
    Entered,
    Entrant,
    Erased,
    Paid,
    Present,
    Withdrew,
)
from chouine.tournament.views import entries_open, price, totals

ENTRY_ACTS = ("here", "away", "paid", "withdraw")
"""The acts of an entry's buttons; its form corrects its details."""
CHANGES = (Amended, Paid, Present, Withdrew)


async def entries(request: Request) -> Response:
    """Entry at the door."""
    asked, refused, given = DeskRequest.of(request, "entry"), "", 0
    if request.method == "POST":
        form = await asked.form()
        try:
            given = await enter(asked, form)
        except ActRefused as error:
            refused = asked.why(error)
    search = line(FormData(request.query_params), "q")
    return asked.page(
        "entries.html",
        refused=refused,
        given=given,
        twin=twin(asked, given),
        search=search,
        round=drawable(asked.contest, "main"),
        entering=entries_open(asked.contest),
        **entry_list(asked, search),
    )


def twin(asked: DeskRequest, given: int) -> int:
    """An earlier entry with the same name and village; 0 for none."""
    people = asked.store.people
    return next(
        (n for n, one in people.items() if n < given and plain(str(one)) == plain(str(people[given]))), 0
    )


def entry_list(asked: DeskRequest, search: str) -> dict[str, Any]:
    """All entries, newest first, or those that match the searched name or number."""
    contest, people = asked.contest, asked.store.people
    nobody, asked_for = Person(""), alphabetical(search)
    rows = []
    for which, entrant in sorted(contest.entrants.items(), reverse=True):
        person = people.get(which, nobody)
        if search in ("", str(which)) or asked_for in alphabetical(f"{person.name} {person.village}"):
            notes = notes_on(entrant, person, price(contest, entrant) - entrant.paid, asked.visit.language)
            rows.append({"entrant": entrant, "person": people.get(which), "notes": notes})
    return {"rows": rows, "totals": totals(contest), **known(asked)}


def notes_on(entrant: Entrant, person: Person, due: int, language: Language) -> list[str]:
    """Notes beside an entry's name in the list."""
    words = translations(language)
    details, meals = entrant.details, entrant.details.meals
    notes = {
        person.village: True,
        words.gettext("lady"): details.lady,
        words.gettext("junior"): details.junior,
        words.ngettext("%(num)s meal", "%(num)s meals", meals) % {"num": meals}: meals,
        words.gettext("withdrawn"): entrant.withdrawn,
        words.gettext("not here"): not entrant.here and not entrant.withdrawn,
        words.gettext("owes %(due)s €") % {"due": sheets.euros(due)}: due > 0,
    }
    return [what for what, holds in notes.items() if what and holds]


def known(asked: DeskRequest) -> dict[str, Any]:
    """Names and villages written before, as suggestions."""
    people = asked.store.people.values()
    here, former = set(people), [one.person for one in asked.desk.former]
    return {
        "villages": sorted({one.village for one in (*people, *former) if one.village}),
        "families": sorted({one.family for one in people if one.family}),
        "former": [one for one in asked.desk.former if one.person not in here],
    }


async def enter(asked: DeskRequest, form: FormData) -> int:
    """Enter a person with their payment; returns their number."""
    row = sheets.ListedPerson(person_in(form), "lady" in form, "junior" in form, number(form, "meals", 20))
    given = await enter_row(asked, row, here="away" not in form)
    due = price(asked.contest, asked.contest.entrant(given))
    if "paid" in form and due:
        await asked.do(Paid(given, due))
    return given


def person_in(form: FormData) -> Person:
    """The person in a form. Raises `ActRefused` without a name."""
    person = Person(line(form, "name"), line(form, "village"), line(form, "family"))
    if not person.name:
        raise ActRefused("contest/no-name")
    return person


async def enter_row(asked: DeskRequest, row: sheets.ListedPerson, *, here: bool) -> int:
    """Enter a listed person; returns their number."""

    def act(contest: Contest) -> Act:
        details = details_of(
            row.person, asked.store.people, contest, lady=row.lady, junior=row.junior, meals=row.meals
        )
        return Entered(contest.next_number, details, here=here)

    return max((await asked.do(act, row.person)).entrants)


async def entry(request: Request) -> Response:
    """The page of an entry: correct it, mark it paid, present or away, withdraw it, erase its name."""
    asked, refused = DeskRequest.of(request, "entry"), ""
    which = int(request.path_params["number"])
    if which not in asked.contest.entrants:
        raise HTTPException(404)
    if request.method == "POST":
        form = await asked.form()
        try:
            page = await amend(asked, form, which)
        except ActRefused as error:
            refused = asked.why(error)
        else:
            return page or go(f"/entries#n{which}")
    entrant = asked.contest.entrant(which)
    return asked.page(
        "entry.html",
        refused=refused,
        entrant=entrant,
        person=asked.store.people.get(which),
        due=price(asked.contest, entrant) - entrant.paid,
        seat=asked.contest.seat_of(which),
        entering=entries_open(asked.contest),
        **known(asked),
    )


async def amend(asked: DeskRequest, form: FormData, which: int) -> Response | None:
    """Carry out an entry's form. Returns a page if it asks first.

    Raises `ActRefused` if another desk has changed the entry meanwhile.
    """
    if form.get("act") == "erase":
        return await erase(asked, form, which)
    if form.get("act") == "restore":
        await restore(asked, which)
        return None
    person = None if form.get("act") in ENTRY_ACTS else person_in(form)

    def act(contest: Contest) -> Act:
        unchanged(asked, contest, form, lambda act: isinstance(act, CHANGES) and act.number == which)
        entrant = contest.entrant(which)
        if person is not None:
            others = {n: one for n, one in asked.store.people.items() if n != which}
            lady, junior, meals = "lady" in form, "junior" in form, number(form, "meals", 20)
            return Amended(which, details_of(person, others, contest, lady=lady, junior=junior, meals=meals))
        match form.get("act"):
            case "paid":
                return Paid(which, price(contest, entrant) - entrant.paid)
            case "withdraw":
                return Withdrew(which)
            case where:
                return Present(which, here=where == "here")

    await asked.do(act, person)
    return None


async def erase(asked: DeskRequest, form: FormData, which: int) -> Response | None:
    """Erase a name, after a page that says what is lost."""
    asked.check("erase")
    gettext = translations(asked.visit.language).gettext
    told = [
        gettext(
            "The name, the village and the family of number %(number)s are erased. Number and results stay."
        )
        % {"number": which},
        gettext("No act brings the name back. Until the contest is closed it is still in the copy.")
        if asked.store.copy and asked.contest.seed is None
        else gettext("Nothing brings the name back."),
    ]
    page = asked.ask(form, told, act="erase")
    if page is None:
        await asked.do(Erased(which))
    return page


async def restore(asked: DeskRequest, which: int) -> None:
    """Write an erased name again that the copy still has."""
    asked.check("erase")
    person = await run_in_threadpool(asked.store.kept_name, which)
    if person is None:
        raise ActRefused("contest/no-name-kept")
    await asked.do(lambda contest: Amended(which, contest.entrant(which).details), person)


async def bring_in(request: Request) -> Response:
    """Enter a list of people, pasted or from a file, after all of it has been read without errors."""
    asked, refused, many = DeskRequest.of(request, "entry"), "", 0
    if request.method == "POST":
        form = await asked.form()
        try:
            rows = await people_of(form)
            for row in rows:
                await enter_row(asked, row, here="here" in form)
            many = len(rows)
        except ActRefused as error:
            refused = asked.why(error)
    return asked.page("import.html", refused=refused, many=many)


async def people_of(form: FormData) -> list[sheets.ListedPerson]:
    """The people of a form's file, or of its pasted text."""
    file = form.get("file")
    if isinstance(file, UploadFile):
        content = await file.read()
        await file.close()
        if content:
            return await run_in_threadpool(sheets.read_file, content)
    return list(sheets.read_csv(str(form.get("csv", ""))))
