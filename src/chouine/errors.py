"""The errors, as data.

    ChouineError
    ├── NotationError    cannot be read: code, line, column, token
    ├── InvalidDeal      cannot exist: every reason at once
    └── IllegalAction    cannot be played now: the action and why

Each carries codes; `chouine.phrases` makes the French and English sentences.
"""

from __future__ import annotations

import copyreg


class ChouineError(Exception):
    """The root: `code` names the fault, `data` fills its sentence."""

    def __init__(self, code: str, **data: object) -> None:
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
    """A text that cannot be read. `line` and `column` count from 1; `token` is the faulty part."""

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
