"""Former names: for one minor version they give what is now called otherwise, and warn (`docs/stability.md`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any
from warnings import warn


def former_names(module: str, names: Mapping[str, str], *, gone: str) -> Callable[[str], Any]:
    """The `__getattr__` of a module with former names; not for type checkers, which would take it for every name.

    `names`: each with what it is called now, in full. `gone`: the version in which they go, such as "1.1".
    """

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, _, now = names[name].rpartition(".")
        warn(
            f"{module}.{name} is now {names[name]}; version {gone} has the new name only",
            DeprecationWarning,
            stacklevel=2,
        )
        return getattr(import_module(home), now)

    return find
