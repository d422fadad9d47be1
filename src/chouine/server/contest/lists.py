"""A list of people, pasted or from a file: what was read of it is shown, then one act enters it."""

from __future__ import annotations

import json

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
from chouine.server.contest.request import DeskRequest, check_unchanged

MOST_FIELDS = MOST_ROWS + 200
"""Most fields of the form of a list: a tick for each row in doubt."""


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
