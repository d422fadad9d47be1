"""What a browser keeps ready in the image of Python's memory: all that pages need, read and compiled once.

Nothing here may load a compiled module: an image cannot hold one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import chouine.ai.handicap
import chouine.ai.light
import chouine.players.heuristic
import chouine.registry  # noqa: F401
from chouine.phrases import Language
from chouine.players.evaluation import weight_table
from chouine.rules import PRESETS, Rules
from chouine.server import forms, records  # noqa: F401
from chouine.server.pages import Visit, rules_page
from chouine.server.pages.env import environment
from chouine.server.pages.words import words_of

ADDRESSES = Path(__file__).with_name("addresses.json")
TEMPLATES = ("error.html", "home.html", "match.html", "replay.html", "rules.html", "settings.html")
"""Pages that are there without a network; with them the table's own."""


def preload() -> None:
    """Read the catalogue, the rules and the words, and compile the templates, in every language; weigh cards once."""
    for preset in PRESETS:
        weight_table(Rules.parse(preset))
    addresses = json.loads(ADDRESSES.read_text(encoding="utf-8"))
    for language in get_args(Language):
        made = environment(language)
        made.globals["static"] = addresses.__getitem__
        visit = Visit(language, "", "")
        words_of(visit)
        rules_page(visit, "", "")
        for name in made.list_templates():
            if name in TEMPLATES or name.startswith(("table/", "school/")):
                made.get_template(name)
