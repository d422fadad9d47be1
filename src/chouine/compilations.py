"""Where compiled code is kept: a folder for each state of the sources it can have been made from.

Told without loading the compiler, so that who needs only to know does not wait for it.
"""

from __future__ import annotations

import os
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
    """A digest of every source that compiled code can have been made from, and of the compiler's version."""
    digest = sha256()
    for pattern in SOURCES:
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    for name in ("numba", "llvmlite"):
        try:
            digest.update(version(name).encode())
        except PackageNotFoundError:
            digest.update(b"?")
    return digest.hexdigest()[:16]
