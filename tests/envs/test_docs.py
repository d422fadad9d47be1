"""docs/research.md describes the environments correctly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chouine.envs.encode import NUMBERS, action_table, layout, observation_table

TEXT = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def test_its_tables_are_those_of_the_code() -> None:
    assert observation_table() in TEXT
    assert action_table() in TEXT


def test_its_tables_are_whole() -> None:
    """The tables list every field, and every action number once."""
    assert all(f"| {field.name} |" in observation_table() for field in layout(4))
    spans = [re.findall(r"\d+", row.split("|")[1]) for row in action_table().splitlines()[2:]]
    numbers = [number for ends in spans for number in range(int(ends[0]), int(ends[-1]) + 1)]
    assert numbers == list(range(NUMBERS))


@pytest.mark.parametrize("block", BLOCKS)
def test_its_blocks_run(block: str) -> None:
    exec(block, {})  # noqa: S102  # it is our own page


def test_there_are_blocks() -> None:
    assert len(BLOCKS) == 7
