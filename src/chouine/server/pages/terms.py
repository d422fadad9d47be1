"""The new-match form read back: rules, format, chairs and clock as a table's opening."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from chouine.errors import ChouineError
from chouine.match.format import Format
from chouine.rules.options import OPTIONS, VALUES, Rules, text_name
from chouine.server.room.entries import Chair, ClockTerms, Opened

CLOCKS = {"none": None, "fast": ClockTerms(30, 300), "slow": ClockTerms(90, 900)}
"""What the form offers: seconds for each act, and a reserve for the match."""
COMPUTERS = ("heuristic", "random")
"""The players a visitor may seat. No other text of a form ever reaches `player_of`: it can start programs."""
COMPUTER_NAMES = ("Marthe", "Lucien", "Fernand", "Simone")
"""What a computer is called, by seat: names of the valley, in any language."""
NAME_LENGTH = 24


class BadTerms(ChouineError, ValueError):
    """A form that no page of ours sent; `code` is `terms/…`."""


def opened(form: Mapping[str, str], guest: str, nobody: str) -> Opened:
    """The opening a form asks for. `nobody` names a person who gave no name: "Player {n}"."""
    rules = rules_asked(form)
    chairs = tuple(chair_asked(form, seat, guest, nobody) for seat in range(rules.seats))
    if all(chair.player != "person" for chair in chairs):
        raise BadTerms("terms/nobody")
    clock = form.get("clock", "none")
    if clock not in CLOCKS:
        raise BadTerms("terms/choice", token=clock[:40])
    return Opened(str(rules), str(format_asked(form, rules)), chairs, CLOCKS[clock])


def rules_asked(form: Mapping[str, str]) -> Rules:
    """`rules` in one text, or a preset and its options; an option left empty is as the preset has it."""
    if form.get("rules"):
        return Rules.parse(form["rules"])
    rules = Rules.parse(form.get("preset", "classic"))
    chosen = {option: form.get(f"option-{text_name(option)}", "") for option in OPTIONS}
    if rules.seats > 2:
        del chosen["deal"]  # The form shows packets whatever the seats where style sheets are off (§3).
    for option, value in chosen.items():
        if value and value not in VALUES[option]:
            raise BadTerms("terms/choice", token=f"{text_name(option)}={value[:40]}")
    return replace(rules, **{option: value for option, value in chosen.items() if value})  # type: ignore[arg-type]


def format_asked(form: Mapping[str, str], rules: Rules) -> Format:
    """One manche whatever was ticked with three or four seats (§13)."""
    asked = Format.parse(form.get("format", "3x1"))
    return asked if rules.seats == 2 else Format(asked.parties, 1)


def chair_asked(form: Mapping[str, str], seat: int, guest: str, nobody: str) -> Chair:
    """`me`, `friend` (an empty chair with a link), or a computer."""
    who = form.get(f"chair-{seat}", "me" if seat == 0 else COMPUTERS[0])
    name = name_asked(form.get(f"name-{seat}", ""))
    if who == "me":
        return Chair("person", name or nobody.format(n=seat + 1), guest)
    if who == "friend":
        return Chair("person", "", None)
    if who not in COMPUTERS:
        raise BadTerms("terms/choice", token=who[:40])
    return Chair(who, COMPUTER_NAMES[seat], None)


def name_asked(text: str) -> str:
    """A name as it can be shown: printable, blanks joined, not too long."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:NAME_LENGTH].strip()
