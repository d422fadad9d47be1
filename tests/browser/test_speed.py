"""A slow phone's waiting time, the bytes it fetches, and how soon a tapped card moves."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, Route, expect

from chouine.server.pages.visit import Settings
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import LAVARDIN, TWENTY
from tests.browser.player import HELD, WAITING_CARD
from tests.browser.visitor import PHONE, Visitor, prolong_motion
from tests.patience import wait_until

SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
"""Round trip of 150 ms, 1.6 Mbit/s down, 0.75 Mbit/s up."""
SLOWER = 4
"""Factor by which the processor is slowed down."""
MOST = 120 * 1024
"""Most bytes transferred for a page and its files."""
BODIES = """[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
SOON = 1.0
TRIES = 8
"""Number of tries, of which one must not be disturbed by other processes."""

LINES = """fonts => fonts.map(font => {
  const line = document.createElement("span");
  line.style.cssText = `position: absolute; white-space: pre; font: ${font}`;
  line.textContent = document.querySelector("main p").textContent.trim().replace(/\\s+/g, " ");
  document.body.append(line);
  return line.offsetWidth;
})"""
"""The width of a page's first paragraph on one line, in each font."""
USABLE = """() => new Promise(done => {
  const page = performance.getEntriesByType("navigation")[0];
  new PerformanceObserver(list => {
    const [paint] = list.getEntriesByName("first-contentful-paint");
    if (paint) done(Math.max(paint.startTime, page.domInteractive) / 1000);
  }).observe({type: "paint", buffered: true});
})"""
"""The seconds until a page was painted and read, as soon as it is: a busy browser paints after it has loaded."""
SHIFTS = """() => new Promise(done => {
  const moved = [];
  const told = shift => [shift.value, ...shift.sources.map(source => source.node?.outerHTML.slice(0, 100))];
  new PerformanceObserver(list => moved.push(...list.getEntries().filter(s => s.startTime > whole).map(told)))
    .observe({type: "layout-shift", buffered: true});
  requestAnimationFrame(() => setTimeout(() => done(moved)));
})"""
"""The layout shifts since the page was drawn whole: before, a busy browser draws parts of it."""
DRAWN_WHOLE = """document.addEventListener("readystatechange", () =>
  requestAnimationFrame(() => requestAnimationFrame(() => { window.whole = performance.now(); })), {once: true})"""
"""Notes the time of the second frame after the page was read whole: the first may follow one of a part of it."""
WATCH = """() => {
  window.seen = {};
  const soon = window.setTimeout;
  window.setTimeout = (what, after, ...rest) => soon(what, after === 100 ? 60_000 : after, ...rest);
  const laid = () => document.querySelector(".trick .card") !== null;
  const asked = window.fetch;
  window.fetch = (request) => {
    if (request.method === "POST") seen.sent ??= performance.now(); // the page also tells that it is there
    return asked(request);
  };
  addEventListener("click", event => {
    seen.tapped = performance.now();
    const card = event.target.closest(".card");
    requestAnimationFrame(() => {
      seen.frame = performance.now();
      seen.moves = card.getAnimations().map(one => one.effect.getKeyframes().flatMap(Object.keys));
      seen.left = laid();
    });
  }, {capture: true, once: true});
}"""
ON_ITS_WAY = """(card, at) => {
  const [way] = card.getAnimations();
  const time = way.currentTime;
  way.currentTime = at;
  const { x, y, width, height } = card.getBoundingClientRect();
  return {x: x + width / 2, y: y + height / 2, time};
}"""
MOVES = {"offset", "easing", "composite", "computedOffset", "transform"}
"""Properties that a moving card may animate: none that needs layout or paint."""


def slow_down(visitor: Visitor) -> CDPSession:
    """Emulate a slow phone and network for the visitor's first tab, without its cache."""
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Network.emulateNetworkConditions", SLOW)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return session


def load_and_weigh(visitor: Visitor, address: str) -> tuple[Page, int]:
    """Load a page and return it with the bytes of all bodies transferred; HTTP/2 sends repeated headers once."""
    slow_down(visitor)
    page = visitor.go(address)
    page.wait_for_load_state("load")
    page.wait_for_timeout(300)
    return page, int(page.evaluate(BODIES))


def report(record: Any, name: str, value: float) -> None:
    """Record a figure and print it."""
    record(name, value)
    print(f"{name}: {value}")  # noqa: T201  # shown with `pytest -rP`


@pytest.mark.nightly  # with other tests running, each of eight tries may be disturbed
def test_the_first_page_on_a_slow_phone(house: House, visit: Visits, record_property: Any) -> None:
    """The first page is painted and usable within a second, since it needs no script."""
    times = [SOON]
    while len(times) <= TRIES and min(times) >= SOON:
        visitor = visit(house, size=PHONE)
        page, many = load_and_weigh(visitor, "/")
        expect(page.locator("form.at-once button.huge")).to_be_visible()
        times.append(page.evaluate(USABLE))
        visitor.context.close()  # an open slowed page slows the next one
        assert 0 < many < MOST
        report(record_property, "first page: bytes", many)
        report(record_property, "first page: seconds until usable", round(times[-1], 3))
    assert min(times) < SOON


def test_the_table_on_a_slow_phone(house: House, visit: Visits, record_property: Any) -> None:
    guest = house.guest("Rose")
    visitor = visit(house, guest=guest, size=PHONE)
    page, many = load_and_weigh(visitor, f"/table/{house.table([guest, 'heuristic'], deal=LAVARDIN)}")
    expect(page.locator(WAITING_CARD).first).to_be_visible()
    report(record_property, "table: bytes", many)
    report(record_property, "table: seconds until usable", round(page.evaluate(USABLE), 3))
    assert 0 < many < MOST


@pytest.mark.parametrize("address", ["/", "/rules", "table"])
def test_nothing_moves_while_a_page_comes(house: House, visit: Visits, address: str) -> None:
    """Neither fonts nor pictures shift the layout: on a slow network they come when the page is drawn."""
    guest = house.guest("Rose")
    if address == "table":
        address = f"/table/{house.table([guest, house.guest('Sylvain')], deal=LAVARDIN)}"
    visitor, late = visit(house, guest=guest, size=PHONE, still=True), list[Route]()
    drawn = False

    def hold_until_drawn(route: Route) -> None:
        if is_late(route) and not drawn:
            late.append(route)
        else:
            route.continue_()

    visitor.context.add_init_script(DRAWN_WHOLE)
    visitor.context.route("**", hold_until_drawn)
    slow_down(visitor)
    page = visitor.page
    page.goto(house.url + address, wait_until="domcontentloaded")
    page.wait_for_function("() => window.whole")
    wait_until("a font or picture to be asked for", lambda: page.evaluate("1") and late)
    drawn = True  # what is asked for from now on, or heard of late, is not held back
    for route in late:
        route.continue_()
    page.wait_for_load_state("load")
    page.wait_for_timeout(300)
    assert int(page.evaluate(BODIES)) < MOST
    assert page.evaluate(SHIFTS) == []


def is_late(route: Route) -> bool:
    """Whether a font or picture is asked for before the page is drawn."""
    return route.request.resource_type in ("font", "image")


def test_every_letter_is_of_the_typeface(house: House, visit: Visits) -> None:
    """All letters, accents, figures and suits come from the site's fonts."""
    guest = house.guest("Rose")
    visitor = visit(house, guest=guest, size=PHONE)
    game = house.table([guest, house.guest("Zoë Nœl")], deal=TWENTY.deal, played=TWENTY.played)
    for address in ("/rules", "/", f"/table/{game}"):
        page = visitor.go(address)
        page.evaluate("Promise.all([...document.fonts].slice(0, 3).map(font => font.load()))")
        others = {""}
        for _ in range(
            TRIES
        ):  # cached fonts are used from the start, unless the browser is too busy to read them
            others = other_typefaces(visitor, address)
            if not others:
                break
        assert others == set()


def test_the_device_s_fonts_take_the_same_space(house: House, visit: Visits) -> None:
    """Until the typeface is there, lines of titles and of text are as wide as with it, within 8 per cent."""
    widths = []
    for late in (False, True):
        visitor = visit(house, size=PHONE)
        if late:
            visitor.withhold_typeface()
        page = visitor.go("/rules")
        page.evaluate("document.fonts.ready.then(() => 0)")
        widths.append(page.evaluate(LINES, ["600 1em var(--serif)", "400 1em var(--sans)"]))
    for there, late in zip(*widths, strict=True):
        assert late == pytest.approx(there, rel=0.08)


def other_typefaces(visitor: Visitor, address: str) -> set[str]:
    """The fonts of the device that a page uses."""
    session = visitor.context.new_cdp_session(visitor.go(address))
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    body = session.send("DOM.querySelector", {"nodeId": root, "selector": "body"})["nodeId"]
    fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": body})["fonts"]
    assert fonts
    session.detach()
    return {font["familyName"] for font in fonts if not font["isCustomFont"]}


def test_a_tapped_card_moves_before_anything_else(house: House, visit: Visits, record_property: Any) -> None:
    """The card starts to move in the tap's task; the page's change and the request follow the next frame.

    The page waits at most 100 ms for that frame, and a busy machine may take longer: here it waits a minute.
    """
    guest = house.guest("Rose")
    game = house.table([guest, house.guest("Sylvain")], deal=LAVARDIN)
    visitor = visit(house, guest=guest, size=PHONE)
    page = visitor.go(f"/table/{game}")
    page.locator(WAITING_CARD).first.wait_for()
    slow_down(visitor)
    page.evaluate(WATCH)
    page.locator(WAITING_CARD).first.click()
    expect(page.locator(".trick .card")).to_have_count(1)
    page.wait_for_function("() => seen.sent")
    seen = page.evaluate("seen")
    report(record_property, "milliseconds from tap to frame", round(seen["frame"] - seen["tapped"], 2))
    assert len(seen["moves"]) == 1
    assert set(seen["moves"][0]) == MOVES
    assert not seen["left"]
    assert seen["tapped"] <= seen["frame"] <= seen["sent"]
    expect(page.locator(".hand .card")).to_have_count(4)


def test_a_tapped_card_goes_on_from_where_it_is(house: House, visit: Visits) -> None:
    """A server event during the card's motion neither restarts it nor makes it jump."""
    guest = house.guest("Rose", settings=Settings(hold=HELD))
    game = house.table([house.guest("Sylvain"), guest], deal=LAVARDIN, played="Qs")
    page = visit(house, guest=guest, size=PHONE).go(f"/table/{game}")
    page.locator(WAITING_CARD).first.wait_for()
    prolong_motion(page)
    card = page.locator(WAITING_CARD).first
    name, token = card.get_attribute("data-card"), card.get_attribute("value") or ""
    page.route("**/act", lambda _: None)
    card.click()
    before = page.locator(".leaving").evaluate(ON_ITS_WAY, 100)
    house.play(game, token)
    laid = page.locator(f".trick [data-card='{name}']")
    expect(laid).to_have_count(1)
    after = laid.evaluate(ON_ITS_WAY, 100)
    assert before["time"] < 100 <= after["time"] < 340
    assert (
        abs(after["x"] - before["x"]) + abs(after["y"] - before["y"]) < 12
    )  # cards of a trick are slightly rotated
