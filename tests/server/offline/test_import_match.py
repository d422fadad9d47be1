"""The server replays an imported offline match by the rules: it accepts a genuine one and refuses a forged one."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from chouine.server.offline.import_match import LARGEST, check_match, identifier, unpack_match
from chouine.server.offline.matches import read
from chouine.server.table_ids import played_offline
from chouine.table.commands import Refused
from chouine.table.state import Phase
from tests.browser.moments import LAVARDIN
from tests.server.offline.playing import Device

Log = list[list[Any]]


@pytest.fixture(scope="module")
def sent() -> tuple[Device, str]:
    """A finished match, as the device stores it."""
    device = Device()
    table_id = device.set_table(rules="classic", format="2x1", **{"chair-0": "me", "chair-1": "level:2"})
    device.play_out(table_id)
    return device, device.matches[table_id]


def bring(text: str, now: float = 2_000_000.0) -> Any:
    return check_match(read(text), "somebody", now)


def test_a_true_match_is_taken(sent: tuple[Device, str]) -> None:
    device, text = sent
    entries, table = bring(text)
    (played,) = [known.table for known in device.site.tables.values()]
    assert table.phase is Phase.OVER
    assert table.held_by("somebody") == (0,)
    assert [each.state for each in table.played] == [each.state for each in played.played]
    assert len(entries) == played.n
    match = unpack_match(gzip.compress(text.encode()))
    assert played_offline(identifier("somebody", match))
    assert identifier("somebody", match) != identifier("another", match)


def test_a_match_on_an_earlier_deal_is_taken() -> None:
    device = Device()
    table_id = device.set_table(rules="classic", format="1x1", **{"chair-0": "me", "chair-1": "level:1"})
    device.play_out(table_id)
    again = device.post(f"/match/{table_id}/1/again", {}).location.rpartition("/")[2]
    device.play_out(again)
    _, table = bring(device.matches[again])
    assert table.opened.deal == str(device.table(table_id).table.played[0].state.deal)


def first(log: Log, kind: str, nth: int = 0) -> int:
    return [at for at, (_, entry) in enumerate(log) if entry["kind"] == kind][nth]


def another_card(log: Log) -> None:
    log[first(log, "acted", 3)][1]["token"] = log[first(log, "acted", 1)][1]["token"]


def another_seat(log: Log) -> None:
    entry = log[first(log, "acted", 2)][1]
    entry["seat"] = 1 - entry["seat"]


def two_aces(log: Log) -> None:
    entry = log[first(log, "shuffled", 1)][1]
    entry["pack"] = entry["pack"][:2] * 2 + entry["pack"][4:]


def shuffled_again(log: Log) -> None:
    at = first(log, "cut")
    log.insert(at, [log[at][0], log[first(log, "shuffled")][1]])


def forfeit(log: Log) -> None:
    at = first(log, "acted", 2)
    log[at:] = [[log[at][0], {"kind": "forfeited", "seat": 1, "late": True}]]


def cut_off(log: Log) -> None:
    del log[-1]


def credit(log: Log) -> None:
    log.insert(5, [log[5][0], {"kind": "credited", "seconds": 5}])


def back_in_time(log: Log) -> None:
    log[7][0] -= 1_000


def tomorrow(log: Log) -> None:
    log[-1][0] += 10_000_000


def two_guests(log: Log) -> None:
    log[0][1]["chairs"][1] = {"player": "person", "name": "x", "guest": "other"}


def long_name(log: Log) -> None:
    log[0][1]["chairs"][0]["name"] = "x" * 500


def long_emblem(log: Log) -> None:
    log[0][1]["chairs"][0]["emblem"] = "x" * 500_000


def a_computers_emblem(log: Log) -> None:
    log[0][1]["chairs"][1]["emblem"] = "kh"


def a_computers_guest(log: Log) -> None:
    log[0][1]["chairs"][1]["guest"] = log[0][1]["chairs"][0]["guest"]


def seats_for_others(log: Log) -> None:
    log[0][1]["rules"] = "three"


def one_seat(log: Log) -> None:
    del log[0][1]["chairs"][1]


def five_seats(log: Log) -> None:
    log[0][1]["chairs"] += [log[0][1]["chairs"][1]] * 3


def long_deal(log: Log) -> None:
    log[0][1]["deal"] = LAVARDIN.replace(" ", " " * 100_000)


def hidden_deal(log: Log) -> None:
    log[0][1]["deal"] = LAVARDIN.replace(".K.A97.7", "?5")


def long_nonce(log: Log) -> None:
    log[first(log, "shuffled")][1]["nonce"] = "0" * 500_000


def a_program(log: Log) -> None:
    log[0][1]["chairs"][1]["player"] = "pipe:rm"


def long_pace(log: Log) -> None:
    log[0][1]["pace"] = 1e9


def told_more(log: Log) -> None:
    at = first(log, "acted", 1)
    counsel = {"best": log[at][1]["token"], "acts": [{"token": "<b>", "win": 1, "low": 1, "high": 1}]}
    log.insert(at, [log[at][0], {"kind": "advised", "seat": 0, "counsel": counsel}])


def a_stranger_speaks(log: Log) -> None:
    log.insert(5, [log[5][0], {"kind": "spoke", "seat": 9, "phrase": "hello"}])


def endless(log: Log) -> None:
    log[5:5] = [[log[5][0], {"kind": "spoke", "seat": 0, "phrase": "hello"}]] * 9_000


def spoken_for_hours(log: Log) -> None:
    log[5:5] = [[log[5][0], {"kind": "spoke", "seat": 0, "phrase": "hello"}]] * 4_000


FORGED: dict[Callable[[Log], None], str] = {
    another_card: "not-so",
    another_seat: "not-so",
    two_aces: "not-so",
    shuffled_again: "not-so",
    forfeit: "not-so",
    cut_off: "not-over",
    credit: "not-so",
    back_in_time: "time",
    tomorrow: "time",
    two_guests: "one-device",
    long_name: "one-device",
    long_emblem: "one-device",
    a_computers_emblem: "one-device",
    a_computers_guest: "one-device",
    seats_for_others: "one-device",
    one_seat: "one-device",
    five_seats: "one-device",
    long_deal: "one-device",
    hidden_deal: "one-device",
    long_nonce: "not-so",
    spoken_for_hours: "not-so",
    a_program: "not-so",
    long_pace: "one-device",
    told_more: "not-so",
    a_stranger_speaks: "not-so",
    endless: "too-long",
}


@pytest.mark.parametrize(("forge", "code"), FORGED.items())
def test_a_forged_match_is_refused(sent: tuple[Device, str], forge: Callable[[Log], None], code: str) -> None:
    match = json.loads(sent[1])
    forge(match["log"])
    with pytest.raises(Refused) as refused:
        bring(json.dumps(match))
    assert refused.value.code == f"carry/{code}"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        gzip.compress(b"{}", mtime=0),
        gzip.compress(b"[" * 100, mtime=0),
        gzip.compress(b'{"id":"\xff"}', mtime=0),
        b"\x1f\x8b" + b"x" * 50,
    ],
)
def test_what_is_no_match_is_refused(body: bytes) -> None:
    with pytest.raises(Refused) as refused:
        unpack_match(body)
    assert refused.value.code == "carry/unreadable"


def test_what_is_stored_is_a_small_multiple_of_what_was_sent(sent: tuple[Device, str]) -> None:
    """A match that was played is let in, whatever its length; one that says the same a thousand times is not."""
    match = json.loads(sent[1])
    spoken = [match["log"][2][0], {"kind": "spoke", "seat": 0, "phrase": "hello"}]
    match["log"][2:2] = [spoken] * 1000
    body = gzip.compress(json.dumps(match).encode())
    with pytest.raises(Refused) as refused:
        unpack_match(body)
    assert refused.value.code == "carry/repeats"
    assert unpack_match(gzip.compress(sent[1].encode())).id


def test_a_file_that_grows_when_unpacked_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        unpack_match(gzip.compress(b" " * (LARGEST + 1)))
    assert refused.value.code == "carry/too-long"
