"""On every page and in every phase: nothing for axe-core to find, room on small screens, targets for fingers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from chouine.server.pages.visit import Language
from tests.browser.conftest import Visits
from tests.browser.house import ROOT, House
from tests.browser.tour import Tour
from tests.browser.visitor import DESKTOP, PHONE, Size

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SHOTS = ROOT / ".screenshots"
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


def keep(page: Page, folder: Path, name: str) -> None:
    """A picture, for people to look at."""
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.png", full_page=True)


@pytest.mark.parametrize(("language", "size"), [("fr", PHONE), ("en", DESKTOP)])
def test_axe_core_finds_nothing(house: House, visit: Visits, language: Language, size: Size) -> None:
    faults = {}
    for name, page in Tour.of(house, visit, language, size).stops():
        keep(page, SHOTS / f"{language}-{size[0]}", name)
        if found := faults_of(page):
            faults[name] = found
    assert faults == {}


@pytest.mark.parametrize(
    ("language", "size", "scale"), [("fr", SMALL, 1), ("en", PHONE, 1), ("fr", ZOOMED, 2), ("en", DESKTOP, 1)]
)
def test_room_for_fingers(house: House, visit: Visits, language: Language, size: Size, scale: int) -> None:
    """At 320 CSS pixels, on a phone, at 200 %, on a desktop: no sideways scrolling, and targets of 44 pixels."""
    faults = {}
    tour = Tour.of(house, visit, language, size, device_scale_factor=scale)
    for name, page in tour.stops():
        keep(page, SHOTS / f"{language}-{size[0]}-layout", name)
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        too_wide = page.evaluate(NARROW) or ["the page"] if wide else []
        if found := [*too_wide, *page.evaluate(TARGETS, FINGER)]:
            faults[name] = found
    assert faults == {}
