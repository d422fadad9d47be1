"""Compiles kernel Python with numba: the one module that imports it. Without numba the same functions run as they are.

Compiled code is kept on disk under a key that digests every source it can have been made from, so that a changed
rule is never answered from an old compilation.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import FunctionType
from typing import Any, TypeVar

from chouine.compilations import folder, sources_digest
from chouine.rules import combinations, play

try:
    import numba
    from numba.core import caching
    from numba.extending import register_jitable
except ModuleNotFoundError:
    AVAILABLE = False
else:
    AVAILABLE = True

Function = TypeVar("Function", bound=Callable[..., Any])

WITHIN_CALLERS = {"forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""How numba compiles what only compiled code calls: ways in from outside would take a fifth of the time."""


def kernel(function: Function) -> Function:
    """A plain function that compiled ones may call; it is compiled into each of its callers."""
    if AVAILABLE:
        register_jitable(**WITHIN_CALLERS)(function)
    return function


def compiled(function: Function) -> Function:
    """The function compiled on its first call, or read from disk if that was done before; itself without numba."""
    if not AVAILABLE:
        return function
    own_globals = dict(function.__globals__)
    own = FunctionType(function.__code__, own_globals, closure=function.__closure__)
    own.__qualname__ = function.__qualname__
    dispatcher = own_globals[function.__name__] = numba.njit(nogil=True)(own)  # so that it can call itself
    compile_for = dispatcher.compile
    # A literal argument would make another function, whose recursion numba cannot read back from disk.
    dispatcher.compile = lambda signature: compile_for(tuple(map(numba.types.unliteral, signature)))
    with suppress(RuntimeError):  # no folder that can be written: compiled code lasts as long as the process
        dispatcher._cache = KernelCache(own)  # noqa: SLF001  # numba has no other way to choose a key
    return dispatcher  # type: ignore[no-any-return]


def on_terminal(name: str, seconds: float | None) -> None:
    """Tell a person at a terminal that something is being compiled, and clear the line when it is done."""
    if sys.stderr.isatty():
        text = f"chouine: compiling {name}, once…" if seconds is None else ""
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


Announce = Callable[[str, float | None], None]
_announce: list[Announce] = [on_terminal]


def announce_with(announce: Announce) -> None:
    """Have compilations told by `announce(name, None)` as each begins and `announce(name, seconds)` as it ends."""
    _announce[0] = announce


if AVAILABLE:

    class KernelFolder(caching._CacheLocator):  # type: ignore[misc]  # noqa: SLF001
        """One folder for each state of the sources."""

        def __init__(self, function: Callable[..., Any]) -> None:
            self._line = function.__code__.co_firstlineno

        def get_cache_path(self) -> str:
            return str(folder())

        def get_source_stamp(self) -> str:
            return sources_digest()

        def get_disambiguator(self) -> str:
            return str(self._line)

        @classmethod
        def from_function(cls, py_func: Callable[..., Any], _file: str) -> KernelFolder | None:
            folder = cls(py_func)
            try:
                folder.ensure_cache_path()
            except OSError:
                return None
            return folder

    class KernelCacheFiles(caching.CompileResultCacheImpl):  # type: ignore[misc]
        """The files of one function, in our folder."""

        _locator_classes = [KernelFolder]  # noqa: RUF012  # as numba's own

    class KernelCache(caching.FunctionCache):  # type: ignore[misc]
        """numba's cache of a function, told when it has to compile."""

        _impl_class = KernelCacheFiles

        def __init__(self, function: Callable[..., Any]) -> None:
            super().__init__(function)
            self._short_name = function.__name__.replace("_", " ")
            self._began = 0.0

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            found = super().load_overload(sig, target_context)
            if found is None:
                self._began = time.perf_counter()
                _announce[0](self._short_name, None)
            return found

        def save_overload(self, sig: Any, data: Any) -> None:
            super().save_overload(sig, data)
            _announce[0](self._short_name, time.perf_counter() - self._began)

    KERNELS = {
        combinations: "one_bit_a_suit figures_of_five figures_of_three brisques_held",
        play: "start legal legal_for playable bound led_suit must_head declarable closed with_a_card companions"
        " exchanger exchange_open au_sept step exchange declare figure_suit lay beats complete draw total"
        " winner leading",
    }
    """The rules' functions that others call."""
    for _module, _names in KERNELS.items():
        for _name in _names.split():
            kernel(getattr(_module, _name))
