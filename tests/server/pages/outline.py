"""A page as reviewable lines: its elements, their attributes and their text."""

from __future__ import annotations

import re
from difflib import unified_diff
from html.parser import HTMLParser

KEPT = ("class", "action", "name", "value", "href", "hidden", "disabled", "checked", "open", "http-equiv")
"""Attributes in the outline, besides those for screen readers."""
PLAIN = {
    "html",
    "head",
    "meta",
    "link",
    "script",
    "style",
    "title",
    "svg",
    "path",
    "rect",
    "circle",
    "g",
    "br",
}
"""Elements without a line."""


class Outline(HTMLParser):
    """One line for each element with such attributes, followed by its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = [
            name if value is None else f"{name}={' '.join(value.split()).rpartition('deck.svg')[2]}"
            for name, value in attrs
            if name in KEPT or name.startswith("aria-")
        ]
        if tag not in PLAIN and told and "name=csrf" not in told:
            self.lines.append(re.sub(r"\?v=\w+", "", f"<{tag} {' '.join(told)}>"))

    def handle_data(self, data: str) -> None:
        if words := " ".join(data.split()):
            self.lines[-1:] = [f"{self.lines[-1]} {words}" if self.lines else words]


def outline(html: str) -> list[str]:
    return Outline(html).lines


def changes(before: list[str], after: list[str]) -> list[str]:
    """Removed lines with a minus and added ones with a plus."""
    told = unified_diff(before, after, n=0, lineterm="")
    return [line for line in told if not line.startswith(("---", "+++", "@@"))]
