"""The server's log names the kind and place of failures, never their text, which might contain a card."""

from __future__ import annotations

import json
import logging
import socket
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from chouine.cards import Card
from chouine.server import logs
from chouine.server.logs import Terse
from tests.patience import PATIENCE
from tests.server.serving import Browser, RunningServer, serving


def line(record: logging.LogRecord) -> dict[str, str]:
    told: dict[str, str] = json.loads(Terse().format(record))
    return told


def test_a_librarys_traceback_is_told_by_its_kind(caplog: pytest.LogCaptureFixture) -> None:
    """Of a library's exception or logged traceback only the kind is written."""
    with pytest.raises(ValueError, match="Qd") as raised:
        Card("Qd and more")
    error = (raised.type, raised.value, raised.tb)
    record = logging.LogRecord("x", logging.ERROR, "", 0, "it holds Qd", None, error)
    assert "Qd" not in Terse().format(record)
    assert line(record)["kind"] == "ValueError"
    text = "Traceback (most recent call last):\n  File x\nmsgspec.ValidationError: Qd\n [parameters: Qd]\nE: Qd\n"
    record = logging.LogRecord("x", logging.ERROR, "", 0, text, None, None)
    assert line(record) == {
        "event": "failure",
        "kind": "msgspec.ValidationError",
        "level": "error",
        "logger": "x",
    }


def test_a_table_that_cannot_be_read_stops_no_server(tmp_path: Path) -> None:
    """The server starts despite an unreadable table, serves the others, and logs nothing of its content."""
    database, errors = tmp_path / "chouine.db", tmp_path / "errors"
    with serving(f"sqlite:///{database}", tmp_path / "before") as served:
        host = served.visit()
        damaged, sound = open_with_clock(served, host), open_with_clock(served, host)
    with closing(sqlite3.connect(database)) as store, store:
        pack = '"kind":"shuffled","pack":5,"was":'
        store.execute(
            "update entry set body = replace(cast(body as text), ?, ?) where game = ? and n > 1",
            ('"kind":"shuffled","pack":', pack, damaged),
        )
        store.execute("update entry set body = cast(body as blob)")
        store.execute("update setting set value = ? where name = 'alive'", (repr(time.time() - 60),))
    with serving(f"sqlite:///{database}", errors) as served:
        browser = served.visit()
        browser.http.cookies = host.http.cookies
        assert f"/table/{sound}" in browser.get("/").text
        assert browser.get(f"/table/{sound}").status_code == 200
        assert browser.get(f"/table/{damaged}").status_code == 500
        served.stop()
    said = [json.loads(told) for told in errors.read_text().splitlines()]
    assert {told["event"] for told in said} == {
        "cannot credit a table",
        "cannot list a table",
        "damaged table",
    }
    assert {told["kind"] for told in said} == {"Damaged", "ValidationError"}
    assert all(
        set(told) <= {"event", "kind", "place", "path", "level", "log_level", "logger", "timestamp"}
        for told in said
    )
    for secret in (damaged, sound, host.cookie, host.csrf, "127.0.0.1"):
        assert secret not in errors.read_text()


def test_what_people_do_is_not_told(tmp_path: Path) -> None:
    """Acts, refusals and invalid requests of users write no line to the log."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        host, friend = served.visit(), served.visit("en")
        table_id = host.open(**{"name-0": "Célestine"})
        friend.sit(host.links(table_id)[1], "Zoé")
        assert host.tell(table_id, "pick", 0, place="3").status_code == 200
        assert host.tell(table_id, "act", 0, token="7s").status_code == 422
        assert host.tell(table_id, "speak", 1, phrase="hello").status_code == 403
        assert host.tell(table_id, "pick", 0, place="x").status_code == 400
        assert host.get(f"/join/{table_id}/1/{'x' * 22}").status_code in (200, 403, 404)
        assert httpx.post(f"{served.url}/new", data={"csrf": host.csrf}).status_code == 403
        assert httpx.post(f"{served.url}/new", content=b"x" * 100_000).status_code == 413
        assert httpx.get(f"{served.url}/", headers={"Cookie": "chouine=x"}).status_code == 200
        with friend.http.stream("GET", f"/table/{table_id}/stream") as cut_off:
            assert cut_off.status_code == 200
        assert served.stop() == 0
    assert (tmp_path / "errors").read_text() == ""


def test_nobody_fills_the_disk_by_what_is_no_request(tmp_path: Path) -> None:
    """Malformed requests write ten equal lines a minute at most, and are counted in the metrics."""
    errors = tmp_path / "errors"
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", errors) as served:
        address = httpx.URL(served.url)
        for _ in range(60):
            with socket.create_connection((address.host, address.port or 80), timeout=PATIENCE) as line:
                line.sendall(b"what is this\r\n\r\n")
                assert line.recv(100).startswith(b"HTTP/1.1 400")
        figures = httpx.get(f"{served.url}/metrics").text
    assert "chouine_malformed_total 60.0" in figures
    assert "chouine_log_lines_left_out_total 50.0" in figures
    assert len(errors.read_text().splitlines()) == logs.MOST


def test_each_kind_of_line_has_its_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(logs, "monotonic", lambda: now[0])
    quota = logs.Quota()
    assert [quota.allows("one") for _ in range(12)] == [True] * 10 + [False] * 2
    assert quota.allows("two")
    now[0] += logs.MINUTE
    assert quota.allows("one")
    for nth in range(5 * logs.KINDS):
        quota.allows(nth)
    assert len(quota.written) <= logs.KINDS


def test_many_kinds_of_lines_have_one_quota(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the kinds counted, new ones share ten lines a minute, and the others keep their counts."""
    now = [100.0]
    monkeypatch.setattr(logs, "monotonic", lambda: now[0])
    quota = logs.Quota()
    assert [quota.allows("one") for _ in range(12)] == [True] * 10 + [False] * 2
    written = sum(quota.allows(nth) for nth in range(5 * logs.KINDS))
    assert written == logs.KINDS - 2 + logs.MOST
    assert not quota.allows("one")
    now[0] += logs.MINUTE
    assert quota.allows("one")
    assert quota.allows("another")


def test_nobody_fills_the_disk_by_forms_that_cannot_be_read(tmp_path: Path) -> None:
    """The library for forms puts what it read into its messages: all from one place are one kind."""
    errors = tmp_path / "errors"
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", errors) as served, httpx.Client() as crowd:
        for nth in range(60):
            body = b"--b" + bytes([33 + nth]) + b"zzz"
            headers = {"Content-Type": "multipart/form-data; boundary=bx"}
            assert crowd.post(f"{served.url}/new", content=body, headers=headers).status_code == 400
    assert 0 < len(errors.read_text().splitlines()) <= 2 * logs.MOST


def open_with_clock(served: RunningServer, host: Browser) -> str:
    """A table for two with a running clock."""
    friend = served.visit()
    table_id = host.open(move="60", reserve="60")
    friend.sit(host.links(table_id)[1])
    return table_id
