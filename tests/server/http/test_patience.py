"""A real server disconnects slow, endless or unresponsive clients, and other clients are not affected."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from chouine.server import protocol
from tests.patience import PATIENCE
from tests.server.serving import Served, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("patience")
    with serving(f"sqlite:///{folder / 'chouine.db'}", folder / "errors") as server:
        yield server


def connected(served: Served) -> socket.socket:
    port = int(served.url.rpartition(":")[2])
    return socket.create_connection(("127.0.0.1", port), 30)


def until_ended(client: socket.socket) -> float:
    """Seconds until the server closes a connection."""
    begun = time.monotonic()
    client.settimeout(PATIENCE)
    try:
        while client.recv(65536):
            pass
    except ConnectionError:
        pass
    return time.monotonic() - begun


def test_who_says_nothing_or_dribbles_is_let_go(served: Served) -> None:
    """The server drops a client that sends nothing, or too slowly.

    A head byte by byte, in the first or the second request; an empty line after a request; the rest of a refused
    body.
    """
    _, dribbling, second, empty, refused = clients = [connected(served) for _ in range(5)]
    for client in (second, empty):
        client.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200 OK" in client.recv(65536)
    refused.sendall(b"POST /new HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
    assert b"413" in refused.recv(65536)
    for client in (empty, refused):
        client.sendall(b"\r\n")
    for letter in b"GET / HT":
        for client in (dribbling, second):
            client.sendall(bytes([letter]))
        time.sleep(1)
    for client in clients:
        assert until_ended(client) < protocol.HEAD_SECONDS
        client.close()
    assert served.visit().page.status_code == 200


def test_an_endless_head_is_cut_off(served: Served) -> None:
    client = connected(served)
    client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
    sent = 0
    try:
        while sent < 64 * 1024 * 1024:
            client.sendall(b"X-Endless: " + b"y" * 8000 + b"\r\n")
            sent += 8013
    except ConnectionError:
        pass
    assert sent < 16 * protocol.LARGEST_HEAD
    client.close()


@pytest.mark.nightly
def test_a_body_that_stops_is_not_waited_for(served: Served) -> None:
    client = connected(served)
    client.sendall(b"POST /settings HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n")
    client.sendall(b"Content-Type: application/x-www-form-urlencoded\r\n\r\na=b")
    assert until_ended(client) < 25
    client.close()
    assert "failure" not in served.errors.read_text()


def test_who_leaves_in_the_middle_of_a_body_is_no_fault(served: Served) -> None:
    client = connected(served)
    client.sendall(b"POST /new HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n")
    client.sendall(b"Content-Type: application/x-www-form-urlencoded\r\n\r\na=b")
    time.sleep(0.2)
    client.close()
    time.sleep(0.2)
    assert served.visit().page.status_code == 200
    assert "failure" not in served.errors.read_text()


def test_a_deaf_reader_costs_no_more_than_another(served: Served) -> None:
    """Streams that are not read cost little memory: their unsent data stay within the socket buffers."""
    host = served.visit()
    game = host.open(**{"chair-1": "heuristic"})
    before = resident(served)
    deaf = []
    for _ in range(100):
        client = connected(served)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(f"GET /table/{game}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        deaf.append(client)
    for nth in range(80):
        assert host.tell(game, "speak", 0, phrase="hello", id=f"s{nth}").status_code == 200
    grown = resident(served) - before
    assert grown < 100 * 512 * 1024, f"{grown / 1024:.0f} KiB"
    for client in deaf:
        client.close()


def resident(served: Served) -> int:
    """Resident memory of the server in bytes."""
    fields = Path(f"/proc/{served.process.pid}/statm").read_text().split()
    return int(fields[1]) * 4096


@pytest.mark.parametrize(
    "field",
    [
        b'Cookie: chouine="' + b"\\a" * 100_000 + b'"',
        b"Cookie: " + b"a=;" * 60_000,
        b"a:\r\n" * 40_000 + b"b:",
    ],
    ids=["quoted cookie", "many cookies", "many fields"],
)
def test_a_large_head_is_refused_before_it_is_read(served: Served, field: bytes) -> None:
    """Python's reader of cookies needed minutes for one of them, and nobody else was served."""
    client = connected(served)
    client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n" + field + b"\r\n\r\n")
    assert b"400 Bad Request" in client.recv(65536)
    client.close()
    assert served.visit().page.status_code == 200
