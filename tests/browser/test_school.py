"""Learning on a phone: found at once on the first page, with text and cards on one screen."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pypdfium2
import pytest
from playwright.sync_api import Browser, expect

from chouine.days import day_of
from chouine.phrases import Language
from chouine.school.problems import of_the_day, shipped_problems
from chouine.school.trainer import pile
from chouine.server.pages.school import PRINTS
from chouine.server.pages.visit import Settings
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.visitor import PHONE, show
from tests.patience import PATIENCE

WIDER = """() => [document.documentElement, ...document.querySelectorAll(".print, .print *")]
  .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1)
  .map(e => e.outerHTML.slice(0, 60))"""
"""What on a printed page is wider than its place."""
COURSE = ("7x", "8c", "Jc", "Kc+20c", "8h", "7h", "Qh")
"""A learner's acts in the guided partie: the exchange, a mariage, cards thrown away."""


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_first_partie_is_begun_and_played_without_scrolling(
    house: House, visit: Visits, language: Language
) -> None:
    page = visit(house, guest=house.guest("Anne", language), language=language, still=True).go("/")
    first = page.locator("a[href='/learn/partie']")
    expect(first).to_be_in_viewport(ratio=1)
    first.click()
    for act in COURSE:
        hand = page.locator(".hand button")
        expect(hand.first).to_be_visible()
        expect(page.locator("fieldset.hand")).to_be_in_viewport(ratio=1)
        expect(page.locator(".notes")).to_be_in_viewport(ratio=1)
        before = page.url
        page.locator(f".guide button[value='{act}']").click()
        page.wait_for_function("before => location.href !== before", arg=before)
        page.wait_for_load_state()
        expect(page.locator(".happened")).to_be_visible()


def test_the_first_partie_goes_on_by_keys_without_scripts(house: House, visit: Visits) -> None:
    """The text has the focus, so that it is read out, and Tab leads to the first card."""
    page = visit(house, guest=house.guest("Anne"), scripts=False).go("/learn/partie?acts=7x")
    for _ in range(3):
        expect(page.locator(".notes")).to_be_focused()  # by the browser, when it draws the page
        page.keyboard.press("Tab")
        expect(page.locator(".guide button:focus")).to_have_count(1)
        before = page.url
        page.keyboard.press("Enter")
        page.wait_for_function("before => location.href !== before", arg=before)
        expect(page.locator(".happened")).to_be_visible()


def test_a_verdict_has_the_focus(house: House, visit: Visits) -> None:
    """The verdict has the focus and is visible."""
    page = visit(house, guest=house.guest("Anne"), scripts=False).go("/learn/count/2")
    page.locator("#answer").fill("71")
    page.keyboard.press("Enter")
    expect(page.locator(".answer .good")).to_be_visible()
    expect(page.locator(".answer")).to_be_focused()
    expect(page.locator(".answer .good")).to_be_in_viewport(ratio=1)


SHEETS = {"sheet": (1, 10), "print/page": (1, 14), "print/booklet": (4, 14), "print/cards": (4, 0)}
"""What is printed, with its number of A4 pages and the size of its smallest letters in points."""


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_what_is_printed_stays_on_its_pages(
    house: House, visit: Visits, language: Language, *, large: bool
) -> None:
    """Also where the screen has everything larger."""
    guest = house.guest("Anne", language, settings=Settings(large=large))
    for name, (pages, points) in SHEETS.items():
        page = visit(house, guest=guest, language=language).go(f"/learn/{name}")
        paper = pypdfium2.PdfDocument(page.pdf(prefer_css_page_size=True))
        assert len(paper) == pages, name
        assert [round(side) for side in paper[0].get_size()] == [595, 842]
        page.emulate_media(media="print")
        assert page.evaluate(SMALLEST) >= points, name


SMALLEST = """Math.min(...[...document.querySelectorAll('article :is(p, li, td, th, dd, dt)')].map(
  each => parseFloat(getComputedStyle(each).fontSize) * 72 / 96))"""
"""The smallest letters of a page's text, in points."""


@pytest.mark.parametrize("zone", ["Etc/GMT+12", "Pacific/Kiritimati"])
def test_today_s_problem_is_that_of_the_phone_s_clock(house: House, browser: Browser, zone: str) -> None:
    """The zones are 26 hours apart: it is never the same day in both."""
    context = browser.new_context(timezone_id=zone, base_url=house.url)
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    page.goto("/")
    page.wait_for_function("() => document.cookie.includes('zone=')")
    page.goto("/learn/problems")
    today = of_the_day(shipped_problems(), day_of(datetime.now(UTC), ZoneInfo(zone)))
    expect(page.locator(f".button[href='/learn/problem/{today.id}']")).to_be_visible()
    context.close()


@pytest.mark.parametrize("still", [False, True])
def test_a_pile_is_turned_over_when_its_clock_has_run_out(
    house: House, visit: Visits, *, still: bool
) -> None:
    """The clock rests out of sight; without one nothing is hidden, and without scripts there is none."""
    page = visit(house, guest=house.guest("Anne"), still=still).go("/learn/count?pile=5&clock=calm")
    cards = page.locator(".pile .face")
    expect(cards.first).to_be_hidden()
    expect(page.locator("#sand")).to_have_attribute("data-seconds", "30")
    page.evaluate("document.getElementById('sand').dataset.seconds = 1e6")  # a busy machine would be too late
    page.get_by_role("button", name="Montrer mes plis pendant 30 secondes").click()
    expect(cards.first).to_be_visible()
    clock = "document.getElementById('sand').getAnimations()[0]"
    show(page, away=True)
    assert page.evaluate(f"{clock}.playState") == "paused"
    show(page, away=False)
    page.evaluate(f"{clock}.finish()")
    expect(cards.first).to_be_hidden()
    expect(page.locator("#answer")).to_be_focused()
    page.keyboard.type(str(pile(5, brisques=True).exercise.right))
    page.keyboard.press("Enter")
    expect(page.locator(".good")).to_be_visible()
    expect(cards.first).to_be_visible()
    assert page.locator(".records td").all_inner_texts()[:2] == ["1", "1"]
    page.get_by_role("link", name="Un autre tas").click()
    expect(page.get_by_role("button", name="Montrer mes plis pendant 30 secondes")).to_be_visible()


def test_a_pile_without_scripts_has_no_clock(house: House, visit: Visits) -> None:
    page = visit(house, scripts=False).go("/learn/count?pile=5&clock=calm")
    expect(page.locator(".pile .face").first).to_be_visible()
    expect(page.locator("#clocks")).to_be_hidden()
    page.locator("#answer").fill(str(pile(5, brisques=True).exercise.right))
    page.locator("form.exercise button").click()
    expect(page.locator(".good")).to_be_visible()
    expect(page.locator(".records th[scope=row]")).to_have_text("Sans pendule")


@pytest.mark.parametrize("language", ["fr", "en"])
def test_what_is_printed_fits_a_phone(house: House, visit: Visits, language: Language) -> None:
    """The blank score sheet was a window that scrolled sideways."""
    visitor = visit(house, language=language, size=PHONE)
    for name in PRINTS:
        page = visitor.go(f"/learn/print/{name}")
        assert page.evaluate(WIDER) == [], name
