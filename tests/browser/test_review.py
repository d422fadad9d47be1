"""The review of a partie: the page fills in by itself, and a mistake can be played again."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest
from playwright.sync_api import expect

from chouine.arena.partie import play_partie
from chouine.notation.lines import actions_of
from chouine.notation.tokens import token
from chouine.partie import Deal
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules import Rules
from chouine.school.review import Review, all_decisions
from chouine.server.reviews import encode
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import LAST_CARD
from tests.browser.test_every_page import faults_of
from tests.browser.tour import FOUND
from tests.browser.visitor import PHONE
from tests.needs import need
from tests.patience import REVIEWED

LEFT = 2
"""Decisions that are still to be judged: the first ones, which take longest, so that pages see them come."""


@pytest.mark.parametrize("scripts", [True, False])
def test_it_fills_in_by_itself(house: House, visit: Visits, *, scripts: bool) -> None:
    """With JavaScript the page updates in place; without it, it reloads."""
    guest, other = house.guest("Agathe", "en"), house.guest("Basile")
    game = house.table([other, guest], deal=LAST_CARD.deal, played=f"{LAST_CARD.played} Tc")
    choices = len(all_decisions(house.room(game).played[0].state))
    begun = encode(Review(choices, dict.fromkeys(range(LEFT, choices), FOUND[-1])))
    house.do(lambda tables: tables.store.keep_review(game, 1, begun))
    page = visit(house, guest=guest, size=PHONE, scripts=scripts).go(f"/match/{game}")
    page.get_by_role("link", name="Review the whole match").click()
    page.locator(".parties a").first.click()
    expect(page).to_have_url(re.compile(r"/1/review"))
    if scripts:
        page.evaluate("window.stays = true")
    expect(page.locator(".of-luck")).to_be_visible(timeout=1000 * REVIEWED)
    expect(page.locator("[data-stream]")).to_have_count(0)
    if scripts:
        assert page.evaluate("window.stays")


def test_a_mistake_is_played_on_from(house: House, visit: Visits) -> None:
    """One tap in the review opens a table before the mistake."""
    guest, other = house.guest("Agathe", "fr"), house.guest("Basile")
    game = house.table([other, guest], deal=LAST_CARD.deal, played=f"{LAST_CARD.played} Tc")
    review = encode(Review(len(FOUND), dict(enumerate(FOUND))))
    house.do(lambda tables: tables.store.keep_review(game, 1, review))
    page = visit(house, guest=guest, size=PHONE).go(f"/match/{game}/1/review")
    expect(page.locator(".worst")).to_have_count(1)
    page.get_by_role("button", name=re.compile("Reprendre d’ici")).click()
    expect(page).to_have_url(re.compile("/table/"))
    expect(page.locator(".hand [data-card='ad']")).to_be_visible()


@pytest.mark.parametrize("preset", ["three", "mondoubleau-four"])
def test_luck_and_skill_of_all_seats_are_in_sight_on_a_phone(
    house: House, visit: Visits, preset: str
) -> None:
    """§15, §16: each seat's column fits the phone's width, and axe-core finds nothing."""
    need("axe")
    rules = Rules.of_preset(preset)
    deal = Deal.random(rules, 0, Random(1))
    finished = play_partie(rules, deal, [HeuristicPlayer() for _ in range(rules.seats)]).state
    guests = [house.guest(name) for name in ("Anne", "Léontine", "Marius", "Yvonne")[: rules.seats]]
    game = house.table(
        guests, preset, "1", str(finished.deal), " ".join(map(token, actions_of(finished.events)))
    )
    found = [replace(each, seat=nth) for nth, each in enumerate(FOUND[: rules.seats])]
    review = encode(Review(len(found), dict(enumerate(found))))
    house.do(lambda tables: tables.store.keep_review(game, 1, review))
    page = visit(house, guest=guests[0], size=PHONE, still=True).go(f"/match/{game}/1/review")
    table = page.locator(".scroll:has(.sum)")
    expect(table.locator("thead th")).to_have_count(rules.seats)
    assert table.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert faults_of(page) == []
