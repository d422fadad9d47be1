"""Pages, forms and events need no web server, database or compiler, so that a browser can make them."""

from __future__ import annotations

import subprocess
import sys

from tools.offline import UNUSED

SCRIPT = """
import pkgutil, sys
sys.modules.update(dict.fromkeys(sys.argv[1:]))  # to import one of these is an error now
import chouine.server.pages, chouine.server.forms, chouine.server.frame_updates, chouine.server.records
import chouine.server.table_cache
import chouine.ai.strongest, chouine.ai.levels, chouine.players.heuristic
import chouine.server.offline.kernels, chouine.server.offline.site, chouine.school.problems.ending
for module in pkgutil.iter_modules(chouine.server.pages.__path__, "chouine.server.pages."):
    __import__(module.name)
"""
NOT_THERE = (
    "sqlalchemy",
    "structlog",
    "prometheus_client",
    "uvicorn",
    "fsrs",
    "openskill",
    "numpy",
    "numba",
)


def test_pages_need_no_server() -> None:
    command = [sys.executable, "-I", "-c", SCRIPT, *NOT_THERE, *UNUSED]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
