"""One server and one Chromium a process of pytest; a browser context for each visitor, which must see no fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.house import House
from tests.browser.visitor import Visitor
from tests.needs import browser_program, need

expect.set_options(timeout=60_000)  # milliseconds: a busy machine is slow, not wrong

PATIENCE = 60_000
"""Milliseconds to wait for what must come: the machine may be busy."""


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Gone before other tests: while Playwright is there nobody else can run an event loop."""
    window = getattr(request.module, "WINDOWED", False)
    need("window" if window else "chromium")
    with sync_playwright() as playwright:
        program = browser_program(window=window)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The server that most tests share: each has tables of its own."""
    house = House(tmp_path_factory.mktemp("house") / "chouine.db")
    house.start()
    yield house
    house.stop()


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A server that a test may kill."""
    house = House(tmp_path / "chouine.db")
    yield house
    house.stop()


Visits = Callable[..., Visitor]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visits]:
    """New browsers, with whatever `Visitor.of` takes; at the end none of them has seen a fault."""
    visitors: list[Visitor] = []

    def come(house: House, **wishes: object) -> Visitor:
        visitor = Visitor.of(browser, house, **wishes)  # type: ignore[arg-type]
        visitor.context.set_default_timeout(PATIENCE)
        visitors.append(visitor)
        return visitor

    yield come
    for visitor in visitors:
        visitor.context.close()
    assert [fault for visitor in visitors for fault in visitor.faults] == []
