"""How long a slow phone waits, how much it fetches, and how soon a tapped card moves."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import LAVARDIN, TWENTY
from tests.browser.player import WAITING_CARD
from tests.browser.visitor import PHONE, Visitor

SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
"""150 ms there and back, 1.6 Mbit/s down, 0.75 Mbit/s up."""
SLOWER = 4
"""Times slower than this machine's processor."""
MOST = 120 * 1024
"""Bytes transferred for a page and all it needs."""
SOON = 1.0
TRIES = 8
"""Other programs share the machine: one of so many must be the page's own time."""

USABLE = """() => new Promise(done => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  const page = performance.getEntriesByType("navigation")[0];
  done(Math.max(paint.startTime, page.domInteractive) / 1000);
})"""
SHIFTS = """() => new Promise(done => {
  const moved = [];
  new PerformanceObserver(list => moved.push(...list.getEntries().map(shift => shift.value)))
    .observe({type: "layout-shift", buffered: true});
  requestAnimationFrame(() => setTimeout(() => done(moved)));
})"""
"""Whatever moved of itself since the page was asked for; nothing where the layout is the same from the first."""
WATCH = """() => {
  window.seen = {};
  const trick = document.querySelector(".trick");
  addEventListener("click", event => {
    seen.tapped = performance.now();
    seen.handed = event.timeStamp;
    requestAnimationFrame(() => { seen.frame ??= performance.now(); });
  }, {capture: true, once: true});
  new MutationObserver(() => { seen.laid ??= performance.now(); }).observe(trick, {childList: true, subtree: true});
}"""


def slowed(visitor: Visitor) -> CDPSession:
    """The visitor's first tab on a slow phone and a slow network, nothing in its cache."""
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Network.emulateNetworkConditions", SLOW)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return session


def transferred(visitor: Visitor, address: str) -> tuple[Page, int]:
    """The page at an address, and the bytes that came for it."""
    session = slowed(visitor)
    received: list[int] = []
    session.on("Network.loadingFinished", lambda loaded: received.append(int(loaded["encodedDataLength"])))
    page = visitor.go(address)
    page.wait_for_load_state("load")
    page.wait_for_timeout(300)
    return page, sum(received)


def report(record: Any, name: str, value: float) -> None:
    """A figure for whoever reads the run."""
    record(name, value)
    print(f"{name}: {value}")  # noqa: T201  # shown with `pytest -rP`


@pytest.mark.nightly  # beside other tests no try of eight has the processor to itself
def test_the_first_page_on_a_slow_phone(house: House, visit: Visits, record_property: Any) -> None:
    """Painted and ready for a tap within a second: it needs no script."""
    times = [SOON]
    while len(times) <= TRIES and min(times) >= SOON:
        visitor = visit(house, size=PHONE)
        page, many = transferred(visitor, "/")
        expect(page.locator("form.at-once button.main")).to_be_visible()
        times.append(page.evaluate(USABLE))
        visitor.context.close()  # a slowed page takes time from the next
        assert 0 < many < MOST
        report(record_property, "first page: bytes", many)
        report(record_property, "first page: seconds until usable", round(times[-1], 3))
    assert min(times) < SOON


def test_the_table_on_a_slow_phone(house: House, visit: Visits, record_property: Any) -> None:
    guest = house.guest("Rose")
    visitor = visit(house, guest=guest, size=PHONE)
    page, many = transferred(visitor, f"/table/{house.table([guest, 'heuristic'], deal=LAVARDIN)}")
    expect(page.locator(WAITING_CARD).first).to_be_visible()
    report(record_property, "table: bytes", many)
    report(record_property, "table: seconds until usable", round(page.evaluate(USABLE), 3))
    assert 0 < many < MOST


@pytest.mark.parametrize("address", ["/", "/rules", "table"])
def test_nothing_moves_while_a_page_comes(house: House, visit: Visits, address: str) -> None:
    """On a slow network: neither for the typeface nor for a picture."""
    guest = house.guest("Rose")
    if address == "table":
        address = f"/table/{house.table([guest, house.guest('Sylvain')], deal=LAVARDIN)}"
    page, many = transferred(visit(house, guest=guest, size=PHONE, still=True), address)
    assert many < MOST
    assert page.evaluate(SHIFTS) == []


def test_every_letter_is_of_the_typeface(house: House, visit: Visits) -> None:
    """French accents, figures, suits: nothing is left to what a device may have."""
    guest = house.guest("Rose")
    visitor = visit(house, guest=guest, size=PHONE)
    game = house.table([guest, house.guest("Zoë Nœl")], deal=TWENTY.deal, played=TWENTY.played)
    for address in ("/rules", "/", f"/table/{game}"):
        page = visitor.go(address)
        page.evaluate("Promise.all([...document.fonts].slice(0, 3).map(font => font.load()))")
        page = visitor.go(address)  # who has the files reads in them from the first
        session = visitor.context.new_cdp_session(page)
        session.send("DOM.enable")
        session.send("CSS.enable")
        body = session.send("DOM.querySelector", {"nodeId": root(session), "selector": "body"})["nodeId"]
        fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": body})["fonts"]
        assert fonts
        assert [font["familyName"] for font in fonts if not font["isCustomFont"]] == []


def root(session: CDPSession) -> int:
    node: int = session.send("DOM.getDocument")["root"]["nodeId"]
    return node


def test_a_tapped_card_moves_before_the_next_frame(house: House, visit: Visits, record_property: Any) -> None:
    """It is laid in the same task as the tap, whatever the network does."""
    guest = house.guest("Rose")
    game = house.table([guest, house.guest("Sylvain")], deal=LAVARDIN)
    visitor = visit(house, guest=guest, size=PHONE)
    page = visitor.go(f"/table/{game}")
    page.locator(WAITING_CARD).first.wait_for()
    slowed(visitor)
    page.evaluate(WATCH)
    page.locator(WAITING_CARD).first.click()
    expect(page.locator(".trick .card")).to_have_count(1)
    seen = page.evaluate("seen")
    report(record_property, "milliseconds from tap to card laid", round(seen["laid"] - seen["tapped"], 2))
    report(record_property, "milliseconds from tap to frame", round(seen["frame"] - seen["tapped"], 2))
    assert seen["laid"] <= seen["frame"]
    expect(page.locator(".hand .card")).to_have_count(4)
