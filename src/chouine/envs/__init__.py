"""Chouine for research: observations and actions as numbers, and the interfaces that learning programs use.

`encode` the one table of them · `chouine_v0` PettingZoo · `vector` Gymnasium, many parties at once · `spiel` OpenSpiel.
"""

from chouine.errors import ChouineError


class MissingPackage(ChouineError, ImportError):
    """A package that is not installed with Chouine itself."""

    def __init__(self, error: ImportError) -> None:
        super().__init__("research/missing", package=error.name)


class NoSuchAction(ChouineError, ValueError):
    """A number that is no action."""
