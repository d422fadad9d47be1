"""An environment without numpy, numba and wasmtime."""

from __future__ import annotations

from pathlib import Path

HIDING = """
import importlib.util, sys
find, hidden = importlib.util.find_spec, ("numba", "numpy", "wasmtime")
importlib.util.find_spec = lambda name, *rest: None if name in hidden else find(name, *rest)
sys.modules.update(dict.fromkeys(hidden))  # to import one of these is an error now
"""


def without_compiler(folder: Path) -> dict[str, str]:
    """Environment variables for the process."""
    (folder / "sitecustomize.py").write_text(HIDING)
    return {"PYTHONPATH": str(folder)}
