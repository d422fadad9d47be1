"""A temporary Redis server from Debian's package, on the loopback address."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.own_folders import own_folder
from tests.patience import PATIENCE, wait_until
from tests.ports import free_port

if TYPE_CHECKING:
    from tests.server.certificates import Certificate


@dataclass
class RedisServer:
    """A Redis server that can be killed and restarted at the same address."""

    port: int
    folder: Path
    options: Sequence[str] = ()
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        program = shutil.which("redis-server")
        assert program, "these tests need Debian's package redis-server: make system"
        ports = self.options or ("--port", str(self.port))
        options = [*ports, "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        self.process = subprocess.Popen(
            [program, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_until("Redis", self._listens)

    def _listens(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, "Redis did not start"
        with socket.socket() as way:
            return way.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        """Kill the process without a shutdown."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(PATIENCE)
            self.process = None


@contextmanager
def redis_server(certificate: Certificate | None = None) -> Iterator[RedisServer]:
    """An empty running server; with a `certificate` it uses TLS alone."""
    port = free_port()
    options: list[str] = []
    if certificate:
        files = ("--tls-cert-file", certificate.file), ("--tls-key-file", certificate.key)
        options = ["--port", "0", "--tls-port", str(port), "--tls-auth-clients", "no"]
        options += [str(word) for option in files for word in option]
        options += ["--tls-ca-cert-file", str(certificate.file)]
    server = RedisServer(port, own_folder("redis"), options)
    server.start()
    try:
        yield server
    finally:
        server.kill()
        shutil.rmtree(server.folder)
