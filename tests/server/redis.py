"""A temporary Redis server from Debian's package, on the loopback address."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass
class RedisServer:
    """A Redis server that can be killed and restarted at the same address."""

    port: int
    folder: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        program = shutil.which("redis-server")
        assert program, "these tests need Debian's package redis-server: make system"
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        self.process = subprocess.Popen(
            [program, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(200):
            with socket.socket() as way:
                if way.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("Redis does not answer")

    def kill(self) -> None:
        """Kill the process without a shutdown."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(10)
            self.process = None


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    """An empty running server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = RedisServer(port, Path(tempfile.mkdtemp(prefix="chouine-redis-")))
    server.start()
    try:
        yield server
    finally:
        server.kill()
        shutil.rmtree(server.folder)
