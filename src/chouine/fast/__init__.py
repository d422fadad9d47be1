"""The rules compiled with numba: playouts, batches, lockstep SIMD playouts, perft. The only package that imports numba.

Without numba the same functions run as plain Python, more slowly; `AVAILABLE` says which. Batches need numpy.
"""

from chouine.fast.batch import NO_ACTION, BatchError, PartieBatch
from chouine.fast.compiler import AVAILABLE
from chouine.fast.lockstep import lockstep
from chouine.fast.perft import perft
from chouine.fast.playout import PlayoutCounts, playouts

__all__ = [
    "AVAILABLE",
    "NO_ACTION",
    "BatchError",
    "PartieBatch",
    "PlayoutCounts",
    "lockstep",
    "perft",
    "playouts",
]
