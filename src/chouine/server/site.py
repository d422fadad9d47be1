"""What a server says of itself: its hosts, origins and links, what is switched off, and who answers for it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from gettext import gettext as _
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import msgspec
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Scope

from chouine.days import zone_named
from chouine.errors import ChouineError
from chouine.files import read_whole
from chouine.server.push.mail import address_in


class LegalNotice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whom the law wants named (France: LCEN; contact: GDPR, article 13). One line of text each."""

    host: str
    """Name, address and telephone of the company whose machine it is."""
    contact: str
    """E-mail address for everything."""
    publisher: str = ""
    """Name and address of whoever publishes the site; empty for a private person, whom the host knows."""
    director: str = ""
    """Director of publication, where an association or a company publishes it."""
    security: str = ""
    """E-mail address for reports of vulnerabilities, if it is another."""
    backups: str = ""
    """Where copies of the backups are kept besides, and for how long, if they are."""

    @classmethod
    def of(cls, file: str) -> Self | None:
        """Read a TOML file; None without a name. Raises `OSError`, or `ValueError` with a sentence about its text."""
        if not file:
            return None
        where = {"file": file}
        content = read_whole(Path(file))
        try:
            told = tomllib.loads(content.decode("utf-8-sig"))
        except ValueError as error:
            place = re.search(r"at line (\d+)", str(error))
            read = error.object[: error.start] if isinstance(error, UnicodeDecodeError) else content.rstrip()
            where["line"] = place[1] if place else str(read.count(b"\n") + 1)
            raise ValueError(_("%(file)s, line %(line)s: not TOML; see docs/deploy.md") % where) from error
        parts = msgspec.structs.fields(cls)
        for name in told.keys() - {part.name for part in parts}:
            where["name"] = name
            raise ValueError(_("%(file)s: there is no setting %(name)s; see docs/deploy.md") % where)
        for part in parts:
            where["name"] = part.name
            if part.required and part.name not in told:
                raise ValueError(_("%(file)s lacks %(name)s; see docs/deploy.md") % where)
            if type(told.get(part.name, "")) is not str:
                raise ValueError(_("%(file)s: what follows %(name)s must stand in quotation marks") % where)
        legal = msgspec.convert(told, cls)
        for address in filter(None, (legal.contact, legal.security)):
            where["address"] = address
            try:
                address_in(address)
            except ValueError as error:
                raise ValueError(_("%(file)s: %(address)s is no e-mail address") % where) from error
        return legal


PARIS = "Europe/Paris"
PORTS = {"http": ":80", "https": ":443"}
"""Ports that are not written in an origin."""
SWITCHES = ("strangers", "contests", "newcomers", "levels", "offline")
"""What a setting can switch off: finding a partner; announcing and entering contests; browsers that have never played
here; levels 7 and 8; the copy for play without a network."""


class Closed(ChouineError):
    """What is closed; `code` is `closed/` and a switch, `barred` or `maintenance`."""


def switches_in(text: str) -> frozenset[str]:
    """The switches named in a text, separated by commas. Raises `ValueError` with a sentence for any other."""
    named = frozenset(filter(None, (word.strip() for word in text.split(","))))
    for word in sorted(named - set(SWITCHES)):
        what = {"what": word, "known": ", ".join(SWITCHES)}
        raise ValueError(_("some of %(known)s, separated by commas, not “%(what)s”") % what)
    return named


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A refused request: it does not fit the site's address as the server knows it."""

    status_code: int
    code: str
    seen: str = ""
    """The host or origin that the request names."""
    own: str = ""
    """Those that the server would accept."""


