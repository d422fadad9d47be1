"""Players can import no module with the full state (§14): they know views only."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import chouine.players

TRUTH = {"chouine.partie", "chouine.partie.state", "chouine.notation"}
"""Modules from which `State` can be imported; players use the other modules of these packages."""
MODULES = sorted(Path(chouine.players.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_14_a_player_imports_no_state(path: Path) -> None:
    tree = ast.walk(ast.parse(path.read_text()))
    imports = [node for node in tree if isinstance(node, ast.Import | ast.ImportFrom)]
    named = {alias.name for node in imports for alias in node.names}
    modules = named | {node.module or "" for node in imports if isinstance(node, ast.ImportFrom)}
    assert not modules & TRUTH
    assert "State" not in named
