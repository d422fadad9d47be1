"""Entry at the door, and corrections of entries."""

from __future__ import annotations

import json
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.contest import (
    ActRefused,
    Amended,
    Contest,
    ContestAct,
    Entered,
    Entrant,
    Erased,
    ListEntered,
    Paid,
    Present,
    Swapped,
    Withdrew,
)
from chouine.contest.acts import Merged
from chouine.contest.chance import Chance
from chouine.contest.entering import latecomer_swap, may_skip
from chouine.contest.lists import (
    FIELDS,
    MOST_ROWS,
    Doubt,
    Listing,
    doubtful_people,
    enter_all,
    read_rows,
    rows_in,
)
from chouine.contest.people import Doubles, Person, details_of, name_parts, person_named, surname_first
from chouine.contest.views import debt, entries_open, price, totals
from chouine.names import is_found
from chouine.phrases import Language, translations
from chouine.server.contest import spreadsheet
from chouine.server.contest.request import DeskRequest, check_unchanged, go, line, number
from chouine.server.contest.standing import drawable_number

ENTRY_ACTS = ("here", "away", "paid", "withdraw")
"""The acts of an entry's buttons; its form corrects its details."""
MOST_FIELDS = MOST_ROWS + 200
"""Most fields of the form of a list: a tick for each row in doubt."""
CHANGES = (Amended, Paid, Present, Withdrew)


async def entries(request: Request) -> Response:
    """Entry at the door."""
    asked, refused, given, typed = DeskRequest.of(request, "entry"), "", 0, FormData()
    if request.method == "POST":
        form = await asked.form()
        try:
            page = namesake(asked, form)
            if page is not None:
                return page
            given = await enter(asked, form)
        except ActRefused as error:
            refused, typed = asked.refusal_text(error), form
    search = line(FormData(request.query_params), "q")
    return asked.page(
        "entries.html",
        refused=refused,
        typed=typed,
        given=given,
        seat=asked.contest.seat_of(given),
        moved=who_made_room(asked.contest, given),
        search=search,
        round=drawable_number(asked.contest, "main"),
        entering=entries_open(asked.contest),
        **entry_list(asked, search),
    )


def namesake(asked: DeskRequest, form: FormData) -> Response | None:
    """A page that asks whether an entry of this or almost this name is meant; None without one, or once answered."""
    found = Doubles((str(n), one) for n, one in registered_people(asked).items()).find(person_in(form))
    if found is None:
        return None
    gettext, which = translations(asked.visit.language).gettext, int(found[0])
    entrant, who = asked.contest.entrant(which), {"number": which, "name": person_text(asked, which)}
    same = gettext("Number %(number)s has the same name: %(name)s.")
    told = [(same if found[1] else gettext("Number %(number)s has almost the same name: %(name)s.")) % who]
    if not entrant.here and not entrant.withdrawn:
        told.append(gettext("That one was entered in advance and is not here yet."))
    fields = {name: str(value) for name, value in form.items() if name not in ("csrf", "told", "act")}
    instead = f"/entries/{which}", gettext("It is number %(number)s") % who
    return asked.ask(form, told, instead, likely=not found[1], act="enter", **fields)


def person_text(asked: DeskRequest, which: int) -> str:
    """An entry's name with its village."""
    person = asked.store.people[which]
    return ", ".join(filter(None, (person.name, person.village)))


def registered_people(asked: DeskRequest) -> dict[int, Person]:
    """The people of all entries; the register also keeps those of undone ones."""
    return {n: one for n, one in asked.store.people.items() if n in asked.contest.entrants}


def entry_list(asked: DeskRequest, search: str) -> dict[str, Any]:
    """All entries, sorted by surname, or those with the name or number that was searched for."""
    contest, people = asked.contest, asked.store.people
    nobody, owing = Person(""), contest.participants
    rows = []
    for which in asked.names.listed:
        entrant, person = contest.entrants[which], people.get(which, nobody)
        if search in ("", str(which)) or is_found(search, person.name, person.village):
            due = debt(contest, entrant) if which in owing else 0
            notes = notes_on(entrant, person, due, asked.visit.language, came=which in owing)
            listed = surname_first(person)
            row = {"entrant": entrant, "person": people.get(which), "listed": listed, "notes": notes}
            rows.append({**row, "came": which in owing})
    return {"rows": rows, "totals": totals(contest), **entry_suggestions(asked)}


