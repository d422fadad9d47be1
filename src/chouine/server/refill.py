"""A page that refuses a form, with the form filled in again: nobody types twice.

Only what the same request has sent is put in, escaped, and everything else of the page stays byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlsplit

from markupsafe import escape
from starlette.datastructures import FormData

from chouine.server.request_parts import storable

MOST = 500_000
"""Most characters that are put into a page; of a longer form nothing is."""
STATE = frozenset({"csrf", "seen", "shown", "told", "cells", "n", "sheet"})
"""Hidden fields that say what the page showed, and so may differ after a refusal. Others say which form it is."""
NEVER = frozenset({"hidden", "file", "password", "submit", "button", "image", "reset"})
"""Kinds of input that are not filled in."""


@dataclass(eq=False, slots=True)
class Tag:
    """The start of an element."""

    name: str
    start: int
    end: int
    attributes: dict[str, str | None]
    text: str = ""
    """What stands in a textarea."""
    closed: int = 0
    """Where the text of a textarea ends."""
    options: list[Tag] = field(default_factory=list)
    folds: tuple[Tag, ...] = ()
    """The `<details>` around it."""

    @property
    def value(self) -> str:
        return self.text if self.name == "textarea" else self.attributes.get("value") or ""

    @property
    def field_name(self) -> str:
        return self.attributes.get("name") or ""

    @property
    def kind(self) -> str:
        """The type of an input, else the element's name."""
        return (self.attributes.get("type") or "text") if self.name == "input" else self.name

    @property
    def fillable(self) -> bool:
        """Whether a person fills it in, and may see it again: what is secret is marked `data-secret`."""
        return self.kind not in NEVER and not {"disabled", "data-secret"} & self.attributes.keys()


@dataclass(eq=False, slots=True)
class PageForm:
    """A form of a page."""

    tag: Tag
    fields: list[Tag] = field(default_factory=list)
    buttons: list[Tag] = field(default_factory=list)


