"""Several players on one device: nobody sees another's hand."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from chouine.server.pages.visit import Settings
from chouine.table import Phase
from chouine.table.entries import Cut, Picked
from tests.browser.conftest import Visits
from tests.browser.house import House, ended_by_chouine
from tests.browser.moments import AU_SEPT, LAVARDIN, SEVEN_KEPT
from tests.browser.player import Player
from tests.browser.visitor import prolong_motion, reload

TABLET = (768, 1024)


@pytest.mark.parametrize("scripts", [True, False])
def test_the_curtain_between_turns(house: House, visit: Visits, *, scripts: bool) -> None:
    """§14: the hand is covered when the turn changes, and shown only on demand."""
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


TURNED = """() => {
  const [hand, others] = [".hand", ".others"].map(each => document.querySelector(each).getBoundingClientRect());
  return hand.top < others.top;
}"""


def test_face_to_face(house: House, visit: Visits) -> None:
    """On a tablet the table turns towards the player on turn, who uncovers the hand."""
    both = house.guest("Odile", settings=Settings(hold=0.5, across=True))
    game = house.table([both, both], deal=LAVARDIN)
    page = visit(house, guest=both, size=TABLET).go(f"/table/{game}")
    for card, turned in (("Qs", False), ("7c", True), ("8c", False), ("Kh", True)):
        expect(page.locator(".board.across")).to_have_count(int(turned))
        expect(page.locator(".hand")).to_have_count(0)
        expect(page.locator(".curtain p")).to_contain_text("à vous")
        page.locator(".curtain a.button").first.click()
        expect(page.locator(".hand.ready .card")).to_have_count(5)
        assert page.evaluate(TURNED) == turned
        page.locator(f".hand.ready .card[value='{card}']").click()
        expect(page.locator(".curtain")).to_be_visible()


LANDED = """() => {
  const card = document.querySelector(".leaving"), [way] = card.getAnimations();
  way.finish();
  const [there, here] = [document.querySelector(".landing"), card].map(e => e.getBoundingClientRect());
  return Math.hypot(here.x - there.x, here.y - there.y, here.right - there.right, here.bottom - there.bottom);
}"""


def test_cards_move_on_a_table_that_is_turned(house: House, visit: Visits) -> None:
    """On a turned table a tapped card lands at its place in the trick, and a dragged one follows the pointer."""
    both = house.guest("Odile", settings=Settings(hold=0.5, across=True))
    game = house.table([both, both], deal=LAVARDIN, played="Qs")
    page = visit(house, guest=both, size=TABLET).go(f"/table/{game}?as=1")
    cards = page.locator(".hand.ready .card")
    page.locator("html.js").wait_for()
    moved, second = (cards.nth(nth).get_attribute("data-card") for nth in (0, 1))
    box = cards.first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] - 20, box["y"] + 50, steps=4)
    page.mouse.up()
    expect(cards.first).to_have_attribute("data-card", second or "")
    expect(cards.nth(1)).to_have_attribute("data-card", moved or "")
    page.reload()  # a new page: the end of the drag must not count as a tap
    page.locator("html.js").wait_for()
    prolong_motion(page)
    page.route("**/act?as=1", lambda _: None)
    cards.first.click()
    page.locator(".leaving").wait_for()
    assert page.evaluate(LANDED) < 30  # cards of a trick are slightly rotated


def test_a_whole_partie_on_one_device(house: House, visit: Visits) -> None:
    """From the tirage to the count; twenty cards in the middle are played directly in the database."""
    both = house.guest("Odile")
    game = house.table([both, both], terms="1x1")
    page = visit(house, guest=both, scripts=False).go(f"/table/{game}")
    player = Player(page, scripts=False)
    while house.room(game).phase is not Phase.PLAY:
        player.step()
    house.play_on(game, 20)
    reload(page)
    player.play_out()
    # by the log: on a busy machine an act is done though the tap was given up
    room, acts = house.room(game), [type(entry) for entry in house.log(game)]
    assert acts.count(Picked) >= 2
    assert acts.count(Cut) == len(room.played)  # more than one after a nulle
    assert len(house.cards(game)) == 32 * len(room.played) or ended_by_chouine(room)


def test_a_curtain_is_lifted_by_hand_only(house: House, visit: Visits) -> None:
    """§14: after a pass of "au sept" the leader's hand stays covered until uncovered by hand (§11)."""
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
    """§14: with three seats the leader's hand stays covered after another seat's cut (§2)."""
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
