"""Online contests by forms alone: announced, joined, started, played and verified."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.patience import wait_until
from tests.server.serving import Browser, RunningServer


def announce(browser: Browser, **fields: str) -> str:
    """Announce a contest and return its address."""
    told = {"title": "Essai du dimanche", "kind": "lavardin", "format": "1x1", "pace": "live", **fields}
    answer = browser.http.post("/contests", data={"csrf": browser.csrf, **told})
    assert answer.status_code == 200, answer.text
    return answer.url.path


def post(browser: Browser, address: str, what: str, **fields: str) -> httpx.Response:
    return browser.http.post(address, data={"csrf": browser.csrf, "what": what, **fields})


def enter_players(served: RunningServer, address: str, number: int) -> list[Browser]:
    players = [served.visit() for _ in range(number)]
    for n, player in enumerate(players):
        assert post(player, address, "enter", name=f"Nom {n}").status_code == 200
    return players


def table_of(browser: Browser, address: str) -> str:
    """The address of the visitor's current table; empty if none."""
    found = re.search(r'class="button huge" href="(/table/[^"]+)"', browser.get(address).text)
    return found[1] if found else ""


def test_a_contest_from_its_announcement_to_the_checked_draw(served: RunningServer, tmp_path: Path) -> None:
    owner = served.visit()
    address = announce(owner)
    players = [owner, *enter_players(served, address, 2)]
    assert post(owner, address, "enter", name="Nom 0").status_code == 200
    page = owner.get(address).text
    assert "Nom 0 2" in page  # a duplicate name gets a number
    assert "3 joueurs" in page
    assert address in owner.get("/").text
    assert post(owner, address, "start").status_code == 200

    def give_up() -> bool:
        """Each player with a table concedes its match; true once the contest is over."""
        for player in players:
            if not (table := table_of(player, address)):
                continue
            for seat in "01":  # the opponent's seat is refused
                player.http.post(f"{table}/forfeit", data={"csrf": player.csrf, "seat": seat})
            assert f'href="{address}"' in player.get(table).text
        return "révélée" in owner.get(address).text

    wait_until("the end of the contest", give_up)
    assert "gagne le concours" in owner.get(address).text
    log = tmp_path / "log.jsonl"
    log.write_text(owner.get(f"{address}/log").text)
    command = [sys.executable, "-m", "chouine", "concours", "check", str(log)]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0


def test_a_waiting_page_leads_to_the_table(served: RunningServer) -> None:
    owner = served.visit()
    address = announce(owner)
    players = enter_players(served, address, 2)
    post(owner, address, "start")
    wait_until("a table", lambda: table_of(players[0], address))
    page = players[0].get(address).text
    assert f'data-next="{table_of(players[0], address)}"' in page
    assert "perdu dans" in page  # the page warns of a forfeit
    assert players[0].get(table_of(players[0], address)).status_code == 200
    assert "data-next" not in owner.get(address).text


def test_whoever_announced_it_ends_a_match_that_does_not_end(served: RunningServer) -> None:
    owner = served.visit()
    address = announce(owner)
    players = enter_players(served, address, 2)
    post(owner, address, "start")
    wait_until("a table", lambda: table_of(players[0], address))
    assert post(players[0], address, "forfeit", number="2").status_code == 422
    assert post(owner, address, "forfeit", number="2").status_code == 200
    wait_until("the end", lambda: "Nom 0 gagne le concours" in owner.get(address).text)


@pytest.mark.parametrize("whose", ["owner", "other"])
@pytest.mark.parametrize("what", ["start", "forfeit"])
def test_what_cannot_be_done_is_refused_with_a_sentence(served: RunningServer, whose: str, what: str) -> None:
    """Impossible acts are refused with an alert: no entries, not the organiser."""
    browsers = {"owner": served.visit(), "other": served.visit()}
    address = announce(browsers["owner"])
    if what == "forfeit":
        browsers["owner"] = served.visit()
    answer = post(browsers[whose], address, what, number="1", name="Anne")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize(
    "fields", [{"title": ""}, {"format": "9x9"}, {"format": ""}, {"title": "\u202e\n"}, {"format": "999999"}]
)
def test_what_cannot_be_announced(served: RunningServer, fields: dict[str, str]) -> None:
    browser = served.visit()
    told = {"title": "Essai", "format": "1x1", **fields}
    answer = browser.http.post("/contests", data={"csrf": browser.csrf, **told})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize("kind", ["tree", "poules", "rounds", "", "?"])
