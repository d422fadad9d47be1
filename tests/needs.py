"""System programs that tests need; tests are skipped where these are missing, and the summary lists them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from tests.server.postgres import find_program

MINI_BROWSER = next(map(str, Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")), "")
"""WebKitGTK's small browser, which is on no path."""
OLDEST = Path(__file__).parent / "browser" / "oldest" / "node_modules" / "chromium"
"""The oldest Chromium that is supported."""
AXE = Path(__file__).parents[1] / "node_modules" / "axe-core"
MISSING: dict[str, Callable[[], str | bool]] = {
    "chromium": lambda: not browser_program() and "no browser: install chromium",
    "window": lambda: not browser_program(window=True) and "no browser with a window: install chromium",
    "oldest": lambda: not OLDEST.exists() and "no Chromium of 2021: `make oldest`",
    "firefox": lambda: not which("firefox-esr") and "no Firefox: install firefox-esr",
    "webkit": lambda: (
        not (MINI_BROWSER and which("WebKitWebDriver") and which("Xvfb"))
        and "no WebKit: install webkit2gtk-driver and xvfb"
    ),
    "postgresql": lambda: not find_program("initdb") and "no database server: install postgresql",
    "caddy": lambda: not which("caddy") and "no proxy: install caddy",
    "redis": lambda: not which("redis-server") and "no redis-server: install redis-server",
    "axe": lambda: not AXE.exists() and "no axe-core: install npm, then `npm ci`",
    "pyodide": lambda: not python_for_browsers() and "no Python for browsers: `make offline`",
    "kernels": lambda: not kernels_for_browsers() and "no kernels for browsers: `make offline`",
    "curl": lambda: not which("curl") and "no curl: install curl",
    "hunspell": lambda: (
        not which("hunspell") and "no hunspell: install hunspell, hunspell-fr and hunspell-en-gb"
    ),
    "systemd": lambda: not which("systemd-analyze") and "no systemd-analyze: install systemd",
    "node": lambda: not which("node") and "no node: install nodejs",
    "root": lambda: os.geteuid() != 0 and "only root can mount a disk or make a network",
}
FIXTURES = {
    "browser",
    "engines",
    "house",
    "own_house",
    "postgres",
    "postgres_database",
    "redis",
    "database_server",
    "served",
}
"""Fixtures that start a browser or a server; `make test` runs their tests, the inner loop does not."""


def need(*names: str) -> None:
    """Skip the running test unless all of these are available."""
    for name in names:
        if why := MISSING[name]():
            pytest.skip(str(why))


def at_length(cases: Iterable[Any]) -> list[Any]:
    """Parameters of a test, all but the first marked `long`: the inner loop runs the first alone."""
    first, *others = (case if isinstance(case, tuple) else (case,) for case in cases)
    return [pytest.param(*first), *(pytest.param(*case, marks=pytest.mark.long) for case in others)]


def python_for_browsers() -> bool:
    """Whether Pyodide was downloaded; imported late, since the server's packages may be missing."""
    from chouine.server.offline.bundle import is_there

    return is_there()


WITHOUT_WINDOW = "chromium-headless-shell"
"""Renders pages without a window; other builds render one around each page, for ten times the processor time."""
WITH_WINDOW = "chromium", "chromium-browser", "google-chrome"


def browser_program(*, window: bool = False) -> str:
    """The path of Chromium, or an empty string. `window`: a build with windows, as notifications need."""
    names = WITH_WINDOW if window else (WITHOUT_WINDOW, *WITH_WINDOW)
    return next((found for name in names if (found := which(name))), "")


def starts_a_server(item: pytest.Item) -> bool:
    """Whether a test starts a server, browser or database."""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    code = getattr(getattr(item, "obj", None), "__code__", None)
    return (
        not FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))
        or "postgresql" in parameters.values()
        or "serving" in getattr(code, "co_names", ())
    )


def left_out(reports: Iterable[pytest.TestReport]) -> list[str]:
    """One line for each reason of skipped tests."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in reports
        if isinstance(report.longrepr, tuple)
    )
    return [f"Left out: {times} tests ({why})" for why, times in sorted(reasons.items())]


def kernels_for_browsers() -> bool:
    """Whether `make offline` has compiled levels 7 and 8 for browsers."""
    from chouine.server.offline.bundle import KERNELS, packed_path

    return packed_path(KERNELS).is_file()
