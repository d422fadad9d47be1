"""A partie looked back on: the page fills in while one looks, and a mistake is played on from."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from chouine.server.reviews import Review, encode
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import CHOUINE, LAST_CARD
from tests.browser.tour import FOUND
from tests.browser.visitor import PHONE

COMPILED = 240_000
"""Milliseconds: where nothing is compiled yet, the first review waits for that."""


@pytest.mark.parametrize("scripts", [True, False])
def test_it_fills_in_by_itself(house: House, visit: Visits, *, scripts: bool) -> None:
    """With scripts the page changes where it differs, and stays; without them it is loaded again."""
    guest, other = house.guest("Agathe", "en"), house.guest("Basile")
    game = house.table([other, guest], deal=CHOUINE.deal, played=f"{CHOUINE.played} As+chs")
    page = visit(house, guest=guest, size=PHONE, scripts=scripts).go(f"/match/{game}")
    page.get_by_role("link", name="Review the whole match").click()
    page.locator(".parties a").first.click()
    expect(page).to_have_url(re.compile(r"/1/review"))
    if scripts:
        page.evaluate("window.stays = true")
    expect(page.locator(".of-luck")).to_be_visible(timeout=COMPILED)
    expect(page.locator("[data-stream]")).to_have_count(0)
    if scripts:
        assert page.evaluate("window.stays")


def test_a_mistake_is_played_on_from(house: House, visit: Visits) -> None:
    """One tap from the review; the table waits for the act that was a mistake."""
    guest, other = house.guest("Agathe", "fr"), house.guest("Basile")
    game = house.table([other, guest], deal=LAST_CARD.deal, played=f"{LAST_CARD.played} Tc")
    review = encode(Review(len(FOUND), dict(enumerate(FOUND))))
    house.do(lambda tables: tables.store.keep_review(game, 1, review))
    page = visit(house, guest=guest, size=PHONE).go(f"/match/{game}/1/review")
    expect(page.locator(".worst")).to_have_count(1)
    page.get_by_role("button", name=re.compile("Reprendre d'ici")).click()
    expect(page).to_have_url(re.compile("/table/"))
    expect(page.locator(".hand [data-card='ad']")).to_be_visible()
