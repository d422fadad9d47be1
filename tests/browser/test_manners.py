"""What a browser wishes is honoured: its language, less motion; what a player chooses is kept."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import SEVEN
from tests.browser.player import WAITING_CARD

AFTER_A_TAP = """() => addEventListener("click", () => setTimeout(() => {
  window.moved = document.getAnimations().some(one => one.effect.target.closest("[data-card]"));
}))"""


@pytest.mark.parametrize("scripts", [True, False])
def test_the_language_is_the_browser_s_until_chosen(house: House, visit: Visits, *, scripts: bool) -> None:
    for language, other, title in (("fr", "English", "Jouer"), ("en", "Français", "Play")):
        page = visit(house, language=language, scripts=scripts).go("/")
        expect(page.locator("form.at-once button.main")).to_contain_text(title)
        page.get_by_role("button", name=other).click()
        expect(page.locator("html")).to_have_attribute("lang", "en" if language == "fr" else "fr")
        page.goto(f"{house.url}/rules")
        expect(page.locator("html")).to_have_attribute("lang", "en" if language == "fr" else "fr")


def test_a_browser_of_neither_language_gets_french(house: House, visit: Visits) -> None:
    visitor = visit(house)
    visitor.context.set_extra_http_headers({"Accept-Language": "de"})
    expect(visitor.go("/").locator("html")).to_have_attribute("lang", "fr")


@pytest.mark.parametrize("still", [True, False])
def test_less_motion(house: House, visit: Visits, *, still: bool) -> None:
    """A browser that asks for no motion sees none; another sees the card glide."""
    guest = house.guest("Irma")
    game = house.table([house.guest("Jules"), guest], deal=SEVEN.deal, played=SEVEN.played)
    page = visit(house, guest=guest, still=still).go(f"/table/{game}")
    page.locator(WAITING_CARD).first.wait_for()
    assert moved_by_a_tap(page) == (not still)


def moved_by_a_tap(page: Page) -> bool:
    """Whether a card is on its way right after a tap."""
    page.evaluate(AFTER_A_TAP)
    page.locator(WAITING_CARD).first.click()
    page.wait_for_function("window.moved !== undefined")
    return bool(page.evaluate("window.moved"))


def test_a_hand_in_the_player_s_own_order(house: House, visit: Visits) -> None:
    """Shift and an arrow move a card; the order stays when the page is loaded again, until sorted."""
    guest = house.guest("Irma", "en")
    game = house.table([house.guest("Jules"), guest], deal=SEVEN.deal, played=SEVEN.played)
    page = visit(house, guest=guest).go(f"/table/{game}")
    cards = page.locator(".hand .card")
    sorted_hand = [card.get_attribute("data-card") for card in cards.all()]
    cards.first.focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(cards.nth(1)).to_have_attribute("data-card", sorted_hand[0] or "")
    page.reload()
    expect(cards.nth(1)).to_have_attribute("data-card", sorted_hand[0] or "")
    page.locator("[data-sort]").click()
    expect(cards.first).to_have_attribute("data-card", sorted_hand[0] or "")
