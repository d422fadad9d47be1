"""Where compiled code is kept: a folder for each state of the sources it can have been made from.

Told without loading the compiler, so that who needs only to know does not wait for it.
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
"""What compiled code can have been made from."""
WEBASSEMBLY = PACKAGE / "ai" / "kernels.wasm.gz"
"""What levels 7 and 8 compute with where numba is missing: `make offline` makes it, and it is part of the package."""

SHIPPED = PACKAGE / "compiled"
"""What advice and levels that think ahead need, compiled for `BASELINE`: `chouine warm --ship` makes it."""
BASELINE = "x86-64-v3"
"""The processor that it is compiled for: most of those made since 2015."""
BASELINE_FEATURES = frozenset(
    ("avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2")
)
"""What a processor must have for that, as LLVM names it."""


def cache_folder() -> Path:
    """Where compiled code is kept: in `CHOUINE_CACHE_DIR`, else in `chouine` in the user's cache folder."""
    chosen, base = os.environ.get("CHOUINE_CACHE_DIR"), os.environ.get("XDG_CACHE_HOME")
    if chosen:
        return Path(chosen) / "compiled"
    return (Path(base) if base else Path.home() / ".cache") / "chouine" / "compiled"


def folder() -> Path:
    """The folder for these sources."""
    return cache_folder() / sources_digest()


def strong_levels_ready() -> Path:
    """A file that is there once all that levels that think ahead need has been compiled."""
    return folder() / "strong-levels-ready"


def advice_ready() -> Path:
    """A file that is there once all that advice needs besides has been compiled."""
    return folder() / "advice-ready"


def forget_others() -> None:
    """Remove what was compiled from other sources than these."""
    for kept in cache_folder().glob("*"):
        if kept.name != sources_digest():
            rmtree(kept, ignore_errors=True)


@cache
def sources_digest() -> str:
    """A digest of the code that compiled code can have been made from, and of the compiler's version.

    Comments and docstrings do not count. To read the code without them takes half a second, so the digest is kept
    beside what is compiled, under that of the files as they are.
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
    with suppress(OSError):  # no folder that can be written
        known.parent.mkdir(parents=True, exist_ok=True)
        written = known.with_suffix(f".{os.getpid()}")
        written.write_text(found, encoding="ascii")
        written.replace(known)  # whole for whoever reads it meanwhile
    return found


def digest_of(*parts: bytes) -> str:
    """Sixteen letters for these parts in this order."""
    return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()[:16]


def compiler_version(name: str) -> bytes:
    try:
        return version(name).encode()
    except PackageNotFoundError:
        return b"?"


def code_of(source: bytes) -> str:
    """A module's syntax tree, written, without docstrings: the same for sources that differ in words or lines alone."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [part for part in node.body if not is_text(part)]
    return ast.dump(tree)


def is_text(part: ast.stmt) -> bool:
    """A string that stands for itself: a docstring, of a constant too."""
    return (
        isinstance(part, ast.Expr)
        and isinstance(part.value, ast.Constant)
        and isinstance(part.value.value, str)
    )
