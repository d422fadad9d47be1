"""How numba compiles what is only ever part of other functions. Imported only where numba is."""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class NeverLoaded:
    """In the place of the engine that runs code: this code it does not hold."""

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing to tell: what contains the function has an environment of its own."""


class Part(JITCodeLibrary):  # type: ignore[misc]
    """A function in LLVM's language, to be copied into its callers.

    It is optimised there, with what stands around it. numba would optimise it alone too and make instructions of it
    that nobody runs: a third of the time that all takes to compile.
    """

    codegen = NeverLoaded()

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002  # as numba's own
        """0: there is nothing to run."""
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
