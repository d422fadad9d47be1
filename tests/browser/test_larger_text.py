"""Text at twice its size, as "larger text" of the system asks for it, on a phone 390 pixels wide."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from chouine.server.pages.visit import Language
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.tour import PARTS, Tour
from tests.browser.visitor import Size

SIZE: Size = (390, 844)
LARGE = "document.documentElement.style.fontSize = '32px'"
WIDE = """() => {
  const root = document.documentElement;
  if (root.scrollWidth <= innerWidth) return [];
  const beyond = e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, pre, .unseen");
  const name = e => `${e.tagName}.${e.getAttribute("class")} ${e.textContent.trim().slice(0, 20)}`;
  const found = [...document.querySelectorAll("body *")].filter(beyond).slice(0, 5);
  return [`${root.scrollWidth} pixels`, ...found.map(name)];
}"""
OVER = """() => {
  const seen = e => e.checkVisibility({visibilityProperty: true});
  const bar = ".bar > *, .bar nav > *, .bar .tools > *, .score .side, .status > summary";
  const parts = [...document.querySelectorAll(bar)];
  const boxes = parts.filter(seen).map(e => [e, e.getBoundingClientRect()]);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const name = e => `${e.tagName}.${e.getAttribute("class")}`;
  return boxes.flatMap(([one, a], nth) => boxes.slice(nth + 1)
    .filter(([other, b]) => !one.contains(other) && over(a, b))
    .map(([other]) => `${name(one)} over ${name(other)}`));
}"""


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_every_page_at_twice_the_size(
    house: House, visit: Visits, part: Callable[[Tour], Iterator[tuple[str, Page]]], language: Language
) -> None:
    """No page is wider than the window, and nothing of the bar or a seat lies over anything else."""
    faults = {}
    for name, page in part(Tour.of(house, visit, language, SIZE)):
        before = page.evaluate("document.documentElement.style.fontSize")
        page.evaluate(LARGE)
        if found := page.evaluate(WIDE) + page.evaluate(OVER):
            faults[name] = found
        page.evaluate("size => document.documentElement.style.fontSize = size", before)
    assert faults == {}, "\n".join(f"{name}: {found}" for name, found in faults.items())
