"""What tests need of the system besides Python: where it is missing they are left out, and the summary says so."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from tests.server.postgres import found

AXE = Path(__file__).parents[1] / "node_modules" / "axe-core"
MISSING: dict[str, Callable[[], str | bool]] = {
    "chromium": lambda: not browser_program() and "no browser: install chromium",
    "window": lambda: not browser_program(window=True) and "no browser with a window: install chromium",
    "postgresql": lambda: not found("initdb") and "no database server: install postgresql",
    "redis": lambda: not which("redis-server") and "no redis-server: install redis-server",
    "axe": lambda: not AXE.exists() and "no axe-core: install npm, then `npm ci`",
    "pyodide": lambda: not python_for_browsers() and "no Python for browsers: `make offline`",
    "kernels": lambda: not kernels_for_browsers() and "no kernels for browsers: `make offline`",
    "node": lambda: not which("node") and "no node: install nodejs",
    "root": lambda: os.geteuid() != 0 and "only root can mount a disk or make a network",
}
FIXTURES = {
    "browser",
    "house",
    "own_house",
    "postgres",
    "postgres_database",
    "redis",
    "database_server",
    "served",
}
"""Tests with these start a browser or a server: the inner loop leaves them to `make test`."""


def need(*names: str) -> None:
    """Leave the running test out unless these are there."""
    for name in names:
        if why := MISSING[name]():
            pytest.skip(str(why))


def at_length(cases: Iterable[Any]) -> list[Any]:
    """Cases of a test of which the inner loop runs the first: the others say the same at other tables."""
    first, *others = (case if isinstance(case, tuple) else (case,) for case in cases)
    return [pytest.param(*first), *(pytest.param(*case, marks=pytest.mark.long) for case in others)]


def python_for_browsers() -> bool:
    """Whether it was fetched; asked only of a test that needs it, since the server's packages may be missing."""
    from chouine.server.offline.bundle import there

    return there()


WITHOUT_WINDOW = "chromium-headless-shell"
"""It shows pages alone. The others draw a window around each page, for ten times the processor."""
WITH_WINDOW = "chromium", "chromium-browser", "google-chrome"


def browser_program(*, window: bool = False) -> str:
    """Where Chromium is; an empty string if nowhere. What belongs to a window, as a notification does, needs one."""
    names = WITH_WINDOW if window else (WITHOUT_WINDOW, *WITH_WINDOW)
    return next((found for name in names if (found := which(name))), "")


def starts_a_server(item: pytest.Item) -> bool:
    """Whether a test starts something beside itself, or is of a kind of database that does."""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    code = getattr(getattr(item, "obj", None), "__code__", None)
    return (
        not FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))
        or "postgresql" in parameters.values()
        or "serving" in getattr(code, "co_names", ())
    )


def left_out(reports: Iterable[pytest.TestReport]) -> list[str]:
    """A line for each reason for which tests were left out."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in reports
        if isinstance(report.longrepr, tuple)
    )
    return [f"Left out: {times} tests ({why})" for why, times in sorted(reasons.items())]


def kernels_for_browsers() -> bool:
    """Whether `make offline` has compiled levels 7 and 8 for browsers."""
    from chouine.server.offline.bundle import KERNELS, packed

    return packed(KERNELS).is_file()
