"""Synchronise the French catalogue with the English sentences in the sources: `make messages`.

Adds new sentences with an empty translation, removes unused ones, puts no-break spaces into French punctuation, and
compiles the catalogue.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from chouine.phrases.catalogue import DOMAIN, LOCALE
from chouine.phrases.typography import with_french_spaces

SOURCES = LOCALE.parents[1]
PO = LOCALE / "fr" / "LC_MESSAGES" / f"{DOMAIN}.po"
MO = PO.with_suffix(".mo")
KEYWORDS = {**DEFAULT_KEYWORDS, "N_": None, "NN_": (1, 2)}
METHODS = [("**.py", "python"), ("**.html", "jinja2")]
OPTIONS = {"**.html": {"newstyle_gettext": "true", "silent": "false"}}


def main() -> int:
    """Write both files; return 1 if a translation is missing."""
    catalogue = updated()
    PO.write_bytes(as_text(catalogue))
    MO.write_bytes(compiled(catalogue))
    missing = [message.id for message in catalogue if message.id and not all(forms(message))]
    for sentence in missing:
        print(f"{PO}: no French for {sentence!r}", file=sys.stderr)
    return int(bool(missing))


def updated() -> Catalog:
    """The catalogue updated from the sources."""
    with PO.open("rb") as file:
        catalogue = read_po(file, locale="fr", domain=DOMAIN)
    catalogue.update(extracted(), no_fuzzy_matching=True, update_creation_date=False)
    for message in catalogue:
        if message.id:
            spaced = tuple(map(with_french_spaces, forms(message)))
            message.string = spaced if message.pluralizable else spaced[0]
    return catalogue


def extracted() -> Catalog:
    """Every sentence in the sources."""
    template = Catalog(domain=DOMAIN)
    for _, _, message, _, context in extract_from_dir(SOURCES, METHODS, OPTIONS, KEYWORDS):
        template.add(message, context=context)
    return template


def forms(message: Message) -> tuple[str, ...]:
    """The translation: one string, or a singular and a plural."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))


def as_text(catalogue: Catalog) -> bytes:
    """The `.po` file: sorted, one line for each string, without obsolete entries."""
    file = BytesIO()
    write_po(file, catalogue, width=0, no_location=True, sort_output=True, ignore_obsolete=True)
    return file.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """The `.mo` file."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def faults(catalogue: Catalog) -> Iterator[str]:
    """Sentences with a missing or fuzzy translation, or with other placeholders than the English."""
    for message in catalogue:
        if message.id and (message.fuzzy or not all(forms(message)) or any(message.check(catalogue))):
            yield str(message.id)


if __name__ == "__main__":
    sys.exit(main())
