"""Reading aloud: a choice, by a voice of the device itself, and only what the seat may know."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from chouine.cards import CardSet
from chouine.phrases import Language
from chouine.server.pages.visit import Settings, Visit
from chouine.server.pages.words import words_of
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import TWENTY
from tests.browser.visitor import PATIENT, PHONE, Visitor

STUB = """voices => {
  window.spoken = [];
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  const speechSynthesis = {
    getVoices: () => voices,
    cancel: () => {},
    speak: one => { spoken.push([one.text, one.lang, one.volume]); setTimeout(() => one.onend()); },
  };
  Object.defineProperty(window, "speechSynthesis", {value: speechSynthesis});
}"""
OWN = [
    {"lang": "fr-FR", "localService": True, "default": False},
    {"lang": "en-GB", "localService": True, "default": True},
]
FAR = [{"lang": "fr-FR", "localService": False, "default": True}]
"""A voice to which the browser would send each sentence over the network."""
ALOUD = Settings(aloud=True, volume=0.5, hold=0.5)
LIVE = "[...document.querySelectorAll('#live p')].map(line => line.textContent)"


def listener(visitor: Visitor, voices: list[dict[str, Any]]) -> Visitor:
    """The browser with these voices, which write down what they say."""
    visitor.context.add_init_script(PATIENT)
    visitor.context.add_init_script(
        f"({STUB})({str(voices).replace('True', 'true').replace('False', 'false')})"
    )
    return visitor


def text(page: Page) -> list[str]:
    said: list[str] = [sentence for sentence, *_ in page.evaluate("spoken")]
    return said


@pytest.mark.parametrize("language", ["fr", "en"])
def test_what_happens_and_the_hand_are_read(house: House, visit: Visits, language: Language) -> None:
    """What is said is what the screen reader is told, and the table in words; of no hidden card a word."""
    anne, basile = house.guest("Anne", language, settings=ALOUD), house.guest("Basile")
    game = house.table([anne, basile], deal=TWENTY.deal, played=TWENTY.played)
    page = listener(visit(house, guest=anne, language=language, size=PHONE), OWN).go(f"/table/{game}")
    assert text(page) == []
    page.locator(".hand.ready .card").last.click()
    expect(page.locator("#live p")).not_to_have_count(0)
    house.play_on(game, 1)
    expect(page.locator("#live p").nth(3)).to_be_attached()
    page.wait_for_function(f"() => spoken.map(([sentence]) => sentence).join() === {LIVE}.join()")
    assert {(lang, volume) for _, lang, volume in page.evaluate("spoken")} == {
        ({"fr": "fr-FR", "en": "en-GB"}[language], 0.5)
    }
    before = len(text(page))
    page.locator("#status > summary").click()
    page.wait_for_function("before => spoken.length > before", arg=before)
    hand, *_ = text(page)[before:]
    room, words = house.room(game), words_of(Visit(language, "", ""))
    assert room.state is not None
    view = room.state.view(0)
    assert [card for card in map(words.card, view.hand) if card not in hand] == []
    hidden = {*CardSet(room.state.position.hands[1])} - {*CardSet(view.position.hands[1])}
    assert len(hidden) > 2
    assert [card for card in map(words.card, hidden) if card in " ".join(text(page))] == []


@pytest.mark.parametrize(
    ("voices", "settings"), [(FAR, ALOUD), (OWN[1:], ALOUD), ([], ALOUD), (OWN, Settings())]
)
def test_it_is_silent_without_a_voice_of_its_own_and_until_asked(
    house: House, visit: Visits, voices: list[dict[str, Any]], settings: Settings
) -> None:
    anne, basile = house.guest("Anne", settings=settings), house.guest("Basile")
    game = house.table([anne, basile], deal=TWENTY.deal, played=TWENTY.played)
    page = listener(visit(house, guest=anne, size=PHONE), voices).go(f"/table/{game}")
    page.locator(".hand.ready .card").last.click()
    expect(page.locator("#live p")).not_to_have_count(0)
    page.locator("#status > summary").click()
    assert text(page) == []


def test_nothing_is_read_where_several_share_a_device(house: House, visit: Visits) -> None:
    """All would hear the hands."""
    anne = house.guest("Anne", settings=ALOUD)
    game = house.table([anne, anne], deal=TWENTY.deal, played=TWENTY.played)
    page = listener(visit(house, guest=anne, size=PHONE), OWN).go(f"/table/{game}?as=0")
    page.locator("#status > summary").click()
    page.keyboard.press("h")
    expect(page.locator("#live p")).not_to_have_count(0)
    page.locator("#status > summary").click()
    page.locator(".hand.ready .card").first.click()
    expect(page.locator(".curtain")).to_be_visible()
    assert text(page) == []


def test_the_choice_is_heard_at_once_and_stays(house: House, visit: Visits) -> None:
    """A sample lets browsers that ask for a tap speak later; without a voice the page says so."""
    anne, basile = house.guest("Anne"), house.guest("Basile")
    game = house.table([anne, basile], deal=TWENTY.deal)
    page = listener(visit(house, guest=anne, size=PHONE), OWN).go(f"/table/{game}")
    page.locator(".ears > summary").click()
    with page.expect_response("**/sound"):
        page.locator(".ears [name=aloud]").check()
    assert text(page) == ["Lire à voix haute"]
    expect(page.locator("[data-mute]")).to_be_hidden()
    page.reload()
    expect(page.locator(".ears [name=aloud]")).to_be_checked()
    expect(page.locator(".ears [name=sound]")).not_to_be_checked()
    page.evaluate("speechSynthesis.getVoices = () => []")
    page.locator(".ears > summary").click()
    page.locator(".ears [name=aloud]").uncheck()
    page.locator(".ears [name=aloud]").check()
    expect(page.locator("[data-mute]")).to_be_visible()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_lesson_is_read_to_whoever_asks(house: House, visit: Visits, language: Language) -> None:
    """Its text, by the button; which is hidden where the device has no voice of its own."""
    page = listener(visit(house, language=language, size=PHONE), OWN).go("/learn/takes/1")
    page.locator("#read-aloud").click()
    assert text(page) == [page.locator("#ask").inner_text()]
    page.locator("a.button", has_text="Continuer" if language == "fr" else "Continue").click()
    page.locator(".laid button").first.click()
    page.locator("#read-aloud").click()
    assert [each for each in text(page) if each.startswith(page.locator(".answer strong").inner_text())]


def test_a_lesson_has_no_button_without_a_voice(house: House, visit: Visits) -> None:
    page = listener(visit(house, size=PHONE), FAR).go("/learn/takes/1")
    expect(page.locator("#ask")).to_be_visible()
    expect(page.locator("#read-aloud")).to_be_hidden()
