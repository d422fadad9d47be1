"""A server that cannot start says why in one sentence and exits with an error status."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest
from ifaddr import IP, Adapter

from chouine.cli import serve
from chouine.cli.databases import CannotOpen, database_url, ready_database
from chouine.cli.listening import own_addresses, urls
from chouine.cli.serve import collect_garbage
from chouine.server.protocol import listen
from tests.patience import PATIENCE
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
    assert urls("table.example", 80) == ("http://table.example:80",)
    assert urls("127.0.0.1", 80) == ("http://127.0.0.1:80",)
    assert "http://0.0.0.0:80" not in urls("0.0.0.0", 80)  # noqa: S104  # nothing listens
    assert urls("::1", 8000) == ("http://[::1]:8000",)


ADAPTERS = [
    Adapter("lo", "lo", [IP("127.0.0.1", 8, "lo"), IP(("::1", 0, 0), 128, "lo")]),
    Adapter("docker0", "docker0", [IP("172.17.0.1", 16, "docker0")]),
    Adapter("eth1", "eth1", [IP("169.254.9.9", 16, "eth1")]),
    Adapter("wlan0", "wlan0", [IP("192.168.4.1", 24, "wlan0"), IP(("fe80::1", 0, 2), 64, "wlan0")]),
    Adapter("eth0", "eth0", [IP("10.0.0.5", 24, "eth0"), IP(("fd00::5", 0, 0), 64, "eth0")]),
]


def test_every_network_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a way to the internet too, and whatever was joined later."""
    monkeypatch.setattr("chouine.cli.listening.outward_address", lambda: "10.0.0.5")
    monkeypatch.setattr("ifaddr.get_adapters", lambda: ADAPTERS)
    every = ("10.0.0.5", "192.168.4.1", "172.17.0.1", "169.254.9.9")
    assert own_addresses("0.0.0.0") == every  # noqa: S104
    assert own_addresses("::") == ("10.0.0.5", "192.168.4.1", "fd00::5", "172.17.0.1", "169.254.9.9")
    monkeypatch.setattr("chouine.cli.listening.outward_address", str)
    for many, told in ((1, "127.0.0.1"), (2, "172.17.0.1"), (4, "192.168.4.1")):
        monkeypatch.setattr("ifaddr.get_adapters", lambda many=many: ADAPTERS[:many])
        assert own_addresses("0.0.0.0")[0] == told  # noqa: S104


@pytest.mark.parametrize("host", ["::1", "::", "localhost", "0.0.0.0", "127.0.0.1", ""])  # noqa: S104
def test_every_host_is_listened_on(host: str) -> None:
    with closing(listen(host, 0)) as listening:
        own = "::1" if host == "::1" else "127.0.0.1"
        socket.create_connection((own, listening.getsockname()[1]), timeout=PATIENCE).close()


def test_an_address_that_is_not_this_machine_s() -> None:
    with pytest.raises(OSError, match="assign"):
        listen("203.0.113.9", 0)


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
        ("serve", "CHOUINE_ZONE", "Mars/Olympus"),
    ],
)
def test_a_setting_that_cannot_be_read(command: str, setting: str, value: str, tmp_path: Path) -> None:
    """An invalid setting is reported at once in one sentence, with exit status 2."""
    call = [sys.executable, "-m", "chouine", command]
    call += ["--database", f"sqlite:///{tmp_path / 'x.db'}", "--no-browser"] if command == "serve" else []
    done = subprocess.run(
        call,
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, setting: value},
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert f"chouine {command}" in done.stderr.splitlines()[-1]


def test_all_is_looked_through_for_garbage_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """`collect_garbage` runs them in full now and then, since Python's automatic ones no longer cover everything."""
    monkeypatch.setattr(serve, "WHOLE", 0.01)
    before = gc.get_stats()[2]["collections"]

    async def test() -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(collect_garbage(), 0.5)

    asyncio.run(test())
    assert gc.get_stats()[2]["collections"] > before
