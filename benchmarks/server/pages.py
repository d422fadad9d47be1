"""Parse the table's HTML for the forms and buttons that a player can use."""

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
"""Verbs that advance a match."""
OVER = "/revanche"
"""A form with this address means that the match is over."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible action."""

    verb: str
    fields: tuple[tuple[str, str], ...]


def choices(html: str) -> list[Choice]:
    """The possible actions; disabled cards are omitted."""
    found: list[Choice] = []
    for form in FORM.finditer(html):
        verb, inside = form[2], form[3]
        if verb in PLAYED:
            found += [Choice(verb, fields) for fields in field_choices(verb, inside)]
    return found


def field_choices(verb: str, inside: str) -> list[tuple[tuple[str, str], ...]]:
    """All ways to fill in a form."""
    if verb == "cut":
        return [(("at", str(at)),) for at in range(4, 29)]
    if verb in ("pass", "go-on"):
        return [()]
    return [((name, value),) for name, value in map(button, BUTTON.findall(inside)) if name]


def button(attributes: str) -> tuple[str, str]:
    """A button's name and value; empty if disabled."""
    if any(barred in attributes for barred in BARRED):
        return "", ""
    given = dict(GIVEN.findall(attributes))
    return given.get("name", ""), given.get("value", "")


def choose(offered: list[Choice], rng: Random) -> Choice:
    """A random choice; "au sept" is always passed, since forms do not show whether the seven is held (§11)."""
    passing = [choice for choice in offered if choice.verb == "pass"]
    return passing[0] if passing else rng.choice(offered)


def first(pattern: re.Pattern[str], html: str) -> str:
    """The first match of a pattern in a page, or ""."""
    match = pattern.search(html)
    return match[1] if match else ""
