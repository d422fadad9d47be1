"""What a contest refuses."""

from __future__ import annotations

from chouine.errors import ChouineError


class ActRefused(ChouineError, ValueError):
    """An act that cannot be done, or not now; `code` is `contest/…`, `data` says what stands in its way."""
