"""A restart of the one SQLite machine is short, and its tables wait and go on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.patience import takes_less_than
from tests.ports import free_port
from tests.server.serving import Browser, serving

MOST = 3.0
"""Seconds in which nobody is served."""
TABLES = 15


@dataclass(frozen=True)
class Machine:
    """A database with tables of two players, who keep their cookies; no server runs on it."""

    database: str
    errors: Path
    port: int
    tables: list[str]
    host: Browser
    friend: Browser

    def restart(self) -> float:
        """Stop a server in the middle of a stream, as systemd does, and start the next; the seconds between."""
        with (
            serving(self.database, self.errors, self.port, whole=True) as old,
            self.host.http.stream("GET", f"/table/{self.tables[0]}/stream") as stream,
        ):
            assert b"hello" in next(stream.iter_bytes())
            began = time.monotonic()
            assert old.stop() == 0
            with serving(self.database, self.errors, self.port, whole=True):
                assert self.friend.get(f"/table/{self.tables[0]}").status_code == 200
                return time.monotonic() - began


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    database, errors, port = f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", free_port()
    with serving(database, errors, port):
        host, friend = (Browser(f"http://127.0.0.1:{port}", language) for language in ("fr", "en"))
        tables = [host.open() for _ in range(TABLES)]
        for table_id in tables:
            friend.sit(host.links(table_id)[1])
    yield Machine(database, errors, port, tables, host, friend)
    for browser in (host, friend):
        browser.http.close()


def test_tables_go_on_after_a_restart(machine: Machine) -> None:
    machine.restart()
    with serving(machine.database, machine.errors, machine.port):
        answers = [machine.host.tell(table_id, "pick", 0, place="3") for table_id in machine.tables]
        assert all(answer.json()["ok"] for answer in answers)


@pytest.mark.nightly  # with other tests running, each of eight tries may be disturbed
def test_nobody_waits_three_seconds_for_a_restart(machine: Machine) -> None:
    """From the stop signal to the first page by a new program with all its imports."""
    assert takes_less_than(MOST, machine.restart)
