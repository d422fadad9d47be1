"""Several players of one device: nobody sees a hand that is not theirs."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.house import House, ended_by_chouine
from tests.browser.moments import AU_SEPT, LAVARDIN, SEVEN_KEPT
from tests.browser.player import Player


@pytest.mark.parametrize("scripts", [True, False])
def test_the_curtain_between_turns(house: House, visit: Visits, *, scripts: bool) -> None:
    """§14: the hand goes as soon as it is the other's turn; it comes only when asked for."""
    both = house.guest("Odile")
    game = house.table([both, both], deal=LAVARDIN)
    page = visit(house, guest=both, scripts=scripts).go(f"/table/{game}")
    expect(page.locator(".hand")).to_have_count(0)
    for card in ("Qs", "7c", "8c", "Kh"):
        page.locator(".curtain a.button").first.click()
        expect(page.locator(".hand .card")).to_have_count(5)
        page.locator(f".hand.ready .card[value='{card}']").click()
        expect(page.locator(".curtain")).to_be_visible()
        expect(page.locator(".hand")).to_have_count(0)


def test_a_whole_partie_on_one_device(house: House, visit: Visits) -> None:
    both = house.guest("Odile")
    game = house.table([both, both], terms="1x1")
    page = visit(house, guest=both, scripts=False).go(f"/table/{game}")
    asked = Player(page, scripts=False).play_out()
    assert asked.count("pick") >= 2
    room = house.room(game)
    assert asked.count("cut") == len(room.played)  # more than one after a nulle
    assert len(house.cards(game)) == 32 * len(room.played) or ended_by_chouine(room)


def test_a_curtain_is_lifted_by_hand_only(house: House, visit: Visits) -> None:
    """§14: who lets "au sept" pass has the device, and the leader's hand waits until the leader does (§11)."""
    both = house.guest("Odile")
    game = house.table([both, both], deal=SEVEN_KEPT, played=AU_SEPT.played)
    page = visit(house, guest=both).go(f"/table/{game}?as=0")
    expect(page.locator(".curtain")).to_be_visible()
    page.locator(".au-sept form[action*='/pass'] button").click()
    expect(page.locator(".au-sept")).to_have_count(0)
    expect(page.locator(".curtain a.button")).to_contain_text("Odile")
    page.wait_for_timeout(1000)
    expect(page.locator(".hand")).to_have_count(0)
    page.locator(".curtain a.button").first.click()
    expect(page.locator(".hand .card")).to_have_count(5)


def test_who_cuts_sees_nobodys_hand(house: House, visit: Visits) -> None:
    """§14: with three seats the leader's hand does not come with the cut, which is another's (§2)."""
    both = house.guest("Odile")
    game = house.table([both, both, both], rules="three")
    page = visit(house, guest=both).go(f"/table/{game}")
    for place in (1, 2, 3):
        page.locator(".fan button").nth(place).click()
        expect(page.locator(".fan .taken")).to_have_count(place if place < 3 else 0)
        if place == 3:
            break
    Player(page).play_until("form[action*='/cut'] button")  # equal cards are drawn again (§2)
    leader = (house.room(game).dealer + 1) % 3
    page.goto(f"{house.url}/table/{game}?as={leader}")
    page.locator("form[action*='/cut'] button").first.click()
    expect(page.locator(".curtain")).to_be_visible()
    expect(page.locator(".hand")).to_have_count(0)
    hand = house.room(game).state
    assert hand is not None
    assert "Votre main" not in page.content()
