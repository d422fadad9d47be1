"""How cards move: turned over when drawn, dealt one by one, and never upon what one wants to read."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from chouine.table import commands as ask
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import LAVARDIN, SEVEN
from tests.browser.visitor import PHONE

WATCH = """() => {
  window.flown = [];
  const number = flyer => {
    const box = document.querySelector(".talon .left").getBoundingClientRect();
    flyer.style.pointerEvents = "auto";
    return Boolean(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest(".left"));
  };
  new MutationObserver(records => {
    for (const flyer of records.flatMap(record => [...record.addedNodes]).filter(node => node.matches?.(".flyer"))) {
      const [flight] = flyer.getAnimations();
      const { delay } = flight.effect.getTiming();
      const before = getComputedStyle(flyer).visibility;
      flight.currentTime = delay + 10;
      window.flown.push({
        card: flyer.querySelector("use").getAttribute("href").replace(/.*#/, ""),
        delay, before, during: getComputedStyle(flyer).visibility, read: number(flyer),
        turned: flight.effect.getKeyframes()[0].transform.includes("rotateY(180deg)"),
      });
      flight.currentTime = 0;
    }
  }).observe(document.body, {childList: true});
}"""


def flown(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("flown")
    return found


def test_a_card_drawn_is_turned_over_on_its_way(house: House, visit: Visits) -> None:
    """It is not there until it sets off, and the number of cards in the talon is always read."""
    guest = house.guest("Irma")
    game = house.table([house.guest("Jules"), guest], deal=SEVEN.deal, played=SEVEN.played)
    page = visit(house, guest=guest, size=PHONE).go(f"/table/{game}")
    before = {card.get_attribute("data-card") for card in page.locator(".hand .card").all()}
    page.evaluate(WATCH)
    page.locator(".hand .card").first.click()
    expect(page.locator(".past .card")).to_have_count(2)
    expect(page.locator(".hand .card")).to_have_count(5)
    held = {card.get_attribute("data-card") for card in page.locator(".hand .card").all()}
    (drawn,) = held - before
    (flight,) = flown(page)
    assert flight == {
        "card": f"card-{drawn}",
        "delay": flight["delay"],
        "before": "hidden",
        "during": "visible",
        "read": True,
        "turned": True,
    }
    expect(page.locator(".flyer")).to_have_count(0)


def test_cards_are_dealt_one_by_one(house: House, visit: Visits) -> None:
    """§3: then the turnup is turned."""
    guest, other = house.guest("Irma"), house.guest("Jules")
    game = house.table([guest, other])
    page = visit(house, guest=guest, size=PHONE).go(f"/table/{game}")
    while (room := house.room(game)).phase.value == "tirage":
        seat = min(room.awaited)
        place = next(place for place in range(32) if place not in room.picks)
        house.do(lambda tables, seat=seat, place=place: tables.do(game, ask.Pick(seat, place)))  # type: ignore[misc]
    expect(page.locator(".pack-edge")).to_have_count(1)
    page.evaluate(WATCH)
    cutter = min(house.room(game).awaited)
    house.do(lambda tables: tables.do(game, ask.CutAt(cutter, 16)))
    expect(page.locator(".hand .card")).to_have_count(5)
    *dealt, turnup = flown(page)
    state = house.room(game).state
    assert state is not None
    assert {flight["card"] for flight in dealt} == {f"card-{card}".lower() for card in state.view(0).hand}
    delays = [flight["delay"] for flight in dealt]
    assert len(set(delays)) == 5
    assert delays == sorted(delays)
    assert turnup["delay"] > delays[-1]
    assert all(flight["turned"] for flight in (*dealt, turnup))


def test_a_card_laid_by_another_is_turned_over(house: House, visit: Visits) -> None:
    guest = house.guest("Irma")
    game = house.table([house.guest("Jules"), guest], deal=LAVARDIN)
    page = visit(house, guest=guest, size=PHONE).go(f"/table/{game}")
    page.evaluate(WATCH)
    house.play(game, "Qs")
    expect(page.locator(".trick .card")).to_have_count(1)
    assert [(flight["card"], flight["turned"]) for flight in flown(page)] == [("card-qs", True)]
