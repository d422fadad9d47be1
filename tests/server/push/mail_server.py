"""A mail server of a test's own, and one that refuses."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope

from tests.patience import PATIENCE

FROM = "chouine@chouine.example"


class Post:
    """A local mail server that refuses the addresses in `nobody`, and takes its time for `slow.example`."""

    def __init__(self) -> None:
        self.got: list[EmailMessage] = []
        self.nobody: set[str] = set()

    async def handle_RCPT(  # noqa: N802  # as the library calls it
        self, _server: object, _session: object, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if address in self.nobody:
            return "550 nobody"
        if address.endswith("@slow.example"):
            await asyncio.sleep(100 * PATIENCE)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, _server: object, _session: object, envelope: Envelope
    ) -> str:
        assert isinstance(envelope.content, bytes)
        self.got.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"


@contextmanager
def delivering(post: Post, wrapped: ssl.SSLContext | None = None, **how: Any) -> Iterator[int]:
    """Run such a mail server and yield its port; `wrapped`: with TLS from the first byte."""
    ready: Queue[tuple[asyncio.AbstractEventLoop, asyncio.Event, int]] = Queue()

    async def serve() -> None:
        loop, over = asyncio.get_running_loop(), asyncio.Event()
        connections: list[SMTP] = []

        def connection() -> SMTP:
            # without a name each connection would ask for this machine's, which may take as long as a letter
            connections.append(SMTP(post, hostname="localhost", loop=loop, **how))
            return connections[-1]

        server = await loop.create_server(connection, "127.0.0.1", 0, ssl=wrapped)
        ready.put((loop, over, server.sockets[0].getsockname()[1]))
        await over.wait()
        loop.remove_reader(server.sockets[0])
        await asyncio.sleep(0)  # begin the connection just accepted: a closed server would not end it
        server.close()
        # The other tasks are those of the server's connections.
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            for each in connections:
                if isinstance(each.transport, asyncio.Transport):
                    each.transport.abort()
            await asyncio.wait(others, timeout=0.01)

    thread = Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    loop, over, port = ready.get(timeout=PATIENCE)
    try:
        yield port
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()


@contextmanager
def refusing(certificate: Path, key: Path) -> Iterator[int]:
    """Run a mail server with TLS that refuses every password, then says no more, not even that TLS ends; its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    over = Event()

    def serve(listening: socket.socket) -> None:
        with context.wrap_socket(listening.accept()[0], server_side=True) as peer:
            peer.sendall(b"220 ready\r\n")
            peer.recv(1000)
            peer.sendall(b"250-here\r\n250 AUTH PLAIN\r\n")
            peer.recv(1000)
            peer.sendall(b"535 no\r\n")
            over.wait(PATIENCE)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=serve, args=(listening,))
        thread.start()
        yield listening.getsockname()[1]
        over.set()
        thread.join()
