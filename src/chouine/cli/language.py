"""The language of a command. Help texts and argparse's own messages follow it, through gettext."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from gettext import bindtextdomain, textdomain
from gettext import gettext as _

from chouine.phrases.catalogue import DOMAIN, LANGUAGES, LOCALE, N_, NN_, Language


def configure_language(parser: argparse.ArgumentParser) -> None:
    """Declare `--language`, for every command alike; `language_of` reads it."""
    parser.add_argument("--language", choices=list(LANGUAGES), help=_("default: that of your locale"))


def language_of(command: str, arguments: Sequence[str], environ: Mapping[str, str]) -> Language:
    """What `--language` asks for; else the locale; without any, `play` speaks French, help and all else English.

    >>> language_of("duel", ["a", "b", "--language=fr"], {"LANG": "en_GB.UTF-8"})
    'fr'
    """
    asked = argparse.ArgumentParser(add_help=False)
    asked.add_argument("--language", nargs="?")
    wanted = asked.parse_known_args(arguments)[0].language
    if wanted in LANGUAGES:
        return LANGUAGES[wanted]
    locale = (
        next(filter(None, map(environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "") or locale_of_windows()
    )
    if locale.partition(".")[0] in ("", "C", "POSIX"):
        return "fr" if command == "play" and not {"-h", "--help"}.intersection(arguments) else "en"
    return LANGUAGES.get(locale[:2], "en")


def locale_of_windows() -> str:
    """The locale of the user's Windows, such as `fr_FR`, which sets no variable for it; empty on other systems."""
    if sys.platform == "win32":
        from ctypes import windll
        from locale import windows_locale

        return windows_locale.get(windll.kernel32.GetUserDefaultUILanguage(), "")
    return ""


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """While the context is open, make gettext, and thus argparse, use this language (through `LANGUAGE`)."""
    domain, before = textdomain(), os.environ.get("LANGUAGE")
    bindtextdomain(DOMAIN, str(LOCALE))
    textdomain(DOMAIN)
    os.environ["LANGUAGE"] = language
    try:
        yield
    finally:
        textdomain(domain)
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before


# argparse's own messages, marked for translation: argparse looks them up by gettext.
N_("usage: ")
N_("positional arguments")
N_("options")
N_("%(heading)s:")
N_("show this help message and exit")
N_("show program's version number and exit")
N_("%(prog)s: error: %(message)s\n")
N_("argument %(argument_name)s: %(message)s")
N_("ambiguous option: %(option)s could match %(matches)s")
N_("the following arguments are required: %s")
N_("one of the arguments %s is required")
N_("not allowed with argument %s")
N_("unrecognized arguments: %s")
N_("unexpected option string: %s")
N_("ignored explicit argument %r")
N_("expected one argument")
N_("expected at most one argument")
N_("expected at least one argument")
NN_("expected %s argument", "expected %s arguments")
N_("invalid %(type)s value: %(value)r")
N_("invalid choice: %(value)r (choose from %(choices)s)")
