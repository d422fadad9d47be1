"""Compile functions that are only ever inlined into others. Imported only with numba."""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class NeverLoaded:
    """A stand-in for the execution engine, which never loads this code."""

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: the function's callers have environments of their own."""


class Part(JITCodeLibrary):  # type: ignore[misc]
    """A function as LLVM IR, to be inlined into its callers and optimised there.

    numba would also optimise it by itself and emit machine code that is never run: a third of all compile time.
    """

    codegen = NeverLoaded()

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002  # as numba's own
        """0, since there is no machine code."""
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class PartCompiler(Compiler):  # type: ignore[misc]
    """numba's compiler, for a `Part`."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.state.library = Part(self.state.targetctx.codegen(), "part")
