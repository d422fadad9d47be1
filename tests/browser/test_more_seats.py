"""Three and four seats, and Mondoubleau: whole parties against computers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from chouine.phrases import Language
from chouine.server.pages.visit import Settings
from tests.browser.conftest import Visits
from tests.browser.house import Guest, House, ended_by_chouine
from tests.browser.moments import FOUR, FOUR_SAYS, THREE, Moment
from tests.browser.pairs import LANGUAGES, by_pairs
from tests.browser.player import HELD, Player
from tests.browser.visitor import DESKTOP, PHONE, TAKEN, Size

TABLES = [
    ("three", 3, 10, PHONE),
    ("four", 4, 8, DESKTOP),
    ("mondoubleau", 2, 16, PHONE),
    ("mondoubleau-three", 3, 10, DESKTOP),
    ("mondoubleau-four", 4, 8, PHONE),
]
QUICK = {("three", False), ("four", False), ("mondoubleau", False)}
WAYS = [
    pytest.param(*table, scripts, marks=() if (table[0], scripts) in QUICK else pytest.mark.nightly)
    for table in TABLES
    for scripts in (True, False)
]


@pytest.mark.parametrize(("rules", "seats", "tricks", "size", "scripts"), WAYS)
def test_a_partie_of_every_preset(
    house: House, visit: Visits, rules: str, seats: int, tricks: int, size: Size, *, scripts: bool
) -> None:
    guest = house.guest("Paul", "en")
    terms = "1" if seats > 2 else "1x1"
    game = house.table([guest, *["heuristic"] * (seats - 1)], rules, terms)
    visitor = visit(house, guest=guest, size=size, scripts=scripts, still=True)
    visitor.expected = TAKEN
    page = visitor.go(f"/table/{game}")
    expect(page.locator(".score .side")).to_have_count(seats)
    Player(page, scripts).play_out()
    room = house.room(game)
    assert len(house.cards(game, 0)) == tricks * len(room.played) or ended_by_chouine(room)
    expect(page.locator("#headline")).to_be_visible()


SMALL: Size = (320, 568)
FRIENDS = ("Marie-Madeleine", "Jean-Christophe", "Donatien")
COVERED = """() => [...document.querySelectorAll(".trick .card")].filter(card => {
  const box = card.getBoundingClientRect();
  const x = box.left + box.width * 0.14, y = box.top + box.height * 0.14;
  return !card.contains(document.elementFromPoint(x, y));
}).map(card => card.dataset.card)"""
OUTSIDE = """() => [...document.querySelectorAll(".others .who, .others .tag, .score .who")].filter(e => {
  const box = e.getBoundingClientRect(), room = e.closest(".seat, .score").getBoundingClientRect();
  const wraps = box.height > 1.8 * parseFloat(getComputedStyle(e).fontSize);
  return wraps || box.left < room.left - 1 || box.right > room.right + 1;
}).map(e => e.textContent)"""
TOPS = """() => [...document.querySelectorAll(".others .who")].map(e => Math.round(e.getBoundingClientRect().top))"""
LINES = """() => [...document.querySelectorAll(".others .bubble")]
  .map(e => Math.round(e.clientHeight / parseFloat(getComputedStyle(e).lineHeight) - 0.3))"""


def table_of_many(house: House, moment: Moment, seat: int, language: Language) -> tuple[str, Guest]:
    """Anne among friends with long names; complete tricks are held until a tap."""
    anne = house.guest("Anne", language, settings=Settings(hold=HELD))
    friends = iter(FRIENDS)
    seats = 3 if moment.rules == "three" else 4
    chairs = [anne if at == seat else Guest("", f"{moment.rules}-{at}", next(friends)) for at in range(seats)]
    return house.table(chairs, moment.rules, "1", moment.deal, moment.played), anne


@pytest.mark.parametrize(("size", "moment", "seat"), by_pairs((PHONE, SMALL, DESKTOP), (THREE, FOUR), (0, 1)))
def test_every_card_of_a_trick_shows_its_index(
    house: House, visit: Visits, moment: Moment, seat: int, size: Size
) -> None:
    """No card of a trick covers another's index."""
    game, anne = table_of_many(house, moment, seat, "fr")
    page = visit(house, guest=anne, size=size, still=True).go(f"/table/{game}")
    seats = 3 if moment.rules == "three" else 4
    before = len(moment.played.split()) % seats
    expect(page.locator(".trick .card")).to_have_count(before)
    for laid in range(before + 1, seats + 1):
        state = house.room(game).state
        assert state is not None
        house.play(
            game, next(token for token in map(str, state.legal()) if "+" not in token and token != "7x")
        )
        expect(page.locator(".trick .card")).to_have_count(laid)
        assert page.evaluate(COVERED) == []


@pytest.mark.parametrize(
    ("language", "size", "seat"), by_pairs(LANGUAGES, (PHONE, SMALL, DESKTOP), (0, 2, 3))
)
def test_names_and_what_is_said_have_their_place(
    house: House, visit: Visits, language: Language, size: Size, seat: int
) -> None:
    """Names take one line within their seats, speech bubbles two at most, and the page does not scroll."""
    game, anne = table_of_many(house, FOUR_SAYS, seat, language)
    page = visit(house, guest=anne, size=size, language=language, still=True).go(f"/table/{game}")
    expect(page.locator(".others .bubble")).to_have_count(1)
    assert page.evaluate(LINES)[0] <= 2
    assert len(set(page.evaluate(TOPS))) == 1
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
