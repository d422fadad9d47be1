"""Whole matches against the computer from the first page to the end, by different kinds of users."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from chouine.phrases import Language
from tests.browser.conftest import Visits
from tests.browser.house import House, ended_by_chouine
from tests.browser.moments import AFTER_TALON, LAVARDIN
from tests.browser.player import OFFERS, WAITING_CARD, Player, by_keys
from tests.browser.visitor import DESKTOP, PHONE, TAKEN, Size

QUICK = [("fr", PHONE, True), ("en", DESKTOP, True), ("en", PHONE, False), ("fr", DESKTOP, False)]
LONG = [("en", PHONE, True), ("fr", DESKTOP, True), ("fr", PHONE, False), ("en", DESKTOP, False)]
WAYS = [*QUICK, *(pytest.param(*way, marks=pytest.mark.nightly) for way in LONG)]


@pytest.mark.parametrize(("language", "size", "scripts"), WAYS)
def test_a_match_from_the_first_page(
    house: House, visit: Visits, language: str, size: Size, *, scripts: bool
) -> None:
    # to draw motion costs more than the rest of a match: half of the ways leave it out
    visitor = visit(house, language=language, size=size, scripts=scripts, still=language == "en")
    visitor.expected = TAKEN
    page = visitor.go("/settings?back=/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.locator("#hold").select_option("0.5")
    page.locator("form.settings button").click()
    choose = page.locator("details.choose")
    choose.locator("summary").first.click()
    choose.locator(".choice").filter(has=page.locator("input[value='1x1']")).click()
    choose.get_by_role("textbox").first.fill("Mathilde")
    choose.locator("button.main").click()
    expect(page.locator(OFFERS["pick"]).first).to_be_visible()
    Player(page, scripts).play_out()
    game = page.url.rpartition("/")[2]
    expect(page.locator(".score .own")).to_contain_text("Vous" if language == "fr" else "You")
    assert house.room(game).holders[0].name == "Mathilde"
    room = house.room(game)
    assert room.match.over
    assert len(house.cards(game, 0)) == 16 * len(room.played) or ended_by_chouine(room)


@pytest.mark.parametrize("language", ["fr", pytest.param("en", marks=pytest.mark.nightly)])
def test_a_match_by_keyboard_alone(house: House, visit: Visits, language: Language) -> None:
    """Tab, arrows and Enter reach all controls from the tirage on; single keys read out information."""
    guest = house.guest("Ursule", language)
    game = house.table([guest, "heuristic"])
    visitor = visit(house, guest=guest, size=DESKTOP, still=True)
    visitor.expected = TAKEN
    page = visitor.go(f"/table/{game}")
    player = Player(page, choose=by_keys)
    player.play_until(WAITING_CARD)
    for key in "hatls":
        answer = page.locator(f"[data-ask='{key}']")
        asked, told = answer.locator("xpath=../dt").text_content(), answer.text_content()
        page.keyboard.press(key)
        expect(page.locator("#live p", has_text=re.compile(rf"{asked}\W+{told}"))).not_to_have_count(0)
    game = house.table(["heuristic", guest], deal=AFTER_TALON.deal, played=AFTER_TALON.played)
    visitor.go(f"/table/{game}")
    player.play_out()
    expect(page.locator("#headline")).to_be_visible()
    assert house.room(game).match.over


def test_waiting_without_scripts_shows_the_answer(house: House, visit: Visits) -> None:
    """The page reloads by itself while others are on turn, and not on the player's own turn."""
    guest = house.guest("Ursule")
    game = house.table([guest, house.guest("Victor")], deal=LAVARDIN)
    page = visit(house, guest=guest, scripts=False).go(f"/table/{game}")
    page.locator(".hand.ready .card").first.click()
    expect(page.locator(".trick .card")).to_have_count(1)
    house.play(game, "Ad")
    expect(page.locator(".past .card")).to_have_count(2)
