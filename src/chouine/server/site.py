"""The host names a server answers to, and the address with which its links begin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Scope


@dataclass(frozen=True, slots=True)
class Site:
    """The server's public address and allowed hosts. By default any host is allowed, and links use the request's."""

    public_url: str = ""
    hosts: frozenset[str] = frozenset()
    """Allowed host names, with a port or for any port; empty: all."""
    evening: tuple[int, int] | None = None
    """Hour and minute (Paris) announced for meeting partners."""

    @classmethod
    def of(cls, public_url: str, hosts: str, evening: str = "") -> Self:
        """Read the settings.

        `hosts` are separated by commas, by default the public address's; `evening` is an hour such as `20:30`.
        Raises `ValueError` for what cannot be read.
        """
        parts = urlsplit(public_url)
        if public_url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.query):
            raise ValueError(f"not the address of a site: {public_url}")
        named = hosts or (parts.netloc if public_url else "")
        return cls(
            public_url.rstrip("/"),
            frozenset(filter(None, (name.strip().lower() for name in named.split(",")))),
            hour_of(evening) if evening else None,
        )

    def base(self, request: Request) -> str:
        """The scheme and host with which absolute links begin, without a slash at the end."""
        return self.public_url or str(request.base_url).rstrip("/")

    def known(self, request: Request) -> str:
        """`base`, or an empty string where the server accepts any host: the client could have made that name up."""
        return self.base(request) if self.public_url or self.hosts else ""

    def refused(self, scope: Scope, *, watched: bool) -> Response | None:
        """The refusal for a missing, repeated or foreign Host; health checks may use any."""
        named = [value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"host"]
        if len(named) != 1:
            return PlainTextResponse("one host", 400)
        known = not self.hosts or watched or bool({named[0], without_port(named[0])} & self.hosts)
        return None if known else PlainTextResponse("unknown host", 400)


def without_port(host: str) -> str:
    """The host without its port: `example.org:8000` gives `example.org`; an IPv6 address keeps its brackets."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def hour_of(text: str) -> tuple[int, int]:
    """`20:30` as (hour, minute). Raises `ValueError` for anything else."""
    found = re.fullmatch(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", text.strip())
    if not found:
        raise ValueError(f"not an hour such as 20:30: {text}")
    return int(found[1]), int(found[2])
