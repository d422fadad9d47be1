"""Past deals of the day without a network: played against the same opponent, and proven by the server afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from chouine.ai import search, search_wasm
from chouine.daily import PARTIES, Day
from chouine.players.base import Player
from chouine.players.heuristic import HeuristicPlayer
from chouine.registry import player_of
from chouine.server.offline import device as device_module
from chouine.server.offline import pages
from chouine.server.offline.import_match import check_match
from chouine.server.offline.matches import SealedPartie, partie_in, read, read_days, table_id_of
from chouine.table.commands import Refused
from chouine.table.entries import DAILY
from chouine.table.state import TableState
from tests.needs import need
from tests.server.offline.playing import Device

SEED = bytes(range(32))
MONDAY = date(2026, 11, 16)
WEEK = [Day.of(SEED, MONDAY + timedelta(nth)) for nth in range(7)]
THURSDAY, SATURDAY = WEEK[3], WEEK[5]
TAKEN = json.dumps({"days": [one.data for one in reversed(WEEK)]})
NOW = 2_000_000.0


@pytest.fixture
def browsers_kernels() -> Iterator[None]:
    need("kernels")
    search.use(search_wasm.compute)
    yield
    search._backends.clear()  # production code never removes a backend


def begin(device: Device, day: Day, nth: int = 0) -> str:
    given = device.post(f"/daily/{day.day}", {"partie": nth + 1})
    assert given.status == 303, given.body
    return given.location.rpartition("/")[2]


def check(device: Device, table_id: str, day: Day, nth: int = 0) -> TableState:
    return check_match(read(device.matches[table_id]), "somebody", NOW, SealedPartie(day, nth))[1]


@pytest.mark.parametrize("day", [WEEK[0], THURSDAY, SATURDAY], ids=["classic", "three", "mondoubleau"])
def test_the_same_acts_get_the_same_answers_on_a_device_and_on_a_server(
    day: Day, browsers_kernels: None
) -> None:
    """Played with the browser's kernels, replayed with those of this machine."""
    device = Device(days=TAKEN)
    for nth in range(PARTIES):
        table_id = begin(device, day, nth)
        assert begin(device, day, nth) == table_id
        over = device.play_out(table_id, seed=nth)
        assert over.opened.deal == str(day.deals[nth])
    search._backends.clear()
    for nth in range(PARTIES):
        table = check(device, table_id_of(day.day, nth), day, nth)
        assert table.held_by("somebody") == (0,)
        assert table.sealed
    page = device.get(f"/daily/{day.day}").body
    assert page.count("/1/review") == PARTIES
    assert "Continuer" not in page


def test_an_opponent_that_answers_otherwise_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every act is within the rules, but another player's."""
    device, made = Device(days=TAKEN), player_of

    def another(spec: str, *args: Any) -> Player:
        return HeuristicPlayer() if spec == DAILY else made(spec, *args)

    monkeypatch.setattr(device_module, "player_of", another)
    found = set()
    for nth in range(PARTIES):
        table_id = begin(device, SATURDAY, nth)
        device.play_out(table_id)
        with pytest.raises(Refused) as refused:
            check(device, table_id, SATURDAY, nth)
        found.add(refused.value.code)
    assert found == {"carry/not-answered"}


def concede_for_the_opponent(log: list[list[Any]]) -> None:
    at = next(at for at, (_, entry) in enumerate(log) if entry["kind"] == "acted")
    log[at:] = [[log[at][0], {"kind": "conceded", "seat": 1}]]


def another_deal(log: list[list[Any]]) -> None:
    log[0][1]["deal"] = str(WEEK[1].deals[0])


def a_weaker_opponent(log: list[list[Any]]) -> None:
    log[0][1]["chairs"][1]["player"] = "level:1"


def a_clock(log: list[list[Any]]) -> None:
    log[0][1]["clock"] = {"move": 10, "reserve": 0}


def deals_of_a_contest(log: list[list[Any]]) -> None:
    log[0][1]["deals"] = [str(WEEK[1].deals[0])]


@pytest.mark.parametrize(
    ("alter", "code"),
    [
        (deals_of_a_contest, "carry/one-device"),
        (concede_for_the_opponent, "carry/not-answered"),
        (another_deal, "carry/one-device"),
        (a_weaker_opponent, "carry/one-device"),
        (a_clock, "carry/one-device"),
    ],
)
def test_what_no_device_could_have_sent(alter: Callable[[list[list[Any]]], None], code: str) -> None:
    device = Device(days=TAKEN)
    table_id = begin(device, WEEK[0])
    device.play_out(table_id)
    sent = json.loads(device.matches[table_id])
    alter(sent["log"])
    device.matches[table_id] = json.dumps(sent)
    with pytest.raises(Refused) as refused:
        check(device, table_id, WEEK[0])
    assert refused.value.code == code


def test_an_ordinary_match_is_no_partie_of_a_day() -> None:
    device = Device(days=TAKEN)
    table_id = begin(device, WEEK[0])
    device.play_out(table_id)
    with pytest.raises(Refused):
        check_match(read(device.matches[table_id]), "somebody", NOW)


def test_the_page_of_a_past_day() -> None:
    device = Device(days=TAKEN)
    latest = device.get("/daily").body
    assert "22 novembre 2026" in latest
    assert 'href="/offline/daily/2026-11-21"' in latest
    assert "2026-11-23" not in latest
    assert ".json" not in latest  # what only a server has
    assert 'name="list"' not in latest
    table_id = begin(device, WEEK[0], 1)
    page = device.get(f"/daily/{MONDAY}").body
    assert f'href="/offline/table/{table_id}"' in page
    assert page.count('name="partie"') == PARTIES - 1
    assert "2026-11-15" not in page
    assert 'href="/offline/daily"' in device.get("/").body


def test_a_day_that_is_not_there() -> None:
    device = Device(days=TAKEN)
    for address in ("/daily/2026-11-23", "/daily/monday", "/daily/2026-02-30"):
        assert device.get(address).status == 404
    assert "ne sont pas sur cet appareil" in Device().get("/daily").body
    assert device.post(f"/daily/{MONDAY}", {"partie": "4"}).status == 400
    assert device.post(f"/daily/{MONDAY}", {}).status == 400


def test_a_device_without_the_kernels_plays_no_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "highest_level", lambda: 6)
    device = Device(days=TAKEN)
    assert 'name="partie"' not in device.get("/daily").body
    assert device.post(f"/daily/{MONDAY}", {"partie": "1"}).status == 404


def test_other_deals_than_those_of_the_digest_are_not_taken() -> None:
    data = [one.data for one in WEEK]
    data[2]["deals"] = data[1]["deals"]
    days = read_days(json.dumps({"days": data}))
    assert [*days] == [one.day for one in WEEK if one is not WEEK[2]]
    assert days[MONDAY] == WEEK[0]
    assert read_days("") == {}


@pytest.mark.parametrize(
    "name", ["", "x", "2026-11-16", "2026-11-16-0", "2026-11-16-4", "2026-13-16-1", "0" * 32]
)
def test_a_table_of_no_day(name: str) -> None:
    assert partie_in(name) is None


def test_a_table_names_its_day() -> None:
    assert partie_in(table_id_of(MONDAY, 2)) == (MONDAY, 2)
