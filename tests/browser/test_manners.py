"""The browser's preferences for language and motion are respected, and a player's settings are kept."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from chouine.notation.display import arrange
from chouine.server.pages.visit import PACES, Settings
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import LAST_CARD, SEVEN
from tests.browser.player import HELD, WAITING_CARD, take_trick
from tests.browser.visitor import prolong_motion

WHOLE = "document.querySelector('#prompt').scrollWidth <= document.querySelector('#prompt').clientWidth"
AFTER_A_TAP = """() => addEventListener("click", () => setTimeout(() => {
  window.moved = document.getAnimations().some(one => one.effect.target.closest("[data-card]"));
}))"""


@pytest.mark.parametrize("scripts", [True, False])
def test_the_language_is_the_browser_s_until_chosen(house: House, visit: Visits, *, scripts: bool) -> None:
    for language, other, title in (("fr", "English", "Jouer"), ("en", "Français", "Play")):
        page = visit(house, language=language, scripts=scripts).go("/")
        expect(page.locator("form.at-once button.huge")).to_contain_text(title)
        page.get_by_role("button", name=other).click()
        expect(page.locator("html")).to_have_attribute("lang", "en" if language == "fr" else "fr")
        page.goto(f"{house.url}/rules")
        expect(page.locator("html")).to_have_attribute("lang", "en" if language == "fr" else "fr")


def test_a_browser_of_neither_language_gets_french(house: House, visit: Visits) -> None:
    visitor = visit(house)
    visitor.context.set_extra_http_headers({"Accept-Language": "eo"})
    expect(visitor.go("/").locator("html")).to_have_attribute("lang", "fr")


@pytest.mark.parametrize("still", [True, False])
def test_less_motion(house: House, visit: Visits, *, still: bool) -> None:
    """A tapped card moves, unless the browser prefers reduced motion."""
    guest = house.guest("Irma")
    game = house.table([house.guest("Jules"), guest], deal=SEVEN.deal, played=SEVEN.played)
    page = visit(house, guest=guest, still=still).go(f"/table/{game}")
    page.locator(WAITING_CARD).first.wait_for()
    assert moved_by_a_tap(page) == (not still)


def moved_by_a_tap(page: Page) -> bool:
    """Whether a card is animated right after a tap; for minutes, since a busy page looks late."""
    prolong_motion(page)
    page.evaluate(AFTER_A_TAP)
    page.locator(WAITING_CARD).first.click()
    page.wait_for_function("() => window.moved !== undefined")
    return bool(page.evaluate("window.moved"))


def test_a_hand_in_the_player_s_own_order(house: House, visit: Visits) -> None:
    """Shift and an arrow key move a card; the order survives a reload and ends with sorting."""
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


LYING = """() => !document.getAnimations().some(one => one.effect.target.closest(".hand, .flyer"))"""
PLACES = """() => Object.fromEntries([...document.querySelectorAll(".hand .card")]
  .map(card => [card.dataset.card, Math.round(card.getBoundingClientRect().left)]))"""


@pytest.mark.parametrize("still", [True, False])
def test_cards_keep_their_places(house: House, visit: Visits, *, still: bool) -> None:
    """Playing or drawing moves no other card: the card drawn takes the place of the one played."""
    guest = house.guest("Irma", hold=HELD)
    game = house.table([house.guest("Jules"), guest], deal=SEVEN.deal, played=SEVEN.played)
    page = visit(house, guest=guest, still=still).go(f"/table/{game}")
    expect(page.locator(".hand.ready .card")).to_have_count(5)
    before = page.evaluate(PLACES)
    laid = page.locator(".hand .card").nth(1).get_attribute("data-card")
    page.locator(".hand .card").nth(1).click()
    expect(page.locator(".hand .card")).to_have_count(4)
    left = before.pop(laid)
    assert page.evaluate(PLACES) == before
    take_trick(page)
    expect(page.locator(".hand .card")).to_have_count(5)
    page.wait_for_function(LYING)
    after = page.evaluate(PLACES)
    assert before.items() < after.items()
    assert left in after.values()
    page.reload()
    assert page.evaluate(PLACES) == after


def test_a_hand_sorted_at_each_draw(house: House, visit: Visits) -> None:
    """With the setting for it, the hand is sorted after each draw."""
    guest = house.guest("Irma", settings=Settings(hold=0.5, sorted=True))
    game = house.table([house.guest("Jules"), guest], deal=SEVEN.deal, played=SEVEN.played)
    page = visit(house, guest=guest).go(f"/table/{game}")
    page.locator(".hand .card").nth(1).click()
    expect(page.locator(".past .card")).to_have_count(2)
    state = house.room(game).state
    assert state is not None
    expect(page.locator(".hand .card")).to_have_count(5)
    shown = [card.get_attribute("data-card") for card in page.locator(".hand .card").all()]
    assert shown == [str(card).lower() for card in arrange(state.view(1).hand)]


def test_the_focus_goes_back_to_what_opened_a_panel(house: House, visit: Visits) -> None:
    """Closing a panel by a phrase or Escape returns the focus to its button; focus elsewhere closes the panel."""
    guest = house.guest("Irma")
    game = house.table([guest, house.guest("Jules")], deal=SEVEN.deal)
    page = visit(house, guest=guest).go(f"/table/{game}")
    menu = page.locator(".menu > summary")
    for key in ("Enter", "Escape"):
        menu.press("Enter")
        page.locator(".speak button").first.press(key)
        expect(page.locator(".menu[open]")).to_have_count(0)
        expect(menu).to_be_focused()
    menu.press("Enter")
    page.locator(".hand .card").first.focus()
    expect(page.locator(".menu[open]")).to_have_count(0)
    expect(page.locator(".hand .card").first).to_be_focused()


def test_whoever_sets_a_table_chooses_how_fast_it_goes(house: House, visit: Visits) -> None:
    """The settings determine how long "au sept" stays open (§11) and the computers' delay."""
    page = visit(house).go("/settings?back=/")
    page.locator("#window").select_option("30.0")
    page.locator("#pace").select_option("calm")
    page.locator("form.settings button").click()
    page.locator("form.at-once button.huge").click()
    page.wait_for_url("**/table/*")
    opened = house.room(page.url.rpartition("/")[2]).opened
    assert (opened.window, opened.pace) == (30, PACES["calm"].computers)
    assert float(page.locator("#table").get_attribute("data-hold") or 0) == PACES["calm"].hold


