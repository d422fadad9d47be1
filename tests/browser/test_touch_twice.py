"""Touch twice: the first touch of a card chooses it, the second plays it; by finger, mouse and keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from chouine.server.pages.visit import Settings
from chouine.table.entries import Acted
from tests.browser.conftest import Opens, Visits
from tests.browser.engines import OTHERS
from tests.browser.house import House
from tests.browser.moments import AFTER_TALON, LAVARDIN
from tests.browser.player import WAITING_CARD
from tests.browser.visitor import PHONE
from tests.patience import wait_until

STEADY = 400
"""Milliseconds after which another touch of a card is a second one."""


def table(house: House, visit: Visits, settings: Settings) -> Page:
    guest = house.guest("Rose", settings=settings)
    game = house.table([guest, house.guest("Sylvain")], deal=LAVARDIN)
    page = visit(house, guest=guest, size=PHONE).go(f"/table/{game}")
    page.locator(WAITING_CARD).first.wait_for()
    return page


def cards_in_trick(page: Page) -> int:
    return page.locator(".trick .card").count()


@pytest.mark.parametrize("way", ["tap", "click", "press"])
def test_the_second_touch_plays(house: House, visit: Visits, way: str) -> None:
    page = table(house, visit, Settings(touch="twice"))
    first, second = page.locator(WAITING_CARD).nth(0), page.locator(WAITING_CARD).nth(1)

    def touch(card: object) -> None:
        assert isinstance(card, type(first))
        if way == "press":
            card.press("Enter")
        else:
            getattr(card, way)()

    turn = page.locator("#prompt").inner_text()
    touch(first)
    expect(page.locator(".hand .chosen")).to_have_count(1)
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#prompt")).to_have_text("Touchez-la encore pour la jouer.")
    expect(page.locator("#live")).to_contain_text("Touchez-la encore pour la jouer.")
    page.keyboard.press("Escape")
    expect(page.locator(".hand .chosen")).to_have_count(0)
    assert page.locator("#prompt").inner_text() == turn
    touch(first)
    touch(second)
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".hand .chosen")).to_have_count(1)
    assert cards_in_trick(page) == 0
    name = second.get_attribute("data-card")
    page.wait_for_timeout(STEADY)
    touch(second)
    expect(page.locator(f".trick [data-card='{name}']")).to_have_count(1)


TREMBLE = """(card, busy) => {
  const [one, other] = [0, 0].map(() => new MouseEvent("click", {bubbles: true, cancelable: true}));
  card.dispatchEvent(one);
  for (const until = performance.now() + busy; performance.now() < until;);
  card.dispatchEvent(other);
}"""
"""Two touches at once, of which a busy page hears the second so many milliseconds later."""


@pytest.mark.parametrize("busy", [0, 2 * STEADY])
def test_a_trembling_finger_touches_once(house: House, visit: Visits, busy: int) -> None:
    """Also where a slow phone is long busy with the first touch."""
    page = table(house, visit, Settings(touch="twice"))
    page.locator(WAITING_CARD).first.evaluate(TREMBLE, busy)
    expect(page.locator(".hand .chosen")).to_have_count(1)
    page.wait_for_timeout(STEADY)
    assert cards_in_trick(page) == 0


def test_a_card_that_the_rules_bar_is_refused_at_once(house: House, visit: Visits) -> None:
    """It cannot be chosen, and one reads why instead of an invitation to touch it again."""
    guest = house.guest("Rose", settings=Settings(touch="twice"))
    game = house.table([house.guest("Sylvain"), guest], deal=AFTER_TALON.deal, played=AFTER_TALON.played)
    visitor = visit(house, guest=guest, size=PHONE)
    visitor.expected = "^422 for "
    page = visitor.go(f"/table/{game}")
    page.locator(".hand .card.barred").first.click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator(".hand .chosen")).to_have_count(0)


@pytest.mark.parametrize(
    ("settings", "touches"),
    [(Settings(), 1), (Settings(large=True), 2), (Settings(large=True, touch="once"), 1)],
    ids=["usual", "larger", "larger-once"],
)
def test_how_many_touches_play(house: House, visit: Visits, settings: Settings, touches: int) -> None:
    page = table(house, visit, settings)
    card = page.locator(WAITING_CARD).first
    for nth in range(touches):
        assert cards_in_trick(page) == 0
        if nth:
            page.wait_for_timeout(STEADY)
        card.click()
    expect(page.locator(".trick [data-place='0'] .card")).to_have_count(1)


@pytest.mark.parametrize("engine", OTHERS)
def test_in_other_engines(house: House, open_in: Opens, engine: str) -> None:
    guest = house.guest("Rose", settings=Settings(large=True))
    game = house.table([guest, house.guest("Sylvain")], deal=LAVARDIN)
    page = open_in(engine, house, f"/table/{game}", guest, PHONE)
    page.locator(WAITING_CARD).first.click()
    page.wait_for_function("() => document.querySelector('.hand .chosen[aria-pressed=true]') !== null")
    assert not isinstance(house.log(game)[-1], Acted)
    page.wait_for_timeout(STEADY)
    page.locator(".hand .chosen").first.click()
    page.wait_for_function("() => document.querySelector('.trick .card') !== null")
    wait_until("the card to be laid", lambda: isinstance(house.log(game)[-1], Acted))
