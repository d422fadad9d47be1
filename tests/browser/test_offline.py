"""Network failures: the table reports them at once, shows nothing false, and recovers by itself."""

from __future__ import annotations

from playwright.sync_api import expect

from chouine.table.entries import Acted
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import TWENTY
from tests.browser.visitor import PHONE
from tests.patience import takes_less_than

NOTICE = "#notice:not([hidden])"
SOON = 2.0
"""Seconds until a failed tap is reported."""
TAPPED = "() => addEventListener('click', () => { window.tapped = performance.now(); }, {capture: true})"
TOLD_AFTER = "() => (remembered['#notice'].find(moment => moment.text).at - window.tapped) / 1000"

UNAWARE = "addEventListener('offline', event => event.stopImmediatePropagation())"
"""The browser knows nothing of it, as often: else the page would say so before the tap."""


def test_a_card_laid_without_a_network(house: House, visit: Visits) -> None:
    """Offer and turn disappear at once, the card is marked late, the notice follows; all recovers by itself."""
    assert takes_less_than(SOON, lambda: told_after(house, visit))


def told_after(house: House, visit: Visits) -> float:
    """Seconds, by the page's clock, until a failed tap is reported."""
    guest = house.guest("Anne")
    game = house.table([guest, house.guest("Basile")], deal=TWENTY.deal, played=TWENTY.played)
    anne = visit(house, guest=guest, size=PHONE)
    anne.expected = r"ERR_|Failed to fetch"
    anne.context.add_init_script(UNAWARE)
    page = anne.go(f"/table/{game}")
    expect(page.locator(".offer")).to_have_count(1)
    anne.remember("#notice")
    page.evaluate(TAPPED)
    anne.context.set_offline(offline=True)
    page.locator(".offer button").first.click()
    expect(page.locator(".offer")).to_have_count(0)
    expect(page.locator(".me.awaited, .hand.ready")).to_have_count(0)
    assert not page.locator("#prompt").inner_text().strip()
    expect(page.locator(".trick .late .card")).to_have_count(1)
    expect(page.locator(NOTICE)).to_be_visible()
    seconds: float = page.evaluate(TOLD_AFTER)
    assert seconds > 0
    anne.context.set_offline(offline=False)
    expect(page.locator(NOTICE)).to_have_count(0)
    expect(page.locator(".late")).to_have_count(0)
    expect(page.locator(".hand .card")).to_have_count(5)
    last = house.log(game)[-1]
    assert isinstance(last, Acted)
    assert last.token.endswith("+20d")
    return seconds


def test_whose_turn_it_is_goes_with_the_card(house: House, visit: Visits) -> None:
    """The prompt and offers disappear with the tap, before the server's answer, which the test withholds."""
    guest = house.guest("Anne")
    game = house.table([guest, house.guest("Basile")], deal=TWENTY.deal, played=TWENTY.played)
    anne = visit(house, guest=guest, size=PHONE)
    page = anne.go(f"/table/{game}")
    expect(page.locator("#prompt")).to_have_text("À vous de jouer")
    page.route("**/act", lambda _: None)
    page.locator(".hand .card").last.click()
    expect(page.locator(".trick [data-place='0'] .card")).to_have_count(1)
    assert not page.locator("#prompt").inner_text().strip()
    expect(page.locator(".offers")).to_have_count(0)
