"""Errors are data, and survive pickling."""

from __future__ import annotations

from copy import copy

import pytest

from chouine.errors import ChouineError, IllegalAction, InvalidDeal, NotationError


@pytest.mark.parametrize(
    "error",
    [
        ChouineError("no-such-page"),
        NotationError("syntax/action", 2, 5, "7y", position=3),
        InvalidDeal("deal/size", "deal/twice"),
        IllegalAction("7x", "illegal/card"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_passes_from_one_process_to_another(error: ChouineError) -> None:
    there = copy(error)  # as pickle does it
    assert type(there) is type(error)
    assert vars(there) == vars(error)
    assert there.args == error.args
