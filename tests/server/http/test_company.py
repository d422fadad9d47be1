"""Who has left a table, over HTTP: told in the stream, in polls and on the page, on every node, and to whom."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from html import unescape
from pathlib import Path

import pytest

from chouine.server.circle.company import EVERY, SILENT
from tests.needs import need
from tests.patience import wait_until
from tests.server.http.test_streams import stream
from tests.server.redis import redis_server
from tests.server.serving import Browser, RunningServer, serving


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[list[RunningServer]]:
    """Two nodes with one database and one Redis."""
    need("redis")
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server())
        options = ("--trusted-proxies", "127.0.0.1", "--redis", redis.url)
        database = f"sqlite:///{tmp_path / 'chouine.db'}"
        yield [
            stack.enter_context(serving(database, tmp_path / f"errors-{nth}", options=options))
            for nth in range(2)
        ]


def at_table(host: Browser, friend: Browser) -> str:
    table_id = host.open(**{"name-0": "Odette"})
    friend.sit(host.links(table_id)[1], "Basile")
    return table_id


def elsewhere(browser: Browser, node: RunningServer) -> Browser:
    """The same visitor at another node."""
    other = node.visit()
    other.http.cookies.clear()
    for name, value in browser.http.cookies.items():
        other.http.cookies.set(name, value)
    return other


def away_in(browser: Browser, table_id: str) -> str:
    """What a poll says of who has left."""
    found = [news["away"] for news in browser.get(f"/table/{table_id}/events").json() if "away" in news]
    return "".join(found).replace("\N{NO-BREAK SPACE}", " ")


def test_ten_seconds_are_enough_to_say_who_has_left() -> None:
    """After a page's last word its node tells the others at its next look, and each its readers at its own."""
    assert SILENT + 2 * EVERY < 10


def test_every_node_says_who_has_left(nodes: list[RunningServer]) -> None:
    odette, basile = nodes[0].visit(), nodes[0].visit()
    table_id = at_table(odette, basile)
    basile = elsewhere(basile, nodes[1])
    stranger = nodes[1].visit()
    page = f"/table/{table_id}"
    both = odette, elsewhere(odette, nodes[1])
    assert 'data-here="' in basile.get(page).text
    odette.get(page)
    for nth in range(4):
        assert both[nth % 2].get(f"{page}/here").status_code == 204
        time.sleep(0.5)
        assert away_in(basile, table_id) == ""
    with stream(basile, table_id, "1") as news:
        said = next(data["away"] for _, data in news if "away" in data)
        assert said.startswith("Odette a quitté la table et peut revenir")
        odette.get(f"{page}/here")
        assert next(data["away"] for _, data in news if "away" in data) == ""
        odette.get(f"{page}/here?leaving")
        assert next(data["away"] for _, data in news if "away" in data).startswith("Odette")
    assert away_in(basile, table_id).startswith("Odette")
    assert "Odette a quitté la table" in unescape(basile.get(page).text), "also without scripts"
    assert 'id="away"' not in stranger.get(page).text
    assert away_in(stranger, table_id) == ""
    odette.get(page)  # a page that may never tell, without scripts
    wait_until("her to be missed no longer", lambda: away_in(basile, table_id) == "")
    time.sleep(1.5)
    assert away_in(basile, table_id) == ""


def test_blocked_people_do_not_see_when_the_other_comes_and_goes(nodes: list[RunningServer]) -> None:
    odette, basile = nodes[0].visit(), nodes[0].visit()
    table_id = at_table(odette, basile)
    odette.get(f"/table/{table_id}/here")
    odette.get(f"/table/{table_id}/here?leaving")
    odette.get(f"/match/{table_id}/people")
    odette.submit(odette.forms("/people")[0], what="block")
    time.sleep(5)
    assert away_in(basile, table_id) == ""
    assert "a quitté la table" not in unescape(basile.get(f"/table/{table_id}").text)
