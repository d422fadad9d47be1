"""The deployment recipes use commands and settings that the program has."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from chouine.cli import parser_for

ROOT = Path(__file__).parents[2]
RECIPES = [ROOT / "docs" / "deploy.md", *sorted((ROOT / "deploy").iterdir())]
OTHERS = {"CHOUINE_SITE", "CHOUINE_NODES", "CHOUINE_AWAY"}
"""Settings of the proxy only."""


def test_every_setting_named_is_read_by_the_program_and_told_of() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "src" / "chouine" / "cli").glob("*.py"))
    read = set(re.findall(r'environ\.get\("(CHOUINE_\w+)"', sources))
    named = {name for path in RECIPES for name in re.findall(r"CHOUINE_[A-Z_]+", path.read_text())}
    assert named - OTHERS == read
    proxy = (ROOT / "deploy" / "Caddyfile").read_text()
    assert all(f"{{${name}:" in proxy for name in OTHERS)


def commands() -> list[str]:
    """All calls of the program in the recipes."""
    found = []
    for path in RECIPES:
        text = path.read_text()
        found += re.findall(
            r"(?:^|/bin/|`)(chouine (?:serve|worker|backup|restore|move)[^\n`#]*)", text, re.MULTILINE
        )
    return sorted(set(found))


@pytest.mark.parametrize("command", commands())
def test_every_command_is_understood(command: str) -> None:
    _, name, *arguments = shlex.split(command)
    parser, _ = parser_for(name)
    if arguments or name in ("serve", "worker"):
        parser.parse_args(arguments)


def test_commands_are_found() -> None:
    assert {"serve", "worker", "backup", "restore", "move"} <= {command.split()[1] for command in commands()}


def test_what_is_taken_along_is_installed_from_the_sources(tmp_path: Path) -> None:
    """Python for browsers, which `make offline` has made: in an image too. The archive of the sources is without it."""
    made = ["src/chouine/ai/kernels.wasm.gz", "src/chouine/server/offline/runtime/pyodide.asm.wasm.gz"]
    for name in (*made, "src/chouine/__init__.py", "src/chouine/server/offline/junk.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    for name in ("pyproject.toml", ".gitignore"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    wheel, archive = (
        {file.relative_path for file in builder(str(tmp_path)).recurse_selected_project_files()}
        for builder in (WheelBuilder, SdistBuilder)
    )
    assert wheel == {*made, "src/chouine/__init__.py"}
    assert made[1] not in archive


def test_what_is_for_inside_is_closed_outside() -> None:
    proxy = (ROOT / "deploy" / "Caddyfile").read_text()
    closed = re.search(r"@inside path (.*)", proxy)
    assert closed is not None
    assert set(closed[1].split()) == {"/metrics", "/health", "/ready"}
    assert "respond @inside 404" in proxy
