"""The rules compiled: playouts one at a time or in lockstep, counts, batches. The only package that imports numba.

Without numba the same functions run as they are, more slowly; `AVAILABLE` tells. Batches need numpy.
"""

from chouine.fast.compiler import AVAILABLE
from chouine.fast.many import lockstep
from chouine.fast.parties import NO_ACTION, BatchError, Parties
from chouine.fast.perft import perft
from chouine.fast.playout import Tally, playouts

__all__ = ["AVAILABLE", "NO_ACTION", "BatchError", "Parties", "Tally", "lockstep", "perft", "playouts"]
