"""The decisions are short and complete, and the documents' lists of layers are those that are checked."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DECISIONS = sorted((ROOT / "docs/adr").glob("[0-9]*.md"))
LONGEST = 60


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_is_short_and_has_its_three_parts(decision: Path) -> None:
    lines = decision.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LONGEST
    assert [line for line in lines if line in {"## Context", "## Decision", "## Consequences"}] == [
        "## Context",
        "## Decision",
        "## Consequences",
    ]


def test_the_index_lists_every_decision_by_its_title() -> None:
    index = re.findall(
        r"^- \[(.+)\]\((.+)\)$", (ROOT / "docs/adr/README.md").read_text("utf-8"), re.MULTILINE
    )
    assert index == [
        (path.read_text("utf-8").splitlines()[0].removeprefix("# "), path.name) for path in DECISIONS
    ]


def layers() -> list[str]:
    """The layers from top to bottom, without the program's entry."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (each for each in settings["tool"]["importlinter"]["contracts"] if each["id"] == "layers")
    return [layer.strip("()") for layer in contract["layers"] if layer != "__main__"]


def test_the_architecture_lists_every_layer_from_the_bottom() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.+?`) \|", page.partition("## The path of a card")[0], re.MULTILINE)
    named = [name.rstrip("/") for row in rows for name in re.findall(r"`([^`]+)`", row)]
    assert sorted(named) == sorted(layers())
    known = ["cards", "rules", "partie", "table", "cli"]
    assert sorted(known, key=named.index) == known


def test_the_decision_about_layers_lists_them_from_the_top() -> None:
    page = (ROOT / "docs/adr/0001-layers.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .+ \| (`.+`) \|$", page, re.MULTILINE)
    assert [name for row in rows for name in re.findall(r"`([^`]+)`", row)] == layers()
