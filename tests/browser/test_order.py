"""What the server's keeper tells everybody appears at an open table, without a reload."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from chouine.server.notice_board import announce
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import TWENTY
from tests.browser.visitor import DESKTOP, PHONE, Size, reload
from tests.patience import wait_until

BOXES = """parts => parts.map(part => {
  const {top, bottom} = document.querySelector(part).getBoundingClientRect();
  return [top + scrollY, bottom + scrollY];
})"""


def test_a_banner_and_maintenance_appear_at_an_open_table(own_house: House, visit: Visits) -> None:
    """A banner can be closed; another one opens it again. During maintenance the clocks' numbers stand still."""
    own_house.start()
    guest, friend = own_house.guest("Anne", "en"), own_house.guest("Basile")
    game = own_house.table([guest, friend], deal=TWENTY.deal, played=TWENTY.played)
    visitor = visit(own_house, guest=guest, language="en")
    visitor.expected = r"^422 for "
    page = visitor.go(f"/table/{game}")
    banner = page.locator("#site-banner")
    expect(banner).to_be_hidden()
    own_house.do(lambda tables: announce(tables.store, fr="Bonjour.", en="Hello all.", until=2e9))
    expect(banner).to_have_text("Hello all.")
    page.locator("#close-banners").click()
    expect(banner).to_be_hidden()
    own_house.do(lambda tables: announce(tables.store, until=0.0, begins=1.0, ends=2e9))
    expect(banner).to_have_text(re.compile("^Maintenance until"))
    expect(banner).to_have_attribute("data-rests", "")
    page.locator(".hand .card").first.click()
    expect(page.locator("#notice")).to_contain_text("rests for maintenance")
    own_house.do(lambda tables: announce(tables.store, ends=0.0))
    expect(banner).to_be_hidden()
    expect(page.locator("[data-rests]")).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_without_scripts_a_banner_covers_nothing(own_house: House, visit: Visits, size: Size) -> None:
    """It cannot be closed there: it stands between the bar and the table."""
    own_house.start()
    guest, friend = own_house.guest("Anne"), own_house.guest("Basile")
    game = own_house.table([guest, friend], deal=TWENTY.deal, played=TWENTY.played)
    own_house.do(
        lambda tables: announce(tables.store, fr="Ce soir, un tournoi. " * 8, en="Tonight.", until=2e9)
    )
    page = visit(own_house, guest=guest, size=size, scripts=False).go(f"/table/{game}")

    def banner_stands() -> bool:
        reload(page)
        return page.locator("#site-banner").is_visible()

    wait_until("the banner", banner_stands)
    bar, banner, board = page.evaluate(BOXES, [".bar", "#site-banners", ".board"])
    assert bar[1] <= banner[0]
    assert banner[1] <= board[0]
