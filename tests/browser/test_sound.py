"""Sounds of cards and wood: off by default, kept when chosen, each audible and never too loud."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from chouine.phrases import Language
from chouine.server.pages.announcements import SOUNDS, SOUNDS_BESIDE
from chouine.server.pages.visit import Settings
from chouine.table.entries import ClockTerms, Opened, SeatHolder
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import LAST_CARD, LAVARDIN
from tests.browser.visitor import PATIENT, PHONE
from tests.patience import wait_until

ENDS = ("won", "lost", "match", "nulle")
TOLD = {*SOUNDS.values(), *SOUNDS_BESIDE.values(), *ENDS, "chouine", "card", "turn", "tick"}
"""All sounds that the server may ask for, and two that the page adds."""
TURN, TICK = 659, 520
"""The first notes of these two, in hertz."""
NOTES = """() => {
  window.notes = [];
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...when) {
    if (this instanceof OscillatorNode) notes.push(Math.round(this.frequency.value));
    return start.apply(this, when);
  };
}"""
MANY = "([note, least]) => notes.filter(one => one === note).length >= least"
LISTEN = """() => {
  window.heard = 0;
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...when) {
    window.heard += 1;
    return start.apply(this, when);
  };
}"""
ASIDE, CLIMAX = 9, 12
"""Decibels by which a sound may be softer or louder than a card laid, in its loudest twentieth of a second."""
RECORDED = """async () => {
  const {SOUNDS, sound} = await import("/static/js/sound.js");
  const told = {};
  for (const name of Object.keys(SOUNDS)) {
    const audio = new OfflineAudioContext(2, 3 * 22050, 22050);
    sound(audio, name, 0.01, 1);
    const waves = (await audio.startRendering()).getChannelData(0);
    const loud = waves.map(Math.abs);
    const powers = waves.map(value => value * value), span = 1102;
    let power = 0, most = 0;
    powers.forEach((one, at) => { power += one - (powers[at - span] ?? 0); most = Math.max(most, power); });
    const decibels = 10 * Math.log10(most / span);
    told[name] = [Math.max(...loud), loud.findLastIndex(value => value > 0.001) / 22050, decibels];
  }
  return told;
}"""


SEEDED = "let random = 1; Math.random = () => (random = (random * 16807) % 2147483647) / 2147483647"
"""A card laid sounds a little different each time, but in these tests the same in each run."""


@pytest.fixture
def page(house: House, visit: Visits) -> Page:
    guest = house.guest("Irma")
    game = house.table([guest, house.guest("Jules")], deal=LAVARDIN)
    visitor = visit(house, guest=guest, size=PHONE)
    visitor.context.add_init_script(SEEDED)
    visitor.context.add_init_script(PATIENT)
    return visitor.go(f"/table/{game}")


def test_every_sound_is_heard_ends_and_is_not_too_loud(page: Page) -> None:
    """Rendered at full volume, each sound is above silence, below clipping, and ends."""
    told = page.evaluate(RECORDED)
    assert set(told) >= TOLD
    *_, card = told["card"]
    for name, (loudest, ends, decibels) in told.items():
        assert -ASIDE < decibels - card < CLIMAX, name
        assert 0.03 < loudest < 1, name
        assert 0.01 < ends < 2.5, name


RATE = 48_000
"""Samples a second for which the filters are given."""
SHELF = (1.53512485958697, -2.69169618940638, 1.19839281085285), (1, -1.69065929318241, 0.73248077421585)
PASS = (1, -2, 1), (1, -1.99004745483398, 0.99007225036621)
"""The filters of ITU-R BS.1770, which hear as an ear does."""
STEREO = """async ([name, rate]) => {
  const {sound} = await import("/static/js/sound.js");
  const audio = new OfflineAudioContext(2, 2 * rate, rate);
  sound(audio, name, 0.4, 1);
  const heard = await audio.startRendering();
  return [0, 1].map(channel => [...heard.getChannelData(channel)].map(one => Math.round(one * 1e6) / 1e6));
}"""
LOUD = {"card": -30.0, "declare": -19.0, "won": -15.3, "match": -14.4, "chouine": -13.5}
"""Loudness in LUFS, as ADR 0072 has it."""


def loudness(channels: list[list[float]]) -> float:
    """The loudest momentary loudness, of 400 ms, in LUFS."""
    from scipy.signal import (
        lfilter,
    )  # takes half a second, which each process that collects tests would spend

    waves = lfilter(*PASS, lfilter(*SHELF, np.array(channels)))
    power, span = np.cumsum((waves**2).sum(axis=0)), 2 * RATE // 5
    return float(-0.691 + 10 * np.log10((power[span:] - power[:-span]).max() / span))


def test_the_climax_is_louder_than_a_card(page: Page) -> None:
    """A card, a declaration, a partie won, a match, a chouine: each louder than the one before."""
    told, peaks = {}, {}
    for name in LOUD:
        channels = page.evaluate(STEREO, [name, RATE])
        told[name], peaks[name] = loudness(channels), np.abs(channels).max()
    assert told == pytest.approx(LOUD, abs=2), told
    assert [*told.values()] == sorted(told.values())
    assert min(peaks["chouine"], peaks["match"]) > 1.05 * peaks["card"]


SPECTRUM = """async name => {
  const {sound} = await import("/static/js/sound.js");
  const audio = new OfflineAudioContext(1, 32768, 44100);
  sound(audio, name, 0, 1);
  return [...(await audio.startRendering()).getChannelData(0)];
}"""


def test_a_card_laid_sounds_of_paper_on_wood(page: Page) -> None:
    """A card's sound mixes a low part of wood with a short high part of paper; a knock is wood only."""

    def heard(name: str) -> tuple[float, float, float]:
        wave = np.array(page.evaluate(SPECTRUM, name))
        power, hertz = np.abs(np.fft.rfft(wave)) ** 2, np.fft.rfftfreq(len(wave), 1 / 44100)
        low, high = (power[part].sum() / power.sum() for part in (hertz < 300, hertz > 1000))
        return low, high, np.flatnonzero(np.abs(wave) > np.abs(wave).max() / 20)[-1] / 44100

    low, high, ends = heard("card")
    assert 0.1 < low < 0.6
    assert high > 0.3
    assert 0.02 < ends < 0.15
    _, high, _ = heard("call")
    assert high < 0.05


