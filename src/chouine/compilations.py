"""The folders of compiled code, one for each state of the sources it depends on.

Computed without loading the compiler, so that a caller who only asks whether code is there does not wait for it.
"""

from __future__ import annotations

import ast
import os
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import rmtree

from chouine.files import write_whole
from chouine.folders import user_folder

PACKAGE = Path(__file__).parent
SOURCES = (
    "cards.py",
    "rules/*.py",
    "players/*.py",
    "fast/*.py",
    "ai/**/*.py",
    "envs/*.py",
    "book/kernel.py",
)
"""The sources that compiled code can depend on."""
WEBASSEMBLY = PACKAGE / "ai" / "kernels.wasm.gz"
"""Kernels of levels 7 and 8 for machines without numba: built by `make offline`, part of the package."""

SHIPPED = PACKAGE / "compiled"
"""Kernels of advice and of levels 7 and 8, compiled for `BASELINE` by `warm --ship` of one or several Pythons."""
BASELINE = "x86-64-v3"
"""The instruction set of shipped kernels: most processors since 2015 have it."""
BASELINE_FEATURES = frozenset(
    ("avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2")
)
"""Processor features that it requires, by LLVM's names."""


CACHE = "CHOUINE_CACHE_DIR"
"""The variable that names the user's cache folder."""


def user_cache() -> Path | None:
    """The user's cache folder: `CHOUINE_CACHE_DIR`, else `chouine` among those of all programs; None without a home."""
    chosen = os.environ.get(CACHE)
    return Path(chosen) if chosen else user_folder("XDG_CACHE_HOME", ".cache")


def cache_folder() -> Path:
    """The root folder of compiled code; without a home one that cannot be made: code lasts as long as the process."""
    return (user_cache() or Path(os.devnull)) / "compiled"


def folder() -> Path:
    """The folder of code compiled from the present sources."""
    return cache_folder() / sources_digest()


def strong_levels_ready() -> Path:
    """The marker file that exists once the kernels of levels 7 and 8 have been compiled."""
    return folder() / "strong-levels-ready"


def advice_ready() -> Path:
    """The marker file that exists once the other kernels of advice have been compiled too."""
    return folder() / "advice-ready"


def forget_others() -> None:
    """Remove code compiled from other sources than the present ones."""
    for kept in cache_folder().glob("*"):
        if kept.name != sources_digest():
            rmtree(kept, ignore_errors=True)


@cache
def sources_digest() -> str:
    """A digest of the sources without comments and docstrings, and of the compiler's version.

    Parsing the sources takes half a second, so the result is stored beside the compiled code, keyed by a digest of the
    files' bytes.
    """
    sources = [path for pattern in SOURCES for path in sorted(PACKAGE.glob(pattern))]
    texts = [(path.relative_to(PACKAGE).as_posix(), path.read_bytes()) for path in sources]
    compilers = [compiler_version(name) for name in ("numba", "llvmlite")]
    compilers.append(repr(sys.version_info[:2]).encode())  # syntax trees differ from one Python to the next
    files = digest_of(*(name.encode() + text for name, text in texts), *compilers)
    known = cache_folder().parent / "digests" / files
    with suppress(OSError):
        return known.read_text(encoding="ascii")
    found = digest_of(*(f"{name} {code_of(text)}".encode() for name, text in texts), *compilers)
    with suppress(OSError):  # no writable folder: computed again next time
        known.parent.mkdir(parents=True, exist_ok=True)
        write_whole(known, found)
    return found


def digest_of(*parts: bytes) -> str:
    """A digest of these parts in order, 16 hexadecimal digits."""
    return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()[:16]


def compiler_version(name: str) -> bytes:
    try:
        return version(name).encode()
    except PackageNotFoundError:
        return b"?"


def code_of(source: bytes) -> str:
    """A module's syntax tree as text, without docstrings: equal for sources that differ only in comments or layout."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [part for part in node.body if not is_text(part)]
    return ast.dump(tree)


def is_text(part: ast.stmt) -> bool:
    """Whether a statement is a bare string: a docstring, also of a constant."""
    return (
        isinstance(part, ast.Expr)
        and isinstance(part.value, ast.Constant)
        and isinstance(part.value.value, str)
    )
