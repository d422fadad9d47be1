"""The name of `chouine.contest.acts` before version 0.2, until the next one."""

from typing import Any
from warnings import warn

from chouine.contest import acts


def __getattr__(name: str) -> Any:
    found = getattr(acts, name)
    warn("chouine.tournament.acts is now chouine.contest.acts", DeprecationWarning, stacklevel=2)
    return found
