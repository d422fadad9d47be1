"""The pages' words by gettext: msgids are English, `locale/fr/LC_MESSAGES/*.po` has the French.

Catalogues are read as text at the first page; nothing compiled is kept. Each part of the pages has a file of
its own: `table.po`, `pages.po`. The core's sentences, refusals above all, come from `chouine.phrases`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

from chouine.phrases import say
from chouine.server.pages.visit import Language

LOCALE = Path(__file__).parents[1] / "locale"


@cache
def translations(language: Language) -> NullTranslations:
    """The catalogue of a language; English is what the msgids say."""
    if language == "en":
        return NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, catalogue(language))
    compiled.seek(0)
    return Translations(compiled)


def catalogue(language: Language) -> Catalog:
    """Every message of a language's files."""
    whole = Catalog(locale=language)
    for path in sorted((LOCALE / language / "LC_MESSAGES").glob("*.po")):
        with path.open("rb") as file:
            for message in read_po(file, locale=language):
                if message.id:
                    message.string = spaced(message.string or "")
                    whole[message.id] = message
    return whole


def spaced(text: str | Sequence[str]) -> str | tuple[str, ...]:
    """French spaces that no line may break: before `: ; ! ? »` and after `«`. The files are written with plain ones."""
    if isinstance(text, str):
        return re.sub(r" (?=[:;!?»])|(?<=«) ", "\N{NO-BREAK SPACE}", text)
    return tuple(str(spaced(form)) for form in text)


def sentence(code: str, language: Language, **data: object) -> str:
    """A sentence of the core as the pages show it."""
    said = say(code, language, **data)
    return str(spaced(said)) if language == "fr" else said
