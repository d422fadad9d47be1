"""A shared computer is left with nothing of its visitor: cookies, storage, offline matches, caches, service workers."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import TWENTY
from tests.browser.test_takeaway import KEEP

LEFT = """async () => ({
  storage: localStorage.length,
  databases: (await indexedDB.databases()).length,
  caches: (await caches.keys()).length,
  workers: (await navigator.serviceWorker.getRegistrations()).length,
})"""
NOTHING = {"storage": 0, "databases": 0, "caches": 0, "workers": 0}


def test_a_shared_computer_is_left_with_nothing(house: House, visit: Visits) -> None:
    guest = house.guest("Anne")
    game = house.table([guest, house.guest("Basile")], deal=TWENTY.deal, played=TWENTY.played)
    visitor = visit(house, guest=guest)
    page = visitor.go(f"/table/{game}")
    page.locator(".hand .card").first.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.evaluate(KEEP, {"1": "{}"})
    page.evaluate("async () => { await caches.open('chouine-offline-x'); }")
    page.evaluate("async () => { await navigator.serviceWorker.register('/sw.js'); }")
    visitor.go("/settings")
    page.get_by_role("link", name="oublier ce navigateur").click()
    expect(page.locator("main")).to_contain_text("Votre place dans 1 match en cours")
    assert page.evaluate(LEFT) == {"storage": 2, "databases": 1, "caches": 1, "workers": 1}
    page.get_by_role("button", name="Oublier ce navigateur").click()
    expect(page.locator("#forgetting")).to_contain_text("est effacé aussi")
    assert page.evaluate(LEFT) == NOTHING
    assert visitor.context.cookies() == []
    visitor.go(f"/table/{game}")
    expect(page.locator(".hand .card")).to_have_count(0)


def test_it_works_without_a_script(house: House, visit: Visits) -> None:
    visitor = visit(house, guest=house.guest("Anne"), scripts=False)
    page = visitor.go("/settings/forget")
    page.get_by_role("button", name="Oublier ce navigateur").click()
    expect(page.locator("main")).to_contain_text("effacez aussi les données de ce site")
    assert visitor.context.cookies() == []
