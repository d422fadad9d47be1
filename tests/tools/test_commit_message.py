"""The commit-msg hook accepts and rejects messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.commit_message import faults, main


@pytest.mark.parametrize(
    "message",
    [
        "Let the seven be exchanged before the lead\n",
        "x" * 72,
        "Let the seven be exchanged\n\nAt some tables it is.\n# a comment of Git's\n",
        "Merge branch 'a branch with a very long name' into another one that has a name as long\n",
    ],
)
def test_good_messages(message: str) -> None:
    assert faults(message) == []


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("", "empty"),
        ("# only a comment\n", "empty"),
        ("x" * 73, "73 characters; 72"),
        ("Let it be.\n", "full stop"),
        ("Let the seven\nbe exchanged\n", "second line"),
    ],
)
def test_bad_messages(message: str, why: str, tmp_path: Path) -> None:
    (fault,) = faults(message)
    assert why in fault
    path = tmp_path / "message"
    path.write_text(message, encoding="utf-8")
    assert main(str(path)) == 1
