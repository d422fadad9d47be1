"""Pages whose forms say from which template they come, so that a test knows whether it has tried each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import get_args

from chouine.phrases import Language
from chouine.server.pages import env
from tests.server.serving import serve_alone

FORM = re.compile(r"<form\b")
TYPED = re.compile(r'<(?:select|textarea)\b|<input\b(?![^>]*type="(?:hidden|file)")')
"""A field that a person fills in."""
MACRO = re.compile(r"\{% macro (\w+)\(.*?\{% endmacro %\}", re.DOTALL)
PREPROCESS = env.TemplatePreprocessor.preprocess


def number_forms(source: str, name: str) -> str:
    """A template's source whose forms are marked with its name and their number."""
    nth = count(1)
    return FORM.sub(lambda _: f'<form data-from="{name}:{next(nth)}"', source)


def forget_templates() -> None:
    """Have templates compiled anew."""
    env.InLanguage.get_template.cache_clear()
    env.table_template.cache_clear()
    for language in get_args(Language):
        found = env.environment(language)
        found.bytecode_cache = None
        if found.cache is not None:
            found.cache.clear()


def mark_forms() -> None:
    """Mark the forms of all pages of this process."""

    def preprocess(
        self: env.TemplatePreprocessor, source: str, name: str, filename: str | None = None
    ) -> str:
        return PREPROCESS(self, number_forms(source, name), name, filename)

    env.TemplatePreprocessor.preprocess = preprocess  # type: ignore[assignment, method-assign]
    forget_templates()


@contextmanager
def marked_forms() -> Iterator[None]:
    """The same for a while."""
    caches = {language: env.environment(language).bytecode_cache for language in get_args(Language)}
    mark_forms()
    try:
        yield
    finally:
        env.TemplatePreprocessor.preprocess = PREPROCESS  # type: ignore[method-assign]
        forget_templates()
        for language, cache in caches.items():
            env.environment(language).bytecode_cache = cache


def serve_marked(arguments: Sequence[str]) -> int:
    """Run `chouine serve` with such pages."""
    mark_forms()
    return serve_alone(arguments)


def forms_to_type_in() -> set[str]:
    """The forms of all templates, each by its mark, that are posted and have a field that a person fills in."""
    paths = env.TEMPLATES.rglob("*.html")
    sources = {path.relative_to(env.TEMPLATES).as_posix(): path.read_text() for path in paths}
    macros = {found[1]: found[0] for source in sources.values() for found in MACRO.finditer(source)}
    typing = re.compile(TYPED.pattern)
    while True:  # macros that call others
        named = [name for name, body in macros.items() if typing.search(body)]
        files = [re.escape(name) for name, source in sources.items() if typing.search(MACRO.sub("", source))]
        called = rf"\{{\{{ (?:{'|'.join(named)})\(" if named else "$^"
        wider = re.compile("|".join([TYPED.pattern, called, rf"include '(?:{'|'.join(files)})'"]))
        if wider.pattern == typing.pattern:
            break
        typing = wider
    return {
        f"{name}:{nth}"
        for name, source in sources.items()
        for nth, found in enumerate(FORM.finditer(source), 1)
        if typing.search(form := source[found.start() : source.index("</form>", found.start())])
        and 'method="get"' not in form
    }
