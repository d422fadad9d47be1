"""The error of acts that are refused."""

from __future__ import annotations

from chouine.errors import ChouineError


class ActRefused(ChouineError, ValueError):
    """An act cannot be done, or not now. `code` is `contest/…`; `data` fills its sentence."""
