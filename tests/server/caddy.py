"""The proxy of `deploy/`, run by a real Caddy from Debian's package, with its own settings."""

from __future__ import annotations

import json
import os
import socket
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Any

from tests.patience import PATIENCE, wait_until
from tests.ports import free_port

DEPLOY = Path(__file__).parents[2] / "deploy"


def configuration(site: str, nodes: Sequence[str], folder: Path, file: Path = DEPLOY / "Caddyfile") -> Path:
    """`deploy/Caddyfile` for this site and these nodes, as Caddy reads it itself, without its administration port."""
    program = which("caddy")
    assert program, "this needs Debian's package caddy: make system"
    settings = {"CHOUINE_SITE": site, "CHOUINE_NODES": " ".join(nodes), "CHOUINE_AWAY": str(DEPLOY)}
    command = [program, "adapt", "--adapter", "caddyfile", "--config", str(file)]
    read = subprocess.run(command, env=os.environ | settings, check=True, capture_output=True, text=True)
    path = folder / "caddy.json"
    path.write_text(json.dumps(json.loads(read.stdout) | {"admin": {"disabled": True}}))
    return path


@contextmanager
def proxying(nodes: Sequence[str], folder: Path) -> Iterator[str]:
    """Run the proxy before nodes at `host:port`; its address over plain HTTP."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with caddy(configuration(url, nodes, folder), folder):
        wait_until("Caddy", lambda: listens(port))
        yield url


@contextmanager
def caddy(config: Path, folder: Path) -> Iterator[None]:
    """Run Caddy with this configuration, its own files in a folder."""
    own = {"XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}
    with (folder / "caddy.log").open("w") as log:
        running = subprocess.Popen(
            [str(which("caddy")), "run", "--config", str(config)], env=os.environ | own, stderr=log
        )
    try:
        yield
    finally:
        running.terminate()
        running.wait(PATIENCE)


@dataclass(frozen=True)
class Https:
    """Addresses of a site that Caddy serves at `localhost`, under a certificate of its own authority."""

    folder: Path
    """Its files; those of its authority stay when it runs again."""
    port: int
    plain_port: int
    """From here plain HTTP leads to HTTPS."""

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    @property
    def authority(self) -> Path:
        """The certificate of the authority, once Caddy has run."""
        return self.folder / "data/caddy/pki/authorities/local/root.crt"


@contextmanager
def proxying_https(
    site: Https, nodes: Sequence[str], old: str = "", new: str = "", **http: Any
) -> Iterator[None]:
    """Run the proxy at this site, `old` in its Caddyfile replaced by `new`. `http`: settings of its servers as JSON."""
    text = (DEPLOY / "Caddyfile").read_text()
    assert old in text
    changed = site.folder / "Caddyfile"
    changed.write_text(text.replace(old, new, 1))
    path = configuration(site.url, nodes, site.folder, changed)
    config = json.loads(path.read_text())
    config["apps"]["http"]["http_port"] = site.plain_port
    for server in config["apps"]["http"]["servers"].values():
        server.update(http)
    config["apps"]["pki"] = {"certificate_authorities": {"local": {"install_trust": False}}}
    path.write_text(json.dumps(config))
    with caddy(path, site.folder):
        wait_until("Caddy has a certificate", lambda: speaks_tls(site))
        yield


def speaks_tls(site: Https) -> bool:
    """Whether the site's certificate is there."""
    try:
        context = ssl.create_default_context(cafile=str(site.authority))
        with (
            socket.create_connection(("localhost", site.port)) as way,
            context.wrap_socket(way, server_hostname="localhost"),
        ):
            return True
    except OSError:
        return False


def listens(port: int) -> bool:
    """Whether something accepts connections at a port."""
    with socket.socket() as way:
        return way.connect_ex(("127.0.0.1", port)) == 0
