"""A database that cannot be written for a while: the server says so, and play continues afterwards."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.server.durability.test_killed import log_of
from tests.server.serving import serving


def test_a_command_that_cannot_be_written_may_be_sent_again(tmp_path: Path) -> None:
    """A failed write is answered 503, not as JSON; pages remain readable, and a resent command is carried out once."""
    database, errors = tmp_path / "chouine.db", tmp_path / "errors"
    with serving(f"sqlite:///{database}", errors) as server:
        host, friend = server.visit(), server.visit()
        table_id = host.open()
        friend.sit(host.links(table_id)[1])
        before = log_of(database, table_id)
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("begin immediate")
            answer = host.tell(table_id, "pick", 0, place="3", id="once")
            assert answer.status_code == 503
            assert int(answer.headers["retry-after"]) > 0
            assert not answer.headers["content-type"].startswith("application/json")
            page = friend.post(f"/table/{table_id}/pick", seat="1", place="4", id="other")
            assert page.status_code == 503
            assert "hors d’atteinte" in page.text
            assert host.get(f"/table/{table_id}").status_code == 200
            other.execute("rollback")
        assert host.tell(table_id, "pick", 0, place="3", id="once").json()["ok"]
        assert host.tell(table_id, "pick", 0, place="3", id="once").json()["ok"]
        written = [command for _, _, command, _ in log_of(database, table_id)[len(before) :]]
        assert written.count("0-once") == 1
    assert "failure" not in errors.read_text()
