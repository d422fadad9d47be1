"""Prepares the image of Python's memory that a browser stores: all that pages need, imported and compiled once.

Nothing here may import a compiled module, since an image cannot hold one. Modules that need one are only compiled
to bytecode, and run when Python starts from the image.
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

import starlette.applications  # noqa: F401

import chouine.ai.levels
import chouine.ai.strongest
import chouine.arena.partie
import chouine.players.heuristic
import chouine.registry
import chouine.school.guide
import chouine.school.problems
import chouine.school.trainer
import chouine.server.new_table
import chouine.server.pages.frames
import chouine.server.pages.home
import chouine.server.pages.replay
import chouine.server.pages.review
import chouine.server.pages.school
import chouine.server.pages.settings
import chouine.server.pages.sheet
import chouine.server.policy
import chouine.server.table_cache  # noqa: F401
from chouine.phrases.catalogue import CHILD, LANGUAGES
from chouine.players.heuristic import weight_table
from chouine.rules import PRESETS, Rules
from chouine.server import forms, records  # noqa: F401
from chouine.server.pages.books import rules_page
from chouine.server.pages.env import environment
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of

ADDRESSES = Path(__file__).with_name("addresses.json")
APP = Path(__file__).parents[3]
"""The folder of the unpacked sources."""


class CompiledFinder:
    """An import finder for modules that were compiled to bytecode in the image."""

    def __init__(self) -> None:
        self.codes: dict[str, tuple[Path, CodeType]] = {}
        for path in APP.rglob("*.py"):
            name = ".".join(path.relative_to(APP).with_suffix("").parts).removesuffix(".__init__")
            if name not in sys.modules:
                self.codes[name] = path, compile(path.read_bytes(), str(path), "exec", dont_inherit=True)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """The module's spec, for the import system."""
        if name not in self.codes:
            return None
        lies = self.codes[name][0]
        inside = [str(lies.parent)] if lies.name == "__init__.py" else None
        return spec_from_file_location(name, lies, loader=self, submodule_search_locations=inside)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Let Python create the module."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's bytecode."""
        exec(self.codes[module.__name__][1], vars(module))  # noqa: S102  # our own sources


def preload() -> None:
    """Load the catalogue, the rules and the words, and compile the templates, for every language."""
    for preset in PRESETS:
        weight_table(Rules.parse(preset))
    addresses = json.loads(ADDRESSES.read_text(encoding="utf-8"))
    environment(CHILD).globals["static"] = addresses.__getitem__
    for language in LANGUAGES.values():
        made = environment(language)
        made.globals["static"] = addresses.__getitem__
        visit = Visit(language, "", "")
        words_of(visit)
        rules_page(visit, "", "")
        for name in made.list_templates():
            made.get_template(name)
    sys.meta_path.insert(0, CompiledFinder())


def unread() -> bytes:
    """An archive of what the image does not hold: templates, tables, networks, and WebAssembly packages."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for path in sorted(APP.rglob("*")):
            if path.is_file() and path.suffix != ".py":
                archive.write(path, path.relative_to(APP))
    return held.getvalue()
