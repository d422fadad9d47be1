"""Read what forms contain: a table to be opened, a command, settings. Knows nothing of HTTP."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, get_args, get_type_hints

from chouine.ai.levels import WELCOME, check, level_of
from chouine.errors import NotationError
from chouine.match.score import Format, Match
from chouine.names import NAME_LENGTH, another_name, free_name
from chouine.phrases.personas import PERSONAS
from chouine.registry import check_public
from chouine.rules import OPTIONS, PRESETS, Rules
from chouine.rules.options import text_name
from chouine.server.decent_names import decent_name
from chouine.server.pages.visit import LIMITS, Settings
from chouine.server.terms import check_terms
from chouine.table import commands as ask
from chouine.table.entries import ClockTerms, Opened, SeatHolder

Form = Mapping[str, Any]
"""The fields of a form by name."""

PROGRAM = "engine:"
"""Begins a seat's player if it is a program of this machine; its name follows."""
LONGEST_WATCHED = 5
"""Most parties to a manche where only computers play."""
LONGEST_CLOCK = 14 * 24 * 3600
MOST = 999_999
"""The largest number accepted in an address or a form."""


def opened_by(form: Form, guest: str, programs: Collection[str] = ()) -> Opened:
    """The table to open that a form describes; `programs` are the names of those that may be seated.

    Raises `ChouineError` for what cannot be played.
    """
    rules = rules_of(form)
    terms = Format.parse(str(form.get("format", "5x2" if rules.seats == 2 else "5")))
    Match.new(rules, terms)
    sitting: list[SeatHolder] = []
    for seat in range(rules.seats):
        sitting.append(chair_of(form, seat, guest, sitting, programs))
    holders = told_apart(sitting)
    if nobody_sits(holders) and terms.parties > LONGEST_WATCHED:
        raise ask.Refused("table/too-long", parties=LONGEST_WATCHED)
    clock, unaided = clock_of(form, holders), form.get("unaided") == "1"
    opened = Opened(str(rules), str(terms), holders, clock, unaided=unaided)
    check_terms(opened)
    return with_rating(opened) if form.get("rated") == "1" else opened


def with_rating(opened: Opened) -> Opened:
    """The table whose setter agrees that the match counts for the ratings. Raises `Refused` where none can."""
    own = [holder for holder in opened.chairs if holder.guest]
    if opened.clock is None or len(own) != 1 or opened.rules not in PRESETS:
        raise ask.Refused("table/not-rated")
    agreed = (replace(holder, rated=holder.guest is not None) for holder in opened.chairs)
    return replace(opened, chairs=tuple(agreed))


def nobody_sits(holders: Iterable[SeatHolder]) -> bool:
    """Whether all seats are computers': such a table would play on for ever."""
    return all(holder.player != "person" for holder in holders)


def waits_for_nobody(holders: Iterable[SeatHolder]) -> bool:
    """Whether each seat is a computer's or somebody's already."""
    return all(holder.guest or holder.player != "person" for holder in holders)


def told_apart(holders: Iterable[SeatHolder]) -> tuple[SeatHolder, ...]:
    """The holders with names that are or look the same numbered: two guests of one device, a guest called Lison."""
    apart: list[SeatHolder] = []
    for holder in holders:
        name = another_name(holder.name, [other.name for other in apart])
        apart.append(replace(holder, name=name))
    return tuple(apart)


def rules_of(form: Form) -> Rules:
    """The rules in a form: either their canonical text, or a preset with options."""
    if form.get("rules"):
        return Rules.parse(str(form["rules"]))
    preset = str(form.get("preset", "classic"))
    if preset not in PRESETS:
        raise NotationError("syntax/preset", 1, 1, preset[:40], known=", ".join(PRESETS))
    chosen = [
        f"{text_name(option)}={form[f'option-{text_name(option)}']}"
        for option in OPTIONS
        if form.get(f"option-{text_name(option)}")
    ]
    return Rules.parse(";".join([preset, *chosen]))


def chair_of(
    form: Form, seat: int, guest: str, sitting: Sequence[SeatHolder], programs: Collection[str]
) -> SeatHolder:
    """The occupant chosen for a seat: the visitor, an invited friend, a computer, or a program."""
    chosen = str(form.get(f"chair-{seat}", "me" if seat == 0 else f"level:{WELCOME}"))
    name = name_of(str(form.get(f"name-{seat}", "")))
    if chosen == "me":
        return SeatHolder("person", name, guest)
    if chosen == "friend":
        return SeatHolder("person", name)
    if level := level_of(chosen):
        return of_level(level, name, sitting)
    if chosen.startswith(PROGRAM) and (called := chosen.removeprefix(PROGRAM)) in programs:
        return SeatHolder(chosen, name or called)
    check_public(chosen)
    return SeatHolder(chosen, name or COMPUTERS.get(chosen, COMPUTERS["heuristic"])[seat])


