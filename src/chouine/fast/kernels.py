"""Kernels: plain functions that compiled code may call.

Marking one does not load numba, which takes half a second and 110 MB. `fast.compiler` does, where code is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

AVAILABLE = find_spec("numba") is not None
"""Whether code can be compiled here; without numba the same functions run as plain Python."""
_kernels: list[Callable[..., Any]] = []
_registrars: list[Callable[[Callable[..., Any]], object]] = []


def kernel(function: Function) -> Function:
    """Mark a plain function that compiled functions may call; it is inlined into each caller."""
    _kernels.append(function)
    for register in _registrars:
        register(function)
    return function


def register_kernels(register: Callable[[Callable[..., Any]], object]) -> None:
    """Call `register` with every kernel marked so far, and with each one marked later."""
    _registrars.append(register)
    for function in _kernels:
        register(function)
