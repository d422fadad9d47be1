"""Two who know each other: a challenge in one tap, presence among friends, and who has left the table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from chouine.server.circle.people import People
from chouine.server.tables import Tables
from tests.browser.conftest import Visits
from tests.browser.house import Guest, House
from tests.browser.moments import LAVARDIN
from tests.browser.test_every_page import faults_of
from tests.browser.visitor import DESKTOP, PHONE
from tests.needs import need
from tests.patience import TRIES, wait_until


def befriend(house: House, one: Guest, other: Guest) -> None:
    async def ask(tables: Tables) -> None:
        people = People(tables)
        for guest in (one, other):
            await people.own(guest.guest, guest.name)
        await people.ask(one.guest, other.guest)
        await people.accept(other.guest, one.guest)

    house.do(ask)


def test_a_challenge_between_friends_leads_both_to_the_table(house: House, visit: Visits) -> None:
    need("axe")
    odette, basile = house.guest("Odette"), house.guest("Basile", "en")
    befriend(house, odette, basile)
    hers = visit(house, guest=odette, size=PHONE).go("/circle")
    his = visit(house, guest=basile, language="en", size=DESKTOP).go("/circle")
    expect(his.get_by_role("link", name="Odette")).to_be_visible()
    assert faults_of(his) == faults_of(hers) == []
    his.get_by_role("link", name="Odette").click()
    assert faults_of(his) == []
    his.get_by_role("button", name="Challenge Odette").click()
    expect(his.get_by_text("No answer yet")).to_be_visible()
    expect(hers.get_by_text("Basile vous propose un match.")).to_be_visible()
    assert faults_of(hers) == []
    hers.get_by_role("button", name="Accepter").click()
    hers.wait_for_url("**/table/*")
    his.wait_for_url("**/table/*")
    assert hers.url == his.url


WATCH = """() => { new MutationObserver(() => window.flashes++).observe(document.getElementById("away"),
  {attributes: true, childList: true}); }"""


def reload_unseen(page: Page, other: Page) -> bool:
    """Whether the one page shows nothing while the other is loaded again, three times.

    The server waits seven seconds for a page's word: a busy machine may be later, so that this is tried again.
    """
    expect(page.locator("#away")).to_be_hidden()
    page.evaluate("window.flashes = 0")
    page.wait_for_timeout(2_000)
    for _ in range(3):
        other.reload()
        page.wait_for_timeout(1_500)
    return bool(page.evaluate("window.flashes === 0"))


@pytest.mark.parametrize("seat", [0, 1])
def test_who_leaves_is_missed_and_a_reload_is_not_seen(house: House, visit: Visits, seat: int) -> None:
    """Whether it is her turn (seat 0) or she waits for the other's card, for which a page out of sight may stay."""
    odette, basile = house.guest("Odette"), house.guest("Basile")
    game = house.table([odette, basile][:: 1 - 2 * seat], deal=LAVARDIN)
    hers = visit(house, guest=odette)
    other = hers.go(f"/table/{game}")
    page = visit(house, guest=basile, size=PHONE).go(f"/table/{game}")
    away = page.locator("#away")
    page.evaluate(WATCH)
    assert any(reload_unseen(page, other) for _ in range(TRIES))
    expect(away).to_be_hidden()
    other.goto("about:blank")
    expect(away).to_have_text(
        "Odette a quitté la table et peut revenir à tout moment : ce match n’a pas de pendule."
    )
    other.goto(f"{house.url}/table/{game}")
    expect(away).to_be_hidden()
    other.context.set_offline(True)  # it dies silently
    hers.expected = "ERR_INTERNET_DISCONNECTED"
    wait_until("she is missed", lambda: page.evaluate("!document.getElementById('away').hidden"))
