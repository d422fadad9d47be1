"""What a module imports, read from its source without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import resolve_name


def imported_names(module: ast.AST, package: str = "") -> Iterator[str]:
    """What a module imports at run time: its names, and those within them that may be modules.

    `package`: the one that the module is in, for imports that begin with a dot.
    """
    for node in ast.iter_child_nodes(module):
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                continue  # not at run time
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(names=names) if source := source_of(node, package):
                yield from (source, *(f"{source}.{name.name}" for name in names))
        yield from imported_names(node, package)


def source_of(imported: ast.ImportFrom, package: str) -> str:
    """The module from which names are imported; none if the dots lead out of the package."""
    try:
        return resolve_name("." * imported.level + (imported.module or ""), package)
    except ImportError:
        return ""
