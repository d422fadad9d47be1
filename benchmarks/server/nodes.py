"""Processes of servers, of PostgreSQL and of players: start, observe, kill, restart."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import IO

import msgspec

from benchmarks.server.generator import Options, ProcessReport
from tests.ports import free_port
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


ROOT = Path(__file__).parents[2]
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Node:
    """A `chouine serve` process that keeps its port over restarts."""

    database: str
    errors: Path
    """File for standard error."""
    environment: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[str] | None = None
    program: list[str] = field(default_factory=lambda: [sys.executable, "-m", "chouine"])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        if self.process is None:
            raise RuntimeError("the server has not been started")
        return self.process.pid

    def start(self) -> None:
        """Start the process and wait until it answers."""
        command = [*self.program, "serve", "--no-browser"]
        with self.errors.open("a") as said:
            self.process = subprocess.Popen(  # noqa: S603
                [*command, "--port", str(self.port), "--database", self.database],
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
                env=os.environ | {"CHOUINE_PER_ADDRESS": "100000"} | self.environment,
            )
        if self.process.stdout is None or not self.process.stdout.readline().startswith("Chouine: "):
            raise RuntimeError(f"the server does not start: {self.errors.read_text()[-2000:]}")

    def stop(self, sign: signal.Signals = signal.SIGTERM, patience: float = 20.0) -> int:
        """Send a signal and wait; return the exit status."""
        if self.process is None:
            return 0
        self.process.send_signal(sign)
        status = self.process.wait(patience)
        if self.process.stdout:
            self.process.stdout.close()
        self.process = None
        return status

    def kill(self) -> None:
        self.stop(signal.SIGKILL)

    @property
    def processor(self) -> float:
        """Seconds of processor time that the server has used, without its worker processes."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    @property
    def memory(self) -> int:
        """Bytes of resident memory of the server, without its worker processes."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE

    @property
    def thinking(self) -> list[int]:
        """Ids of the worker processes that compute the computers' moves."""
        listed = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return [int(child) for child in listed]


@contextmanager
def nodes(
    database: str, folder: Path, many: int = 1, environment: dict[str, str] | None = None
) -> Iterator[list[Node]]:
    """Run `many` servers on one database; kill those still running at the end."""
    started = [Node(database, folder / f"node-{nth}.err", environment or {}) for nth in range(many)]
    try:
        for node in started:
            node.start()
        yield started
    finally:
        for node in started:
            node.kill()


class Unable(Exception):
    """The players could not be seated in time."""


class Crowd:
    """A process of players."""

    def __init__(self, options: Options, errors: Path) -> None:
        self.errors = errors
        with errors.open("a") as said:
            self.process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "benchmarks.server.generator", msgspec.json.encode(options).decode()],
                stdout=subprocess.PIPE,
                stderr=said,
                cwd=ROOT,
            )

    @property
    def says(self) -> IO[bytes]:
        if self.process.stdout is None:
            raise RuntimeError("players say nothing")
        return self.process.stdout

    def ready(self) -> None:
        """Wait until all play; raises `Unable`."""
        if self.says.readline() != b"ready\n":
            raise Unable(f"nobody plays: {self.errors.read_text()[-2000:]}")

    def stop(self) -> ProcessReport:
        """Stop now; return the results."""
        self.process.terminate()
        return self.outputs()

    def outputs(self) -> ProcessReport:
        """The results after the configured time."""
        line = self.says.readline()
        status = self.process.wait()
        self.says.close()
        if status or not line.endswith(b"\n"):
            raise RuntimeError(
                f"the players are gone ({status}, {len(line)} bytes told): {self.errors.read_text()[-2000:]}"
            )
        return msgspec.json.decode(line, type=ProcessReport)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.says.close()


@contextmanager
def crowds(all_options: list[Options], folder: Path) -> Iterator[list[Crowd]]:
    """Start a process of players for each of the options; yield when all play."""
    playing = [Crowd(options, folder / f"crowd-{nth}.err") for nth, options in enumerate(all_options)]
    try:
        for crowd in playing:
            crowd.ready()
        yield playing
    finally:
        for crowd in playing:
            crowd.end()


def wait_until(reached: object, what: str, seconds: float = 20.0) -> None:
    """Wait for a condition; raises `TimeoutError`."""
    deadline = monotonic() + seconds
    while not (callable(reached) and reached()):
        if monotonic() > deadline:
            raise TimeoutError(what)
        sleep(0.05)