def test_a_cloth_and_a_back_of_one_s_own(house: House, visit: Visits) -> None:
    """The chosen cloth and card back appear at the table, also after a reload."""
    guest = house.guest("Irma")
    game = house.table([guest, house.guest("Jules")], deal=SEVEN.deal)
    page = visit(house, guest=guest).go(f"/settings?back=/table/{game}")
    page.locator("input[name=felt][value=wine]").check()
    page.locator("input[name=backs][value=vines]").check()
    page.locator("form.settings button.huge").click()
    for _ in range(2):
        expect(page.locator(".talon .pack")).to_be_visible()
        look = "name => getComputedStyle(document.querySelector('.talon .pack')).getPropertyValue(name)"
        names = ("--felt", "--deck-vines", "--deck-keep")
        assert [page.evaluate(look, name) for name in names] == ["#64222f", "inline", "none"]
        page.reload()


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("large", [False, True])
def test_what_ends_a_hold_is_told(house: House, visit: Visits, *, large: bool, late: bool) -> None:
    """While a trick is held the prompt says in full that a tap continues, and a tap does.

    Also in large text, and before the typeface has come.
    """
    guest = house.guest("Irma", settings=Settings(hold=HELD, large=large, touch="once"))
    game = house.table([house.guest("Jules"), guest], deal=SEVEN.deal, played=SEVEN.played)
    visitor = visit(house, guest=guest)
    if late:
        visitor.withhold_typeface()
    page = visitor.go(f"/table/{game}")
    with page.expect_response("**/act"):  # a card tapped before would stay in the hand
        page.locator(".offers .exchange").click()
    expect(page.locator(".sort")).to_be_visible()
    expect(page.locator("#prompt")).to_have_text("À vous de jouer")
    assert page.evaluate(WHOLE)
    page.locator(WAITING_CARD).first.click()
    expect(page.locator("#prompt")).to_have_text("Touchez pour continuer")
    assert page.evaluate(WHOLE)
    take_trick(page)
    expect(page.locator(".past .card")).to_have_count(2)
    expect(page.locator("#prompt")).not_to_have_text("Touchez pour continuer")


def test_an_emblem_is_chosen_stays_and_is_shown_to_the_other_seat(house: House, visit: Visits) -> None:
    page = visit(house, guest=house.guest("Irma")).go("/settings")
    page.get_by_role("radio", name="dame de pique").check(force=True)
    page.locator("form.settings button.main").click()
    page.goto(f"{house.url}/settings")
    expect(page.get_by_role("radio", name="dame de pique")).to_be_checked()
    page.goto(house.url)
    page.locator("details:has(#friend-name-0) > summary").click()
    page.locator("form:has(#friend-name-0) button.main").click()
    page.wait_for_url("**/table/*")
    game = page.url.rpartition("/")[2]
    assert house.room(game).holders[0].emblem == "qs"
    other = visit(house, guest=house.guest("Jules", settings=Settings(emblem="kh"))).go(
        house.invitation(game, 1)
    )
    other.locator("form button.main").first.click()
    other.wait_for_url("**/table/*")
    assert [holder.emblem for holder in house.room(game).holders] == ["qs", "kh"]


def test_a_count_on_paper(house: House, visit: Visits) -> None:
    """The count prints black on white, also without background colours, and without buttons."""
    guest = house.guest("Anne")
    played = f"{LAST_CARD.played} Tc"
    game = house.table([guest, house.guest("Basile")], "classic", "3x1", LAST_CARD.deal, played)
    page = visit(house, guest=guest, still=True).go(f"/table/{game}")
    expect(page.locator("#headline")).to_be_visible()
    page.emulate_media(media="print")
    look = "([of, what]) => getComputedStyle(document.querySelector(of)).getPropertyValue(what)"
    assert page.evaluate(look, ["body", "background-image"]) == "none"
    assert page.evaluate(look, ["body", "background-color"]) == "rgb(255, 255, 255)"
    for text in ("#headline", ".score", ".counts .total"):
        assert page.evaluate(look, [text, "color"]) == "rgb(0, 0, 0)"
    expect(page.locator(".next")).to_be_hidden()
