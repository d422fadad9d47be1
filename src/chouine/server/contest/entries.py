"""Entries: at the door, one by one or from the list of those who are missing; their corrections; and the accounts."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
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
    Paid,
    Present,
    Swapped,
    Undone,
    Withdrew,
)
from chouine.contest.chance import Chance
from chouine.contest.entering import latecomer_swap, may_skip
from chouine.contest.people import Doubles, Person, details_of, name_parts, person_named, surname_first
from chouine.contest.views import absent_entries, debt, entries_open, payments, price, totals
from chouine.names import begins, is_found
from chouine.phrases import Language, translations
from chouine.phrases.naming import money
from chouine.server.contest.hall import desk_name, go, line, number
from chouine.server.contest.request import DeskContext, check_unchanged
from chouine.server.contest.standing import clock, drawable_number

ENTRY_ACTS = ("here", "away", "paid", "withdraw")
"""The acts of an entry's buttons; its form corrects its details."""
CHANGES = (Amended, Paid, Present, Withdrew)


async def entries(request: Request) -> Response:
    """Entry at the door."""
    asked, given = DeskContext.of(request, "entry"), 0
    if request.method == "POST":
        form = await asked.form()
        with asked.refusals():
            page = await namesake(asked, form)
            if page is not None:
                return page
            given = await enter(asked, form)
    search = line(FormData(request.query_params), "q")
    return await asked.show(
        "entries.html",
        given=given,
        seat=asked.contest.seat_of(given),
        moved=who_made_room(asked.contest, given),
        search=search,
        round=drawable_number(asked.contest, "main"),
        entering=entries_open(asked.contest),
        **entry_list(asked, search),
    )


async def namesake(asked: DeskContext, form: FormData) -> Response | None:
    """A page that asks whether an entry of this or almost this name is meant; None without one, or once answered."""
    found = Doubles((str(n), one) for n, one in registered_people(asked).items()).find(person_in(form))
    if found is None:
        return None
    gettext, which = translations(asked.language).gettext, int(found[0])
    entrant, who = asked.contest.entrant(which), {"number": which, "name": person_text(asked, which)}
    same = gettext("Number %(number)s has the same name: %(name)s.")
    told = [(same if found[1] else gettext("Number %(number)s has almost the same name: %(name)s.")) % who]
    if not entrant.here and not entrant.withdrawn:
        told.append(gettext("That one was entered in advance and is not here yet."))
    fields = {name: str(value) for name, value in form.items() if name not in ("csrf", "told", "act")}
    instead = f"/entries/{which}", gettext("It is number %(number)s") % who
    return await asked.ask(form, told, instead, likely=not found[1], act="enter", **fields)


def person_text(asked: DeskContext, which: int) -> str:
    """An entry's name with its village."""
    person = asked.store.people[which]
    return ", ".join(filter(None, (person.name, person.village)))


def registered_people(asked: DeskContext) -> dict[int, Person]:
    """The people of all entries; the register also keeps those of undone ones."""
    return {n: one for n, one in asked.store.people.items() if n in asked.contest.entrants}


def entry_list(asked: DeskContext, search: str) -> dict[str, Any]:
    """All entries, sorted by surname, or those with the name or number that was searched for."""
    contest, people = asked.contest, asked.store.people
    nobody, owing = Person(""), contest.participants
    rows = []
    for which in asked.names.listed:
        entrant, person = contest.entrants[which], people.get(which, nobody)
        if search in ("", str(which)) or is_found(search, person.name, person.village):
            due = debt(contest, entrant) if which in owing else 0
            notes = notes_on(entrant, person, due, asked.language, came=which in owing)
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
        words.gettext("owes %(due)s") % {"due": money(due, language)}: due > 0,
    }
    return [what for what, holds in notes.items() if what and holds]


def entry_suggestions(asked: DeskContext) -> dict[str, Any]:
    """Names and villages written before, as suggestions."""
    people = asked.store.people.values()
    here, former = set(people), [one.person for one in asked.desk.former]
    return {
        "villages": sorted({one.village for one in (*people, *former) if one.village}),
        "families": sorted({one.family for one in people if one.family}),
        "former": [one for one in asked.desk.former if one.person not in here],
    }


async def enter(asked: DeskContext, form: FormData) -> int:
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


