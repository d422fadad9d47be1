"""Help at the table, as a newcomer uses it: explanations, and moves taken back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import TWENTY
from tests.browser.visitor import Size


def test_an_act_is_taken_back(house: House, visit: Visits) -> None:
    """Taking back restores the state before the card, without the computer's answer, and another card can be played."""
    guest = house.guest("Anne")
    game = house.table([guest, "heuristic"], TWENTY.rules, "1x1", TWENTY.deal, TWENTY.played)
    page = visit(house, guest=guest).go(f"/table/{game}")
    hand = page.locator(".hand.ready .card")
    expect(hand).to_have_count(5)
    before = house.room(game).state
    page.locator("#card-7s").click()
    expect(page.locator("#card-7s")).to_have_count(0)
    expect(hand).to_have_count(5)  # the computer has answered, so that targets no longer move
    page.locator("#help > summary").click()
    page.locator("form[action*='/take-back'] button").click()
    expect(page.locator(".hand.ready #card-7s")).to_have_count(1)
    assert house.room(game).state == before
    expect(page.locator(".me .tag", has_text="avec aide")).to_be_visible()
    page.locator("#card-js").click()
    expect(page.locator("#card-js")).to_have_count(0)


def test_the_play_is_explained_as_it_goes(house: House, visit: Visits) -> None:
    guest = house.guest("Anne")
    game = house.table([guest, "heuristic"], TWENTY.rules, "1x1", TWENTY.deal, TWENTY.played)
    visitor = visit(house, guest=guest)
    page = visitor.go(f"/table/{game}")
    page.locator("#help > summary").click()
    page.locator("form[action*='/explain'] button").click()
    expect(page.locator(".explained")).to_contain_text("répondez ce que vous voulez")
    page.locator(".offer button").first.click()
    expect(page.locator("#live")).to_contain_text("Mariage d’atout")
    expect(page.locator(".explained")).to_contain_text("20 × 2 = 40 points")
    expect(page.locator(".explained")).to_contain_text("Vous faites le pli")
    page.locator(".explained a", has_text="atout").first.click()
    expect(page).to_have_url(re.compile("/rules"))
    page.go_back()
    expect(page.locator(".explained")).to_be_visible()


def test_a_card_tapped_while_help_is_asked_for_is_played(house: House, visit: Visits) -> None:
    """The answer to the help is slow; the tap of an announcement that came meanwhile is not lost."""
    guest = house.guest("Anne")
    game = house.table([guest, "heuristic"], TWENTY.rules, "1x1", TWENTY.deal, TWENTY.played)
    page = visit(house, guest=guest).go(f"/table/{game}")
    asked = list[Route]()

    def hold(route: Route) -> None:
        asked.append(route)

    page.route("**/explain", hold)
    page.locator("#help > summary").click()
    page.locator("form[action*='/explain'] button").click()
    page.locator(".offer button").first.click()
    page.wait_for_timeout(100)
    (first,) = asked
    first.continue_()
    expect(page.locator(".explained")).to_contain_text("Mariage d’atout")


ARROW = """() => {
  const card = document.querySelector('.hand .advised'), style = getComputedStyle(card, '::before');
  const top = card.getBoundingClientRect().bottom - parseFloat(style.bottom) - parseFloat(style.height);
  return top - document.querySelector('#prompt').getBoundingClientRect().bottom;
}"""
"""The distance of the arrow of advice from the line above, in pixels."""


@pytest.mark.parametrize("size", [(360, 740), (768, 1024)])
def test_help_is_not_covered_and_covers_nothing(house: House, visit: Visits, size: Size) -> None:
    """The arrow of advice leaves "your turn" free, and one's own shown figure leaves the explanation free."""
    guest = house.guest("Anne")
    game = house.table([guest, "heuristic"], TWENTY.rules, "1x1", TWENTY.deal, TWENTY.played)
    page = visit(house, guest=guest, size=size).go(f"/table/{game}")
    page.locator("#help > summary").click()
    for _ in range(2):
        page.locator("form[action*='/advice'] button").click()
        expect(page.locator(".advice")).to_be_visible()
    expect(page.locator(".hand .advised")).to_have_count(1)
    assert page.evaluate(ARROW) >= 0
    page.locator("form[action*='/explain'] button").click()
    page.locator(".offer button").first.click()
    expect(page.locator(".explained")).to_contain_text("Mariage d’atout")
    expect(page.locator(".me .speech")).to_be_hidden()