def of_level(level: int, name: str, sitting: Sequence[SeatHolder]) -> SeatHolder:
    """A computer at a seat at this level, under a name not yet taken; `ChouineError` if it cannot play these rules."""
    check(level)
    return SeatHolder(
        f"level:{level}", name or free_name(PERSONAS[level - 1], [holder.name for holder in sitting])
    )


COMPUTERS = {
    "heuristic": ("Vendôme", "Lavardin", "Montoire", "Thoré"),
    "random": ("Couture", "Trôo", "Ternay", "Artins"),
}
"""Names by seat for computers that are not levels: places on the Loir."""


def name_of(text: str) -> str:
    """A name that can be shown, cut to the length that the table has room for. Raises `NameRefused`."""
    return decent_name(text, NAME_LENGTH)


def clock_of(form: Form, holders: tuple[SeatHolder, ...]) -> ClockTerms | None:
    """The clock that a form asks for; None against computers."""
    move, reserve = (str(form.get(name, "")) or "0" for name in ("move", "reserve"))
    seconds, kept = (number_of(text, LONGEST_CLOCK) for text in (move, reserve))
    if not seconds or kept is None or any(holder.player != "person" for holder in holders):
        return None
    return ClockTerms(seconds, kept)


def settings_of(form: Form) -> Settings:
    """The settings in a form; an unreadable field keeps its default."""
    asked: dict[str, Any] = {}
    for field in fields(Settings):
        given = str(form.get(field.name, ""))
        if isinstance(field.default, bool):
            asked[field.name] = given in ("1", "on", "true")
        elif isinstance(field.default, float):
            value = seconds(given, field.default)
            asked[field.name] = clamp(LIMITS[field.name], value) if value != field.default else value
        elif given in get_args(get_type_hints(Settings)[field.name]):
            asked[field.name] = given
    return Settings(**asked)


ONE_SETTING = {"larger": "large", "edition": "child"}
"""The setting of a form that has one alone, by the form's address."""


def with_one_setting(settings: Settings, address: str, form: Form) -> Settings:
    """The settings with the one of a form that has it alone."""
    name = ONE_SETTING[address]
    return replace(settings, **{name: getattr(settings_of(form), name)})


def clamp(limits: tuple[float, float], value: float) -> float:
    """The value, clamped to the limits."""
    least, most = limits
    return min(most, max(least, value))


def seconds(text: str, default: float) -> float:
    """Seconds as a number; the default for anything unreadable."""
    try:
        value = float(text)
    except ValueError:
        return default
    return value if value == value else default  # noqa: PLR0124  # not a number is not equal to itself


def local(address: str) -> str:
    """A path on this site; for any other address the first page."""
    if (
        not address.startswith("/")
        or address.startswith("//")
        or "\\" in address
        or not address.isprintable()
    ):
        return "/"
    return address


def number_of(text: str, most: int) -> int | None:
    """A whole number from 0 to `most`; None for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        return None
    return int(text) if int(text) <= most else None


class NotANumber(ValueError):
    """A field does not hold a whole number."""


def number(form: Form, name: str) -> int:
    """A field's whole number. Raises `NotANumber`."""
    value = number_of(str(form.get(name, "")), MOST)
    if value is None:
        raise NotANumber(name)
    return value


VERBS: dict[str, Callable[[int, Form], ask.Command]] = {
    "pick": lambda seat, form: ask.Pick(seat, number(form, "place")),
    "cut": lambda seat, form: ask.CutAt(seat, number(form, "at")),
    "act": lambda seat, form: ask.Act(seat, str(form.get("token", ""))[:20]),
    "pass": lambda seat, _: ask.Pass(seat),
    "go-on": lambda seat, _: ask.GoOn(seat),
    "concede": lambda seat, _: ask.Concede(seat),
    "forfeit": lambda seat, _: ask.ForfeitMatch(seat),
    "pause": lambda seat, _: ask.Pause(seat),
    "resume": lambda seat, _: ask.Resume(seat),
    "speak": lambda seat, form: ask.Speak(seat, str(form.get("phrase", ""))),
    "explain": lambda seat, form: ask.Explain(seat, form.get("on") == "1"),
    "advice": lambda seat, _: ask.Advise(seat),
    "take-back": lambda seat, _: ask.TakeBack(seat),
    "revanche": lambda seat, _: ask.Revanche(seat),
}


def seat_seen(own: Collection[int], asked: str) -> int | None:
    """The seat from which a browser looks: the one asked for if its own, else its only one; None for a spectator."""
    seat = number_of(asked, MOST)
    if seat in own:
        return seat
    return next(iter(own)) if len(own) == 1 else None
