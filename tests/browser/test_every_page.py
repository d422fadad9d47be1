"""Every page and phase: accessible by axe-core, without horizontal scrolling, with large enough targets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from chouine.server.pages.visit import FELTS, Language, Settings
from tests.browser.conftest import Visits
from tests.browser.house import ROOT, House
from tests.browser.moments import SEVEN, TWENTY
from tests.browser.tour import PARTS, Tour
from tests.browser.visitor import DESKTOP, PHONE, Size
from tests.needs import need

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SMALL: Size = (320, 568)
ZOOMED: Size = (640, 400)
"""A desktop page at 200 %."""
FINGER = 44
"""CSS pixels."""

NARROW = """() => [...document.querySelectorAll("body *")]
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, pre, .unseen"))
  .map(e => `${e.tagName}.${e.getAttribute("class")}`).slice(0, 5)"""
TARGETS = """least => {
  const seen = e => e.checkVisibility({visibilityProperty: true}) && !e.closest(".unseen, .skip, svg");
  const boxes = [...document.querySelectorAll("a[href], button, select, summary, input:not([type=hidden])")]
    .filter(seen)
    .filter(e => !(e.matches("a, summary") && getComputedStyle(e).display === "inline"))
    .map(e => e.matches("[type=checkbox], [type=radio]") ? e.closest("label") ?? e : e)
    .map(e => [e, e.getBoundingClientRect()]);
  const shown = ([e, box], nth) => {
    const over = boxes.slice(nth + 1).map(([_, other]) => other).find(other =>
      Math.abs(other.top - box.top) < 10 && other.left > box.left && other.left < box.right && e.matches(".card"));
    return over ? over.left - box.left : box.width;
  };
  return boxes.map((one, nth) => [one[0], Math.round(shown(one, nth) * 10) / 10, Math.round(one[1].height * 10) / 10])
    .filter(([e, width, height]) => Math.min(width, height) < least)
    .map(([e, width, height]) => `${e.outerHTML.slice(0, 90)} ${e.textContent.trim().slice(0, 20)} ${width}x${height}`);
}"""


VIOLATIONS = "options => axe.run(options).then(found => found.violations)"
"""Violations only: the list of passed checks is long."""


def faults_of(page: Page, *rules: str) -> list[str]:
    """axe-core's violations, of all rules unless some are given."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    found: list[dict[str, Any]] = page.evaluate(VIOLATIONS, options)
    return [
        f"{violation['id']}: {node['html'][:160]} {[check['message'] for check in node['any']][:1]}"
        for violation in found
        for node in violation["nodes"][:3]
    ]


def room_on(page: Page) -> list[str]:
    """Elements beyond the page's width, and targets smaller than a finger."""
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    found = page.evaluate(NARROW) or ["the page"] if wide else []
    return [*found, *page.evaluate(TARGETS, FINGER)]


def room_elsewhere(page: Page, size: Size, scale: int) -> list[str]:
    """The same with another screen size, once the page has been laid out for it."""
    session = page.context.new_cdp_session(page)

    def screen(width: int, height: int, scale: int) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        session.send("Emulation.setDeviceMetricsOverride", metrics)
        page.wait_for_function("is => is + '' === [innerWidth, devicePixelRatio] + ''", arg=[width, scale])

    here = page.viewport_size
    assert here is not None
    screen(*size, scale)
    found = [f"{size[0]} pixels: {fault}" for fault in room_on(page)]
    screen(here["width"], here["height"], 1)
    session.detach()
    return found


def faults_at_night(page: Page) -> list[str]:
    """In dark mode: axe-core's colour violations, and whether exactly the pages beside the table are dark."""
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    found = [] if dark == bool(page.locator("body.reading").count()) else ["its colours"]
    if dark:
        found += faults_of(page, "color-contrast", "link-in-text-block")
    page.emulate_media(color_scheme="light")
    return [f"at night: {fault}" for fault in found]


SEEN = [
    pytest.param("fr", PHONE, ZOOMED, 2, id="phone, 200 %"),
    pytest.param("en", DESKTOP, SMALL, 1, id="desktop, 320 pixels"),
]


@pytest.mark.parametrize(("language", "size", "other", "scale"), SEEN)
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_every_page(
    house: House,
    visit: Visits,
    part: Callable[[Tour], Iterator[tuple[str, Page]]],
    language: Language,
    size: Size,
    other: Size,
    scale: int,
) -> None:
    """No horizontal scrolling, targets of 44 pixels, and no violations in light and dark mode."""
    need("axe")
    faults = {}
    for name, page in part(Tour.of(house, visit, language, size)):
        found = room_on(page) + room_elsewhere(page, other, scale) + faults_of(page)
        if size == PHONE:
            found += faults_at_night(page)
        if found:
            faults[name] = found
    assert faults == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_cloth(house: House, visit: Visits, scheme: str) -> None:
    """On every cloth, in light and dark mode, a trick, an offer and the menu have no violations."""
    need("axe")
    guest = house.guest("Anne")
    game = house.table([guest, house.guest("Basile")], deal=TWENTY.deal, played=TWENTY.played)
    page = visit(house, guest=guest, still=True, color_scheme=scheme).go(f"/table/{game}")
    page.locator(".menu > summary").click()
    faults = {}
    for felt in FELTS:
        page.evaluate("felt => document.documentElement.setAttribute('class', felt)", f"deck-fr felt-{felt}")
        if found := faults_of(page):
            faults[felt] = found
    assert faults == {}


@pytest.mark.parametrize("language", ["fr", "en"])
def test_everything_larger_fits_a_small_phone(house: House, visit: Visits, language: Language) -> None:
    """With large cards the spread pack, and a hand with its offers, fit the screen of a small phone."""
    guest = house.guest("Anne", language, settings=Settings(large=True))
    visitor = visit(house, guest=guest, language=language, size=(360, 640))
    other = house.guest("Basile")
    tables = {
        "tirage": house.table([guest, other]),
        "exchange": house.table([other, guest], deal=SEVEN.deal, played=SEVEN.played),
        "exchanged": house.table([guest, other], deal=SEVEN.deal, played=f"{SEVEN.played} 7x"),
        "twenty": house.table([guest, other], deal=TWENTY.deal, played=TWENTY.played),
    }
    for name, game in tables.items():
        page = visitor.go(f"/table/{game}")
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), name