async def give_table(asked: DeskContext, *numbers: int) -> None:
    """Give latecomers of round 1 a table, away from their families, as `latecomer_swap` finds one."""
    reason = translations(asked.language).gettext("latecomer")
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
    asked, which = DeskContext.of(request, "entry"), int(request.path_params["number"])
    if which not in asked.contest.entrants:
        raise HTTPException(404)
    if request.method == "POST":
        form = await asked.form()
        with asked.refusals():
            page = await amend(asked, form, which)
            own = f"/entries/{which}"
            return page or go(own if owed_or_late(asked, form, which) else f"/entries#n{which}")
    entrant = asked.contest.entrant(which)
    return await asked.show(
        "entry.html",
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


def parts_for_form(asked: DeskContext, person: Person | None) -> tuple[str, str]:
    """Surname and first name for an entry's form; a team has one field for both names."""
    if person is None or asked.contest.formula.members > 1:
        return (person.name if person else ""), ""
    return name_parts(person.name, person.surname)


def owed_or_late(asked: DeskContext, form: FormData, which: int) -> bool:
    """Whether who has just come owes money, or was drawn at once: their own page tells how much, and the table."""
    entrant = asked.contest.entrant(which)
    return form.get("act") == "here" and (debt(asked.contest, entrant) > 0 or bool(asked.contest.main))


async def amend(asked: DeskContext, form: FormData, which: int) -> Response | None:
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


async def erase(asked: DeskContext, form: FormData, which: int) -> Response | None:
    """Erase a name, after a page that says what is lost."""
    asked.check("erase")
    gettext = translations(asked.language).gettext
    told = [
        gettext(
            "The name, the village and the family of number %(number)s are erased. Number and results stay."
        )
        % {"number": which},
        gettext("No act brings the name back. Until the contest is closed it is still in the copy.")
        if asked.store.copy and asked.contest.seed is None
        else gettext("Nothing brings the name back."),
    ]
    page = await asked.ask(form, told, act="erase")
    if page is None:
        await asked.do(Erased(which))
    return page


async def restore(asked: DeskContext, which: int) -> None:
    """Write an erased name again that the copy still has."""
    asked.check("erase")
    person = await run_in_threadpool(asked.store.kept_name, which)
    if person is None:
        raise ActRefused("contest/no-name-kept")
    await asked.do(lambda contest: Amended(which, contest.entrant(which).details), person)


async def door(request: Request) -> Response:
    """The list of those who are missing; a touch marks one here, paid and fed, and another takes that back."""
    asked, query = DeskContext.of(request, "entry"), FormData(request.query_params)
    if request.method == "POST":
        form = await asked.form()
        with asked.refusals():
            contest = await asked.do(lambda contest: door_act(asked, contest, form))
            if form.get("act") != "undo":
                await give_table(asked, number(form, "number"))
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
    return await asked.show(
        "door.html",
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


def missing_row(asked: DeskContext, which: int, search: str) -> tuple[Entrant, Person, int] | None:
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


def door_act(asked: DeskContext, contest: Contest, form: FormData) -> ContestAct:
    """The act of a touch on the list. Raises `ActRefused` after a conflicting one, 403 to undo another desk's."""
    which = number(form, "number")
    if form.get("act") == "undo":
        n = number(form, "line", 99_999)
        if arrival(contest, n) is None:
            raise ActRefused("contest/no-act", act=n)
        if contest.lines[n - 1].by != asked.worker.name and not asked.worker.may("correct"):
            raise HTTPException(403, "role")
        return Undone(n, translations(asked.language).gettext("taken back at the door"))
    check_unchanged(asked, contest, form, lambda act: isinstance(act, Present) and act.number == which)
    entrant, meals = contest.entrant(which), int(form.get("act") == "meal")
    due = debt(contest, entrant) + meals * contest.opened.meal
    return Present(which, here=True, cents=0 if form.get("act") == "later" else due, meals=meals)


async def accounts(request: Request) -> Response:
    """The treasurer's paper: who paid how much, when and to which desk, who owes what, and the totals, to be signed."""
    asked = DeskContext.for_paper(request)
    contest, language, by_desk = asked.contest, asked.language, dict[str, int]()
    taken = payments(contest)
    for one in taken:
        by_desk[one.by] = by_desk.get(one.by, 0) + one.cents
    part = contest.participants
    owing = [(number, debt(contest, contest.entrants[number])) for number in asked.names.listed]
    return await asked.show(
        "accounts.html",
        payments=[(one, clock(one.at, language), desk_name(one.by, language)) for one in taken],
        by_desk=[(desk_name(by, language), cents) for by, cents in by_desk.items()],
        owing=[(number, cents) for number, cents in owing if cents < 0 or (cents and number in part)],
        totals=totals(contest),
    )
