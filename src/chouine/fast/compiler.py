"""Compile kernel Python with numba; the same functions run uncompiled where numba is missing.

The on-disk cache is keyed by a digest of every source that compiled code can depend on, so that changed rules never
run from stale machine code.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from types import CodeType, FunctionType
from typing import Any, TypeVar

from chouine.compilations import BASELINE, BASELINE_FEATURES, SHIPPED, folder, sources_digest
from chouine.fast.kernels import AVAILABLE, kernel, register_kernels
from chouine.rules import combinations, play

Function = TypeVar("Function", bound=Callable[..., Any])

UNCOUNTED = {"_nrt": False}
"""Disable reference counting: kernels allocate nothing, and their callers hold the arrays. The option is not public;
without it results are the same, only slower."""
INLINED: dict[str, Any] = UNCOUNTED | {
    "forceinline": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
"""Options for functions that only compiled code calls. Building entry points from Python would cost 20 % of compile
time, instructions of their own another third."""
if AVAILABLE:
    import numba
    from numba.core import caching
    from numba.extending import register_jitable

    from chouine.fast.inlined import PartCompiler

    INLINED["pipeline_class"] = PartCompiler
    register_kernels(register_jitable(**INLINED))


def compiled(function: Function) -> Function:
    """The function compiled at its first call, or loaded from the disk cache; the function itself without numba."""
    if not AVAILABLE:
        return function
    own_globals = dict(function.__globals__)
    own = FunctionType(function.__code__, own_globals, closure=function.__closure__)
    own.__qualname__ = function.__qualname__
    dispatcher = own_globals[function.__name__] = numba.njit(nogil=True, **UNCOUNTED)(own)  # allows recursion
    compile_for = dispatcher.compile
    # numba cannot load recursive functions that were specialised on literal arguments.
    dispatcher.compile = lambda signature: compile_for(tuple(map(numba.types.unliteral, signature)))
    with suppress(RuntimeError):  # no writable folder: keep compiled code in memory
        dispatcher._cache = KernelCache(own)  # noqa: SLF001  # numba has no other way to choose a key
    return dispatcher  # type: ignore[no-any-return]


def show_on_terminal(name: str, seconds: float | None) -> None:
    """Show what is being compiled on a terminal; clear the line when it is done."""
    if sys.stderr.isatty():
        text = f"chouine: compiling {name}, once…" if seconds is None else ""
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


Announce = Callable[[str, float | None], None]
_announce: list[Announce] = [show_on_terminal]


def announce_with(announce: Announce) -> None:
    """Replace the progress callback.

    `announce(name, None)` when a compilation starts, `announce(name, seconds)` at its end.
    """
    _announce[0] = announce


@contextmanager
def telling_first(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` once if a compilation starts while the context is open."""
    announce, started = _announce[0], False

    def first(name: str, seconds: float | None) -> None:
        nonlocal started
        if not started:
            started = True
            tell()
        announce(name, seconds)

    announce_with(first)
    try:
        yield
    finally:
        announce_with(announce)


def code_digest(function: Callable[..., Any]) -> str:
    """A digest of a function's module and bytecode, without line numbers, to tell it from others of its name."""
    identity = f"{function.__module__} {describe_code(function.__code__)}"
    return sha256(identity.encode()).hexdigest()[:12]


def describe_code(code: CodeType) -> str:
    """Code without line numbers and texts: `sources_digest` ignores docstrings, so they may change."""
    constants = [
        describe_code(each) if isinstance(each, CodeType) else repr(each)
        for each in code.co_consts
        if not isinstance(each, str)
    ]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars} {constants}"


if AVAILABLE:

    @cache
    def runs_baseline() -> bool:
        """Whether this processor has the features that shipped code needs."""
        from llvmlite.binding import get_host_cpu_features

        return {name for name, there in get_host_cpu_features().items() if there} >= BASELINE_FEATURES

    class KernelFolder(caching._CacheLocator):  # type: ignore[misc]  # noqa: SLF001
        """The cache folder for the present state of the sources."""

        def __init__(self, function: Callable[..., Any]) -> None:
            self._code = code_digest(function)

        def get_cache_path(self) -> str:
            return str(folder())

        def get_source_stamp(self) -> str:
            return sources_digest()

        def get_disambiguator(self) -> str:
            return self._code

        @classmethod
        def from_function(cls, py_func: Callable[..., Any], _file: str) -> KernelFolder | None:
            folder = cls(py_func)
            try:
                folder.ensure_cache_path()
            except OSError:
                return folder if SHIPPED.exists() else None
            return folder

    class KernelCacheFiles(caching.CompileResultCacheImpl):  # type: ignore[misc]
        """The cache files of one function."""

        _locator_classes = [KernelFolder]  # noqa: RUF012  # as numba's own

    class KernelCache(caching.FunctionCache):  # type: ignore[misc]
        """numba's cache of a function, with progress callbacks."""

        _impl_class = KernelCacheFiles

        def __init__(self, function: Callable[..., Any]) -> None:
            super().__init__(function)
            self._shipped = caching.IndexDataCacheFile(
                str(SHIPPED), self._impl.filename_base, sources_digest()
            )
            self._short_name = function.__name__.replace("_", " ")
            self._began = 0.0

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            found = None
            with suppress(OSError):  # no readable folder
                found = super().load_overload(sig, target_context)
            found = found or self.shipped_code(sig, target_context)
            if found is None:
                self._began = time.perf_counter()
                _announce[0](self._short_name, None)
            return found

        def shipped_code(self, sig: Any, target_context: Any) -> Any:
            """The shipped folder, if it was compiled from these sources and this processor can run it."""
            codegen = target_context.codegen()
            kind, (system, *_), code = self._index_key(sig, codegen)
            if not runs_baseline():
                return None
            data = self._shipped.load((kind, (system, BASELINE, ""), code))
            return data and self._impl.rebuild(target_context, data)

        def save_overload(self, sig: Any, data: Any) -> None:
            with suppress(OSError):  # no writable folder
                super().save_overload(sig, data)
            _announce[0](self._short_name, time.perf_counter() - self._began)

    KERNELS = {
        combinations: "one_bit_a_suit figures_of_five figures_of_three",
        play: "start legal legal_for playable bound_cards led_suit must_head declarable closed_figures with_a_card"
        " companions exchanger exchange_open au_sept step exchange declare figure_value figure_suit lay beats draw"
        " total winner leading",
    }
    """The rules' functions that others call."""
    for _module, _names in KERNELS.items():
        for _name in _names.split():
            kernel(getattr(_module, _name))
