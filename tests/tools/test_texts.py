"""Docstrings are undamaged: no odd number of backticks, no line broken in mid-sentence."""

from __future__ import annotations

import re

import pytest

from tools.texts import docstrings


def damage(text: str) -> str | None:
    """The first paragraph with an odd number of backticks, or with a single word on a line before its last."""
    for paragraph in re.split(r"\n\s*\n", text):
        prose = [line for line in paragraph.splitlines() if not line.startswith((" ", ">>>", "..."))]
        if ">>>" not in paragraph and (
            paragraph.count("`") % 2 or any(len(line.split()) == 1 for line in prose[:-1])
        ):
            return paragraph
    return None


@pytest.mark.parametrize(
    "broken",
    ["Writes `margins.\n\nInt64[endings]` out.", "Selection\nis UCB1.", "Hidden talons in\nthe\norder."],
)
def test_damage_is_seen(broken: str) -> None:
    assert damage(broken)


def test_no_docstring_is_damaged() -> None:
    """No docstring is damaged; attribute docstrings are included."""
    found = list(docstrings())
    assert len(found) > 3000
    assert not [
        (place, paragraph)
        for place, text in (each.split("\n", 1) for each in found)
        if (paragraph := damage(text))
    ]
