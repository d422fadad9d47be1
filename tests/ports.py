"""Ports for servers of tests: no other test can take one before its server listens, or while it restarts."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from random import SystemRandom

RESERVED = range(20_000, 32_768)
"""Below the ports that a system gives to outgoing connections and to servers at port 0."""
PROCESSES = 16
"""Processes of tests that have ports of their own; of more, two share theirs."""
TAKEN: set[int] = set()


def own_ports(process: str) -> range:
    """The ports of a process of tests, by the name that pytest-xdist gives it (`gw0`); all, where it is alone."""
    return RESERVED[int(process.removeprefix("gw")) % PROCESSES :: PROCESSES] if process else RESERVED


def free_port() -> int:
    """A port of the loopback address that nothing listens on, another one each time as long as there are any."""
    own = own_ports(os.environ.get("PYTEST_XDIST_WORKER", ""))
    while True:
        left = [port for port in own if port not in TAKEN]
        port: int = SystemRandom().choice(left or own)
        TAKEN.add(port)
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
