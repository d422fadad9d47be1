"""The proxy of `deploy/`, run by a real Caddy from Debian's package, with its own settings."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import which

from tests.patience import wait_until

DEPLOY = Path(__file__).parents[2] / "deploy"


def free_port() -> int:
    """A port of the loopback address that nothing listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def configuration(site: str, nodes: Sequence[str], folder: Path) -> Path:
    """`deploy/Caddyfile` for this site and these nodes, as Caddy reads it itself, without its administration port."""
    program = which("caddy")
    assert program, "this needs Debian's package caddy: make system"
    settings = {"CHOUINE_SITE": site, "CHOUINE_NODES": " ".join(nodes), "CHOUINE_AWAY": str(DEPLOY)}
    command = [program, "adapt", "--config", str(DEPLOY / "Caddyfile")]
    read = subprocess.run(command, env=os.environ | settings, check=True, capture_output=True, text=True)
    path = folder / "caddy.json"
    path.write_text(json.dumps(json.loads(read.stdout) | {"admin": {"disabled": True}}))
    return path


@contextmanager
def proxying(nodes: Sequence[str], folder: Path) -> Iterator[str]:
    """Run the proxy before nodes at `host:port`; its address over plain HTTP."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [str(which("caddy")), "run", "--config", str(configuration(url, nodes, folder))]
    own = {"XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}
    with (folder / "caddy.log").open("w") as log:
        running = subprocess.Popen(command, env=os.environ | own, stderr=log)
    try:
        wait_until("Caddy", lambda: listens(port))
        yield url
    finally:
        running.terminate()
        running.wait(20)


def listens(port: int) -> bool:
    """Whether something accepts connections at a port."""
    with socket.socket() as way:
        return way.connect_ex(("127.0.0.1", port)) == 0
