"""Several players of one device: nobody sees a hand that is not theirs."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import LAVARDIN
from tests.browser.player import Player


@pytest.mark.parametrize("scripts", [True, False])
def test_the_curtain_between_turns(house: House, visit: Visits, *, scripts: bool) -> None:
    """§14: the hand goes as soon as it is the other's turn; it comes only when asked for."""
    both = house.guest("Odile")
    game = house.table([both, both], deal=LAVARDIN)
    page = visit(house, guest=both, scripts=scripts).go(f"/table/{game}")
    expect(page.locator(".hand")).to_have_count(0)
    for left in (5, 5, 5, 5):
        page.locator(".curtain a.button").first.click()
        expect(page.locator(".hand .card")).to_have_count(left)
        page.locator(".hand.ready .card:not(.barred)").first.click()
        expect(page.locator(".curtain")).to_be_visible()
        expect(page.locator(".hand")).to_have_count(0)


def test_a_whole_partie_on_one_device(house: House, visit: Visits) -> None:
    both = house.guest("Odile")
    game = house.table([both, both], terms="1x1")
    page = visit(house, guest=both, scripts=False).go(f"/table/{game}")
    asked = Player(page, scripts=False).play_out()
    assert asked.count("pick") >= 2
    assert asked.count("cut") == 1
    assert len(house.cards(game)) == 32
