"""Two browsers at one table, and connection problems between browser and server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from chouine.table import Phase
from chouine.table.entries import Acted, Spoke
from tests.browser.conftest import Visits
from tests.browser.house import Guest, House
from tests.browser.moments import LAVARDIN, OPENING, SEVEN
from tests.browser.player import OFFERS, WAITING_CARD, Player
from tests.browser.visitor import DESKTOP, PHONE, TAKEN, Visitor, reload
from tests.patience import wait_until


def test_a_match_by_link(house: House, visit: Visits, monkeypatch: pytest.MonkeyPatch) -> None:
    """One player sends a link, a friend of the same name joins, and both play to the end.

    Twenty cards in the middle are played directly in the database.
    """
    monkeypatch.setitem(
        OFFERS, "declare", ".offer:not([aria-label*='houine']) button"
    )  # a chouine would end without a count
    host = visit(house, language="fr", size=PHONE, still=True)
    friend = visit(house, language="en", size=DESKTOP, still=True)
    for visitor in (host, friend):
        hurry(visitor)
        visitor.expected = TAKEN
    page = host.go("/")
    way = page.locator("details", has=page.locator("input[value='friend']")).first
    way.locator("summary").click()
    way.get_by_role("textbox").fill("Hélène")
    page.evaluate("document.querySelector(\"details[open] input[name='format']\").value = '1x1'")
    way.locator("button.main").click()
    friend.page.goto(page.get_by_role("textbox").input_value())
    expect(friend.page.locator("h1")).to_contain_text("Hélène invites you")
    friend.page.get_by_role("textbox").fill("Hélène")
    friend.page.locator("button.main").click()
    page.wait_for_selector(".spread")
    players, game = [Player(page), Player(friend.page)], page.url.rpartition("/")[2]
    while house.room(game).phase is not Phase.PLAY:
        for player in players:
            player.step()
    house.play_on(game, 20)
    for player in players:
        player.page.reload()
    players[0].play_out(players[1])
    expect(page.locator("section.count h3")).to_have_text(["Vous", "Hélène 2"])
    expect(friend.page.locator("section.count h3")).to_have_text(["Hélène", "You"])


def hurry(visitor: Visitor) -> None:
    """Set tricks to be held half a second."""
    page = visitor.go("/settings?back=/")
    page.locator("#hold").select_option("0.5")
    page.locator("form.settings button").click()


def seat_anne(
    house: House, visit: Visits, played: str = "", other: Guest | str = "heuristic"
) -> tuple[str, Guest, Visitor]:
    """A table with the known deal where Anne leads, shown in her browser."""
    anne = house.guest("Anne")
    game = house.table([anne, other], deal=LAVARDIN, played=played)
    visitor = visit(house, guest=anne)
    visitor.go(f"/table/{game}")
    return game, anne, visitor


def test_a_storm_of_taps_plays_one_card(house: House, visit: Visits) -> None:
    game, _, anne = seat_anne(house, visit, other=house.guest("Basile"))
    anne.page.locator(WAITING_CARD).first.wait_for()
    anne.page.evaluate(
        """() => { for (let nth = 0; nth < 10; nth += 1)
                     for (const card of document.querySelectorAll(".hand .card")) card.click(); }"""
    )
    expect(anne.page.locator(".hand .card")).to_have_count(4)
    wait_until("the card to be received", lambda: house.cards(game))
    anne.page.wait_for_timeout(500)  # in which another would come
    assert len(house.cards(game)) == 1
    expect(anne.page.locator("#notice")).to_be_hidden()


TWO_TAPS = "taps => taps.map(tap => document.querySelector(tap)).forEach(button => button.click())"


def test_a_tap_while_another_is_on_its_way_is_sent_after_it(house: House, visit: Visits) -> None:
    """A tap during another request is sent after it; a double tap is sent once."""
    game, page = exchanging(house, visit)
    page.evaluate(TWO_TAPS, [".exchange", ".exchange", "button[value=hello]"])
    expect(page.locator(".me .bubble")).to_have_text("Bonjour !")
    expect(page.locator(".me .bubble")).to_be_visible()
    exchanged, said = house.log(game)[-2:]
    assert exchanged == Acted(1, "7x")
    assert said == Spoke(1, "hello")


def test_a_card_tapped_while_another_tap_is_on_its_way_stays_in_the_hand(house: House, visit: Visits) -> None:
    game, page = exchanging(house, visit)
    page.evaluate(TWO_TAPS, [".exchange", ".hand .card"])
    expect(page.locator(".exchanged")).to_be_visible()
    page.evaluate(TWO_TAPS, ["button[value=hello]"])
    expect(page.locator(".me .bubble")).to_be_visible()
    assert house.log(game)[-2:] == [Acted(1, "7x"), Spoke(1, "hello")]
    expect(page.locator(".hand .card")).to_have_count(5)


def exchanging(house: House, visit: Visits) -> tuple[str, Page]:
    """A table, and the page of a seat that may exchange the seven."""
    guest = house.guest("Irma")
    game = house.table([house.guest("Jules"), guest], deal=SEVEN.deal, played=SEVEN.played)
    page = visit(house, guest=guest).go(f"/table/{game}")
    page.locator(".exchange").wait_for()
    return game, page


def test_a_double_click_without_scripts(house: House, visit: Visits) -> None:
    game, guest, _ = seat_anne(house, visit, other=house.guest("Basile"))
    plain = visit(house, guest=guest, scripts=False)
    plain.expected = TAKEN  # the second click of a busy browser is on the next page
    page = plain.go(f"/table/{game}")
    page.locator(WAITING_CARD).first.dblclick(no_wait_after=True)
    expect(page.locator(".hand .card")).to_have_count(4)
    assert len(house.cards(game)) == 1


def test_the_back_button_plays_nothing_twice(house: House, visit: Visits) -> None:
    game, guest, _ = seat_anne(house, visit, other=house.guest("Basile"))
    plain = visit(house, guest=guest, scripts=False)
    plain.expected = r"^422 for POST"
    page = plain.go(f"/table/{game}")
    page.locator(WAITING_CARD).first.click()
    expect(page.locator(".hand .card")).to_have_count(4)
    page.go_back()
    ready = page.locator(WAITING_CARD)
    if ready.count():
        ready.last.click()
    expect(page.locator(".hand .card")).to_have_count(4)
    assert len(house.cards(game)) == 1


def test_two_tabs_of_one_seat(house: House, visit: Visits) -> None:
    """A card played in one tab appears in the other."""
    guest = house.guest("Basile")
    game, _, anne = seat_anne(house, visit, other=guest)
    second = anne.context.new_page()
    second.goto(f"{house.url}/table/{game}")
    anne.page.locator(WAITING_CARD).first.click()
    expect(second.locator(".trick .card")).to_have_count(1)
    expect(second.locator(".hand .card")).to_have_count(4)
    visit(house, guest=guest).go(f"/table/{game}").locator(WAITING_CARD).first.click()
    for page in (second, anne.page):
        expect(page.locator(".hand .card")).to_have_count(5)


def test_a_page_loaded_again_in_mid_trick(house: House, visit: Visits) -> None:
    game, _, anne = seat_anne(house, visit, other=house.guest("Basile"))
    anne.page.locator(WAITING_CARD).first.click()
    expect(anne.page.locator(".trick .card")).to_have_count(1)
    wait_until("the card to be received", lambda: house.cards(game))  # it is shown before it is sent
    anne.page.reload()
    expect(anne.page.locator(".trick .card")).to_have_count(1)
    expect(anne.page.locator(".hand .card")).to_have_count(4)


def test_offline_and_back(house: House, visit: Visits) -> None:
    """After a network failure the page catches up by itself."""
    game, _, anne = seat_anne(house, visit)
    anne.page.locator(WAITING_CARD).first.wait_for()
    anne.context.set_offline(True)  # Playwright's parameter
    anne.page.locator(WAITING_CARD).first.click()
    anne.page.wait_for_timeout(300)
    anne.context.set_offline(False)
    expect(anne.page.locator(".past .card")).to_have_count(2)
    expect(anne.page.locator(".hand.ready")).to_be_visible()
    assert len(house.cards(game)) >= 2


def test_another_device_by_the_seat_s_own_link(house: House, visit: Visits) -> None:
    """The seat's own link moves the hand to another device, and the first one no longer shows it."""
    game, _, anne = seat_anne(house, visit, other=house.guest("Basile"))
    page = anne.go(f"/table/{game}/links")
    page.locator("details.more").first.locator("summary").click()
    own = page.locator("details.more").first.get_by_role("textbox").input_value()
    anne.go(f"/table/{game}")
    expect(anne.page.locator(".hand .card")).to_have_count(5)
    phone = visit(house, language="fr")
    phone.page.goto(own)
    phone.page.locator("button.main").click()
    expect(phone.page.locator(".hand .card")).to_have_count(5)
    phone.page.locator(WAITING_CARD).first.click()
    expect(phone.page.locator(".hand .card")).to_have_count(4)
    reload(anne.page)
    expect(anne.page.locator(".hand .card")).to_have_count(0)


def test_a_spectator_sees_no_hand(house: House, visit: Visits) -> None:
    game, _, anne = seat_anne(house, visit, other=house.guest("Basile"), played=OPENING)
    watcher = visit(house, language="en", size=DESKTOP)
    page = watcher.go(f"/table/{game}")
    expect(page.locator(".backs .card")).to_have_count(9)
    expect(page.locator(".hand")).to_have_count(0)
    anne.page.locator(WAITING_CARD).first.click()
    expect(page.locator(".trick .card, .past .card")).to_have_count(2)
    assert faces(page) <= {"jd", "7d", "ts"} | faces_of(house, game)


def faces(page: Page) -> set[str]:
    return set(re.findall(r"#card-(\w\w)\b", page.content()))


def faces_of(house: House, game: str) -> set[str]:
    """The cards played at a table."""
    return {act[:2].lower() for act in house.cards(game)}
