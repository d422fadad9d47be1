"""A page as a browser without JavaScript reads it: its links, and its forms with the data they would send."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "hr", "img", "use", "path", "rect"}


@dataclass
class Form:
    """A form: its address, and its fields with their current values."""

    action: str
    method: str
    sent: dict[str, str] = field(default_factory=dict)
    offered: dict[str, list[str]] = field(default_factory=dict)
    """All values that a group of radio buttons or a list can send."""


class Page(HTMLParser):
    """A parsed page; raises `AssertionError` if its elements are not nested."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.links: list[str] = []
        self.ids: list[str] = []
        self.labelled: set[str] = set()
        self.forms: list[Form] = []
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.filled: list[tuple[str, str]] = []
        self._open: list[str] = []
        self._select = ""
        self.feed(html)
        assert self._open == [], self._open

    @property
    def text(self) -> str:
        """Its whole text."""
        return " ".join(" ".join(self.texts).split())

    def form(self, action: str) -> Form:
        """The only form with this address."""
        (found,) = [form for form in self.forms if form.action == action]
        return found

    def values(self, name: str) -> list[str]:
        """The values of the fields with this id."""
        return [value for field_id, value in self.filled if field_id == name]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.attributes |= set(given)
        if "id" in given:
            self.ids.append(given["id"])
        match tag:
            case "a":
                self.links.append(given["href"])
            case "form":
                self.forms.append(Form(given["action"], given["method"]))
            case "input":
                self._input(given)
            case "select":
                self._select = given["name"]
            case "option":
                self._choice(self._select, given["value"], chosen="selected" in given)
            case "label":
                self.labelled.add(given.get("for", ""))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def _input(self, given: dict[str, str]) -> None:
        self.filled.append((given.get("id", ""), given.get("value", "")))
        if "name" not in given:
            return
        if given["type"] in ("radio", "checkbox"):
            self._choice(given["name"], given["value"], chosen="checked" in given, unasked=False)
        else:
            self.forms[-1].sent[given["name"]] = given["value"]

    def _choice(self, name: str, value: str, *, chosen: bool, unasked: bool = True) -> None:
        form = self.forms[-1]
        form.offered.setdefault(name, []).append(value)
        if chosen or (unasked and name not in form.sent):
            form.sent[name] = value
