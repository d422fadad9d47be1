"""Errors are data, and survive pickling."""

from __future__ import annotations

from copy import copy
from functools import partial

import pytest

from chouine.errors import (
    ChouineError,
    IllegalAction,
    InvalidDeal,
    NotationError,
    check_each,
    check_seat,
    check_seconds,
    check_type,
    count_of,
)
from chouine.phrases import say
from chouine.plaintext import LONGEST_QUOTE, quote
from chouine.players import UnknownPlayer
from chouine.players.process import EngineFault
from chouine.registry import player_of


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


def test_a_quoted_text_is_cut_only_where_it_is_too_long() -> None:
    assert quote("x" * LONGEST_QUOTE) == "x" * LONGEST_QUOTE
    assert quote("x" * (LONGEST_QUOTE + 1)) == "x" * (LONGEST_QUOTE - 1) + "…"


def test_no_error_prints_control_characters() -> None:
    """Of a player's name, a program's option or its command, as of a text that was read."""
    for error in (
        UnknownPlayer("player/unknown", token="pipe\n:\x1b[31m", known="random"),
        EngineFault("engine/no-option", command="cat\n", token="style\n=\x1b[31m", known="a\n"),
        EngineFault("player/raised", player="A\n", error="x\x07", place="f:1"),
    ):
        assert str(error).isprintable(), str(error)
    with pytest.raises(UnknownPlayer, match=r"random\\n") as caught:
        player_of("random\n" * 1000)
    assert len(str(caught.value)) < 1000


def test_a_code_or_a_language_that_there_is_not_is_said() -> None:
    with pytest.raises(KeyError, match="no sentence has the code 'x'"):
        say("x", "en")
    with pytest.raises(ValueError, match="language is one of fr, en"):
        say("illegal/over", "xx")  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["x" * 10_000, [None] * 10_000, -(10**5_000)], ids=["text", "list", "int"])
def test_a_wrong_argument_is_quoted_on_one_line_at_most(wrong: object) -> None:
    """Of a number of thousands of digits Python told its own error."""
    for check in (
        partial(check_type, "given", wrong, bytes, "bytes"),
        partial(check_each, "given", wrong, str, "texts"),
        partial(count_of, "given", wrong, "a number"),
        partial(check_seconds, wrong),
        partial(check_seat, "given", wrong, 2),
    ):
        with pytest.raises((TypeError, ValueError)) as refused:
            check()
        assert len(str(refused.value)) < 200
        assert str(refused.value).startswith(("given is ", "seconds is "))
