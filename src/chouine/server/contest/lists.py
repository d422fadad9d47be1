"""A list of people, pasted or from a file: what was read of it is shown, then one act enters it."""

from __future__ import annotations

import json
import re

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from chouine.contest import (
    ActRefused,
    Contest,
    Entered,
    ListEntered,
)
from chouine.contest.acts import Merged
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
from chouine.contest.people import Person
from chouine.server.contest import spreadsheet
from chouine.server.contest.entries import give_table, registered_people
from chouine.server.contest.request import DeskContext, check_unchanged

MOST_FIELDS = MOST_ROWS + 200
"""Most fields of the form of a list: a tick for each row in doubt."""


async def bring_in(request: Request) -> Response:
    """Enter a list of people, pasted or from a file: first a page shows what was read, then one act enters it."""
    asked, many, completed = DeskContext.of(request, "entry"), 0, 0
    if request.method == "POST":
        form = await asked.form(MOST_FIELDS)
        with asked.refusals():
            listing = read_rows(await rows_of(form), [str(kind) for kind in form.getlist("column")] or None)
            doubles = doubtful_people(listing.people, registered_people(asked))
            if form.get("act") != "enter" or form.get("shown") != kinds_in(listing):
                return await preview(asked, form, listing, doubles)
            with asked.refusals():
                many, completed = await enter_list(asked, form, listing, doubles)
            if asked.refused:
                return await preview(asked, form, listing, doubles)
    return await asked.show("import.html", many=many, completed=completed)


async def preview(
    asked: DeskContext, form: FormData, listing: Listing, doubles: dict[int, Doubt]
) -> Response:
    """The page that shows a list as it was read, with the ticks that were sent if it was shown so already.

    In a new doubt a namesake is taken for the same person, a near name for another.
    """
    sent = form if form.get("shown") == kinds_in(listing) else FormData()
    ticked, merged = ticks_in(sent)
    for row in doubles.keys() - {*map(int, re.findall(r"[0-9]+", str(sent.get("doubts", ""))))}:
        _, same, known = doubles[row]
        if not same:
            ticked.add(str(row))
        elif known:
            merged.add(str(row))
    merged -= ticked
    return await asked.show(
        "preview.html",
        form=form,
        listing=listing,
        doubles=doubles,
        ticked=[row for row in (*doubles, *(one.row for one in listing.offered)) if str(row) in ticked],
        merged=[row for row in doubles if str(row) in merged],
        kinds=FIELDS,
        shown=kinds_in(listing),
        cells=json.dumps(listing.rows, ensure_ascii=False),
        why=asked.sentence,
    )


def kinds_in(listing: Listing) -> str:
    """What the columns hold, as a form carries it to tell whether the page showed the same."""
    return " ".join(column.kind or "-" for column in listing.columns)


async def enter_list(
    asked: DeskContext, form: FormData, listing: Listing, doubles: dict[int, Doubt]
) -> tuple[int, int]:
    """Enter the listed people by one act, those in doubt if ticked. Raises `ActRefused`.

    Returns how many are new, and how many entries were completed.
    """
    ticked, merging = ticks_in(form)
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


def ticks_in(form: FormData) -> tuple[set[str], set[str]]:
    """The rows ticked to be entered as new people, and those ticked to complete an entry."""
    return {str(row) for row in form.getlist("row")}, {str(row) for row in form.getlist("merge")}


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