class FormReader(HTMLParser):
    """Finds the forms of a page, with the places of their fields."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.lines = [0, *(found.end() for found in re.finditer("\n", page))]
        self.forms: list[PageForm] = []
        self.inside = False
        self.read: Tag | None = None
        """The textarea whose text is being read."""
        self.folds: list[Tag] = []
        self.feed(page)
        self.close()

    @property
    def place(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        end = self.place + len(self.get_starttag_text() or "")
        found = Tag(tag, self.place, end, dict(attrs), folds=tuple(self.folds))
        if tag == "details":
            self.folds.append(found)
        elif tag == "form":
            self.forms.append(PageForm(found))
            self.inside = True
        elif not self.inside:
            return
        elif tag == "button":
            self.forms[-1].buttons.append(found)
        elif tag in {"input", "select", "textarea"}:
            self.forms[-1].fields.append(found)
        elif tag == "option" and self.forms[-1].fields:
            self.forms[-1].fields[-1].options.append(found)
        self.read = found if tag == "textarea" else None

    def handle_data(self, data: str) -> None:
        if self.read is not None:
            self.read.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "details" and self.folds:
            self.folds.pop()
        elif tag == "textarea" and self.read is not None:
            self.read.closed = self.place
        self.read = None


def refill(page: str, path: str, sent: FormData) -> str:
    """The page with the one form filled in that was sent to `path`; as it was if none fits, or several alike."""
    texts = FormData([(name, storable(text)) for name, text in sent.multi_items() if isinstance(text, str)])
    if sum(len(str(text)) for _, text in texts.multi_items()) > MOST:
        return page
    found = form_sent(FormReader(page).forms, path, texts)
    if found is None:
        return page
    edits, folds = dict[int, tuple[int, str]](), set(found.tag.folds)
    for start, end, text, own in filled_fields(found, texts):
        edits[start] = (end, text)
        folds.update(own.folds)
    edits |= {
        one.start: (one.end, start_tag(one, open=None)) for one in folds if "open" not in one.attributes
    }
    pieces, at = [], 0
    for start, (end, text) in sorted(edits.items()):
        pieces += [page[at:start], text]
        at = end
    return "".join([*pieces, page[at:]])


def form_sent(forms: Sequence[PageForm], path: str, sent: FormData) -> PageForm | None:
    """The form that was sent; None if none fits, or several equally well."""
    fitting = [
        (strange_fields(form, sent), form)
        for form in forms
        if form.tag.attributes.get("method") == "post"
        and urlsplit(form.tag.attributes.get("action") or path).path == path
        and may_send(form, sent)
    ]
    least = min((strange for strange, _ in fitting), default=0)
    best = [form for strange, form in fitting if strange == least]
    return best[0] if len(best) == 1 else None


def may_send(form: PageForm, sent: FormData) -> bool:
    """Whether what a form cannot have otherwise, its hidden fields and its buttons, is as it was sent.

    `told` is sent in a form's name by the page that asks whether one is sure.
    """
    hidden = [one for one in form.fields if one.kind == "hidden" and one.field_name not in STATE]
    names = {one.field_name for one in form.fields}
    values: dict[str, set[str]] = {}
    for one in form.buttons:
        if one.field_name and one.field_name not in names:
            values.setdefault(one.field_name, set()).add(one.value)
    if {name for name in sent if name in STATE} - names - {"told"}:
        return False
    return all(one.value in sent.getlist(one.field_name) for one in hidden if one.field_name in sent) and all(
        value in values[name] for name, value in sent.multi_items() if name in values
    )


def strange_fields(form: PageForm, sent: FormData) -> int:
    """How many names were sent that a form does not have, or not sent that it always sends."""
    names = {one.field_name for one in (*form.fields, *form.buttons)}
    always = {one.field_name for one in form.fields if one.kind not in {"checkbox", "radio", "file"}}
    return len({name for name in sent if name not in names}) + len(always - {*sent})


def filled_fields(form: PageForm, sent: FormData) -> Iterator[tuple[int, int, str, Tag]]:
    """What is to be written where so that a form's fields hold what was sent, and in which field."""
    left = {name: iter([str(value) for value in sent.getlist(name)]) for name in sent}
    for one in form.fields:
        if not one.fillable:
            continue
        if one.kind in {"checkbox", "radio"}:
            if one.kind == "checkbox" or one.field_name in sent:  # a form may be sent without a choice
                ticked = (one.value if "value" in one.attributes else "on") in sent.getlist(one.field_name)
                yield from ticked_tag(one, one, "checked", ticked=ticked)
        elif (text := next(left.get(one.field_name, iter(())), None)) is None:
            continue
        elif one.kind == "textarea" and text != one.value:
            yield one.end, one.closed, "\n" * text.startswith("\n") + escape(text), one
        elif one.kind == "select":
            chosen = [option.value for option in one.options if "selected" in option.attributes]
            known = [option.value for option in one.options]
            if text in known and text != (chosen or known)[0]:
                for option in one.options:
                    yield from ticked_tag(one, option, "selected", ticked=option.value == text)
        elif one.name == "input" and text != one.value:
            yield one.start, one.end, start_tag(one, value=text), one


def ticked_tag(one: Tag, choice: Tag, how: str, *, ticked: bool) -> Iterator[tuple[int, int, str, Tag]]:
    """A field's choice as it is to be written, unless it is so already."""
    if ticked != (how in choice.attributes):
        kept = {name: value for name, value in choice.attributes.items() if name != how}
        changed = Tag(choice.name, choice.start, choice.end, kept | ({how: None} if ticked else {}))
        yield choice.start, choice.end, start_tag(changed), one


def start_tag(tag: Tag, **changed: str | None) -> str:
    """A tag as it is written, with these attributes."""
    attributes = tag.attributes | changed
    written = [name if value is None else f'{name}="{escape(value)}"' for name, value in attributes.items()]
    return f"<{' '.join([tag.name, *written])}>"
