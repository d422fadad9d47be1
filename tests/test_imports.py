"""The core packages import the standard library only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent / "src"
CORE = (
    "cards",
    "confusables",
    "deck",
    "errors",
    "former",
    "match",
    "names",
    "notation",
    "partie",
    "phrases",
    "plaintext",
    "rules",
)
SCRIPT = """
import sys, importlib, pkgutil
sys.path.insert(0, sys.argv[1])
package = importlib.import_module(sys.argv[2])
for module in pkgutil.walk_packages(getattr(package, "__path__", []), package.__name__ + "."):
    importlib.import_module(module.name)
print(*sorted({name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)))
print(*sorted(name for name in sys.modules if name.startswith("chouine.")))
"""


@pytest.mark.parametrize("part", CORE)
def test_the_core_imports_the_standard_library_only(part: str) -> None:
    """Importing a core package in an isolated process loads only the standard library and the core."""
    done = subprocess.run(
        [sys.executable, "-S", "-I", "-c", SCRIPT, str(SOURCES), f"chouine.{part}"],
        capture_output=True,
        text=True,
        check=True,
    )
    foreign, ours = done.stdout.splitlines()
    assert set(foreign.split()) <= {"chouine", "__main__", "__mp_main__"}
    assert f"chouine.{part}" in ours.split()
    assert {name.split(".")[1] for name in ours.split()} <= set(CORE)
