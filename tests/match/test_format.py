"""The text form of match formats (§13)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.errors import NotationError
from chouine.match import Format


@given(st.integers(1, 999), st.sampled_from([1, 2]))
def test_a_format_reads_what_it_writes(parties: int, manches: int) -> None:
    """§13"""
    form = Format(parties, manches)
    assert Format.parse(str(form)) == form


def test_one_manche_may_go_unsaid() -> None:
    """§13"""
    assert Format.parse("5") == Format(5, 1)
    assert str(Format(5, 1)) == "5x1"


@pytest.mark.parametrize(
    "text", ["", "0", "5x3", "5x0", "05x2", "5 x 2", "x2", "-1", "5x2x1", "٥", "1000", "5X2"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        Format.parse(text)
    assert (caught.value.code, caught.value.line, caught.value.column) == ("syntax/format", 1, 1)
    assert "5x2" in str(caught.value)


@pytest.mark.parametrize(("parties", "manches"), [(0, 1), (-1, 2), (5, 0), (5, 3)])
def test_a_match_is_to_one_manche_or_two(parties: int, manches: int) -> None:
    """§13"""
    with pytest.raises(ValueError, match="§13"):
        Format(parties, manches)
