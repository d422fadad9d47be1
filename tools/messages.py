"""Synchronise the catalogues with the English sentences in the sources: `make messages`.

Adds new sentences with an empty translation, removes unused ones, puts no-break spaces into French punctuation, and
compiles the catalogues. A sentence that is not translated is shown in English; of French none may be missing.
"""

from __future__ import annotations

import sys
from copy import deepcopy
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from chouine.phrases.catalogue import CHILD, DOMAIN, LOCALE, NAMES, Language
from chouine.phrases.typography import french_print

SOURCES = LOCALE.parents[1]
TRANSLATED: list[Language] = [*(language for language in NAMES if language != "en"), CHILD]
KEYWORDS = {**DEFAULT_KEYWORDS, "N_": None, "NN_": (1, 2)}
METHODS = [("**.py", "python"), ("**.html", "jinja2")]
OPTIONS = {"**.html": {"newstyle_gettext": "true", "silent": "false"}}


def main() -> int:
    """Write the files of every language; return 1 if a French translation is missing."""
    for language in TRANSLATED:
        catalogue, path = update_catalogue(language), po_of(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_text(catalogue))
        path.with_suffix(".mo").write_bytes(as_mo(catalogue))
        if language not in ("fr", CHILD):
            print(
                f"{path}: {len(untranslated_messages(catalogue))} sentences are shown in English",
                file=sys.stderr,
            )
    absent = untranslated_messages(update_catalogue("fr"))
    for sentence in absent:
        print(f"{po_of('fr')}: no French for {sentence.id!r}", file=sys.stderr)
    return int(bool(absent))


def po_of(language: Language) -> Path:
    """A language's catalogue; the compiled one is beside it."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def update_catalogue(language: Language = "fr") -> Catalog:
    """A language's catalogue updated from the sources; an empty one for a new language.

    That for children has only the sentences that it says otherwise than the one below it.
    """
    locale = language.partition("_")[0]
    catalogue = Catalog(locale=locale, domain=DOMAIN)
    if po_of(language).exists():
        with po_of(language).open("rb") as file:
            catalogue = read_po(file, locale=locale, domain=DOMAIN)
    said = {message.id for message in catalogue}
    catalogue.update(extract_sentences(), no_fuzzy_matching=True, update_creation_date=False)
    for message in list(catalogue) if language == CHILD else ():
        if message.id not in said:
            catalogue.delete(message.id, message.context)
    for message in catalogue:
        if message.id and locale == "fr":
            spaced = tuple(map(french_print, forms(message)))
            message.string = spaced if message.pluralizable else spaced[0]
    return catalogue


@cache
def extract_sentences() -> Catalog:
    """Every sentence in the sources."""
    template = Catalog(domain=DOMAIN)
    for _, _, message, _, context in extract_from_dir(SOURCES, METHODS, OPTIONS, KEYWORDS):
        template.add(message, context=context)
    return template


def untranslated_messages(catalogue: Catalog) -> list[Message]:
    """Sentences without a translation, or without one of its plural forms."""
    return [message for message in catalogue if message.id and not all(forms(message))]


def forms(message: Message) -> tuple[str, ...]:
    """The translation: one string, or a singular and a plural."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))


def as_text(catalogue: Catalog) -> bytes:
    """The `.po` file: sorted, one line for each string, without obsolete entries."""
    file = BytesIO()
    write_po(file, catalogue, width=0, no_location=True, sort_output=True, ignore_obsolete=True)
    return file.getvalue()


def as_mo(catalogue: Catalog) -> bytes:
    """The `.mo` file, without the sentences that lack a form: it would say nothing in their place."""
    file, whole = BytesIO(), deepcopy(catalogue)
    for message in untranslated_messages(catalogue):
        whole.delete(message.id, message.context)
    write_mo(file, whole)
    return file.getvalue()


if __name__ == "__main__":
    sys.exit(main())
