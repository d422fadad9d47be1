"""`make play` installs requirements/play.txt, and requirements/fast.txt if possible; the first is enough to start."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

LOCK = Path(__file__).parents[2] / "requirements" / "play.txt"
SCRIPT = """
import sys
sys.modules.update(dict.fromkeys(sys.argv[1:]))  # to import one of these is an error now
import aiosqlite, asyncpg, httptools, uvicorn, uvloop
import chouine.cli.serve, chouine.server.app, chouine.server.migrations
"""


def normal_form(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_server_needs_only_what_the_lock_has() -> None:
    """The server starts in a process that can import only the packages of play.txt."""
    names = re.findall(r"^([\w.-]+)==", LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    locked = {"chouine", *(normal_form(name) for name in names)}
    found = packages_distributions()
    besides = [module for module, packages in found.items() if locked.isdisjoint(map(normal_form, packages))]
    assert "pytest" in besides
    command = [sys.executable, "-I", "-c", SCRIPT, *besides]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
