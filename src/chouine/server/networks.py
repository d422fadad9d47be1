"""The addresses under which other devices may reach this machine."""

from __future__ import annotations

import re
import socket
from contextlib import closing, suppress
from ipaddress import ip_address

import ifaddr

VIRTUAL = re.compile(
    r"docker|br-|veth|virbr|vmnet|vbox|virtual|vethernet|hyper-v|tun|tap|wg|utun|tailscale|zt", re.IGNORECASE
)
"""Beginnings of the names of networks that only this machine, or few devices, are on."""
HERE = "127.0.0.1"


def own_addresses(host: str) -> tuple[str, ...]:
    """The addresses of this machine for others where all interfaces are served, likeliest first; else the host.

    Without any network it is this machine's own. For `0.0.0.0` IPv4 alone, for `::` IPv6 too.
    """
    if host not in ("0.0.0.0", "::", ""):  # noqa: S104  # it is what was asked for
        return (host,)
    way_out, found = outward_address(), dict[str, tuple[bool, bool, bool, int]]()
    for adapter in ifaddr.get_adapters():
        virtual = bool(VIRTUAL.match(adapter.nice_name) or VIRTUAL.match(adapter.name))
        for each in adapter.ips:
            text = each.ip if isinstance(each.ip, str) else each.ip[0]
            address = ip_address(text)
            if address.is_loopback or (address.version == 6 and (host != "::" or address.is_link_local)):
                continue
            found[text] = (address.is_link_local, virtual, text != way_out, address.version)
    return tuple(sorted(found, key=found.__getitem__)) or (HERE,)


def outward_address() -> str:
    """The address on the way to the internet; empty if there is none."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as way, suppress(OSError):
        way.connect(("192.0.2.1", 9))  # nothing is sent: the system only chooses the way out
        return str(way.getsockname()[0])
    return ""


def urls(host: str, port: int) -> tuple[str, ...]:
    """The URLs of `own_addresses`, an IPv6 address in brackets, without a slash at the end."""
    named = (f"[{address}]" if ":" in address else address for address in own_addresses(host))
    return tuple(f"http://{name}:{port}" for name in named)
