"""Trusted proxies: whose word is taken for a visitor's address and for HTTPS."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    collapse_addresses,
    ip_address,
    ip_network,
)
from typing import Self

import structlog
from starlette.types import Scope

log = structlog.get_logger()

Address = IPv4Address | IPv6Address
EVERYONE = "*"
WITH_PORT = re.compile(r"\[([^\]]+)\](?::\d+)?|([\d.]+):\d+")
"""An address as some proxies write it: `[2001:db8::1]:4711`, `192.0.2.7:4711`."""
FORWARDING = frozenset(
    (b"forwarded", b"via", b"x-real-ip", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto")
)
"""Headers that show that a request came through a proxy."""


@dataclass(frozen=True, slots=True)
class Proxies:
    """The addresses of trusted proxies; by default there are none."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    everyone: bool = False
    """Whether whoever connects is a proxy. Then only the address that it adds itself is taken, the last one."""

    @classmethod
    def of(cls, text: str) -> Self:
        """Read networks and addresses, separated by commas, or `*`. Raises `ValueError` with the wrong one."""
        named = {name for each in text.split(",") if (name := each.strip())}
        networks = [network_of(name) for name in named - {EVERYONE}]
        four = collapse_addresses(each for each in networks if isinstance(each, IPv4Network))
        six = collapse_addresses(each for each in networks if isinstance(each, IPv6Network))
        whole: tuple[IPv4Network | IPv6Network, ...] = (*four, *six)
        return cls(whole, EVERYONE in named or any(each.prefixlen == 0 for each in whole))

    def __bool__(self) -> bool:
        return self.everyone or bool(self.networks)

    def trusts(self, address: Address | None) -> bool:
        """Whether this is a proxy's address."""
        return self.everyone or (address is not None and any(address in each for each in self.networks))

    def unwrap(self, scope: Scope) -> Scope:
        """The scope with the visitor's address and scheme, if a trusted proxy sent it; else as it is.

        Every proxy adds the address it was reached from at the end of `X-Forwarded-For`; what precedes the first that
        is no proxy, from the right, could be the visitor's invention.
        """
        peer = address_of(scope["client"][0]) if scope.get("client") else None
        if not self.trusts(peer):
            if peer is not None and peer.is_private and is_forwarded(scope):
                log.warning("a proxy is not trusted", setting="--trusted-proxies", most=1)
            return scope
        visitor, hops = peer, header_values(scope, b"x-forwarded-for")
        while hops and (hop := address_of(hops.pop())):
            visitor = hop
            if self.everyone or not self.trusts(hop):
                break
        scheme = (*header_values(scope, b"x-forwarded-proto"), "")[0]
        client = (str(visitor), 0) if visitor else scope.get("client")
        return {
            **scope,
            "client": client,
            "scheme": scheme if scheme in ("http", "https") else scope["scheme"],
        }


NO_PROXIES = Proxies()


def network_of(name: str) -> IPv4Network | IPv6Network:
    """The network, or the one of a single address. Raises `ValueError` with the name."""
    try:
        return ip_network(name)
    except ValueError as error:
        raise ValueError(name) from error


@lru_cache(4096)
def address_of(text: str) -> Address | None:
    """An address, also with a port; an IPv4 address that an IPv6 socket reports is IPv4. None for anything else."""
    found = WITH_PORT.fullmatch(text)
    try:
        address = ip_address(found[1] or found[2] if found else text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def header_values(scope: Scope, header: bytes) -> list[str]:
    """The values of a header that is a list, over all its lines."""
    lines = (value.decode("latin-1") for name, value in scope["headers"] if name == header)
    return [value for line in lines for each in line.split(",") if (value := each.strip())]


def is_nearby(scope: Scope) -> bool:
    """Whether a request comes from this machine or its private network, and through no proxy.

    What a proxy says is no help: it may have passed on the header of a visitor who would like to be near.
    """
    peer = address_of(scope["client"][0]) if scope.get("client") else None
    return peer is not None and peer.is_private and not is_forwarded(scope)


def is_forwarded(scope: Scope) -> bool:
    """Whether a request says that it came through a proxy."""
    return any(name in FORWARDING for name, _ in scope["headers"])
