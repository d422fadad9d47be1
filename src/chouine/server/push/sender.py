"""Sends messages to push services. Visitors give the addresses, so hosts of the local network are refused."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from http.client import HTTPException, HTTPSConnection
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

TIMEOUT = 10.0
"""Timeout in seconds of each network step."""
LONGEST = 500
"""Longest endpoint, in characters."""
KEPT = 24 * 3600
"""Seconds that a push service stores a message for a browser that is off; the turn may be past later."""


def public(address: str) -> bool:
    """Whether an IP address belongs to the public network."""
    return ip_address(address).is_global


def endpoint_parts(endpoint: str) -> SplitResult:
    """The parts of an endpoint. Raises `ValueError` unless it is HTTPS, a host name, and the default port."""
    parts = urlsplit(endpoint)
    plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint and len(endpoint) <= LONGEST
    named = parts.hostname and not parts.username and not parts.password and not parts.fragment
    if not plain or parts.scheme != "https" or not named or parts.port not in (None, 443):
        raise ValueError("not the address of a push service")
    return parts


class Pinned(HTTPSConnection):
    """A connection to an address that was checked: the name is not resolved again (DNS rebinding)."""

    def __init__(self, host: str, context: ssl.SSLContext, port: int, allowed: Callable[[str], bool]) -> None:
        super().__init__(host, port, timeout=TIMEOUT, context=context)
        self.secure, self.allowed = context, allowed

    def connect(self) -> None:
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        addresses = [str(place[4][0]) for place in found]
        if not addresses or not all(map(self.allowed, addresses)):
            raise OSError("not an address of the public network")
        plain = socket.create_connection((addresses[0], self.port), TIMEOUT)
        self.sock = self.secure.wrap_socket(plain, server_hostname=self.host)


class Sender:
    """Posts messages. Blocks: call it in a thread."""

    def __init__(
        self,
        context: ssl.SSLContext | None = None,
        port: int = 443,
        allowed: Callable[[str], bool] = public,
    ) -> None:
        """`context`, `port` and `allowed` are replaced by tests, for a service of their own."""
        self.context, self.port, self.allowed = context or ssl.create_default_context(), port, allowed

    def post(self, endpoint: str, body: bytes, authorization: str) -> int:
        """Post a message and return the response's status; redirects are not followed. Raises `OSError`."""
        parts = endpoint_parts(endpoint)
        connection = Pinned(parts.hostname or "", self.context, self.port, self.allowed)
        headers = {
            "Authorization": authorization,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEPT),
            "Urgency": "normal",
        }
        try:
            connection.request(
                "POST", f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}", body, headers
            )
            return connection.getresponse().status
        except HTTPException as error:
            raise OSError(type(error).__name__) from error
        finally:
            connection.close()
