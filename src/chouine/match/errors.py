"""What a score sheet refuses."""

from __future__ import annotations

from chouine.errors import ChouineError


class InvalidEntry(ChouineError, ValueError):
    """An entry that a match does not allow, or not now; `code` is `match/…`."""
