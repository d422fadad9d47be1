"""The error of entries that are refused."""

from __future__ import annotations

from chouine.errors import ChouineError


class InvalidEntry(ChouineError, ValueError):
    """An entry is impossible in a match, or not possible now; `code` is `match/…`."""
