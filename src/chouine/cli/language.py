"""Which of the two languages a command speaks."""

from __future__ import annotations

import argparse
import os

from chouine.phrases import Language


def configure_language(parser: argparse.ArgumentParser) -> None:
    """Declare `--language`."""
    parser.add_argument(
        "--language",
        choices=("fr", "en"),
        default=language_of_environment(),
        help="default: that of the environment, else French",
    )


def language_of_environment() -> Language:
    """English where the locale asks for it, else French."""
    settings = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "en" if next(filter(None, settings), "").startswith("en") else "fr"
