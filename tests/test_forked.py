"""Programs begin with what they need imported, wherever the first test of a process starts them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.forked import IMPORTED, ForkedProcess
from tests.patience import PATIENCE


def print_missing(names: Sequence[str]) -> None:
    """Print those of these modules that are not imported."""
    print(*(name for name in names if name not in sys.modules))  # noqa: T201


def test_a_fork_has_everything_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that imports says nothing of modules that it does not find."""
    monkeypatch.chdir(tmp_path)
    process = ForkedProcess(print_missing, IMPORTED)
    with process.stdout:
        assert process.stdout.read() == "\n"
    assert process.wait(PATIENCE) == 0
