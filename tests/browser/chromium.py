"""Chromium for all tests of a process: starting it and Playwright's driver takes a second of processor time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from playwright.sync_api import Browser, Locator, Page, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from tests.needs import browser_program

READS = {
    Page: ("content", "evaluate", "screenshot", "title"),
    Locator: ("all", "all_inner_texts", "count", "evaluate_all", "is_visible"),
}
"""What answers from the page as it is, and does not wait."""


def let_reads_wait_for_the_page() -> None:
    """From now on a page is read when it is parsed: a click that leads to it ends when its first byte has come."""
    evaluate = Page.evaluate

    def wait_until_parsed(page: Page) -> None:
        try:
            page.wait_for_load_state("domcontentloaded", timeout=1)
        except TooLate:  # perhaps a test holds its scripts back
            while evaluate(page, "document.readyState") == "loading":
                page.wait_for_timeout(20)

    def waiting(read: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(read)
        def read_whole(self: Page | Locator, *args: Any, **options: Any) -> Any:
            wait_until_parsed(self if isinstance(self, Page) else self.page)
            return read(self, *args, **options)

        return read_whole

    for kind, names in READS.items():
        for name in names:
            setattr(kind, name, waiting(getattr(kind, name)))


def let_waits_take_functions_only() -> None:
    """From now on waiting for a mere expression is an error: pages forbid `eval`, so it would be tried only once."""
    wait = Page.wait_for_function

    @wraps(wait)
    def wait_for_function(self: Page, expression: str, **options: Any) -> Any:
        if "=>" not in expression:
            raise ValueError(f"not a function: {expression}")
        return wait(self, expression, **options)

    setattr(Page, wait.__name__, wait_for_function)


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
