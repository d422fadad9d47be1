"""The name of `chouine.contest` before version 0.2, until the next one."""

from typing import Any
from warnings import warn

from chouine import contest


def __getattr__(name: str) -> Any:
    if name not in contest.__all__:
        raise AttributeError(f"module 'chouine.tournament' has no attribute {name!r}")
    warn("chouine.tournament is now chouine.contest", DeprecationWarning, stacklevel=2)
    return getattr(contest, name)
