"""Old browsers can play, and so can browsers that may keep nothing; what fails is called by its name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

import chouine.server
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import SEVEN, TWENTY
from tests.browser.oldness import BLOCKED, NO_UNITS, OLD, lack
from tests.browser.player import HELD, WAITING_CARD
from tests.browser.visitor import DESKTOP, PATIENT, PHONE
from tests.patience import wait_until

SCRIPTS = Path(chouine.server.__file__).parent / "static" / "js"
TROUBLE = "#trouble:not([hidden])"
STRANGER = "<!doctype html><title>Proxy</title><main><h1>Blocked by the filter</h1></main>"


def at_table(house: House, visit: Visits, script: str = "", **wishes: object) -> tuple[Page, str]:
    """A page at a table where a card may be laid, in a browser changed by a script; and the table."""
    guest = house.guest("Anne", hold=HELD)
    game = house.table([guest, house.guest("Basile")], deal=TWENTY.deal, played=TWENTY.played)
    visitor = visit(house, guest=guest, **wishes)
    visitor.expected = r"^(403|502|511) for|Request is not defined"
    if script:
        visitor.context.add_init_script(script)
    page = visitor.go(f"/table/{game}")
    expect(page.locator(WAITING_CARD).first).to_be_visible()
    return page, game


def lay(page: Page, house: House, game: str) -> None:
    """Lay a card, and wait until the table has it. A long hold leaves the hand as it is before the draw."""
    before = len(house.cards(game))
    page.locator(WAITING_CARD).last.click()
    expect(page.locator(".hand .card")).to_have_count(4)
    wait_until("the card to be received", lambda: len(house.cards(game)) > before)
    expect(page.locator("#notice:not([hidden])")).to_have_count(0)


def test_a_page_left_before_its_scripts_came_is_whole_again(house: House, visit: Visits) -> None:
    """Safari keeps such a page for "back", and its scripts never come."""
    guest = house.guest("Anne")
    visitor, held = visit(house, guest=guest), list[Route]()

    def hold_first(route: Route) -> None:
        if held:
            route.fallback()
        held.append(route)

    visitor.context.route("**/js/table.js*", hold_first)
    game = house.table([guest, house.guest("Basile")], deal=TWENTY.deal, played=TWENTY.played)
    visitor.page.goto(f"{house.url}/table/{game}", wait_until="commit")
    expect(visitor.page.locator(".hand .card")).to_have_count(5)
    expect(visitor.page.locator("html.js")).to_have_count(0)
    visitor.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(visitor.page.locator("html.js .hand .card")).to_have_count(5)


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_an_old_browser_plays(house: House, visit: Visits, size: tuple[int, int]) -> None:
    page, game = at_table(house, visit, OLD, size=size)
    lay(page, house, game)


def test_an_old_browser_plays_by_touch(house: House, visit: Visits) -> None:
    page, _ = at_table(house, visit, OLD)
    page.locator(WAITING_CARD).last.tap()
    expect(page.locator(".hand .card")).to_have_count(4)


FREE = """() => {
  const [card, hand] = [".trick .card", ".hand"].map(css => document.querySelector(css).getBoundingClientRect());
  return [card.width, card.left, innerWidth - card.right, card.top, hand.top - card.bottom].map(Math.round);
}"""


@pytest.mark.parametrize("size", [(320, 568), PHONE, DESKTOP], ids=str)
def test_a_trick_without_container_units(house: House, visit: Visits, size: tuple[int, int]) -> None:
    """Its cards are large enough to read, in the window and above the hand."""
    guest = house.guest("Irma")
    game = house.table([house.guest("Jules"), guest], deal=SEVEN.deal, played=SEVEN.played)
    visitor = visit(house, guest=guest, size=size, still=True)
    lack(visitor, NO_UNITS)
    page = visitor.go(f"/table/{game}")
    expect(page.locator(".trick .card")).to_have_count(1)
    width, *free = page.evaluate(FREE)
    assert width >= 60
    assert min(free) >= 0


def test_a_browser_that_may_keep_nothing_plays(house: House, visit: Visits) -> None:
    """Blocked site data: the hand can be put in order, and a card laid."""
    guest = house.guest("Irma", "en", hold=HELD)
    game = house.table([house.guest("Jules"), guest], deal=SEVEN.deal, played=SEVEN.played)
    visitor = visit(house, guest=guest)
    visitor.context.add_init_script(BLOCKED)
    page = visitor.go(f"/table/{game}")
    cards = page.locator(".hand .card")
    first = cards.first.get_attribute("data-card") or ""
    cards.first.focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(cards.nth(1)).to_have_attribute("data-card", first)
    lay(page, house, game)
    for address in ("/", "/settings", "/learn", "/partners"):
        visitor.go(address)
        expect(page.locator("main")).to_be_visible()


@pytest.mark.parametrize("status", [200, 403, 511])
def test_a_stranger_s_answer_is_called_that(house: House, visit: Visits, status: int) -> None:
    """A proxy's page in place of an answer is neither the network nor repeated; a button tries again."""
    page, game = at_table(house, visit, PATIENT)  # else a page whose answer is late would ask again
    asked, before = list[str](), len(house.cards(game))

    def answer(route: Route) -> None:
        asked.append(route.request.post_data or "")
        route.fulfill(status=status, content_type="text/html", body=STRANGER)

    page.route("**/act", answer)
    page.locator(WAITING_CARD).last.click()
    expect(page.locator(TROUBLE)).to_contain_text(f"HTTP {status}")
    expect(page.locator("#notice:not([hidden])")).to_have_count(0)
    page.wait_for_timeout(1_500)  # in which it would have been repeated
    assert len(asked) == 1
    page.unroute("**/act")
    page.locator(TROUBLE).get_by_role("button", name="Réessayer").click()
    expect(page.locator(TROUBLE)).to_have_count(0)
    wait_until("the card to be received", lambda: len(house.cards(game)) > before)


