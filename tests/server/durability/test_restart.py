"""A restart of the one SQLite machine is short, and its tables wait and go on."""

from __future__ import annotations

import time
from pathlib import Path

from tests.patience import takes_less_than
from tests.server.caddy import free_port
from tests.server.serving import Browser, serving

MOST = 3.0
"""Seconds in which nobody is served."""
TABLES = 15


def test_nobody_waits_three_seconds_for_a_restart(tmp_path: Path) -> None:
    """From the stop signal to the first page by a new program with all its imports; fifteen tables in the database."""
    address, errors, port = f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", free_port()
    url = f"http://127.0.0.1:{port}"
    with serving(address, errors, port):
        host, friend = Browser(url, "fr"), Browser(url, "en")
        tables = [host.open() for _ in range(TABLES)]
        for table_id in tables:
            friend.sit(host.links(table_id)[1])

    def restart() -> float:
        """Stop a server in the middle of a stream, as systemd does, and start the next; the seconds between."""
        with (
            serving(address, errors, port, whole=True) as old,
            host.http.stream("GET", f"/table/{tables[0]}/stream") as stream,
        ):
            words = stream.iter_bytes()
            assert b"hello" in next(words)
            began = time.monotonic()
            assert old.stop() == 0
            with serving(address, errors, port, whole=True):
                assert friend.get(f"/table/{tables[0]}").status_code == 200
                return time.monotonic() - began

    assert takes_less_than(MOST, restart)
    with serving(address, errors, port):
        assert all(host.tell(table_id, "pick", 0, place="3").json()["ok"] for table_id in tables)
    for browser in (host, friend):
        browser.http.close()
