"""The rules compiled with numba: playouts, batches, perft. The only package that imports numba.

Without numba the same functions run as plain Python, more slowly; `AVAILABLE` says which. Batches need numpy. Each name
is imported when it is first used, since players that compile nothing need the plain functions alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chouine.fast.batch import NO_ACTION, BatchError, PartieBatch
    from chouine.fast.kernels import AVAILABLE
    from chouine.fast.playout import PlayoutCounts, perft, playouts

__all__ = [
    "AVAILABLE",
    "NO_ACTION",
    "BatchError",
    "PartieBatch",
    "PlayoutCounts",
    "perft",
    "playouts",
]

_HOMES = {
    "AVAILABLE": "kernels",
    "NO_ACTION": "batch",
    "BatchError": "batch",
    "PartieBatch": "batch",
    "PlayoutCounts": "playout",
    "perft": "playout",
    "playouts": "playout",
}


def _import_name(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


if not TYPE_CHECKING:  # a type checker would take it for every name, misspelt ones too
    __getattr__ = _import_name
