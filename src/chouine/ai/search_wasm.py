"""The strongest player's backend where numba is missing: the browser's module (`tools/wasm.py`), run by wasmtime.

The layout of its memory is repeated in the browser's script, `server/static/js/offline/kernels.js`.
"""

from __future__ import annotations

import atexit
import gzip
from array import array
from collections.abc import Sequence
from functools import cache
from struct import unpack
from threading import Lock
from typing import TYPE_CHECKING, Any

from chouine.ai.macro_actions import MAX_ACTS
from chouine.ai.search import MAX_PAST, MOST, MOST_CANDIDATES, SLOTS, TYPES, VALUES, WORDS, weights_of
from chouine.compilations import WEBASSEMBLY
from chouine.players.heuristic import weight_table
from chouine.rules.options import Rules

if TYPE_CHECKING:
    from wasmtime import Func, Memory, Store

TASKS = ("choose", "try", "end")
PAGE = 65_536
OUTPUTS = 65
NUMBERS, WAYS = 16, 33 * 64
WEIGHTS, PAST_HANDS = 4 * MOST_CANDIDATES * TYPES, MAX_PAST * SLOTS
FLOATS = (NUMBERS, WAYS, VALUES, MAX_ACTS, MAX_ACTS * MOST, WEIGHTS, 2 * TYPES, 8 * TYPES, PAST_HANDS * TYPES)
INTEGERS = (160, 32, 32, 5, 4, 32, 4, 1, MAX_ACTS, 4 * MOST_CANDIDATES, PAST_HANDS)
HIDDEN = (256, 256, OUTPUTS)


@cache
def available() -> bool:
    """Whether the module was built, and wasmtime is installed and works on this machine."""
    try:
        import wasmtime  # noqa: F401
    except (ImportError, OSError):  # the package may be installed without a library for this machine
        return False
    return WEBASSEMBLY.is_file()


class Kernels:
    """The module and its memory; for one call at a time."""

    def __init__(self) -> None:
        from wasmtime import Engine, Linker, Module, Store

        engine = Engine()
        self.store: Store = Store(engine)
        module = Module(engine, gzip.decompress(WEBASSEMBLY.read_bytes()))
        linker = Linker(engine)
        linker.define_unknown_imports_as_traps(module)
        exports: Any = linker.instantiate(self.store, module).exports(self.store)
        self.run: Func = exports["compute"]
        self.memory: Memory = exports["memory"]
        self.top: int = exports["__heap_base"].value(self.store)
        self.words = self.room(8 * WORDS)
        self.floats = [self.room(8 * many) for many in FLOATS]
        self.integers = [self.room(8 * many) for many in INTEGERS]
        self.hidden = [self.room(4 * many) for many in HIDDEN]
        self.taught: dict[str, list[int]] = {}
        self.lock = Lock()

    def room(self, size: int) -> int:
        """Allocate this many bytes; returns the address."""
        at = (self.top + 63) & ~63
        self.top = at + size
        lacking = -(-(self.top - self.memory.data_len(self.store)) // PAGE)
        if lacking > 0:
            self.memory.grow(self.store, lacking)
        return at

    def store_integers(self, numbers: array[float]) -> int:
        """Store numbers for good; returns their address."""
        at = self.room(len(numbers) * numbers.itemsize)
        self.memory.write(self.store, numbers.tobytes(), at)
        return at

    def teach(self, preset: str) -> list[int]:
        """Load a preset's network: its sizes, and the addresses of its arrays and of the heuristic's weights."""
        inputs, hidden, parts = weights_of(preset)
        sizes = (inputs * hidden, hidden, hidden * hidden, hidden, hidden * OUTPUTS, OUTPUTS)
        taught, at = [inputs, hidden], 0
        for size in sizes:
            taught.append(self.store_integers(parts[at : at + size]))
            at += size
        taught.append(self.store_integers(array("d", weight_table(Rules.parse(preset)))))
        return taught

    def compute(self, task: str, preset: str, words: array[int]) -> Sequence[float]:
        """`ai.search.Backend`."""
        with self.lock:
            if preset not in self.taught:
                self.taught[preset] = self.teach(preset)
            (inputs, hidden, *weights), values = self.taught[preset], self.floats[2]
            self.memory.write(self.store, words.tobytes(), self.words)
            self.memory.write(self.store, bytes(8 * VALUES), values)
            self.run(
                self.store, TASKS.index(task), inputs, hidden, self.words, *weights,
                *self.hidden, *self.floats, *self.integers,
            )  # fmt: skip
            return unpack(f"<{VALUES}d", self.memory.read(self.store, values, values + 8 * VALUES))


@cache
def kernels() -> Kernels:
    atexit.register(kernels.cache_clear)  # close now: wasmtime cannot once the interpreter shuts down
    return Kernels()


def compute(task: str, preset: str, words: array[int]) -> Sequence[float]:
    return kernels().compute(task, preset, words)
