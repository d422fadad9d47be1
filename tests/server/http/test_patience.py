"""A real server disconnects slow, endless or unresponsive clients, and other clients are not affected."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from chouine.server import guard, protocol
from tests.patience import PATIENCE
from tests.server.serving import RunningServer, serve_alone, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder: Path = tmp_path_factory.mktemp("patience")
    with serving(f"sqlite:///{folder / 'chouine.db'}", folder / "errors") as server:
        yield server


def connect(served: RunningServer) -> socket.socket:
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


def test_who_says_nothing_or_dribbles_is_let_go(served: RunningServer) -> None:
    """The server drops a client that sends nothing, or too slowly.

    A head byte by byte, in the first or the second request; an empty line after a request; the rest of a refused
    body.
    """
    _, dribbling, second, empty, refused = clients = [connect(served) for _ in range(5)]
    for client in (second, empty):
        client.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200 OK" in client.recv(65536)
    refused.sendall(b"POST /new HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
    assert b"413" in refused.recv(65536)
    for client in (empty, refused):
        client.sendall(b"\r\n")
    for letter in b"GET / HT":
        for client in (dribbling, second):
            with suppress(ConnectionError):  # a busy machine takes so long that it has been let go
                client.sendall(bytes([letter]))
        time.sleep(1)
    for client in clients:
        assert until_ended(client) < protocol.HEAD_SECONDS
        client.close()
    assert served.visit().page.status_code == 200


def test_an_endless_head_is_cut_off(served: RunningServer) -> None:
    client = connect(served)
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


def hurry() -> None:
    """Wait for bodies for a second and a half at most, and for heads as long as ever."""
    guard.SLOWEST, protocol.BODY_SECONDS, protocol.LINGER = 1.0, 1.5, 0.5


def serve_in_a_hurry(arguments: Sequence[str]) -> int:
    hurry()
    return serve_alone(arguments)


@pytest.fixture(scope="module")
def server_in_a_hurry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder: Path = tmp_path_factory.mktemp("server_in_a_hurry")
    database, errors = f"sqlite:///{folder / 'chouine.db'}", folder / "errors"
    with serving(database, errors, program=serve_in_a_hurry) as server:
        yield server


def begin_body(client: socket.socket, path: str, length: int = 1000, method: str = "POST") -> None:
    """Send a head that announces a body, and the body's first bytes."""
    kind = "Content-Type: application/x-www-form-urlencoded"
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n{kind}\r\n\r\n"
    client.sendall(f"{head}a=b".encode())


def dribble(clients: list[socket.socket]) -> list[bytes]:
    """Send a byte to each connection again and again until the server closes it; what each was told."""
    told, left, begun = dict.fromkeys(clients, b""), list(clients), time.monotonic()
    while left:
        assert time.monotonic() - begun < protocol.HEAD_SECONDS, "connections are still open"
        for client in list(left):
            try:
                client.sendall(b"x")
                client.settimeout(0.1)
                if not (heard := client.recv(65536)):
                    left.remove(client)
                told[client] += heard
            except TimeoutError:
                pass
            except ConnectionError:
                left.remove(client)
    return list(told.values())


def test_a_body_that_dribbles_is_not_waited_for(server_in_a_hurry: RunningServer) -> None:
    """A form; one that was refused at once; a form for nobody; a stream that is asked for with a body."""
    table_id = server_in_a_hurry.visit().open()
    clients = [connect(server_in_a_hurry) for _ in range(4)]
    paths = ("/settings", 1000, "POST"), ("/new", 10**6, "POST"), ("/none", 1000, "POST")
    for client, asked in zip(clients, (*paths, (f"/table/{table_id}/stream", 1000, "GET")), strict=True):
        begin_body(client, *asked)
    form, refused, nobody, stream = dribble(clients)
    assert form.startswith(b"HTTP/1.1 408 ")
    assert refused.startswith(b"HTTP/1.1 413 ")
    assert nobody.startswith(b"HTTP/1.1 404 ")
    assert stream.startswith(b"HTTP/1.1 200 ")
    for client in clients:
        client.close()
    assert "failure" not in server_in_a_hurry.errors.read_text()


def test_a_late_body_that_ends_soon_after_the_answer_may_be_followed_by_a_request(
    server_in_a_hurry: RunningServer,
) -> None:
    with connect(server_in_a_hurry) as client:
        begin_body(client, "/none", 5)
        assert b"404 Not Found" in client.recv(65536)
        client.sendall(b"xxGET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        heard = b""
        while b'{"ok":true}' not in heard:
            more = client.recv(65536)
            assert more, heard
            heard += more


def test_a_body_that_nobody_reads_is_answered_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """An application that is busy with something else: the connection is answered with 408, and closed."""
    monkeypatch.setattr(protocol, "BODY_SECONDS", 0.3)
    monkeypatch.setattr(protocol, "LINGER", 0.3)

    async def test() -> bytes:
        gone = asyncio.Event()

        async def busy(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                await gone.wait()
                assert (await receive())["type"] == "http.disconnect"

        config, loop = uvicorn.Config(busy, lifespan="off", log_config=None), asyncio.get_running_loop()
        made = partial(protocol.TimeoutHttpProtocol, config, ServerState(), {})
        server = await loop.create_server(made, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na")
        heard = await reader.readuntil(b"too slow")
        gone.set()
        with suppress(ConnectionError):
            assert not await reader.read()
        writer.close()
        server.close()
        return heard

    assert asyncio.run(test()).startswith(b"HTTP/1.1 408 ")


def test_who_leaves_in_the_middle_of_a_body_is_no_fault(served: RunningServer) -> None:
    client = connect(served)
    client.sendall(b"POST /new HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n")
    client.sendall(b"Content-Type: application/x-www-form-urlencoded\r\n\r\na=b")
    time.sleep(0.2)
    client.close()
    time.sleep(0.2)
    assert served.visit().page.status_code == 200
    assert "failure" not in served.errors.read_text()


def test_a_deaf_reader_costs_no_more_than_another(served: RunningServer) -> None:
    """Streams that are not read cost little memory: their unsent data stay within the socket buffers."""
    host = served.visit()
    table_id = host.open(**{"chair-1": "heuristic"})
    before = resident(served)
    deaf = []
    for _ in range(100):
        client = connect(served)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(f"GET /table/{table_id}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        deaf.append(client)
    for nth in range(80):
        assert host.tell(table_id, "speak", 0, phrase="hello", id=f"s{nth}").status_code == 200
    grown = resident(served) - before
    assert grown < 100 * 512 * 1024, f"{grown / 1024:.0f} KiB"
    for client in deaf:
        client.close()


def resident(served: RunningServer) -> int:
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
def test_a_large_head_is_refused_before_it_is_read(served: RunningServer, field: bytes) -> None:
    """Python's reader of cookies needed minutes for one of them, and nobody else was served."""
    client = connect(served)
    client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n" + field + b"\r\n\r\n")
    assert b"400 Bad Request" in client.recv(65536)
    client.close()
    assert served.visit().page.status_code == 200
