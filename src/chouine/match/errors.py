"""What a score sheet refuses."""

from __future__ import annotations

from chouine.errors import ChouineError


class InvalidEntry(ChouineError, ValueError):
    """What a match cannot hold, or not now; `code` is `match/…`."""
