"""Listen on a port, or learn why that is not possible; and the addresses under which others reach this machine."""

from __future__ import annotations

import os
import re
import socket
from contextlib import closing, suppress
from ipaddress import ip_address


class CannotListen(Exception):
    """Its text is the system's reason."""

    def __init__(self, error: OSError) -> None:
        self.code = error.errno or 0
        """The system's number of the reason (see `errno`); 0 or negative where it has none."""
        why = (
            os.strerror(self.code)
            if self.code > 0 and os.name != "nt"  # which has no text of its own for the network's numbers
            else str(error.strerror or error).partition(" (while")[0]
        )
        super().__init__(why)


def listen_at(host: str, port: int) -> socket.socket:
    """A listening socket. Raises `CannotListen`."""
    from chouine.server.protocol import listen

    try:
        return listen(host, port)
    except OSError as error:
        raise CannotListen(error) from error


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
    import ifaddr  # which other commands do without

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
