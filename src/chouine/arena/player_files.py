"""The files that a player is made of, found without running any of them."""

from __future__ import annotations

import ast
import shlex
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.machinery import PathFinder
from pathlib import Path
from typing import NamedTuple

from chouine.imports import imported_names, source_of

INSTALLED = ("site-packages", "dist-packages")
"""Folders of packages that are installed: whoever plays the player again installs them too."""


class Module(NamedTuple):
    """A module as it is found, and not run."""

    name: str
    package: str
    """The package that it is in, or is."""
    files: dict[str, Path]
    """Those of the packages it is in, and its own, called as on every machine: `package/module.py`."""
    folder: Path
    """Where its outermost package is."""
    code: ast.Module

    @property
    def outermost(self) -> str:
        return self.name.partition(".")[0]

    @property
    def is_ours(self) -> bool:
        """Whether it comes neither with Python nor from a registry."""
        return self.outermost not in sys.stdlib_module_names and self.folder.name not in INSTALLED

    def origin_of(self, name: str) -> tuple[str, str]:
        """The module from which it imports something, and the name that this has there."""
        for node in ast.walk(self.code):
            if isinstance(node, ast.ImportFrom):
                for each in node.names:
                    if name == (each.asname or each.name):
                        return source_of(node, self.package), each.name
        return "", ""


def digests_of(spec: str) -> dict[str, str]:
    """The SHA-256 of each file that a player is made of: a program's, a network's, or those of a class.

    A class is made of the module that is named, the one that defines it, and what they import, but for what is
    installed and for Chouine. Of a program only the files are known that its text names.
    """
    kind, _, argument = spec.partition(":")
    if kind == "python":
        paths = class_files(*argument.partition(":")[::2])
    else:
        try:
            words = [argument, *shlex.split(argument.replace(";", " "))]
        except ValueError:
            words = [argument]
        paths = {word: Path(word) for word in words if word and Path(word).is_file()}
    return {name: sha256(path.read_bytes()).hexdigest() for name, path in paths.items()}


def class_files(module: str, name: str) -> dict[str, Path]:
    """The files of the modules that a class is made of."""
    origins = list(defining_modules(module, name))
    packages = {origin.outermost for origin in origins} - {"chouine"}
    files, left, seen = dict[str, Path](), list[str](), {"chouine"}
    for origin in origins:
        files |= origin.files
        left += [origin.name]
    while left:
        name = left.pop()
        found = None if name in seen or name.startswith("chouine.") else find_module(name)
        seen.add(name)
        if found and (found.outermost in packages or found.is_ours):
            files |= found.files
            left += [name.rpartition(".")[0], *imported_names(found.code, found.package)]
    return files


def defining_modules(module: str, name: str) -> Iterator[Module]:
    """The module that is named, and each from which the one before imports the class, to the one that defines it."""
    seen, name = set[str](), name.partition(".")[0]
    while module not in seen and (found := find_module(module)):
        yield found
        seen.add(module)
        module, name = found.origin_of(name)


def find_module(name: str) -> Module | None:
    """A module by its name."""
    files, folder, path = dict[str, Path](), Path(), Path()
    within: Sequence[str] = [str(Path.cwd()), *sys.path]
    parts = name.split(".")
    for nth, part in enumerate(parts):
        found = PathFinder.find_spec(".".join(parts[: nth + 1]), within) if part else None
        if found is None:
            return None
        path, within = Path(found.origin or ""), found.submodule_search_locations or ()
        if path.is_file():
            files["/".join([*parts[:nth], *path.parts[-2 if within else -1 :]])] = path
        if nth == 0:
            folder = Path(within[0] if within else path).parent
    package = name if within else name.rpartition(".")[0]
    return Module(name, package, files, folder, code_of(path))


def code_of(path: Path) -> ast.Module:
    """A module's code; nothing for one that is compiled, or cannot be read."""
    try:
        return ast.parse(path.read_bytes() if path.suffix == ".py" else b"")
    except (SyntaxError, ValueError):
        return ast.Module([], [])
