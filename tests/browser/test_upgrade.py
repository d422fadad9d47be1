"""What a browser kept when pages of before were open is understood: a hand's order, keys, offline matches."""

from __future__ import annotations

import json

from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import TWENTY
from tests.stable.test_upgrade import OFFLINE

HAND = "() => [...document.querySelectorAll('.hand > li')].map(place => place.dataset.key)"
KEPT = """([name, text]) => { localStorage.setItem(name, text); localStorage.setItem("chouine-keys-off", "1"); }"""
FIRST_DATABASE = """([me, matches]) => new Promise(done => {
  const opening = indexedDB.open("chouine", 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore("matches");
    opening.result.createObjectStore("me");
  };
  opening.onsuccess = () => {
    const writing = opening.result.transaction(["me", "matches"], "readwrite");
    writing.objectStore("me").put(me, "me");
    for (const [id, text] of Object.entries(matches)) writing.objectStore("matches").put({at: 1, text}, id);
    writing.oncomplete = () => { opening.result.close(); done(); };
  };
})"""
"""The database as pages of before made it and filled it."""
READ = """async () => {
  const {database} = await import("/static/js/offline/copies.js");
  const stored = (await database()).transaction(["me", "matches"]);
  const found = request => new Promise(done => { request.onsuccess = () => done(request.result); });
  const me = await found(stored.objectStore("me").get("me"));
  return [me, await found(stored.objectStore("matches").getAllKeys())];
}"""


def test_what_pages_of_before_kept_is_understood(house: House, visit: Visits) -> None:
    guest = house.guest("Anne")
    game = house.table([guest, house.guest("Basile")], deal=TWENTY.deal, played=TWENTY.played)
    page = visit(house, guest=guest).go(f"/table/{game}")
    sorted_hand = page.evaluate(HAND)
    partie = page.locator(".hand").get_attribute("data-partie")
    order = json.dumps({"partie": partie, "order": sorted_hand[::-1]})
    page.evaluate(KEPT, [f"chouine-hand-{game}-0", order])
    page.evaluate(FIRST_DATABASE, [OFFLINE["me"], OFFLINE["matches"]])
    page.reload()
    page.wait_for_function(f"() => ({HAND})().join() === {json.dumps(','.join(sorted_hand[::-1]))}")
    assert not page.locator("#single-keys").is_checked()
    me, matches = page.evaluate(READ)
    assert json.loads(me)["name"] == "Jeanne"
    assert matches == sorted(OFFLINE["matches"])