def test_a_proxy_that_asks_for_patience_gets_it(house: House, visit: Visits) -> None:
    """502 to 504 are repeated: a server that restarts behind its proxy."""
    page, game = at_table(house, visit)
    before = len(house.cards(game))
    page.route("**/act", lambda route: route.fulfill(status=502, body=STRANGER), times=2)
    page.locator(WAITING_CARD).last.click()
    # the page's requests are answered by this process, which has to listen
    wait_until("the card to be received", lambda: page.evaluate("1") and len(house.cards(game)) > before)
    expect(page.locator(TROUBLE)).to_have_count(0)


def test_a_fault_of_the_page_is_not_the_network_s(house: House, visit: Visits) -> None:
    """An exception of our own is called a fault of the page, once, and never repeated."""
    page, _ = at_table(house, visit, "delete window.Request;")
    page.locator(WAITING_CARD).last.click()
    expect(page.locator(TROUBLE)).to_contain_text("erreur dans cette page")
    expect(page.locator("#notice:not([hidden])")).to_have_count(0)
    expect(page.locator(TROUBLE).get_by_role("button")).to_have_text(["Recharger la page"])


def test_a_page_that_refreshes_itself_tells_of_its_fault(house: House, visit: Visits) -> None:
    visitor = visit(house)
    visitor.expected = "Request is not defined"
    visitor.context.add_init_script("delete window.Request;")
    expect(visitor.go("/partners").locator(TROUBLE)).to_contain_text("erreur dans cette page")


def test_one_module_keeps_and_one_asks() -> None:
    """Nobody else names the browser's storage or asks for addresses, service workers apart, which cannot import."""
    stored = re.compile(r"\b(localStorage|sessionStorage|indexedDB)\b")
    asked = re.compile(r"(?<![.\w])fetch\(|AbortSignal\.|new EventSource")
    alone = {"offline/python-host.js", "offline/worker.js", "worker/push.js"}
    for path in SCRIPTS.rglob("*.js"):
        name, text = path.relative_to(SCRIPTS).as_posix(), re.sub(r"//.*|/\*.*?\*/", "", path.read_text())
        if name not in ("storage.js", "offline/copies.js"):
            assert not stored.search(text), name
        if name not in ("ask.js", "source.js", *alone):
            assert not asked.search(text), name


def test_a_browser_that_refuses_cookies_is_told_before_it_begins(house: House, visit: Visits) -> None:
    visitor = visit(house)
    visitor.context.add_init_script(
        "Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false })"
    )
    expect(visitor.go("/").locator(TROUBLE)).to_contain_text("cookies")


def test_a_page_half_loaded_when_the_network_drops_asks_for_itself_again(house: House, visit: Visits) -> None:
    """One of its scripts does not come, so that none of them runs."""
    guest = house.guest("Anne", hold=HELD)
    game = house.table([guest, house.guest("Basile")], deal=TWENTY.deal, played=TWENTY.played)
    visitor = visit(house, guest=guest)
    visitor.expected = "ERR_FAILED"
    visitor.context.route("**/js/source.js*", lambda route: route.abort(), times=1)
    page = visitor.go(f"/table/{game}")
    expect(page.locator("html.js .offer")).to_have_count(1)
    lay(page, house, game)


def test_a_card_that_is_shown_once_stays_when_the_network_drops(house: House, visit: Visits) -> None:
    """No script is there that could be missed, so that the page is not loaded again without its words."""
    visitor = visit(house, guest=house.guest("Anne"))
    page = visitor.go("/account")
    visitor.expected = "ERR_FAILED"
    visitor.context.route(
        "**/js/*.js*", lambda route: route.fallback() if "old.js" in route.request.url else route.abort()
    )
    with page.expect_navigation(url="**/account?card=*"):
        page.locator("form:has([name=what][value=card]) button").first.click()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".member-card li")).to_have_count(12)
