"""Two strangers meet: one waits, the other taps, both sit at a table; nobody loads a page anew."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.test_every_page import faults_of
from tests.browser.visitor import DESKTOP, PHONE
from tests.needs import need


@pytest.mark.parametrize("where", ["/", "/partners"])
def test_two_strangers_meet(own_house: House, visit: Visits, where: str) -> None:
    need("axe")
    own_house.start()
    anne = visit(own_house, language="fr", size=PHONE)
    basile = visit(own_house, language="en", size=DESKTOP)
    other = basile.go(where)
    page = anne.go("/")
    page.get_by_role("link", name="Attendre un partenaire").click()
    page.get_by_label("Votre nom").fill("Anne")
    page.get_by_role("button", name="Attendre un partenaire").click()
    expect(page.get_by_role("status").last).to_contain_text("sous le nom de Anne")
    expect(other.get_by_role("button", name="Play with Anne")).to_be_visible()
    assert faults_of(page) == faults_of(other) == []
    other.get_by_role("button", name="Play with Anne").click()
    other.wait_for_url("**/table/*")
    page.wait_for_url("**/table/*")
    assert page.url == other.url
    page.locator(".menu > summary").click()
    page.get_by_role("link", name="Bloquer ou signaler").click()
    expect(page.get_by_role("button", name="Ne plus rencontrer")).to_be_visible()
    assert faults_of(page) == []


def test_who_leaves_the_page_waits_no_longer(own_house: House, visit: Visits) -> None:
    """The page says so itself, and a name being typed stays while the list is made anew."""
    own_house.start()
    page = visit(own_house, guest=own_house.guest("Anne")).go("/partners")
    page.get_by_role("button", name="Attendre un partenaire").click()
    other = visit(own_house).go("/partners")
    expect(other.get_by_role("button", name="Jouer avec Anne")).to_be_visible()
    other.get_by_label("Votre nom").fill("Basi")
    page.goto("about:blank")
    expect(other.get_by_role("button", name="Jouer avec Anne")).to_have_count(0)
    expect(other.get_by_label("Votre nom")).to_have_value("Basi")
