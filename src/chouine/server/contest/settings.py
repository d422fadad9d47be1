"""A contest's settings: read from the form that opens it, and changed until a step has used them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, get_args

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from chouine.contest import ActRefused, Changed, Contest, Formula, formula_for
from chouine.contest.formula import APART, Kind
from chouine.contest.lists import cents_in
from chouine.contest.people import LONGEST
from chouine.names import display_name
from chouine.phrases import Language
from chouine.phrases.naming import decimal
from chouine.plaintext import split_lines
from chouine.server.contest.hall import go, line, number
from chouine.server.contest.request import DeskContext, check_unchanged


async def settings_page(request: Request) -> Response:
    """The page on which the desk changes its mind: each setting until a step has used it."""
    asked = DeskContext.of(request, "close")
    if request.method == "POST":
        form = await asked.form()
        with asked.refusals():
            await asked.do(lambda contest: settings_change(asked, contest, form))
            return go("/")
    return await asked.show(
        "settings.html", chosen=chosen_settings(asked.contest, asked.language), kinds=get_args(Kind)
    )


def settings_change(asked: DeskContext, contest: Contest, form: FormData) -> Changed:
    """The act of the form. What it does not ask for, such as tie-breaks, stays as it was."""
    check_unchanged(asked, contest, form, lambda act: isinstance(act, Changed))
    if form.get("act") == "stop":  # after the rounds that are drawn, all others as they were
        was = contest.opened
        formula = replace(was.formula, rounds=len(contest.main))
        return Changed(formula, was.title, was.fee, was.meal, was.rooms)
    return Changed(**settings_in(form))


def settings_in(form: FormData) -> dict[str, Any]:
    """The settings in a form, by the names of `ContestOpened`'s fields. Raises `ActRefused` or `NameRefused`."""
    return {
        "formula": formula_in(form),
        "title": display_name(line(form, "title"), LONGEST),
        "fee": cents(line(form, "fee")),
        "meal": cents(line(form, "meal")),
        "rooms": rooms_in(str(form.get("rooms", ""))),
    }


def chosen_settings(contest: Contest, language: Language) -> dict[str, str]:
    """The contest's settings as its form has them."""
    opened, formula = contest.opened, contest.formula
    hour = datetime.fromtimestamp(formula.hour / 1000, UTC).astimezone()
    chosen = {
        "title": opened.title,
        "fee": decimal(opened.fee, language) if opened.fee else "",
        "meal": decimal(opened.meal, language) if opened.meal else "",
        "kind": formula.kind,
        "consolante": formula.consolante,
        "hour": f"{hour:%Y-%m-%dT%H:%M}" if formula.hour else "",
        "matches": " ".join(formula.matches),
        "consolante-matches": " ".join(formula.consolante_matches),
        "rooms": "\n".join(f"{name} {tables}" for name, tables in opened.rooms),
        "seats": str(formula.seats),
        "teams": "1" if formula.members > 1 else "",
        "rounds": str(formula.rounds),
        "pool": str(formula.pool),
        "qualify": str(formula.qualify),
    }
    return chosen | dict.fromkeys(formula.apart, "1")


def cents(text: str) -> int:
    """The cents of a price, as in a list; 0 for an empty text. Raises `ActRefused`."""
    found = cents_in(text or "0")
    if found is None:
        raise ActRefused("contest/price", price=text)
    return found


def rooms_in(text: str) -> tuple[tuple[str, int], ...]:
    """Parse rooms and their tables, one a line: `Salle des fêtes: 30`. Raises `ActRefused`."""
    rooms = []
    for room in filter(None, (" ".join(one.split()) for one in split_lines(text))):
        found = re.fullmatch(r"(.{1,40}?)[\s:,;=]+(\d{1,3})", room, re.ASCII)
        if not found:
            raise ActRefused("contest/room", room=room[:80])
        rooms.append((found[1], int(found[2])))
    return tuple(rooms)


def formula_in(form: FormData) -> Formula:
    """The contest's formula from a form. Raises `ActRefused` if choices conflict."""
    kind: Kind = next((one for one in get_args(Kind) if one == form.get("kind")), "lavardin")
    choices: dict[str, Any] = {"consolante": "none", "apart": tuple(one for one in APART if one in form)}
    choices |= texts(form, {"matches": "matches", "consolante-matches": "consolante_matches"})
    if kind in {"lavardin", "tree"}:
        choices["consolante"] = str(form.get("consolante", "first"))
        if choices["consolante"] == "hour":
            choices["hour"] = hour(line(form, "hour"))
    choices |= {name: given for name in ("rounds", "pool", "qualify") if (given := number(form, name, 99))}
    members = 2 if "teams" in form else 1
    return formula_for(kind, min(max(number(form, "seats", 4), 2), 4), members=members, **choices)


def texts(form: FormData, fields: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Formats of successive rounds as text."""
    return {name: tuple(line(form, field).split()) for field, name in fields.items() if line(form, field)}


def hour(text: str) -> int:
    """Parse `2027-03-07T16:30` by this laptop's clock, as milliseconds since 1970. Raises `ActRefused`."""
    try:
        return round(datetime.fromisoformat(text).astimezone().timestamp() * 1000)
    except (ValueError, OverflowError, OSError) as fault:
        raise ActRefused("contest/hour") from fault
