"""What a person types into a form of a page, and what a page shows of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Protocol

import httpx

STATE = ("csrf", "seen", "shown", "told", "n", "sheet")
"""Hidden fields that may differ each time that a form is shown."""
STRANGE = 'Z\N{CYRILLIC SMALL LETTER O}é <b>"&amp;'
"""What no name may be: it mixes two scripts. The rest needs escaping."""
TYPED = {
    "date": "2031-05-06",
    "datetime-local": "2031-05-06T07:08",
    "email": "zoe@example.org",
    "textarea": f"\n{STRANGE}\n</textarea>",
}
"""What is typed by kinds of fields, if nothing else is."""


class Post(Protocol):
    """Sends a form to an address."""

    def __call__(self, action: str, fields: dict[str, list[str]], *, multipart: bool) -> httpx.Response: ...


@dataclass
class Field:
    """A field that is filled in."""

    name: str
    kind: str
    value: str
    options: list[str] = field(default_factory=list)
    on: bool = False


@dataclass
class ShownForm:
    """A form as a page shows it."""

    source: str
    action: str
    multipart: bool
    folded: bool
    """Whether it is hidden in what must be opened first."""
    hidden: dict[str, str] = field(default_factory=dict)
    fields: list[Field] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    @property
    def identity(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        kept = {name: value for name, value in self.hidden.items() if name not in STATE}
        return self.source, tuple(kept.items())

    def type_in(self, given: Mapping[str, str | bool]) -> None:
        """Fill in every field otherwise than it was, or as given by its name."""
        for one in self.fields:
            own = given.get(one.name)
            if one.kind == "checkbox":
                one.on = not one.on if own is None else bool(own)
            elif one.kind == "radio":
                others = [each for each in self.fields if each.name == one.name]
                one.on = one is others[-1] if own is None else one.value == own
            elif one.kind == "select":
                one.value = one.options[-1] if own is None else str(own)
                assert one.value in one.options
            else:
                one.value = TYPED.get(one.kind, STRANGE) if own is None else str(own)

    def fields_to_send(self, button: tuple[str, str] | None) -> dict[str, list[str]]:
        """What a browser sends."""
        pairs = [*self.hidden.items()]
        pairs += [
            (one.name, one.value) for one in self.fields if one.on or one.kind not in ("checkbox", "radio")
        ]
        if chosen := button or next(iter(self.buttons), None):
            assert chosen in self.buttons, (chosen, self.buttons)
            pairs.append(chosen)
        return {name: [value for each, value in pairs if each == name] for name, _ in pairs}


class FormsShown(HTMLParser):
    """The forms of a page of `tests.server.marked`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[ShownForm] = []
        self.folds: list[bool] = []
        self.inside, self.text = False, ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name, value, kind = given.get("name", ""), given.get("value", ""), given.get("type", "text")
        if tag == "details":
            self.folds.append("open" not in given)
        elif tag == "form":
            folded, multipart = any(self.folds), given.get("enctype", "").startswith("multipart")
            self.found.append(ShownForm(given.get("data-from", ""), given["action"], multipart, folded))
            self.inside = True
        elif not self.inside:
            return
        elif tag == "input" and kind == "hidden":
            self.found[-1].hidden[name] = value
        elif tag == "input" and kind != "file":
            self.found[-1].fields.append(Field(name, kind, value, on="checked" in given))
        elif tag in ("select", "textarea"):
            self.found[-1].fields.append(Field(name, tag, ""))
        elif tag == "option" and (chosen := self.found[-1].fields[-1:]) and chosen[0].kind == "select":
            if "selected" in given or not chosen[0].options:
                chosen[0].value = value
            chosen[0].options.append(value)
        elif tag == "button" and name:
            self.found[-1].buttons.append((name, value))
        self.text = ""

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "details":
            self.folds.pop()
        elif tag == "textarea" and self.inside:
            self.found[-1].fields[-1].value = self.text.removeprefix("\n")


@dataclass
class Case:
    """How a form is refused: where it is, and what is typed beside `STRANGE`."""

    page: str
    typed: Mapping[str, str | bool] = field(default_factory=dict)
    button: tuple[str, str] | None = None
    where: Mapping[str, str] = field(default_factory=dict)
    """The hidden fields of the one that is meant, if the page has several."""
    who: str = ""
    gone: Mapping[str, str] = field(default_factory=dict)
    """What is sent although the page no longer offers it: it is not chosen anew."""


def fill_in(source: str, case: Case, page: str) -> tuple[ShownForm, dict[str, list[str]]]:
    """The form of a page, filled in, and what a browser then sends."""
    found = FormsShown(page).found
    form = next(one for one in found if one.source == source and case.where.items() <= one.hidden.items())
    form.type_in(case.typed)
    return form, form.fields_to_send(case.button)


def check_given_back(
    source: str, case: Case, page: str, post: Post, status: int
) -> tuple[ShownForm, dict[str, list[str]]]:
    """Fill in the form of a page and send it: it must be refused for no fault of its own, and given back.

    Returns the form given back, and what it sends.
    """
    form, sent = fill_in(source, case, page)
    answer = post(form.action, sent, multipart=form.multipart)
    assert answer.status_code == status, answer.text[:3000]
    back = next(one for one in FormsShown(answer.text).found if one.source == "form_back.html:1")
    again = back.fields_to_send(None)
    if form.multipart:
        assert again.pop("file") == [""]
    assert (back.action, again) == (form.action, {name: texts for name, texts in sent.items() if texts})
    return back, again


def check_refused(
    source: str,
    case: Case,
    page: str,
    post: Post,
) -> None:
    """Fill in the form of a page and send it: it must be refused, and shown as it was filled in, it alone."""
    before = FormsShown(page).found
    form = next(one for one in before if one.source == source and case.where.items() <= one.hidden.items())
    untouched = {one.identity: one for one in FormsShown(page).found if one.identity != form.identity}
    offered = {one.name: one.value for one in form.fields}
    form.type_in(case.typed)
    sent = form.fields_to_send(case.button) | {name: [value] for name, value in case.gone.items()}
    answer = post(form.action, sent, multipart=form.multipart)
    assert answer.status_code == 422, (answer.status_code, answer.headers, answer.text[:3000])
    after = FormsShown(answer.text).found
    (again,) = (one for one in after if one.identity == form.identity)
    assert not again.folded
    for one in form.fields:
        one.value = offered[one.name] if one.name in case.gone else one.value
    assert again.fields == form.fields
    for other in after:
        if other is not again and other.identity in untouched:
            assert other.fields == untouched[other.identity].fields, other.source
