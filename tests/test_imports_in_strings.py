"""Programs that tests and benchmarks write as text import what exists: neither mypy nor ruff reads them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

FOLDERS = "benchmarks", "src", "tests", "tools"


def with_more_imports() -> Iterator[tuple[Path, ast.Module]]:
    """The files that mention more imports from `chouine` than they begin with: to walk them all takes long."""
    for path in sorted(path for folder in FOLDERS for path in Path(folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        module = ast.parse(text)
        plain = [each for each in module.body if isinstance(each, ast.ImportFrom)]
        if text.count("from chouine") > sum((each.module or "").startswith("chouine") for each in plain):
            yield path, module


def imports_in_strings() -> Iterator[tuple[Path, int, ast.ImportFrom]]:
    """Each `from chouine… import …` in a string: its file, the string's line, and the statement."""
    for path, module in with_more_imports():
        for node in ast.walk(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for line in node.value.replace(";", "\n").splitlines():
                    if line.strip().startswith(("from chouine.", "from chouine ")):
                        with suppress(SyntaxError):
                            (statement,) = ast.parse(line.strip()).body
                            if isinstance(statement, ast.ImportFrom):
                                yield path, node.lineno, statement


def exists(module: str, name: str) -> bool:
    """Whether a module has this name, or a module of this name."""
    try:
        if hasattr(import_module(module), name):
            return True
        import_module(f"{module}.{name}")
    except ModuleNotFoundError:
        return False
    return True


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_import_in_a_string_is_possible() -> None:
    found = [*imports_in_strings()]
    assert len(found) > 20
    wrong = [
        f"{path}:{line}: from {statement.module} import {each.name}"
        for path, line, statement in found
        for each in statement.names
        if each.name != "*" and not exists(str(statement.module), each.name)
    ]
    assert not wrong
