"""A page out of sight wakes nothing: no timer, no request and no stream, and nothing is lost when it is back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.browser.house import Guest, House
from tests.browser.moments import SEVEN
from tests.browser.player import WAITING_CARD
from tests.browser.visitor import SHOW, Visitor, show
from tests.patience import wait_until

COUNTED = """
window.woken = [];
window.streams = new Set();
for (const name of ["setTimeout", "setInterval", "requestAnimationFrame"]) {
  const begin = window[name];
  window[name] = (act, ...more) => begin((...told) => { woken.push(`${name} ${act}`); act(...told); }, ...more);
}
const Stream = window.EventSource;
window.EventSource = class extends Stream {
  constructor(address) {
    super(address);
    streams.add(this);
    this.addEventListener("hello", () => { this.greeted = true; });
  }
  close() { super.close(); streams.delete(this); }
};
"""
"""Notes each time a timer wakes the page, and its open streams."""
GREETED = "() => [...streams].every(stream => stream.greeted)"
"""Until then a page whose clock runs on would take its stream for held back, and poll."""
MINUTE = 60_000
SHORT = 10_000
SETTLED = MINUTE
"""Milliseconds by the page's clock in which what was under way ends."""


def out_of_sight(visitor: Visitor, address: str, ready: str, away: int = SETTLED) -> Page:
    """A page with a clock of its own, which has come to rest and is then hidden for so many milliseconds."""
    visitor.page.clock.install()
    visitor.page.add_init_script(COUNTED)
    page = visitor.go(address)
    page.locator(ready).first.wait_for()
    page.wait_for_function(GREETED)
    page.clock.run_for(SETTLED)
    show(page, away=True)
    page.clock.run_for(away)
    return page


def is_idle(page: Page) -> bool:
    """Whether nothing happens in ten minutes."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate("woken.length = 0")
    page.clock.run_for(10 * MINUTE)
    assert page.evaluate("woken") == []
    assert asked == []
    return not page.evaluate("streams.size")


def own_turn(house: House, guest: Guest) -> tuple[str, str]:
    game = house.table([house.guest("Jules"), guest], deal=SEVEN.deal, played=SEVEN.played)
    return f"/table/{game}", WAITING_CARD


def another_s_table(house: House, guest: Guest) -> tuple[str, str]:
    """A table without a seat of one's own is looked at."""
    game = house.table([house.guest("Jules"), house.guest("Anne")], deal=SEVEN.deal, played=SEVEN.played)
    return f"/table/{game}", ".seat"


def first_page(house: House, guest: Guest) -> tuple[str, str]:
    return "/", "main"


@pytest.mark.parametrize("place", [own_turn, another_s_table, first_page])
def test_a_page_out_of_sight_rests(
    house: House, visit: Visits, place: Callable[[House, Guest], tuple[str, str]]
) -> None:
    guest = house.guest("Irma")
    page = out_of_sight(visit(house, guest=guest), *place(house, guest))
    assert is_idle(page)


@pytest.mark.parametrize("away", [SHORT, SETTLED])
def test_what_happened_meanwhile_is_shown(house: House, visit: Visits, away: int) -> None:
    """The other's card is there when the page is back, though no stream brought it."""
    game = house.table([house.guest("Jules"), house.guest("Irma")], deal=SEVEN.deal, played=SEVEN.played)
    page = out_of_sight(visit(house), f"/table/{game}", ".trick .card", away)
    house.play_on(game, 1)
    assert page.locator(".past .card").count() == 0
    show(page, away=False)
    page.clock.resume()
    expect(page.locator(".past .card")).to_have_count(2)


def test_who_is_back_tells_so_at_once(house: House, visit: Visits) -> None:
    """Not at the next interval: until then the others would read that nobody is there."""
    guest = house.guest("Irma")
    page = out_of_sight(visit(house, guest=guest), *own_turn(house, guest))
    told = """away => {
      const asked = [], beyond = window.fetch;
      window.fetch = (request) => { asked.push(request.url); return beyond(request); };
      (SHOW)(away);
      window.fetch = beyond;
      return asked.map(address => new URL(address).pathname.split("/").pop());
    }""".replace("SHOW", SHOW)
    assert "here" in page.evaluate(told, arg=False)


def test_the_title_tells_of_one_s_turn(house: House, visit: Visits) -> None:
    """While the other is to act the stream stays; then the title says it is one's turn, and the page rests."""
    irma, jules = house.guest("Irma"), house.guest("Jules")
    game = house.table([irma, jules], deal=SEVEN.deal, played=SEVEN.played)
    page = out_of_sight(visit(house, guest=irma), f"/table/{game}", ".hand .card")
    title = page.title()
    assert not is_idle(page)
    house.play_on(game, 1)
    wait_until("the title to tell", lambda: page.title() == f"À vous de jouer – {title}")
    page.clock.run_for(SETTLED)
    assert is_idle(page)
    show(page, away=False)
    expect(page).to_have_title(title)
