"""Checks of arguments: what is wrong is refused with what would be right."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from chouine.errors import check_each, check_seat, check_seconds, check_type, int_of
from chouine.partie import Deal, State
from chouine.rules import Rules


@pytest.mark.parametrize(
    ("check", "error"),
    [
        (lambda: check_type("n", "1", int, "a number"), "n is a number, not '1'"),
        (lambda: int_of("n", 1.5, "a number"), "n is a number, not 1.5"),
        (lambda: int_of("n", value=True, wanted="a number"), "n is a number, not True"),
        (lambda: check_each("names", "ab", str, "a list of texts"), "names is a list of texts, not 'ab'"),
        (
            lambda: check_each("names", ["a", 1], str, "a list of texts"),
            r"names is a list of texts, not \['a', 1\]",
        ),
        (lambda: check_seconds("1"), "seconds is a number of seconds, not '1'"),
        (lambda: check_seconds(seconds=True), "seconds is a number of seconds, not True"),
    ],
)
def test_another_type_is_refused(check: Callable[[], None], error: str) -> None:
    with pytest.raises(TypeError, match=f"^{error}"):
        check()


def test_no_function_is_refused() -> None:
    state = State.new(Rules(), Deal.random(Rules(), 0, Random(1)))
    with pytest.raises(TypeError, match="ask is a function of a seat, not 'Kc'"):
        state.next_act("Kc")  # type: ignore[arg-type]


@pytest.mark.parametrize("seconds", [0, -1.5, 1e6, float("inf"), float("nan")])
def test_no_time_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="above 0 and below 1000000, not"):
        check_seconds(seconds)


@pytest.mark.parametrize("seat", [-1, 2, None, "0", True])
def test_no_seat_is_refused(seat: object) -> None:
    with pytest.raises(ValueError, match=r"^seat is one of the seats 0 to 1 of these rules"):
        check_seat("seat", seat, 2)


def test_what_is_right_passes() -> None:
    check_type("n", 1, int, "a number")
    check_each("names", ("a", "b"), str, "a list of texts")
    check_seconds(0.5)
    check_seat("seat", 1, 2)
