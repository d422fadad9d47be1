"""Fixtures: a server and a Chromium for each pytest process, a browser context for each visitor, and other engines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import Chromium, let_reads_wait_for_the_page, let_waits_take_functions_only
from tests.browser.engines import Engines
from tests.browser.hall import Hall
from tests.browser.house import Guest, House
from tests.browser.visitor import PHONE, Size, VisitedSite, Visitor
from tests.needs import need
from tests.patience import PATIENCE
from tests.server.stores import patient_with_locks

expect.set_options(timeout=1000 * PATIENCE)
let_reads_wait_for_the_page()
let_waits_take_functions_only()


@pytest.fixture(scope="session", autouse=True)
def _patient() -> Iterator[None]:
    with patient_with_locks():
        yield


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    chromium = Chromium()
    yield chromium
    chromium.end()


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The process's Chromium, with windows if the module needs them."""
    window = getattr(request.module, "WINDOWED", False)
    need("window" if window else "chromium")
    chromium: Chromium = request.getfixturevalue("chromium")
    with chromium.lend(window=window) as browser:
        yield browser


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The server that most tests share, each with its own tables."""
    house = House(tmp_path_factory.mktemp("house") / "chouine.db")
    house.start()
    yield house
    house.stop()


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A separate server, not yet started, that a test may kill."""
    house = House(tmp_path / "chouine.db")
    yield house
    house.stop()


Halls = Callable[..., Hall]


@pytest.fixture
def halls(tmp_path: Path) -> Iterator[Halls]:
    """A function that makes a hall in a folder of the test, with the options of `Hall`; the test's end ends each."""
    made: list[Hall] = []

    def make(folder: str = ".", **wishes: Any) -> Hall:
        made.append(Hall(tmp_path / folder, **wishes))
        return made[-1]

    yield make
    for hall in made:
        hall.end()


Visits = Callable[..., Visitor]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visits]:
    """A function that opens a browser with the options of `Visitor.of`; in the end no browser may have faults."""
    visitors: list[Visitor] = []

    def make_visitor(house: House, **wishes: object) -> Visitor:
        visitor = Visitor.of(browser, house, **wishes)  # type: ignore[arg-type]
        visitor.context.set_default_timeout(1000 * PATIENCE)
        visitors.append(visitor)
        return visitor

    yield make_visitor
    for visitor in visitors:
        visitor.context.close()
    assert [fault for visitor in visitors for fault in visitor.faults] == []


@pytest.fixture(scope="session")
def engines() -> Iterator[Engines]:
    """Firefox and WebKit, each started by the first test that opens a page in it."""
    engines = Engines()
    yield engines
    engines.close()


Opens = Callable[..., Page]


@pytest.fixture
def open_in(engines: Engines, request: pytest.FixtureRequest) -> Iterator[Opens]:
    """A function that opens a page of a house in an engine; in the end no page may have faults."""

    def open_page(
        engine: str, house: VisitedSite, address: str, guest: Guest | None = None, size: Size = PHONE
    ) -> Page:
        if engine == "chromium":
            visitor: Visitor = request.getfixturevalue("visit")(house, guest=guest, size=size)
            return visitor.go(address)
        page = engines.page(engine, house, guest, size)
        page.goto(house.url + address)
        return page

    yield open_page
    assert engines.release() == []
