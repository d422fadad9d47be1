"""Browsers too old for the scripts get the pages without scripts, which ask for themselves again, and are told once."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import LAVARDIN
from tests.browser.oldness import BELOW
from tests.browser.visitor import Visitor


def below(visitor: Visitor) -> Visitor:
    """A browser that does not understand the modules, as Safari 13 or Chrome 79 do not."""

    def serve_unreadable(route: Route) -> None:
        if route.request.url.split("?")[0].endswith("/old.js"):
            return route.fallback()
        return route.fulfill(content_type="text/javascript", body="a ??? b")

    visitor.expected = "Unexpected token"
    visitor.context.add_init_script(BELOW)
    visitor.context.route("**/*.js*", serve_unreadable)
    return visitor


def test_a_waiting_page_asks_again_until_somebody_comes(house: House, visit: Visits) -> None:
    """The page of links, on which "waiting for" would stand for ever."""
    guest = house.guest("Anne")
    game = house.table([guest, None])
    page = below(visit(house, guest=guest)).go(f"/table/{game}")
    expect(page.get_by_role("link", name="Quelqu’un est arrivé")).to_be_visible()
    friend = visit(house, guest=house.guest("Basile"))
    friend.go(house.invitation(game, 1)).locator("main form button.main").first.click()
    expect(page.locator(".hand, .spread, .cut")).to_be_visible()


def test_a_table_asks_again_and_is_played_at(house: House, visit: Visits) -> None:
    guest = house.guest("Anne")
    game = house.table([guest, house.guest("Basile")], deal=LAVARDIN)
    page = below(visit(house, guest=guest)).go(f"/table/{game}")
    page.locator(".hand.ready .card").first.click()
    expect(page.locator(".by-itself")).to_be_visible()
    house.play(game, "Ad")
    expect(page.locator(".past .card")).to_have_count(2)


@pytest.mark.parametrize("address", ["/", "/settings"])
def test_it_is_told_once(house: House, visit: Visits, address: str) -> None:
    page = below(visit(house, guest=house.guest("Anne"))).go(address)
    note = page.locator(".older")
    expect(note).to_contain_text("ancien")
    note.get_by_role("button").click()
    expect(note).to_have_count(0)
    page.reload()
    expect(page.locator("main")).to_be_visible()
    expect(note).to_have_count(0)


def test_others_are_told_nothing(house: House, visit: Visits) -> None:
    page = visit(house, guest=house.guest("Anne")).go("/")
    page.wait_for_load_state()
    expect(page.locator(".older")).to_have_count(0)


def test_a_script_that_never_comes(house: House, visit: Visits) -> None:
    """A filter takes it: after one more try the table is as without scripts."""
    guest = house.guest("Anne")
    game = house.table([guest, house.guest("Basile")], deal=LAVARDIN)
    visitor = visit(house, guest=guest)
    visitor.expected = "ERR_FAILED"
    visitor.context.route("**/js/source.js*", lambda route: route.abort())
    page = visitor.go(f"/table/{game}")
    page.wait_for_function("() => performance.navigation.type === 1 && !document.querySelector('noscript')")
    page.locator(".hand.ready .card").first.click()
    expect(page.locator(".by-itself")).to_be_visible()