def notes_on(entrant: Entrant, person: Person, due: int, language: Language, *, came: bool) -> list[str]:
    """Notes beside an entry's name in the list. `came`: whether it has ever been here."""
    words = translations(language)
    away = not entrant.here and not entrant.withdrawn
    details, meals = entrant.details, entrant.details.meals
    notes = {
        person.village: True,
        words.gettext("lady"): details.lady,
        words.gettext("junior"): details.junior,
        words.ngettext("%(num)s meal", "%(num)s meals", meals) % {"num": meals}: meals,
        words.gettext("withdrawn"): entrant.withdrawn,
        words.gettext("not here"): away and not came,
        words.gettext("skips the next round"): away and came,
        words.gettext("owes %(due)s €") % {"due": spreadsheet.euros(due)}: due > 0,
    }
    return [what for what, holds in notes.items() if what and holds]


def entry_suggestions(asked: DeskRequest) -> dict[str, Any]:
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
    person, meals = person_in(form), number(form, "meals", 20)

    def act(contest: Contest) -> ContestAct:
        lady, junior = "lady" in form, "junior" in form
        details = details_of(person, asked.store.people, contest, lady=lady, junior=junior, meals=meals)
        return Entered(contest.next_number, details, here="away" not in form)

    given = max((await asked.do(act, person)).entrants)
    due = price(asked.contest, asked.contest.entrant(given))
    if "paid" in form and due and given in asked.contest.participants:
        await asked.do(Paid(given, due))
    await give_table(asked, given)
    return given


async def give_table(asked: DeskRequest, *numbers: int) -> None:
    """Give latecomers of round 1 a table, away from their families, as `latecomer_swap` finds one."""
    reason = translations(asked.visit.language).gettext("latecomer")
    for which in numbers:
        contest, chance = asked.contest, Chance("chouine late 1", asked.store.seed, str(which))
        if contest.main and (swap := latecomer_swap(contest, which, chance, reason)):
            await asked.do(swap)


def who_made_room(contest: Contest, which: int) -> int:
    """Who has just made room at a table for a latecomer; 0 for nobody."""
    act = contest.head.act
    return act.other if isinstance(act, Swapped) and act.one == which else 0


def person_in(form: FormData) -> Person:
    """The person in a form. Raises `ActRefused` without a name, or for one that cannot be shown."""
    name, village, family, first = (
        str(form.get(field, "")).strip() for field in ("name", "village", "family", "first")
    )
    return person_named(name or first, village, family, first if name else "")


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
            refused = asked.refusal_text(error)
        else:
            return page or go(
                f"/entries/{which}" if owed_or_late(asked, form, which) else f"/entries#n{which}"
            )
    entrant = asked.contest.entrant(which)
    return asked.page(
        "entry.html",
        refused=refused,
        entrant=entrant,
        person=(person := asked.store.people.get(which)),
        parts=parts_for_form(asked, person),
        due=debt(asked.contest, entrant),
        seat=asked.contest.seat_of(which),
        moved=who_made_room(asked.contest, which),
        came=which in asked.contest.participants,
        may_skip=entrant.here and bool(asked.contest.main) and may_skip(asked.contest, which),
        entering=entries_open(asked.contest),
        **entry_suggestions(asked),
    )


def parts_for_form(asked: DeskRequest, person: Person | None) -> tuple[str, str]:
    """Surname and first name for an entry's form; a team has one field for both names."""
    if person is None or asked.contest.formula.members > 1:
        return (person.name if person else ""), ""
    return name_parts(person.name, person.surname)


