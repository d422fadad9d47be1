"""Learning on a phone: found on the first page at once, and what is told is on one screen with one's cards."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from chouine.server.pages.visit import Language
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.visitor import PHONE

COURSE = ("7x", "8c", "Jc", "Kc+20c", "8h", "7h", "Qh")
"""What a learner does first in the guided partie: the exchange, a mariage, cards thrown away."""


def in_sight(target: Locator) -> bool:
    """Whether all of it is on the screen as the page opens."""
    box = target.bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= PHONE[1]


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_first_partie_is_begun_and_played_without_scrolling(
    house: House, visit: Visits, language: Language
) -> None:
    page = visit(house, guest=house.guest("Anne", language), language=language, still=True).go("/")
    first = page.locator("a[href='/learn/partie']")
    assert in_sight(first)
    first.click()
    for act in COURSE:
        hand = page.locator(".hand button")
        expect(hand.first).to_be_visible()
        assert in_sight(page.locator("fieldset.hand")), act
        assert in_sight(page.locator(".notes")), act
        page.locator(f".guide button[value='{act}']").click()
        expect(page.locator(".happened")).to_be_visible()