@dataclass(frozen=True, slots=True)
class Site:
    """The server's public address and allowed hosts. By default any host is allowed, and links use the request's."""

    public_url: str = ""
    hosts: frozenset[str] = frozenset()
    """Allowed host names, with a port or for any port; empty: all."""
    evening: tuple[int, int] | None = None
    """Hour and minute (Paris) announced for meeting partners."""
    zone: tzinfo = field(default_factory=lambda: ZoneInfo(PARIS))
    """The time zone of browsers that tell none."""
    legal: LegalNotice | None = None
    """Who answers for the site, if it says so."""
    off: frozenset[str] = frozenset()
    """What is switched off, of `SWITCHES`."""
    programs: Mapping[str, str] = field(default_factory=dict)
    """Command lines of programs to play against, by name; only on one's own machine (`programs.py`)."""

    @classmethod
    def of(
        cls,
        public_url: str,
        hosts: str,
        evening: str = "",
        zone: str = "",
        legal: LegalNotice | None = None,
        off: str = "",
    ) -> Self:
        """Read the settings.

        `hosts` are separated by commas, by default the public address's; `evening` is an hour such as `20:30`.
        Raises `ValueError` for what cannot be read.
        """
        public_url = public_url.strip().rstrip("/")
        if public_url and not is_address(public_url):
            raise ValueError(_("not the address of a site: %(text)s") % {"text": public_url})
        found = zone_named(zone or PARIS)
        if found is None:
            raise ValueError(_("not a time zone such as Europe/Paris: %(text)s") % {"text": zone})
        named = hosts or urlsplit(public_url).netloc
        return cls(
            public_url,
            frozenset(filter(None, (in_ascii(name.strip().lower()) for name in named.split(",")))),
            hour_of(evening) if evening else None,
            found,
            legal,
            switches_in(off),
        )

    def base(self, request: Request) -> str:
        """The scheme and host with which absolute links begin, without a slash at the end."""
        return self.public_url or str(request.base_url).rstrip("/")

    def known_address(self, request: Request) -> str:
        """`base`, or an empty string where the server accepts any host: the client could have made that name up."""
        return self.base(request) if self.public_url or self.hosts else ""

    def mismatch_of(self, scope: Scope, *, watched: bool) -> Mismatch | None:
        """Why a missing, repeated or foreign Host is refused; health checks may use any."""
        named = [value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"host"]
        if len(named) != 1:
            return Mismatch(400, "one-host")
        if not self.hosts or watched or {named[0], without_port(named[0])} & self.hosts:
            return None
        return Mismatch(400, "unknown-host", named[0], ", ".join(sorted(self.hosts)))

    def cross_site(self, scope: Scope) -> Mismatch | None:
        """Why a request that changes something is refused: another site's page sent it, or so it seems.

        The public address's origin is the site's own, whatever a proxy makes of `Host` and the scheme.
        """
        if scope["method"] in ("GET", "HEAD"):
            return None
        headers = Headers(scope=scope)
        asserted, origins = headers.getlist("sec-fetch-site"), headers.getlist("origin")
        host, own = headers.get("host", "").lower(), self.origins(scope)
        if set(asserted) <= {"same-origin", "none"} and {each.lower() for each in origins} <= {*own}:
            return None
        seen = (*origins, "")[0]
        name = name_in(seen)
        expected = next((each for each in own if name_in(each) == name), own[0])
        ours = "same-origin" in asserted or (not asserted and name in (without_port(host), name_in(expected)))
        return Mismatch(403, fault(seen, expected) if ours else "cross-site", seen, expected)

    def origins(self, scope: Scope) -> tuple[str, ...]:
        """The origins of this site's pages, the likeliest first. HTTPS is believed of the public address or a proxy."""
        host, scheme = Headers(scope=scope).get("host", "").lower(), str(scope["scheme"])
        if not self.public_url:
            return (origin_of(scheme, host),)
        public = urlsplit(self.public_url.lower())
        public_host = in_ascii(public.netloc)
        secure = public.scheme == "https" and without_port(host) == without_port(public_host)
        return origin_of(public.scheme, public_host), origin_of("https" if secure else scheme, host)


def fault(seen: str, own: str) -> str:
    """The code of the setting by which this site's origin differs from what the browser says."""
    scheme, expected = seen.partition("://")[0], own.partition("://")[0]
    if scheme == expected:
        return "another-address"
    return "only-https" if scheme == "http" else "behind-https"


def name_in(origin: str) -> str:
    """The host of an origin, without its port."""
    return without_port(origin.lower().partition("://")[2])


def is_address(url: str) -> bool:
    """Whether this can be a site's address: a scheme, a host, perhaps a port."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in PORTS and parts.hostname and (parts.port is None or parts.port)
        return bool(known) and not parts.query and "@" not in parts.netloc and bool(in_ascii(parts.netloc))
    except ValueError:
        return False


def in_ascii(host: str) -> str:
    """A host as browsers send it: `chouïne.example` is `xn--choune-eya.example`. Raises `ValueError`."""
    return host if host.isascii() else host.encode("idna").decode()


def origin_of(scheme: str, host: str) -> str:
    """An origin as browsers write it, without the scheme's own port."""
    return f"{scheme}://{host.removesuffix(PORTS.get(scheme, ''))}"


def without_port(host: str) -> str:
    """The host without its port: `example.org:8000` gives `example.org`; an IPv6 address keeps its brackets."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def hour_of(text: str) -> tuple[int, int]:
    """`20:30` as (hour, minute). Raises `ValueError` for anything else."""
    found = re.fullmatch(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", text.strip())
    if not found:
        raise ValueError(_("not an hour such as 20:30: %(text)s") % {"text": text})
    return int(found[1]), int(found[2])
