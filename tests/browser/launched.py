"""A server and a Chromium of their own, for programs that measure or photograph outside pytest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from tests.browser.house import House
from tests.needs import browser_program


@contextmanager
def launch(*, usual: bool = False) -> Iterator[tuple[House, Browser]]:
    """A started house (`usual`: see `House`) on a database of its own, and a browser; both end with the context."""
    with TemporaryDirectory() as data, sync_playwright() as playwright:
        house = House(Path(data) / "chouine.db", usual=usual)
        house.start()
        browser = playwright.chromium.launch(executable_path=browser_program(), args=["--no-sandbox"])
        yield house, browser
        browser.close()
        house.stop()
