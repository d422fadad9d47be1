"""Two strangers meet: one waits, the other taps, and both pages lead to a table without a reload."""

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
    expect(other.get_by_role("link", name="Wait for a partner")).to_have_count(
        0
    )  # on localhost nobody else can come
    page = anne.go("/partners")
    page.get_by_label("Votre nom").fill("Anne")
    page.get_by_role("button", name="Attendre un partenaire").click()
    expect(page.get_by_role("status").last).to_contain_text("sous le nom «\u00a0Anne\u00a0»")
    expect(other.get_by_role("button", name="Play with Anne")).to_be_visible()
    assert faults_of(page) == faults_of(other) == []
    other.get_by_role("button", name="Play with Anne").click()
    other.wait_for_url("**/table/*")
    page.wait_for_url("**/table/*")
    assert page.url == other.url
    page.locator(".menu > summary").click()
    page.get_by_role("link", name="Les gens de cette table").click()
    expect(page.get_by_role("button", name="Ne plus rencontrer")).to_be_visible()
    assert faults_of(page) == []


def test_who_leaves_the_page_waits_no_longer(own_house: House, visit: Visits) -> None:
    """Leaving the page ends the wait, and the list's update keeps a name being typed."""
    own_house.start()
    page = visit(own_house, guest=own_house.guest("Anne")).go("/partners")
    page.get_by_role("button", name="Attendre un partenaire").click()
    other = visit(own_house).go("/partners")
    expect(other.get_by_role("button", name="Jouer avec Anne")).to_be_visible()
    other.get_by_label("Votre nom").fill("Basi")
    page.goto("about:blank")
    expect(other.get_by_role("button", name="Jouer avec Anne")).to_have_count(0)
    expect(other.get_by_label("Votre nom")).to_have_value("Basi")


def test_nothing_is_asked_for_while_nobody_looks(own_house: House, visit: Visits) -> None:
    """A hidden page does not poll the list until it is visible, except during the visitor's own wait."""
    own_house.start()
    visitor = visit(own_house, guest=own_house.guest("Anne"))
    visitor.context.add_init_script(
        "Object.defineProperty(document, 'hidden', {get: () => window.away ?? true, configurable: true})"
    )
    page = visitor.page
    page.clock.install()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/partners/list" in request.url else None)
    visitor.go("/partners")
    page.clock.run_for(60_000)
    assert asked == []
    with page.expect_request("**/partners/list**"):
        page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_role("button", name="Attendre un partenaire").click()
    page.locator("form[data-away]").wait_for()
    page.evaluate("window.away = true")
    with page.expect_request("**/partners/list**"):
        page.clock.run_for(10_000)
