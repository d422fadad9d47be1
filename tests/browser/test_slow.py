"""Slow matches on a phone: the list of one's tables, the next one in one tap, a holiday, a prepared card."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from chouine.server.pages.visit import Settings
from chouine.table.entries import ClockTerms
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import LAVARDIN
from tests.browser.test_every_page import faults_of
from tests.browser.visitor import PHONE, Size
from tests.needs import need
from tests.patience import wait_until

A_DAY_A_CARD = ClockTerms(86_400, 172_800)
PLACES = """() => ["#table .hand", "#table .trick", "#table .stock"].map(each => {
  const box = document.querySelector(each)?.getBoundingClientRect();
  return box && [box.x, box.y, box.width, box.height];
})"""
"""Where things lie on the table."""


def lead(page: Page) -> None:
    """Play the first card of the hand."""
    page.locator(".hand.ready button.card").first.click()


def test_from_table_to_table_by_one_tap(house: House, visit: Visits) -> None:
    """After one's card the next table is one tap away, over the hand: nothing on the table has moved."""
    need("axe")
    odette = house.guest("Odette")
    tables = {
        house.table([odette, house.guest(name)], terms="3x1", deal=LAVARDIN, clock=A_DAY_A_CARD)
        for name in ("Basile", "Clotilde", "Donatien")
    }
    page = visit(house, guest=odette, size=PHONE, still=True).go("/tables")
    expect(page.locator("#yours ~ ul li")).to_have_count(3)
    assert faults_of(page) == []
    page.locator("#yours ~ ul a").first.click()
    seen = set()
    for left in (2, 1):
        page.wait_for_url("**/table/*")
        seen.add(page.url.rpartition("/")[2])
        expect(page.locator("#beside a", has_text="Table suivante")).to_have_count(0)
        lead(page)
        follow = page.locator("#beside a", has_text=f"Table suivante ({left}")
        expect(follow).to_be_visible()
        before = page.evaluate(PLACES)
        page.evaluate("document.querySelector('#beside nav').remove()")
        assert page.evaluate(PLACES) == before
        page.reload()
        assert faults_of(page) == []
        follow.click()
        page.wait_for_url(lambda url: url.rpartition("/")[2] not in seen)
    lead(page)
    expect(page.locator("#beside a", has_text="Préparer")).to_be_visible()
    expect(page.locator("#beside a", has_text="Table suivante")).to_have_count(0)
    assert seen < tables


@pytest.mark.parametrize("size", [PHONE, (320, 568)], ids=str)
def test_large_letters_leave_the_hand_in_sight(house: House, visit: Visits, size: Size) -> None:
    """What stands over the hand meanwhile is one row, below the letters of the cards."""
    odette = house.guest("Odette", settings=Settings(large=True))
    holders = (house.guest("Basile"), odette), (odette, house.guest("Clotilde"))
    waiting, _ = (house.table(each, terms="3x1", deal=LAVARDIN, clock=A_DAY_A_CARD) for each in holders)
    page = visit(house, guest=odette, size=size, still=True).go(f"/table/{waiting}")
    expect(page.locator("#beside a", has_text="Table suivante")).to_be_visible()
    expect(page.locator("#beside a", has_text="Préparer")).to_be_visible()
    nav, hand = (page.locator(each).bounding_box() for each in ("#beside nav", ".hand .card >> nth=0"))
    assert nav
    assert hand
    assert nav["y"] >= hand["y"] + 0.55 * hand["height"]


def test_a_card_is_prepared_and_played(house: House, visit: Visits) -> None:
    """Prepared by the page of forms; played as soon as the other has, and seen by both in the stream."""
    odette, basile = house.guest("Odette"), house.guest("Basile", "en")
    table = house.table([odette, basile], terms="3x1", deal=LAVARDIN, clock=A_DAY_A_CARD)
    his = visit(house, guest=basile, language="en", size=PHONE, still=True).go(f"/table/{table}")
    his.get_by_role("link", name="Prepare").click()
    his.get_by_role("button", name="Prepare it").click()
    expect(his.locator(".conditions li")).to_have_count(1)
    his.get_by_role("link", name="Back to the table").click()
    expect(his.get_by_role("link", name="1 prepared")).to_be_visible()
    hers = visit(house, guest=odette, size=PHONE, still=True).go(f"/table/{table}")
    lead(hers)
    expect(hers.locator("#live")).to_contain_text("Basile joue")
    expect(his.get_by_role("link", name="1 prepared")).to_have_count(0)


def test_whose_turn_it_is_is_not_cut_beside_the_clock(house: House, visit: Visits) -> None:
    """On a phone, with the button that sorts the hand and a pile of tricks in the same line."""
    odette, basile = house.guest("Odette"), house.guest("Basile")
    table = house.table([odette, basile], terms="3x1", deal=LAVARDIN, clock=A_DAY_A_CARD)
    pages = [
        visit(house, guest=one, size=PHONE, still=True).go(f"/table/{table}") for one in (odette, basile)
    ]
    for page in pages:
        lead(page)
    wait_until(
        "the trick to be taken", lambda: any(page.locator(".me", has_text="1 pli").count() for page in pages)
    )
    winner = next(page for page in pages if page.locator(".me", has_text="1 pli").count())
    for _ in range(2):
        prompt = winner.locator(".me .prompt")
        expect(prompt).to_have_text("À vous de jouer")
        expect(winner.locator(".me .clock")).to_be_visible()
        assert prompt.evaluate("e => e.scrollWidth <= e.clientWidth")
        who = winner.locator(".me .name .who")
        assert who.evaluate("e => e.scrollWidth <= e.clientWidth")
        winner.locator("button[name=large]").click()
        winner.wait_for_load_state()  # with its style sheets


def test_without_scripts(house: House, visit: Visits) -> None:
    odette, basile = house.guest("Odette"), house.guest("Basile")
    house.table([odette, basile], terms="3x1", deal=LAVARDIN, clock=A_DAY_A_CARD)
    house.table([basile, odette], terms="3x1", deal=LAVARDIN, clock=A_DAY_A_CARD)
    page = visit(house, guest=odette, size=PHONE, scripts=False).go("/tables")
    page.locator("#in-progress ~ ul a").click()
    expect(page.locator("#beside a", has_text="Table suivante (1 vous attend)")).to_be_visible()
    page.locator("#beside a", has_text="Préparer").click()
    page.get_by_role("button", name="Préparer", exact=True).click()
    expect(page.locator(".conditions li")).to_have_count(1)
    page.get_by_role("button", name="Retirer").click()
    expect(page.locator(".conditions li")).to_have_count(0)
