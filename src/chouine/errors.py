"""The errors, as data.

    ChouineError
    ├── NotationError    cannot be read: code, line, column, token
    ├── InvalidDeal      cannot exist: every reason at once
    ├── IllegalAction    cannot be played now: the action and why
    └── ActRefused       cannot be done in a contest or a season, or not now

Each carries codes; `chouine.phrases` makes the French and English sentences.
"""

from __future__ import annotations

import copyreg
from contextlib import suppress
from operator import index
from types import UnionType
from typing import Any

from chouine.plaintext import quote, repr_of

MOST_SECONDS = 1_000_000
"""Below this a time must be: the system cannot wait for months."""


class ChouineError(Exception):
    """The root: `code` names the fault, `data` fills its sentence, `token` being the faulty part as it is quoted."""

    def __init__(self, code: str, **data: object) -> None:
        if isinstance(token := data.get("token"), str):
            data["token"] = quote(token)
        super().__init__(code, data)
        self.code = code
        self.data = data

    def __str__(self) -> str:
        from chouine.phrases import say

        return say(self.code, "en", **self.data)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without calling `__init__`: subclasses take other arguments than `args`."""
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]


class NotationError(ChouineError, ValueError):
    """A text that cannot be read. `line` and `column` count from 1; `token` is the faulty part.

    The message quotes the token's beginning without control characters.
    """

    def __init__(self, code: str, line: int, column: int, token: str = "", **data: object) -> None:
        super().__init__(code, token=token, **data)
        self.line = line
        self.column = column
        self.token = token

    def at(self, line: int, column: int) -> NotationError:
        """The error with its place in a larger text, in which this text starts at `line` and `column`."""
        start = column - 1 if self.line == 1 else 0
        data = {name: value for name, value in self.data.items() if name != "token"}
        return NotationError(self.code, line + self.line - 1, start + self.column, self.token, **data)


class InvalidDeal(ChouineError, ValueError):
    """A deal or setup that cannot exist. `reasons` are all the codes, the first being `code`."""

    def __init__(self, *reasons: str, **data: object) -> None:
        super().__init__(reasons[0], **data)
        self.reasons = reasons


class IllegalAction(ChouineError, ValueError):
    """An action that cannot be taken now; `code` is `illegal/…`, as `rules.explain` gives it."""

    def __init__(self, action: object, code: str, **data: object) -> None:
        super().__init__(code, **data)
        self.action = action


class ActRefused(ChouineError, ValueError):
    """An act of a contest or a season that cannot be done, or not now; `code` is `contest/…` or `season/…`."""


def check_type(name: str, value: object, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Raise `TypeError` unless an argument is of one of these types; `wanted` says in words what it should be."""
    if not isinstance(value, kinds):
        raise TypeError(f"{name} is {wanted}, not {repr_of(value)}")


def int_of(name: str, value: Any, wanted: str) -> int:
    """An argument as Python's int, whether it is one or NumPy's; raises `TypeError` for anything else.

    True is no number, though Python has it so.
    """
    if not isinstance(value, bool):
        with suppress(TypeError):
            return index(value)
    raise TypeError(f"{name} is {wanted}, not {repr_of(value)}")


def count_of(name: str, value: Any, wanted: str, least: int = 0) -> int:
    """An argument as an int of at least so much."""
    count = int_of(name, value, wanted)
    if count < least:
        raise ValueError(f"{name} is at least {least}, not {repr_of(count)}")
    return count


def check_each(name: str, values: object, kinds: type | UnionType, wanted: str) -> None:
    """Raise `TypeError` unless an argument is a tuple or list of such values."""
    if not isinstance(values, (tuple, list)) or not all(isinstance(value, kinds) for value in values):
        raise TypeError(f"{name} is {wanted}, not {repr_of(values)}")


def check_seconds(seconds: object) -> None:
    """Raise `TypeError` or `ValueError` unless an argument is a time."""
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool):
        raise TypeError(f"seconds is a number of seconds, not {repr_of(seconds)}")
    if not 0 < seconds < MOST_SECONDS:
        raise ValueError(f"seconds is above 0 and below {MOST_SECONDS}, not {repr_of(seconds)}")


def check_seat(name: str, seat: object, seats: int) -> None:
    """Raise `ValueError` unless an argument is one of so many seats."""
    if seat not in range(seats) or isinstance(seat, (bool, float)):
        raise ValueError(f"{name} is one of the seats 0 to {seats - 1} of these rules, not {repr_of(seat)}")
