"""What a browser keeps ready in the image of Python's memory: all that pages need, read and compiled once.

Nothing here may load a compiled module: an image cannot hold one. What needs one is compiled to bytecode, and run when
Python wakes.
"""

from __future__ import annotations

import decimal  # noqa: F401  # msgspec's, as the next three
import fractions  # noqa: F401
import importlib.resources  # noqa: F401
import io
import json
import statistics  # noqa: F401
import sys
import tomllib  # noqa: F401
import uuid  # noqa: F401
import zipfile
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import get_args

import chouine.ai.handicap
import chouine.ai.light
import chouine.arena.partie
import chouine.players.heuristic
import chouine.registry
import chouine.school.problems
import chouine.server.learning
import chouine.server.pages.review
import chouine.server.pages.sheet
import chouine.server.policy
import chouine.server.second_try
import chouine.server.steps  # noqa: F401
from chouine.phrases import Language
from chouine.players.evaluation import weight_table
from chouine.rules import PRESETS, Rules
from chouine.server import forms, records  # noqa: F401
from chouine.server.pages import Visit, rules_page
from chouine.server.pages.env import environment
from chouine.server.pages.words import words_of

ADDRESSES = Path(__file__).with_name("addresses.json")
APP = Path(__file__).parents[3]
"""Where the sources are unpacked."""


class Compiled:
    """Finds the modules that are not there yet, compiled: their sources need not be read again."""

    def __init__(self) -> None:
        self.codes: dict[str, tuple[Path, CodeType]] = {}
        for path in APP.rglob("*.py"):
            name = ".".join(path.relative_to(APP).with_suffix("").parts).removesuffix(".__init__")
            if name not in sys.modules:
                self.codes[name] = path, compile(path.read_bytes(), str(path), "exec", dont_inherit=True)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Where a module lies, as Python asks."""
        if name not in self.codes:
            return None
        lies = self.codes[name][0]
        inside = [str(lies.parent)] if lies.name == "__init__.py" else None
        return spec_from_file_location(name, lies, loader=self, submodule_search_locations=inside)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Python makes it."""

    def exec_module(self, module: ModuleType) -> None:
        """Run it, as Python asks."""
        exec(self.codes[module.__name__][1], vars(module))  # noqa: S102  # our own sources


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
            made.get_template(name)
    sys.meta_path.insert(0, Compiled())


def unread() -> bytes:
    """What is not in the image, as an archive: templates, tables, networks, and what is compiled to WebAssembly."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for path in sorted(APP.rglob("*")):
            if path.is_file() and path.suffix != ".py":
                archive.write(path, path.relative_to(APP))
    return held.getvalue()
