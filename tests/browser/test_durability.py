"""A server killed during a trick: acknowledged acts are kept, and both browsers continue by themselves."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from chouine.server.pages.env import STATIC
from chouine.server.schema import VERSION
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import LAVARDIN, LONG
from tests.browser.player import WAITING_CARD, Player
from tests.browser.visitor import DESKTOP, PHONE, Visitor
from tests.needs import need
from tests.patience import wait_until
from tests.server.caddy import proxying


@pytest.mark.parametrize("played", ["", LONG], ids=["first trick", "talon out"])
def test_kill_minus_nine(own_house: House, visit: Visits, played: str) -> None:
    """`chouine serve` is killed with a card on the table, and a card tapped before its restart is played after it."""
    house = own_house
    house.usual = True
    house.start()
    guests = [house.guest("Anne"), house.guest("Basile", "en")]
    game = house.table(guests, deal=LAVARDIN, played=played)
    visitors = [visit(house, guest=guests[0], size=PHONE), visit(house, guest=guests[1], size=DESKTOP)]
    for visitor in visitors:
        visitor.expected = r"ERR_|Failed to fetch"
    anne, basile = [visitor.go(f"/table/{game}") for visitor in visitors]
    anne.locator(WAITING_CARD).first.click()
    for page in (anne, basile):
        expect(page.locator(".trick .card")).to_have_count(1)
    acknowledged = house.log(game)
    house.kill()
    basile.locator(WAITING_CARD).first.click()
    basile.wait_for_timeout(500)
    house.start()
    for page in (anne, basile):
        expect(page.locator(".past .card")).to_have_count(2)
        expect(page.locator("#notice")).to_be_hidden()
    after = house.log(game)
    assert after[: len(acknowledged)] == acknowledged
    assert len(house.cards(game)) == len(played.replace("7x", "").split()) + 2
    if played:
        Player(anne).play_out(Player(basile))
        assert house.room(game).match.over


GREETED = "GREETED = 6_000"
SAID = """
    window.said = [];
    const note = () => document.querySelectorAll("#notice:not([hidden]), #trouble:not([hidden])").forEach(
      (each) => window.said.push(`${each.className}: ${each.textContent.trim()}`));
    new MutationObserver(note).observe(document.body, {attributes: true, childList: true, subtree: true});
"""
"""Keeps all that a page says of its connection."""


def wait_longer(visitor: Visitor) -> None:
    """Let the greeting of a stream take as long as a busy machine needs; `test_held_back` has one that is held back."""
    script = (STATIC / "js" / "source.js").read_text(encoding="utf-8")
    assert GREETED in script
    body = script.replace(GREETED, "GREETED = 60_000")
    visitor.context.route(
        "**/js/source.js*", lambda route: route.fulfill(body=body, content_type="text/javascript")
    )


def test_a_restart_behind_the_proxy_shows_no_error(own_house: House, visit: Visits, tmp_path: Path) -> None:
    """Pages say that the table waits, and nothing else; a card tapped meanwhile is played."""
    need("caddy")
    own_house.start()
    guests = [own_house.guest("Anne"), own_house.guest("Basile", "en")]
    game = own_house.table(guests, deal=LAVARDIN)
    with proxying([f"127.0.0.1:{own_house.port}"], tmp_path) as url:
        front = House(own_house.database, port=int(url.rpartition(":")[2]))
        wait_until("the site", lambda: httpx.get(url).status_code == 200)
        visitors = [visit(front, guest=guests[0], size=PHONE), visit(front, guest=guests[1], size=DESKTOP)]
        for visitor in visitors:
            visitor.expected = r"ERR_|Failed to fetch|50[23]"
            wait_longer(visitor)
        pages = [visitor.go(f"/table/{game}") for visitor in visitors]
        for page in pages:
            page.evaluate(SAID)
        own_house.kill()
        pages[0].locator(WAITING_CARD).first.click()
        for page in pages:
            expect(page.locator("#notice")).to_be_visible()
        own_house.restart()
        for page in pages:
            expect(page.locator(".trick .card")).to_have_count(1)
            expect(page.locator("#notice")).to_be_hidden()
        said = [text for page in pages for text in page.evaluate("window.said")]
        assert {text.partition(":")[0] for text in said} == {"notice lost"}, said


def test_a_page_of_an_older_version_is_loaded_anew(own_house: House, visit: Visits) -> None:
    """Once the database has another schema the stream says so, and the page waits for a node that answers."""
    own_house.start()
    guest = own_house.guest("Anne")
    game = own_house.table([guest, own_house.guest("Basile")], deal=LAVARDIN)
    visitor = visit(own_house, guest=guest)
    visitor.expected = "503"
    page = visitor.go(f"/table/{game}")
    page.evaluate("document.body.dataset.made = 'before'")
    with closing(sqlite3.connect(own_house.database, isolation_level=None)) as database:
        database.execute("update alembic_version set oldest = '9999'")
        page.wait_for_event("response", lambda answer: answer.status == 503)
        database.execute("update alembic_version set oldest = ?", [VERSION])
    expect(page.locator("body[data-made]")).to_have_count(0)
    expect(page.locator(WAITING_CARD).first).to_be_visible()
