"""A server and a browser of before meet today's program: matches go on where they were.

`before/store.sql` is the database of a server of before: a finished match and one in progress, with the cookies of its
two players in `visitors.json`. `offline.json` is what a browser kept of play without a network.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chouine.notation import Record, read_records
from chouine.server.offline.import_match import check_match
from chouine.server.offline.matches import read
from chouine.table.state import Phase
from tests.server.http.test_routes import play_by_forms
from tests.server.offline.playing import Device
from tests.server.serving import Browser, RunningServer, serving
from tests.stable.test_stable import BEFORE

VISITORS: dict[str, Any] = json.loads((BEFORE / "visitors.json").read_text(encoding="utf-8"))
OFFLINE: dict[str, Any] = json.loads((BEFORE / "offline.json").read_text(encoding="utf-8"))


@pytest.fixture
def upgraded(tmp_path: Path) -> Iterator[RunningServer]:
    """Today's server on the database of before."""
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        connection.executescript((BEFORE / "store.sql").read_text(encoding="utf-8"))
    with serving(f"sqlite:///{tmp_path / 'old.db'}", tmp_path / "errors") as served:
        yield served


def come_back(served: RunningServer, cookies: dict[str, str]) -> Browser:
    """A browser of before, with its cookie."""
    browser = served.visit()
    browser.http.cookies.clear()
    browser.http.cookies.update(cookies)
    browser.get("/")
    browser.csrf = browser.form("/new").fields["csrf"]
    return browser


def test_a_servers_matches_replay_and_go_on(upgraded: RunningServer) -> None:
    jean, charles = (come_back(upgraded, cookies) for cookies in VISITORS["cookies"])
    assert f"/table/{VISITORS['going']}" in jean.page.text, "its own match in progress"
    record = jean.get(f"/match/{VISITORS['finished']}.cgn").text
    assert (
        record.split() == (BEFORE / "records.cgn").read_text(encoding="utf-8").split()[: len(record.split())]
    )
    assert charles.get(f"/match/{VISITORS['finished']}/1").status_code == 200
    play_by_forms([jean, charles], VISITORS["going"], Random(1))
    text = charles.get(f"/match/{VISITORS['going']}.cgn").text
    entries = [*read_records(StringIO(text))]
    assert len(entries) >= 2
    assert all(isinstance(entry, Record) for entry in entries)


def test_what_a_browser_kept_without_a_network_goes_on() -> None:
    device = Device(me=OFFLINE["me"], matches=dict(OFFLINE["matches"]))
    assert "felt-blue" in device.get("/").body
    assert device.get(f"/match/{OFFLINE['finished']}/1").status == 200
    assert device.play_out(OFFLINE["going"]).phase is Phase.OVER


def test_a_match_played_without_a_network_before_is_taken() -> None:
    stored = read(OFFLINE["matches"][OFFLINE["finished"]])
    _, table = check_match(stored, "somebody", 2_000_000.0)
    assert (table.phase, table.match.winner) == (Phase.OVER, 0)