def test_nothing_is_heard_until_asked_for_and_the_choice_stays(page: Page) -> None:
    page.evaluate(LISTEN)
    page.locator(".hand.ready .card").first.click()
    expect(page.locator(".trick .card")).to_have_count(1)
    assert page.evaluate("heard") == 0
    with page.expect_response("**/sound.js"):  # loaded on demand only
        page.locator(".ears > summary").click()
    expect(page.locator(".ears [name=sound]")).not_to_be_checked()
    with page.expect_response("**/sound") as kept:
        page.locator(".ears [name=sound]").check()
    assert kept.value.status == 204
    page.wait_for_function("() => heard > 0")
    with page.expect_response("**/sound"):
        page.locator(".ears [name=volume]").fill("0.3")
    page.reload()
    expect(page.locator(".ears.on")).to_have_count(1)
    expect(page.locator(".ears [name=sound]")).to_be_checked()
    expect(page.locator(".ears [name=volume]")).to_have_value("0.3")


INTERRUPTED = """async () => {
  window.resumed = 0;
  window.AudioContext = class extends AudioContext {
    get state() { return "interrupted"; }
    resume() { window.resumed += 1; return super.resume(); }
  };
  (await import("/static/js/sound.js")).play("card", 0.5);
  return resumed;
}"""


def test_sound_comes_back_after_a_call(house: House, visit: Visits) -> None:
    """Safari's context is `interrupted` by a telephone call, and stays so until it is resumed."""
    assert visit(house).go("/rules").evaluate(INTERRUPTED) == 1


def test_ones_turn_is_heard_once_after_the_others_have_played(house: House, visit: Visits) -> None:
    """And not with one's own card."""
    anne = house.guest("Anne", settings=Settings(sound=True, hold=0.5))
    game = house.table([anne, house.guest("Basile")], deal=LAVARDIN)
    page = visit(house, guest=anne, size=PHONE).go(f"/table/{game}")
    page.evaluate(NOTES)
    page.locator(".hand.ready .card").first.click()
    expect(page.locator(".trick .card")).to_have_count(1)
    page.wait_for_function("() => notes.length > 0")
    assert TURN not in page.evaluate("notes")
    wait_until("the card at the server", lambda: house.room(game).awaited != {0})
    while (state := house.room(game).state) is not None and state.turn != 0:
        house.play_on(game, 1)
    page.wait_for_function(MANY, arg=[TURN, 1])
    expect(page.locator(".hand.ready")).to_be_visible()
    assert page.evaluate("notes").count(TURN) == 1


UNTIL = "Number(document.querySelector('[data-until]').dataset.until)"
"""The second in which the clock that runs has run out."""


def test_the_last_seconds_of_ones_own_clock_are_heard(house: House, visit: Visits) -> None:
    """By whoever must play, not by whoever waits. The pages' time passes when the test says so."""
    anne, basile = (house.guest(name, settings=Settings(sound=True)) for name in ("Anne", "Basile"))
    sitting = tuple(SeatHolder("person", guest.name, guest.guest) for guest in (anne, basile))
    opened = Opened("classic", "1x1", sitting, ClockTerms(3600, 0), deal=LAVARDIN)
    game = house.do(lambda tables: tables.open(opened))
    playing, waiting = (visit(house, guest=guest, size=PHONE).page for guest in (anne, basile))
    for page in (playing, waiting):
        page.clock.install()
        page.goto(f"{house.url}/table/{game}")
        page.locator("#status > summary").click()  # before the first tap browsers let nothing be heard
        page.evaluate(NOTES)
    assert TICK not in playing.evaluate("notes")
    for page in (waiting, playing):
        page.clock.pause_at(page.evaluate(UNTIL) - 8)
        page.clock.run_for(5_000)
    wait_until("three ticks", lambda: playing.evaluate("notes").count(TICK) >= 3)
    assert TICK not in waiting.evaluate("notes")


def test_sound_is_offered_once_in_a_browser(page: Page) -> None:
    """Under its button, until the first tap; a second table says nothing."""
    invites = page.locator("#sound-invites")
    expect(invites).to_be_visible()
    page.locator(".hand .card").first.click()
    expect(invites).to_be_hidden()
    page.reload()
    page.locator(".hand .card").first.wait_for()
    expect(invites).to_be_hidden()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_what_offers_sound_hides_no_heading(house: House, visit: Visits, language: Language) -> None:
    """Neither what one is asked for at the tirage nor who has won, on a phone."""
    guest = house.guest("Anne", language)
    counted = f"{LAST_CARD.played} Tc"
    for game in (
        house.table([guest, house.guest("Basile")]),
        house.table([guest, house.guest("Basile")], LAST_CARD.rules, "3x2", LAST_CARD.deal, counted),
    ):
        page = visit(house, guest=guest, language=language).go(f"/table/{game}")
        invites = page.locator("#sound-invites")
        expect(invites).to_be_visible()
        plate, heading = invites.bounding_box(), page.locator("h2").first.bounding_box()
        assert plate is not None
        assert heading is not None
        assert plate["y"] + plate["height"] <= heading["y"] + 1
