"""The system's few colours (high contrast): all that colours and shadows tell is told by borders."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from chouine.server.pages.visit import Settings
from tests.browser.conftest import Visits
from tests.browser.house import Guest, House
from tests.browser.moments import AU_SEPT, CHOUINE, LAST_CARD, TWENTY, Moment
from tests.browser.player import HELD
from tests.browser.visitor import PHONE, Visitor

STYLE = "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]"
BORDERS = """selector => [...document.querySelectorAll(selector)].filter(e => e.checkVisibility())
  .filter(e => !parseFloat(getComputedStyle(e).borderTopWidth)).map(e => e.outerHTML.slice(0, 80))"""
BOUNDED = (
    ".bar button, .bar a, main button:not(.card), .button, select, input[type=text], .panel, .saying, .banner"
)
"""What must have an edge, since its background has the colour of the page."""


def style(page: Page, selector: str, name: str) -> str:
    value: str = page.evaluate(STYLE, [selector, name])
    return value


@pytest.fixture
def anne(house: House) -> Guest:
    return house.guest("Anne", settings=Settings(hold=HELD))


@pytest.fixture
def visitor(house: House, visit: Visits, anne: Guest) -> Visitor:
    return visit(house, guest=anne, size=PHONE, still=True, forced_colors="active")


def go_to_table(house: House, visitor: Visitor, anne: Guest, moment: Moment, played: str = "") -> Page:
    """A table at a moment, or after some more acts, with Anne at the seat that may act then."""
    basile = house.guest("Basile")
    holders = [anne, basile] if moment.seat == 0 else [basile, anne]
    return visitor.go(f"/table/{house.table(holders, deal=moment.deal, played=f'{moment.played} {played}')}")


def test_buttons_and_panels_have_edges(house: House, visitor: Visitor) -> None:
    faults = {}
    for address in ("/", "/settings", "/marqueur", "/learn/points/3", "/device", "/rules?section=9"):
        page = visitor.go(address)
        if found := page.evaluate(BORDERS, BOUNDED):
            faults[address] = found
    assert faults == {}


def test_what_the_table_tells_by_colour_is_told_by_edges(house: House, visitor: Visitor, anne: Guest) -> None:
    """Offers, panels, the time left for "au sept", the card that takes, who has won."""
    page = go_to_table(house, visitor, anne, CHOUINE)
    page.locator("#status > summary").click()
    assert page.evaluate(BORDERS, BOUNDED) == []
    page = go_to_table(house, visitor, anne, AU_SEPT)
    assert style(page, ".window", "backgroundColor") != style(page, ".banner", "backgroundColor")
    page = go_to_table(house, visitor, anne, TWENTY)
    page.locator(".hand.ready .card").last.click()
    expect(page.locator(".trick .takes")).to_have_count(1)
    assert style(page, ".trick .takes .face", "outlineStyle") == "solid"
    assert style(page, ".trick li:not(.takes) .face", "outlineStyle") == "none"
    page = go_to_table(house, visitor, anne, LAST_CARD, "Tc")
    expect(page.locator(".counts .won")).to_have_count(1)
    assert style(page, ".counts .won", "borderTopStyle") == "double"
    assert style(page, ".counts .count:not(.won)", "borderTopStyle") == "solid"


def test_the_pack_to_be_cut_and_its_knife_are_seen(house: House, visitor: Visitor, anne: Guest) -> None:
    """They are drawn by their backgrounds, which other elements lose."""
    game = house.table([anne, house.guest("Basile")])
    house.pick_cards(game)
    page = visitor.go(f"/table/{game}")
    expect(page.locator(".pack-edge")).to_be_visible()
    assert "gradient" in style(page, ".pack-edge", "backgroundImage")


def test_what_is_chosen_is_seen(visitor: Visitor) -> None:
    """In the score keeper, whose boxes are hidden, and in the settings."""
    page = visitor.go("/marqueur")
    page.locator("button[value=start]").click()
    page.locator("button[value=da]").click()
    page.locator("button[value=th]").click()
    page.locator(".counting summary").click()
    tap = page.locator(".tap:has([name=der])").first
    before = tap.evaluate("e => getComputedStyle(e).backgroundColor")
    tap.click()
    assert tap.evaluate("e => getComputedStyle(e).backgroundColor") != before
    page = visitor.go("/settings")
    assert style(page, ".choice:has(:checked)", "borderTopWidth") == "3px"
    assert style(page, ".looks .swatch", "backgroundImage") != "none"
