"""A server that cannot start says why in one sentence and exits with an error status."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from chouine.cli import serve
from chouine.cli.serve import CannotOpen, database_url, reachable, ready_database, tidied
from tests.server.serving import serving


@pytest.mark.parametrize(
    "database",
    [
        "sqlite:///{folder}/no/such/folder/x.db",
        "sqlite:///{folder}/text.db",
        "postgresql://user:pass-word@127.0.0.1:1/x",
        "oracle://user:pass-word@x",
        "nonsense",
    ],
)
def test_a_database_that_cannot_be_opened(database: str, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("this is not a database, however long it may be" * 50)
    with pytest.raises(CannotOpen) as cannot:
        ready_database(database.format(folder=tmp_path))
    assert str(cannot.value)
    assert "\n" not in str(cannot.value)
    assert "pass-word" not in str(cannot.value)


def test_it_is_said_on_one_line(tmp_path: Path) -> None:
    errors = tmp_path / "errors"
    with pytest.raises(AssertionError), serving("nonsense", errors, whole=True):
        pass
    assert errors.read_text().startswith("chouine serve: cannot open the database: ")
    assert errors.read_text().count("\n") == 1


def test_a_port_in_use(tmp_path: Path) -> None:
    errors = tmp_path / "errors"
    with serving(f"sqlite:///{tmp_path / 'a.db'}", tmp_path / "a") as server:
        port = int(server.url.rpartition(":")[2])
        with pytest.raises(AssertionError), serving(f"sqlite:///{tmp_path / 'b.db'}", errors, port):
            pass
    assert errors.read_text().startswith(f"chouine serve: cannot listen on 127.0.0.1 port {port}: ")


def test_the_address_told_is_one_that_friends_can_open() -> None:
    assert reachable("table.example") == "table.example"
    assert reachable("127.0.0.1") == "127.0.0.1"
    assert reachable("0.0.0.0") != "0.0.0.0"  # noqa: S104  # nothing listens


def test_the_short_addresses() -> None:
    assert database_url("sqlite:///x.db") == "sqlite+aiosqlite:///x.db"
    assert database_url("postgresql://h/d") == "postgresql+asyncpg://h/d"
    assert database_url("sqlite+aiosqlite:///x.db") == "sqlite+aiosqlite:///x.db"


@pytest.mark.parametrize(
    ("command", "setting", "value"),
    [
        ("serve", "CHOUINE_REDIS_URL", "http://here:6379"),
        ("worker", "CHOUINE_REDIS_URL", "here"),
        ("worker", "CHOUINE_REDIS_URL", ""),
        ("serve", "CHOUINE_PER_ADDRESS", "many"),
    ],
)
def test_a_setting_that_cannot_be_read(command: str, setting: str, value: str, tmp_path: Path) -> None:
    """An invalid setting is reported at once in one sentence, with exit status 2."""
    call = [sys.executable, "-m", "chouine", command]
    call += ["--database", f"sqlite:///{tmp_path / 'x.db'}", "--no-browser"] if command == "serve" else []
    done = subprocess.run(
        call, check=False, capture_output=True, text=True, timeout=60, env={**os.environ, setting: value}
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert f"chouine {command}" in done.stderr.splitlines()[-1]


def test_all_is_looked_through_for_garbage_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """`tidied` runs full garbage collections now and then, since Python's automatic ones no longer cover everything."""
    monkeypatch.setattr(serve, "WHOLE", 0.01)
    before = gc.get_stats()[2]["collections"]

    async def test() -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(tidied(), 0.5)

    asyncio.run(test())
    assert gc.get_stats()[2]["collections"] > before
