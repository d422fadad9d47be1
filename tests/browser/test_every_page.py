"""On every page and in every phase: nothing for axe-core to find, room on small screens, targets for fingers."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from chouine.server.pages.visit import FELTS, Language, Settings
from tests.browser.conftest import Visits
from tests.browser.house import ROOT, House
from tests.browser.moments import SEVEN, TWENTY
from tests.browser.tour import Tour
from tests.browser.visitor import DESKTOP, PHONE, Size
from tests.needs import need

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SMALL: Size = (320, 568)
ZOOMED: Size = (640, 400)
"""A desktop's page at 200 %."""
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


def faults_of(page: Page) -> list[str]:
    """What axe-core finds, with all its rules."""
    page.evaluate(AXE.read_text("utf-8"))
    found: dict[str, Any] = page.evaluate("() => axe.run()")
    return [
        f"{violation['id']}: {node['html'][:160]} {[check['message'] for check in node['any']][:1]}"
        for violation in found["violations"]
        for node in violation["nodes"][:3]
    ]


SEEN = [
    pytest.param("fr", PHONE, 1, True, id="phone"),
    pytest.param("en", DESKTOP, 1, True, id="desktop"),
    pytest.param("en", SMALL, 1, False, id="320 pixels"),
    pytest.param("fr", ZOOMED, 2, False, id="200 %"),
]


@pytest.mark.parametrize(("language", "size", "scale", "axe"), SEEN)
def test_every_page(
    house: House, visit: Visits, language: Language, size: Size, scale: int, *, axe: bool
) -> None:
    """No sideways scrolling, targets of 44 pixels; nothing that axe-core finds, which does not depend on the size."""
    if axe:
        need("axe")
    faults = {}
    tour = Tour.of(house, visit, language, size, device_scale_factor=scale)
    for name, page in tour.stops():
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        found = page.evaluate(NARROW) or ["the page"] if wide else []
        found += page.evaluate(TARGETS, FINGER)
        if axe:
            found += faults_of(page)
        if found:
            faults[name] = found
    assert faults == {}


def test_pages_at_night(house: House, visit: Visits) -> None:
    """Dark for who asks for it, and nothing for axe-core to find; the table's cloth is dark by day too."""
    need("axe")
    tour = Tour.of(house, visit, "fr", PHONE, color_scheme="dark")
    faults = {}
    for part in (tour.beside, tour.after):
        for name, page in part():
            dark = page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
            found = [] if dark == bool(page.locator("body.reading").count()) else ["its colours"]
            if found := found + faults_of(page):
                faults[name] = found
    assert faults == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_cloth(house: House, visit: Visits, scheme: str) -> None:
    """A trick, an offer, the menu: nothing for axe-core to find on any cloth, by day and by night."""
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
    """The spread pack, and a hand with what may be done, are in sight at once."""
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
