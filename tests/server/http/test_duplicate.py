"""A duplicate contest by forms alone: what it tells, and what nobody may learn who has still to play the same cards."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from chouine.server.routes.addresses import routes
from chouine.server.routes.api import ENDPOINTS
from chouine.server.routes.failures import PROGRAMS
from tests.patience import wait_until
from tests.server.http.test_contests import announce, enter_players, post, table_of
from tests.server.programs import close_all, program
from tests.server.serving import Browser, RunningServer

OPEN = {"/table/{table_id}/here", "/join/{table_id}/{seat:few}/{secret}", "/import/{table_id}/erase"}
"""Addresses that show no card: a page says that it is in sight, a player returns on another device."""
OF_TABLES = [
    (method, route.path)
    for route in routes
    if "{table_id}" in route.path and route.path not in OPEN and not route.path.startswith(PROGRAMS)
    for method in sorted((route.methods or set()) & {"GET", "POST"})
]


def begin(served: RunningServer, players: int = 4, **fields: str) -> tuple[str, list[Browser]]:
    """A duplicate contest whose tables are open, and its players."""
    owner = served.visit()
    address = announce(owner, kind="duplicate", **{"rounds": "2", "deals": "2", **fields})
    found = [owner, *enter_players(served, address, players - 1)]
    assert post(owner, address, "enter", name="Anne").status_code == 200
    assert post(owner, address, "start").status_code == 200
    wait_until("the tables", lambda: sum(bool(table_of(one, address)) for one in found) == players // 2 * 2)
    return address, found


def command(browser: Browser, table: str, verb: str) -> None:
    """Do it for whichever seat is the browser's."""
    for seat in "01":
        browser.http.post(f"{table}/{verb}", data={"csrf": browser.csrf, "seat": seat})


def finish(players: list[Browser], table: str, deals: int = 2) -> None:
    """Let the first player of a table give up each deal."""
    for _ in range(deals):
        command(players[0], table, "concede")
        for player in players:
            command(player, table, "go-on")


def tables_by_player(address: str, players: list[Browser]) -> dict[str, list[Browser]]:
    """The tables of a round with their players."""
    found: dict[str, list[Browser]] = {}
    for player in players:
        found.setdefault(table_of(player, address), []).append(player)
    return {table: sitting for table, sitting in found.items() if table}


def request_partie(browser: Browser, method: str, path: str, table_id: str) -> httpx.Response:
    """The answer to a request for a table's first partie."""
    fixed = {"table_id": table_id, "number": "1", "nth": "1", "verb": "act", "seat": "0", "secret": "x"}
    address = re.sub(r"{(\w+)(:\w+)?}", lambda name: fixed[name[1]], path)
    if method == "GET":
        return browser.http.get(address)
    return browser.http.post(address, data={"csrf": browser.csrf, "seat": "0", "token": "As"})


@pytest.mark.parametrize("deals", [1, 2])
def test_nobody_sees_a_table_whose_cards_others_have_still_to_play(served: RunningServer, deals: int) -> None:
    """All addresses of a table that has played a deal, or all, are closed to all but its players."""
    address, players = begin(served, 5)
    (first, sitting), (second, others) = sorted(tables_by_player(address, players).items())[:2]
    finish(sitting, first, deals)
    table_id = first.rsplit("/", 1)[1]
    if deals == 2:
        assert "Vous avez joué ce tour" in sitting[0].get(address).text
        assert "a fini" in others[0].get(address).text
    exempt = next(player for player in players if player not in (*sitting, *others))
    for method, path in OF_TABLES:
        for browser in (others[0], exempt, served.visit()):
            answer = request_partie(browser, method, path, table_id)
            assert answer.status_code in (403, 404, 405), (method, path)
            assert 'class="card"' not in answer.text
    assert sitting[0].get(f"/match/{table_id}/1").status_code == 200
    assert sitting[0].get(first).status_code == 200
    assert others[0].get(f"{address}/deals/1").status_code == 404
    for page in ("", "/log", "/screen"):
        told = others[0].get(f"{address}{page}").text
        assert '"dealt"' not in told
        assert f"/table/{table_id}" not in told
    stranger = program(served)
    for endpoint in ENDPOINTS:
        if "{table_id}" in endpoint.path:
            answer = stranger.http.request(endpoint.method, endpoint.path.format(table_id=table_id), json={})
            assert answer.status_code in (403, 404, 422), endpoint.path
            assert "board" not in answer.text
    close_all()
    finish(others, second)
    finish(sitting, first, 2 - deals)
    wait_until("the next round", lambda: exempt.get(f"{address}/deals/1").status_code == 200)
    for path in (f"/match/{table_id}", f"/match/{table_id}/1", f"/match/{table_id}.cgn", first):
        assert exempt.get(path).status_code == 200
    assert exempt.get(f"{address}/deals/3").status_code == 404
    assert exempt.get(f"{address}/deals/99").status_code == 404
    assert exempt.get("/contests/nothing/deals/1").status_code == 404


def test_a_player_returns_on_another_device(served: RunningServer) -> None:
    """By the link of their seat, though the table is sealed."""
    address, players = begin(served)
    table, sitting = next(iter(tables_by_player(address, players).items()))
    link = re.search(r"/join/[^\"'< ]+", sitting[0].get(f"{table}/links").text)
    assert link is not None
    other = served.visit()
    assert other.get(table).status_code == 403
    assert other.get(link[0]).status_code == 200
    assert other.http.post(link[0], data={"csrf": other.csrf}).status_code == 200
    assert other.get(table).status_code == 200


def test_a_duplicate_contest_from_its_announcement_to_the_checked_log(
    served: RunningServer, tmp_path: Path
) -> None:
    address, players = begin(served)
    page = players[0].get(address).text
    assert "Duplicate" in page
    assert "Comment on compte en duplicate" in page
    assert "Regarder" not in page

    def give_up() -> bool:
        for table, sitting in tables_by_player(address, players).items():
            finish(sitting, table)
        return "révélée" in players[0].get(address).text

    wait_until("the end of the contest", give_up)
    page = players[0].get(address).text
    assert "IMP\u00a0:" in page
    assert ("gagne le concours" in page) != ("La première place est partagée" in page), "as the cards fall"
    assert "abandon en face" in players[0].get(f"{address}/deals/4").text
    log = tmp_path / "log.jsonl"
    log.write_text(players[0].get(f"{address}/log").text)
    check = [sys.executable, "-m", "chouine", "concours", "check", str(log)]
    assert subprocess.run(check, check=False, capture_output=True).returncode == 0


def test_three_players_cannot_be_compared(served: RunningServer) -> None:
    owner = served.visit()
    address = announce(owner, kind="duplicate")
    enter_players(served, address, 3)
    answer = post(owner, address, "start")
    assert answer.status_code == 422
    assert "être 4 au moins" in answer.text


def test_what_a_form_leaves_open_is_twenty_parties(served: RunningServer) -> None:
    owner = served.visit()
    address = announce(owner, kind="duplicate", rounds="", deals="99")
    assert "Tours : 5 ; parties à chaque tour : 4" in owner.get(address).text.replace("\u00a0", " ").replace(
        "\u202f", " "
    )
