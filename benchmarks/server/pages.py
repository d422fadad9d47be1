"""What the table's markup lets its reader do: its forms and their buttons, as a browser's player finds them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

FORM = re.compile(r'<form [^>]*action="(/table/[^"]+/([a-z-]+)(?:\?[^"]*)?)"[^>]*>(.*?)</form>', re.DOTALL)
BUTTON = re.compile(r"<button([^>]*)>")
GIVEN = re.compile(r'(name|value)="([^"]*)"')
CSRF = re.compile(r'name="csrf" value="([^"]+)"')
LINK = re.compile(r'value="[^"]*(/join/[^"/]+/(\d+)/[^"/]+)"')
NUMBER = re.compile(r'data-n="(\d+)"')
BARRED = ("barred", "disabled")
PLAYED = ("pick", "cut", "act", "pass", "go-on")
"""Verbs that move a match on."""
OVER = "/revanche"
"""Where this is a form's address the match is over."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that may be done now."""

    verb: str
    fields: tuple[tuple[str, str], ...]


def choices(html: str) -> list[Choice]:
    """What may be done now; a card that the page bars is not a choice."""
    found: list[Choice] = []
    for form in FORM.finditer(html):
        verb, inside = form[2], form[3]
        if verb in PLAYED:
            found += [Choice(verb, fields) for fields in filled(verb, inside)]
    return found


def filled(verb: str, inside: str) -> list[tuple[tuple[str, str], ...]]:
    """Each way to send a form."""
    if verb == "cut":
        return [(("at", str(at)),) for at in range(4, 29)]
    if verb in ("pass", "go-on"):
        return [()]
    return [((name, value),) for name, value in map(button, BUTTON.findall(inside)) if name]


def button(attributes: str) -> tuple[str, str]:
    """A button's name and value; none where it is barred or waits for another's turn."""
    if any(barred in attributes for barred in BARRED):
        return "", ""
    given = dict(GIVEN.findall(attributes))
    return given.get("name", ""), given.get("value", "")


def chosen(offered: list[Choice], rng: Random) -> Choice:
    """One of them at random. "Au sept" is let pass: whether the seven is held, the forms do not tell (§11)."""
    passing = [choice for choice in offered if choice.verb == "pass"]
    return passing[0] if passing else rng.choice(offered)


def first(pattern: re.Pattern[str], html: str) -> str:
    """What a page tells; "" where it does not."""
    match = pattern.search(html)
    return match[1] if match else ""