def test_a_kind_that_the_form_lacks_is_that_of_lavardin(served: RunningServer, kind: str) -> None:
    assert "Comme à Lavardin" in served.visit().get(announce(served.visit(), kind=kind)).text


def test_who_withdraws_is_not_drawn_and_nobody_enters_once_it_has_started(served: RunningServer) -> None:
    owner = served.visit()
    address = announce(owner, kind="swiss", rounds="3")
    first, *_ = enter_players(served, address, 3)
    assert "<li>Nom 0</li>" not in post(first, address, "withdraw").text
    assert "<li>Nom 0</li>" in post(first, address, "enter", name="Nom 0").text
    post(first, address, "withdraw")
    post(owner, address, "start")
    assert post(served.visit(), address, "enter").status_code == 422
    wait_until("the draw", lambda: "Tour 1" in owner.get(address).text)
    assert table_of(first, address) == ""
    assert "Nom 0" not in owner.get(address).text


def test_whoever_announced_it_takes_an_entry_off_the_list(served: RunningServer) -> None:
    owner = served.visit()
    address = announce(owner)
    players = enter_players(served, address, 2)
    assert post(players[1], address, "remove", number="1").status_code == 422
    assert "<li>Nom 0</li>" in owner.get(address).text
    assert "<li>Nom 0</li>" not in post(owner, address, "remove", number="1").text
    assert post(owner, address, "remove", number="77").status_code == 422


def test_the_room_s_screen_turns_by_itself(served: RunningServer) -> None:
    owner = served.visit()
    address = announce(owner)
    assert "Les inscriptions sont ouvertes" in owner.get(f"{address}/screen").text
    enter_players(served, address, 3)
    post(owner, address, "start")
    wait_until("the draw", lambda: "Tour 1" in owner.get(f"{address}/screen").text)
    page = owner.get(f"{address}/screen?page=99").text
    assert f'data-next="{address}/screen?page=' in page
    assert 'data-stream=""' in page


@pytest.mark.parametrize(
    "address", ["/contests/nothing", "/contests/nothing/screen", "/contests/nothing/log", "/contests/%2e%2e"]
)
def test_there_is_no_such_contest(served: RunningServer, address: str) -> None:
    assert served.visit().get(address).status_code == 404


def test_who_announced_it_makes_an_absent_player_forfeit_but_never_an_opponent(served: RunningServer) -> None:
    """The organiser, who also plays, cannot make the opponent forfeit, only the own entry."""
    owner = served.visit()
    address = announce(owner)
    post(owner, address, "enter", name="Anne")
    first, *_ = enter_players(served, address, 1)
    post(owner, address, "start")
    wait_until("a table", lambda: table_of(owner, address))
    assert 'value="2"' not in owner.get(address).text
    answer = post(owner, address, "forfeit", number="2")
    assert answer.status_code == 422
    assert "pendule" in answer.text
    assert table_of(first, address)
    post(owner, address, "forfeit", number="1")
    wait_until("the end", lambda: "révélée" in owner.get(address).text)


def test_who_comes_back_on_another_device_goes_on_in_the_contest(served: RunningServer) -> None:
    """A player who moves to another device plays the contest's next tables there."""
    owner = served.visit()
    address = announce(owner)
    phone, other = enter_players(served, address, 2)
    post(owner, address, "start")
    wait_until("a table", lambda: table_of(phone, address))
    table = table_of(phone, address)
    (link,) = phone.links(table.removeprefix("/table/")).values()
    tablet = served.visit()
    tablet.sit(link)
    assert table_of(tablet, address) == table
    assert not table_of(phone, address)
    assert table_of(other, address) == table
