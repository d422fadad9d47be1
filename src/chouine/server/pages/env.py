"""Jinja2 as every page uses it: text escaped, words translated, nothing undefined passed over in silence."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, MutableMapping
from functools import cache, partial
from gettext import NullTranslations
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.ext import Extension
from jinja2.runtime import Context
from markupsafe import Markup, escape

from chouine.phrases import say, translations
from chouine.server.pages.visit import Language, Visit

TEMPLATES = Path(__file__).parents[1] / "templates"
STATIC = Path(__file__).parents[1] / "static"
FIXED = re.compile(r"(?<=>)\n\s*(?=</)|^([ \t]*<[^{}<>]*>)\n\s*(?=<)", re.MULTILINE)
UNSAFE = re.compile("[&<>'\"]").search


def render(visit: Visit, template: str, here: str = "/", **context: object) -> str:
    """A page's HTML. `here` is its own address, where a change of language comes back to."""
    page = environment(visit.language).get_template(template)
    return page.render(visit=visit, here=here, **context)


class Direct(Context):
    """What a template is rendered with. Jinja asks of each function called whether it wants to know the context."""

    def call(self, obj: Callable[..., Any], *args: Any, **named: Any) -> Any:
        if type(obj) is not partial:
            return super().call(obj, *args, **named)
        named.pop("_loop_vars", None)
        named.pop("_block_vars", None)
        return obj(*args, **named)


class InLanguage(Environment):
    """Templates of one language, loaded once."""

    context_class = Direct
    language: Language

    def make_globals(self, d: MutableMapping[str, Any] | None) -> dict[str, Any]:
        """A template's globals in one dict: Jinja copies them each time a page is made, and its own mapping slowly."""
        return {**self.globals, **(d or {})}

    @cache  # noqa: B019  # an environment lives as long as the process
    def get_template(
        self,
        name: str | Template,
        parent: str | None = None,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002
    ) -> Template:
        """A template; a base template is asked for each time that what extends it is rendered."""
        found = super().get_template(name, parent, globals)
        found.root_render_func.__globals__["escape"] = escaped
        return found


@cache
def environment(language: Language) -> Environment:
    """The templates in one language."""
    found = InLanguage(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[Prepared],
        auto_reload=False,
    )
    found.language = language
    found.globals |= {
        "_": partial(gettext, translations(language)),
        "ngettext": partial(ngettext, translations(language)),
        "command_id": command_id,
        "static": static,
        "say": partial(say, language=language),
    }
    return found


def escaped(value: object) -> str:
    """A value as text for a page. `markupsafe.escape` makes new markup of what needs no escaping."""
    if type(value) is int:
        return str(value)
    if type(value) is Markup or (type(value) is str and not UNSAFE(value)):
        return value
    return escape(value)


def gettext(words: NullTranslations, text: str, **values: object) -> Markup:
    """A sentence with its values escaped. Jinja's own (`jinja2.ext.i18n`) takes four times as long."""
    told = words.gettext(text) % {name: escaped(value) for name, value in values.items()}
    return Markup(told)  # noqa: S704  # a sentence of ours


def ngettext(words: NullTranslations, one: str, more: str, num: int, **values: object) -> Markup:
    """A sentence in its singular or plural form, chosen by `num` (`%(num)s`), with its values escaped."""
    told = {"num": num, **{name: escaped(value) for name, value in values.items()}}
    return Markup(words.ngettext(one, more, num) % told)  # noqa: S704  # a sentence of ours


@cache
def table_template(language: Language, name: str) -> Template:
    """A template of `templates/table/`."""
    return environment(language).get_template(f"table/{name}.html")


def made(template: Template, variables: dict[str, Any]) -> str:
    """A template with these variables: `Template.render` copies them and all globals once more."""
    known = Direct(template.environment, {**template.globals, **variables}, template.name, template.blocks)
    return "".join(template.root_render_func(known))


class Prepared(Extension):
    """What is done to a template once, when it is compiled."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002
        """Words that never change are translated.

        At the table, whose frames are compared by lines, what never differs is no line of its own: a closing tag, or
        an opening one before another.
        """
        words = translations(self.environment.language).gettext  # type: ignore[attr-defined]
        source = re.sub(r"\{\{ _\('([^'%]+)'\) \}\}", lambda found: words(found[1]), source)
        return FIXED.sub(r"\1", source) if str(name).startswith("table/") else source


def command_id() -> str:
    """An idempotency key for a form: a command sent twice is done once."""
    return secrets.token_hex(8)


@cache
def static(path: str) -> str:
    """The address of a file under `static/`; it changes when the file does, so the file may be kept for ever."""
    digest = hashlib.sha256((STATIC / path).read_bytes()).hexdigest()
    return f"/static/{path}?v={digest[:10]}"
