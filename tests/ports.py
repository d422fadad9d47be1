"""Ports for servers of tests: no other test can take one before its server listens, or while it restarts."""

from __future__ import annotations

import socket
from contextlib import suppress
from random import SystemRandom

RESERVED = range(20_000, 32_768)
"""Below the ports that a system gives to outgoing connections and to servers at port 0."""


def free_port() -> int:
    """A port of the loopback address that nothing listens on."""
    while True:
        port = SystemRandom().choice(RESERVED)
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