def owed_or_late(asked: DeskRequest, form: FormData, which: int) -> bool:
    """Whether who has just come owes money, or was drawn at once: their own page tells how much, and the table."""
    entrant = asked.contest.entrant(which)
    return form.get("act") == "here" and (debt(asked.contest, entrant) > 0 or bool(asked.contest.main))


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

    def act(contest: Contest) -> ContestAct:
        check_unchanged(asked, contest, form, lambda act: isinstance(act, CHANGES) and act.number == which)
        entrant = contest.entrant(which)
        if person is not None:
            others = {n: one for n, one in asked.store.people.items() if n != which}
            lady, junior, meals = "lady" in form, "junior" in form, number(form, "meals", 20)
            return Amended(which, details_of(person, others, contest, lady=lady, junior=junior, meals=meals))
        match form.get("act"):
            case "paid":
                return Paid(which, debt(contest, entrant))
            case "withdraw":
                return Withdrew(which)
            case where:
                return Present(which, here=where == "here")

    await asked.do(act, person)
    if form.get("act") == "here":
        await give_table(asked, which)
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
    """Enter a list of people, pasted or from a file: first a page shows what was read, then one act enters it."""
    asked, many, completed = DeskRequest.of(request, "entry"), 0, 0
    if request.method == "POST":
        form = await asked.form(MOST_FIELDS)
        try:
            listing = read_rows(await rows_of(form), [str(kind) for kind in form.getlist("column")] or None)
        except ActRefused as error:
            return asked.page("import.html", refused=asked.refusal_text(error), many=0, completed=0)
        doubles = doubtful_people(listing.people, registered_people(asked))
        if form.get("act") != "enter" or form.get("shown") != kinds_in(listing):
            return preview(asked, form, listing, doubles)
        try:
            many, completed = await enter_list(asked, form, listing, doubles)
        except ActRefused as error:
            return preview(asked, form, listing, doubles, asked.refusal_text(error))
    return asked.page("import.html", many=many, completed=completed)


def preview(
    asked: DeskRequest,
    form: FormData,
    listing: Listing,
    doubles: dict[int, Doubt],
    refused: str = "",
) -> Response:
    """The page that shows a list as it was read. Namesakes are not ticked; near names are, unless somebody chose."""
    chosen, merging = ({str(row) for row in form.getlist(name)} for name in ("row", "merge"))
    ticked = [row for row, (_, same, _) in doubles.items() if (str(row) in chosen if refused else not same)]
    merged = [
        row
        for row, (_, same, known) in doubles.items()
        if known and (str(row) in merging if refused else same)
    ]
    return asked.page(
        "preview.html",
        refused=refused,
        form=form,
        listing=listing,
        doubles=doubles,
        ticked=ticked,
        merged=merged,
        kinds=FIELDS,
        shown=kinds_in(listing),
        cells=json.dumps(listing.rows, ensure_ascii=False),
        why=asked.refusal_text,
    )


def kinds_in(listing: Listing) -> str:
    """What the columns hold, as a form carries it to tell whether the page showed the same."""
    return " ".join(column.kind or "-" for column in listing.columns)


async def enter_list(
    asked: DeskRequest, form: FormData, listing: Listing, doubles: dict[int, Doubt]
) -> tuple[int, int]:
    """Enter the listed people by one act, those in doubt if ticked. Raises `ActRefused`.

    Returns how many are new, and how many entries were completed.
    """
    ticked, merging = ({str(row) for row in form.getlist(name)} for name in ("row", "merge"))
    offered = [one for one in listing.offered if str(one.row) in ticked]
    people = [one for one in listing.people if one.row not in doubles or str(one.row) in ticked] + offered
    known = {
        doubles[one.row][2]: one
        for one in listing.people
        if str(one.row) in merging - ticked and one.row in doubles and doubles[one.row][2]
    }
    names: dict[int, Person] = {}

    def act(contest: Contest) -> ListEntered:
        check_unchanged(asked, contest, form, lambda act: isinstance(act, Entered | ListEntered))
        made, found = enter_all(people, registered_people(asked), contest, here="here" in form, merging=known)
        if not made.entries and all(adds_nothing(contest, one) for one in made.merged) and not found:
            raise ActRefused("contest/nobody-new")
        names.update(found)
        return made

    made = (await asked.do(act, names)).head.act
    await give_table(asked, *(one.number for one in getattr(made, "entries", ()) if one.here))
    return len(people), len(known)


def adds_nothing(contest: Contest, merged: Merged) -> bool:
    """Whether a row leaves an entry as it was."""
    return Merged(merged.number, contest.entrants[merged.number].details) == merged


async def rows_of(form: FormData) -> list[list[str]]:
    """The cells of a form's file, of its pasted text, or of the page that showed them. Raises `ActRefused`."""
    file = form.get("file")
    if isinstance(file, UploadFile):
        content = await file.read()
        await file.close()
        if content:
            return await run_in_threadpool(spreadsheet.read_file, content)
    if "cells" not in form:
        return rows_in(str(form.get("csv", "")))
    try:
        return [[str(cell) for cell in row] for row in json.loads(str(form["cells"]))]
    except (ValueError, TypeError, RecursionError) as fault:
        raise ActRefused("contest/no-list") from fault
