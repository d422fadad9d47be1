"""A temporary PostgreSQL with durable writes, which can be stopped and restarted."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.server.nodes import free_port, wait_until
from tests.server.postgres import binary, owner

CONNECTIONS = 200


@dataclass
class Postgres:
    """A cluster in its own folder, with one database."""

    folder: Path
    port: int
    host: str = "127.0.0.1"
    within: tuple[str, ...] = ()
    """A command prefix that starts it as its owner elsewhere, such as in a network namespace."""
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgresql+asyncpg://chouine@{self.host}:{self.port}/chouine"

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = {
            "listen_addresses": self.host,
            "port": self.port,
            "unix_socket_directories": "",
            "max_connections": CONNECTIONS,
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603
                [*self.within, binary("postgres"), "-D", str(self.folder / "data"), *options],
                user=None if self.within else owner(),
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )
        asked = [binary("pg_isready"), "-q", "-h", self.host, "-p", str(self.port)]
        wait_until(lambda: subprocess.run(asked, check=False).returncode == 0, "PostgreSQL is ready", 60)  # noqa: S603

    def stop(self, *, at_once: bool = False) -> None:
        """Stop cleanly, closing connections, or `at_once`, as in a power failure."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT if at_once else signal.SIGINT)
            self.process.wait(60)
            self.process = None


@contextmanager
def postgres(host: str = "127.0.0.1", within: tuple[str, ...] = ()) -> Iterator[Postgres]:
    """A running server with an empty database, without passwords."""
    folder = Path(tempfile.mkdtemp(prefix="chouine-postgres-"))
    if (runs_as := owner()) is not None:
        shutil.chown(folder, runs_as)
    initdb = [binary("initdb"), "-D", str(folder / "data"), "-U", "chouine", "-A", "trust", "-E", "UTF8"]
    subprocess.run(initdb, check=True, user=owner(), cwd=folder, capture_output=True)  # noqa: S603
    with (folder / "data" / "pg_hba.conf").open("a") as trusted:
        trusted.write("host all all samenet trust\n")
    server = Postgres(folder, free_port(), host, within)
    try:
        server.start()
        createdb = [binary("createdb"), "-h", host, "-p", str(server.port), "-U", "chouine", "chouine"]
        subprocess.run(createdb, check=True, capture_output=True)  # noqa: S603
        yield server
    finally:
        server.stop(at_once=True)
        shutil.rmtree(folder)
