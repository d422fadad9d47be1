"""A temporary PostgreSQL server from Debian's package, on the loopback address, in a temporary folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.own_folders import own_folder
from tests.patience import PATIENCE, wait_until
from tests.ports import free_port

if TYPE_CHECKING:
    from tests.server.certificates import Certificate

BINARIES = Path("/usr/lib/postgresql")
OWNER = "postgres"


def find_program(name: str) -> str | None:
    """The path of a program of the newest PostgreSQL installed, in Debian's folders or on PATH."""
    debian = sorted(BINARIES.glob(f"*/bin/{name}"), key=lambda path: float(path.parts[-3]))
    return str(debian[-1]) if debian else shutil.which(name)


def binary(name: str) -> str:
    """The same, or an error if it is missing."""
    program = find_program(name)
    assert program, "this needs Debian's package postgresql: make system"
    return program


def owner() -> str | None:
    """The user that runs the server, which refuses root."""
    return OWNER if os.geteuid() == 0 else None


@contextmanager
def server(password: str = "", certificate: Certificate | None = None) -> Iterator[str]:
    """The address of a running server, without a database's name.

    With a `password` the address lacks it, and with a `certificate` connections may use TLS.
    """
    folder = own_folder("postgres")
    if owner():
        shutil.chown(folder, OWNER)
    data = str(folder / "data")
    initdb = [binary("initdb"), "-D", data, "-U", "chouine", "--no-sync", "-E", "UTF8", "-A"]
    initdb += ["scram-sha-256", "--pwfile", str(folder / "password")] if password else ["trust"]
    (folder / "password").write_text(password)
    (folder / "password").chmod(0o644)
    subprocess.run(initdb, check=True, user=owner(), cwd=folder, capture_output=True)
    port = free_port()
    settings = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": ""}
    settings |= {"fsync": "off", "jit": "off"}  # the first queries of a connection would each be compiled
    settings["dynamic_shared_memory_type"] = "mmap"  # in its folder, so that it goes with that
    if certificate:
        files = {"ssl_cert_file": certificate.file, "ssl_key_file": certificate.key}
        for name, file in files.items():
            settings[name] = copied = shutil.copy(file, folder)
            if user := owner():
                shutil.chown(copied, user)
        settings["ssl"] = "on"
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen(
            [binary("postgres"), "-D", data, *options], user=owner(), cwd=folder, stdout=log, stderr=log
        )
    try:
        wait_for(port, running)
        yield f"postgresql+asyncpg://chouine@127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait(PATIENCE)
        shutil.rmtree(folder)


def wait_for(port: int, running: subprocess.Popen[bytes]) -> None:
    """Wait until it accepts connections, which it does some time after it first answers."""
    asking = [binary("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]

    def answers() -> bool:
        assert running.poll() is None, "the server did not start"
        return subprocess.run(asking, check=False).returncode == 0

    wait_until("PostgreSQL", answers)
