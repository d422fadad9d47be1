"""The page that tests a device, and the number that tells its results by telephone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.server.pages.visit import Visit
from chouine.server.routes.device import (
    BASES,
    BROWSERS,
    CHECKS,
    DIGITS,
    PROOF,
    STATES,
    SYSTEMS,
    TEXTS,
    WIDTHS,
    WrongCode,
    bounds_of,
    device_page,
    read_code,
)

ALL = (*[len(STATES)] * len(CHECKS), *BASES)
answers = st.tuples(*(st.integers(0, base - 1) for base in ALL))


def code_of(parts: tuple[int, ...]) -> str:
    """The number that `static/js/device.js` would show."""
    number = 0
    for part, base in zip(parts, ALL, strict=True):
        number = number * base + part
    return f"{number:0{DIGITS}}{number % PROOF:02}"


@given(answers)
def test_a_number_tells_every_answer(parts: tuple[int, ...]) -> None:
    """However its digits are grouped; the largest has no more digits than the page says."""
    code = code_of(parts)
    assert len(code) == DIGITS + 2
    report = read_code(f" {code[:2]}.{code[2:5]}-{code[5:]}\n")
    *checks, browser, version, system, width, text = parts
    assert list(report.states.values()) == [STATES[state] for state in checks]
    assert (report.browser, report.version, report.system) == (BROWSERS[browser], version, SYSTEMS[system])
    assert (report.width, report.text) == (bounds_of(WIDTHS, width), bounds_of(TEXTS, text))


@given(answers, st.integers(0, DIGITS + 1), st.integers(1, 9))
def test_a_digit_misread_is_noticed(parts: tuple[int, ...], at: int, more: int) -> None:
    code = code_of(parts)
    misread = code[:at] + str((int(code[at]) + more) % 10) + code[at + 1 :]
    with pytest.raises(WrongCode):
        read_code(misread)


@given(answers, st.integers(0, DIGITS - 2))
def test_two_digits_exchanged_are_noticed(parts: tuple[int, ...], at: int) -> None:
    code = code_of(parts)
    exchanged = code[:at] + code[at + 1] + code[at] + code[at + 2 :]
    if exchanged != code:
        with pytest.raises(WrongCode):
            read_code(exchanged)


@pytest.mark.parametrize("code", ["", "12", "x" * 14, "9" * 14, "0" * 15, "²" * 14, "٣" * 14])
def test_what_is_no_number_is_refused(code: str) -> None:
    with pytest.raises(WrongCode):
        read_code(code)


def test_the_page_says_in_words_what_a_number_tells() -> None:
    parts = (*[1] * (len(CHECKS) - 1), 2, 3, 128, 4, 2, 3)
    page = device_page(Visit("en", "csrf", "a"), code_of(parts))
    assert "Firefox 128, on Android" in page
    assert "at least 360 and less than 400 pixels" in page
    assert "Text is larger than usual." in page
    assert page.count('data-state="works"') == len(CHECKS) - 1
    assert 'data-check="sound" data-state="fails"' in page


def test_a_wrong_number_is_said_to_be_wrong() -> None:
    page = device_page(Visit("fr", "csrf", "a"), "<12>")
    assert 'role="alert"' in page
    assert 'value="&lt;12&gt;"' in page
