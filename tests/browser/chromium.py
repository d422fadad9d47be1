"""Chromium for all tests of a process: starting it and Playwright's driver takes a second of processor time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.needs import browser_program


class Chromium:
    """Playwright, and the browsers it has started: one without windows, and one with them."""

    def __init__(self) -> None:
        self.playwright = sync_playwright().start()
        self.loop = asyncio.get_running_loop()
        self.browsers: dict[str, Browser] = {}
        asyncio._set_running_loop(None)

    @contextmanager
    def lend(self, *, window: bool) -> Iterator[Browser]:
        """A browser. Meanwhile the thread belongs to Playwright's event loop, and afterwards to other tests again."""
        asyncio._set_running_loop(self.loop)
        try:
            yield self._launch_once(browser_program(window=window))
        finally:
            asyncio._set_running_loop(None)

    def _launch_once(self, program: str) -> Browser:
        browser = self.browsers.get(program)
        if browser is None or not browser.is_connected():
            browser = self.playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            self.browsers[program] = browser
        return browser

    def end(self) -> None:
        asyncio._set_running_loop(self.loop)
        for browser in self.browsers.values():
            browser.close()
        self.playwright.stop()
        asyncio._set_running_loop(None)
