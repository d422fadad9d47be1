"""The score keeper: score sheets for real cards, stored with a browser's settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from chouine.match import Format, InvalidEntry
from chouine.names import another_name
from chouine.partie.deal import SEATS
from chouine.rules import Rules
from chouine.rules.options import text_name
from chouine.server.forms import name_of, number_of
from chouine.server.pages.sheet import HOUSE, ListedSheet, form_token, sheet_page, start_page
from chouine.server.pages.visit import Visit
from chouine.server.routes.request_context import context_of
from chouine.server.saved import KEPT, SavedSheet, Sheets
from chouine.server.terms import LONGEST_MANCHE
from chouine.table.commands import Refused
from chouine.table.count import COUNTED
from chouine.table.sheet import ALL_POINTS, Sheet

PRESETS = {2: "classic", 3: "three", 4: "four"}
Form = Mapping[str, object]


def sheets_page(visit: Visit, sheets: Sheets, refused: str = "", *, new: bool) -> str:
    """The page of the sheet in use, or the one to begin a sheet."""
    if not sheets or new:
        return start_page(visit, listed_sheets(sheets), refused)
    return sheet_page(visit, read(sheets[-1]), sheets[-1].names, refused)


def sheets_after(sheets: Sheets, form: Form) -> Sheets:
    """The sheets after a form. Raises `ChouineError`."""
    match form.get("what"):
        case "start":
            return with_new_sheet(sheets, begin_sheet(form))
        case "again" if sheets:
            return with_new_sheet(sheets, msgspec.structs.replace(sheets[-1], acts=""))
        case "open":
            chosen = number_of(str(form.get("which", "")), len(sheets) - 1)
            rest = [sheet for place, sheet in enumerate(sheets) if place != chosen]
            return (*rest, *(sheets[chosen : chosen + 1] if chosen is not None else ()))
    if not sheets or form.get("of", form_token(sheets[-1].names)) != form_token(sheets[-1].names):
        return sheets  # tapped on another sheet's page
    after = act_on_sheet(read(sheets[-1]), form)
    return (*sheets[:-1], msgspec.structs.replace(sheets[-1], acts=" ".join(after.acts)))


def with_new_sheet(sheets: Sheets, fresh: SavedSheet) -> Sheets:
    """The sheets with a new one, unless it is there already: the form was sent twice."""
    return sheets if sheets[-1:] == (fresh,) else (*sheets, fresh)[-KEPT:]


@lru_cache(maxsize=128)
def read(saved: SavedSheet) -> Sheet:
    """The sheet that these acts make, remembered: a list shows every sheet at each request."""
    return Sheet.read(Rules.parse(saved.rules), Format.parse(saved.format), saved.acts.split())


def listed_sheets(sheets: Sequence[SavedSheet]) -> list[ListedSheet]:
    """A browser's sheets as lines of a list."""
    return [ListedSheet(sheet.names, read(sheet).match) for sheet in sheets]


def begin_sheet(form: Form) -> SavedSheet:
    """A new sheet as the form asks. Raises `ChouineError` for what cannot be played."""
    given = [name_of(str(form.get(f"name-{seat}", ""))) for seat in range(4)]
    names: list[str] = []
    for name in [*given[:2], *filter(None, given[2:])]:
        names.append(another_name(name, names))
    preset = PRESETS[len(names)]
    if form.get("mondoubleau"):
        preset = "mondoubleau" if preset == "classic" else f"mondoubleau-{preset}"
    options = [(text_name(option), str(form.get(f"option-{text_name(option)}", ""))) for option in HOUSE]
    rules = Rules.parse(";".join([preset, *(f"{name}={value}" for name, value in options if value)]))
    terms = Format.parse(str(form.get("format", "3x2")))
    if rules.seats > 2:
        terms = Format(terms.parties, 1)  # one manche, §13
    if terms.parties > LONGEST_MANCHE:
        raise Refused("table/manche-too-long", parties=LONGEST_MANCHE)
    Sheet.read(rules, terms)
    return SavedSheet(tuple(names), str(rules), str(terms))


def act_on_sheet(sheet: Sheet, form: Form) -> Sheet:
    """The sheet after a form's act; unchanged if the form was made before the sheet's last act."""
    if str(form.get("n", "")) != str(len(sheet.acts)):
        return sheet  # tapped twice, or on an old page: what stands is shown
    if form.get("what") == "undo":
        return sheet.without_last_act()
    act = str(form.get("act", ""))
    return sheet.after(act if act != "count" else count_of(form, len(sheet.seats)))


def count_of(form: Form, seats: int) -> str:
    """The count of a partie as an act: points of the piles, or one pile's cards (§12)."""
    der = str(form.get("der", ""))
    if der not in SEATS[:seats] or not der:
        raise InvalidEntry("sheet/no-der")
    points = [str(form.get(f"points-{seat}", "")).strip() for seat in range(seats)]
    many = [str(form.get(f"many-{rank.letter}", "")) for rank in COUNTED]
    if any(points):
        read_points = [number_of(text, ALL_POINTS) for text in points]
        if any(text and number is None for text, number in zip(points, read_points, strict=True)):
            raise InvalidEntry("sheet/no-number", most=ALL_POINTS)
        return f"c{der}" + "".join("-" if number is None else f"p{number}" for number in read_points)
    whose = str(form.get("whose", ""))
    digits = "".join(many)
    if whose not in SEATS[:seats] or not whose or len(digits) not in (2, len(COUNTED)) or not all(many[:2]):
        raise InvalidEntry("sheet/no-count")
    return f"c{der}" + "".join(f"r{digits}" if letter == whose else "-" for letter in SEATS[:seats])


async def page(request: Request) -> Response:
    """The sheet in use, or the page to begin one; a post is an act on it."""
    context = await context_of(request)
    saved = context.saved
    new = "new" in request.query_params
    if request.method == "POST":
        form = await context.form()
        with context.refusals():
            kept = msgspec.structs.replace(saved, sheets=sheets_after(saved.sheets, form))
            return await context.seal(RedirectResponse("/marqueur", 303), kept)
        new = form.get("what") == "start"
    return await context.page(sheets_page(context.visit, saved.sheets, context.refused, new=new))
