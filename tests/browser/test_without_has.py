"""Browsers without `:has` (Chrome before 105, Firefox before 121) show the same, thanks to js/has.js."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.browser.house import Guest, House
from tests.browser.moments import CHOUINE, FOUR_SAYS, SEVEN, TWENTY, Moment
from tests.browser.oldness import NO_HAS, lack
from tests.browser.test_space import seat_at
from tests.browser.visitor import DESKTOP, PATIENT, PHONE, Size, Visitor
from tests.patience import wait_until

SEEN = """() => {
  scrollTo(0, 0); // how far a click scrolls depends on what had come by then
  return [...document.querySelectorAll("body *")].filter(e => e.checkVisibility()).map(e => {
    const box = e.getBoundingClientRect(), style = getComputedStyle(e);
    const name = e.getAttribute("class")?.replace(/ ?has-\\d+/g, "");
    const place = [box.left, box.top, box.width, box.height];
    return [e.tagName, name, style.backgroundColor, style.borderColor, ...place].join(" ");
  });
}"""
NOTE_WHEN = """new MutationObserver((all) => {
  for (const { addedNodes } of all)
    for (const one of addedNodes) if (one.src?.includes("/has.js")) window.stoodIn = document.readyState;
}).observe(document, { subtree: true, childList: true });"""
STANDS_IN = """() => [...document.styleSheets]
  .some(sheet => [...sheet.cssRules].some(rule => rule.cssText.includes(".has-0")))"""
Act = Callable[[Page], object]


def without_has(visitor: Visitor) -> Visitor:
    visitor.context.add_init_script(NO_HAS)
    visitor.context.add_init_script(PATIENT)  # this process hands it the style sheets
    lack(visitor, {":has(": ":-unknown("})
    return visitor


def test_it_stands_in_once_all_of_a_page_is_there(house: House, visit: Visits) -> None:
    """A page may come slowly, and its style sheets after what stands in for what they ask."""
    visitor = without_has(visit(house))
    visitor.context.add_init_script(NOTE_WHEN)
    assert visitor.go("/settings").evaluate("stoodIn") == "interactive"


def same(visitors: tuple[Visitor, Visitor], address: str, act: Act) -> None:
    """The page at an address, after an act, has the same boxes and colours for both."""
    usual, old = visitors
    act(usual.go(address))
    page = old.go(address)
    page.wait_for_function(STANDS_IN)
    act(page)
    wait_until(f"{address} to look the same", lambda: page.evaluate(SEEN) == usual.page.evaluate(SEEN))


def both(house: House, visit: Visits, guest: Guest, size: Size) -> tuple[Visitor, Visitor]:
    """A browser with `:has` and one without, both with the device's fonts: ours may come too late for one of them."""
    usual, old = (visit(house, guest=guest, size=size, still=True, color_scheme="dark") for _ in range(2))
    for visitor in (usual, old):
        visitor.withhold_typeface()
    return usual, without_has(old)


@pytest.mark.parametrize("size", [PHONE, (740, 360), DESKTOP], ids=str)
@pytest.mark.parametrize(
    ("moment", "seat"),
    [(TWENTY, 0), (SEVEN, 1), (CHOUINE, 1), (FOUR_SAYS, 2)],
    ids=["offer", "exchange", "chouine", "four"],
)
def test_the_table(house: House, visit: Visits, moment: Moment, seat: int, size: Size) -> None:
    """Offers, the exchange and four seats take the same places."""
    guest, game = seat_at(house, moment, seat)

    def wait_for_hand(page: Page) -> None:
        expect(page.locator(".hand .card").first).to_be_visible()

    same(both(house, visit, guest, size), f"/table/{game}", wait_for_hand)


def test_what_is_chosen_is_marked(house: House, visit: Visits) -> None:
    """In the dark: the form of the rules is as short and has the same marks, and so has the score keeper's."""
    visitors = both(house, visit, house.guest("Anne"), PHONE)

    def choose(page: Page) -> None:
        page.locator("details.choose > summary").click()
        page.locator(".choice", has=page.locator("[value=three]")).click()
        page.locator("#move").select_option(index=1)

    begun = visitors[0].go("/marqueur")
    begun.locator("#name-1").fill("Basile")
    for value in ("start", "da", "th"):
        begun.locator(f"button[value={value}]").click()

    def keep(page: Page) -> None:
        page.locator(".counting summary").click()
        for letter, many in zip("ATKQJ", "22310", strict=True):
            page.locator(".tap", has=page.locator(f"[name=many-{letter}][value='{many}']")).click()

    same(visitors, "/", choose)
    same(visitors, "/marqueur", keep)
