"""Three and four seats, and Mondoubleau: whole parties against computers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.house import House, ended_by_chouine
from tests.browser.player import Player
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
