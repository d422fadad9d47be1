"""Push messages: encrypted for one browser (RFC 8291), signed by the server (RFC 8292), and posted to push services.

Visitors give the addresses of these, so only hosts of the public network are reached.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

import h11
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from dns.asyncresolver import Resolver
from dns.exception import DNSException

CURVE = ec.SECP256R1()
RECORD = 4096
"""Record size in bytes: a message is one record."""
VALID = 12 * 3600
"""Seconds that a signature is valid; push services allow a day at most."""


def encode_base64(octets: bytes) -> str:
    """URL-safe Base64 without padding."""
    return urlsafe_b64encode(octets).rstrip(b"=").decode()


def decode_base64(text: str) -> bytes:
    """Decode URL-safe Base64 without padding. Raises `ValueError`."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def public_key(octets: bytes) -> ec.EllipticCurvePublicKey:
    """A public key from its 65 bytes. Raises `ValueError` if they are no point of the curve."""
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, octets)


def octets_of(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encrypt(
    text: bytes,
    key: bytes,
    auth: bytes,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Encrypt at most 3,992 bytes for a browser, with its public key and its secret. Raises `ValueError` for a bad key.

    `own` and `salt` are random unless a test gives them.
    """
    own, salt = own or ec.generate_private_key(CURVE), salt or secrets.token_bytes(16)
    sender, shared = octets_of(own.public_key()), own.exchange(ec.ECDH(), public_key(key))
    seed = HKDF(SHA256(), 32, auth, b"WebPush: info\0" + key + sender).derive(shared)
    content_key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(seed)
    nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(seed)
    head = salt + RECORD.to_bytes(4) + bytes([len(sender)]) + sender
    return head + AESGCM(content_key).encrypt(nonce, text + b"\2", None)


class Signer:
    """The server's signing key, by which push services recognise its messages."""

    def __init__(self, secret: str, contact: str) -> None:
        """`secret`: the private number, as text; `contact`: the site's address, for whoever runs the service."""
        self.key = ec.derive_private_key(int.from_bytes(decode_base64(secret)), CURVE)
        self.contact = contact
        self.public = encode_base64(octets_of(self.key.public_key()))

    def authorization(self, endpoint: str, now: float) -> str:
        """The `Authorization` header of a request to an endpoint."""
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + VALID, "sub": self.contact}
        signed = ".".join(
            encode_base64(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims)
        )
        r, s = decode_dss_signature(self.key.sign(signed.encode(), ec.ECDSA(SHA256())))
        return f"vapid t={signed}.{encode_base64(r.to_bytes(32) + s.to_bytes(32))}, k={self.public}"


def new_secret() -> str:
    """A new private key for a `Signer`, as text."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return encode_base64(number.to_bytes(32))


DEADLINE = 10.0
"""Seconds for a whole delivery: the name, the connection, TLS, the request and the response."""
LONGEST = 500
"""Longest endpoint, in characters."""
HOST = re.compile(r"(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*(?::443)?", re.IGNORECASE | re.ASCII)
"""A host as push services have it: a name, whose last part is no number as an IP address's is, and no user."""
KEPT = 24 * 3600
"""Seconds that a push service stores a message for a browser that is off; the turn may be past later."""
ANSWER = 16 * 1024
"""Bytes of a response that are read at most, interim responses (1xx) included."""
UNICAST = ip_network("2000::/3")
"""The only addresses of IPv6 that are given out as global unicast: NAT64 and IPv4 as IPv6 lie outside."""
SPECIAL = tuple(
    map(
        ip_network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"),
            *("192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
            *("224.0.0.0/4", "240.0.0.0/4"),
            *("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"),
        ),
    )
)
"""IANA's special-purpose addresses; `ipaddress` knows those that were registered before its Python."""
ISATAP = (0x00005EFE, 0x02005EFE)
"""Third quarter of an IPv6 address that contains an IPv4 address of a network of its own (RFC 5214)."""


def is_public(address: str) -> bool:
    """Whether an IP address is global unicast, and leads to no other address within it."""
    found = ip_address(address)
    if not found.is_global or any(
        found in network for network in SPECIAL if network.version == found.version
    ):
        return False
    return found.version == 4 or (found in UNICAST and (int(found) >> 32) & 0xFFFFFFFF not in ISATAP)


def endpoint_parts(endpoint: str) -> SplitResult:
    """The parts of an endpoint. Raises `ValueError` unless it is HTTPS, a host name, and the default port."""
    parts = urlsplit(endpoint)
    plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint and len(endpoint) <= LONGEST
    if not plain or parts.scheme != "https" or parts.fragment or not HOST.fullmatch(parts.netloc):
        raise ValueError("not the address of a push service")
    return parts


async def resolve(host: str) -> Sequence[str]:
    """A host's addresses, those of IPv4 first. Raises `OSError`.

    Not by the system's resolver: a thread that waits for a stranger's name server cannot be cancelled.
    """
    try:
        found = await Resolver().resolve_name(f"{host.rstrip('.')}.")
    except DNSException as error:
        raise OSError(type(error).__name__) from error
    return sorted(found.addresses(), key=lambda address: ":" in address)


class Sender:
    """Posts messages."""

    def __init__(
        self,
        context: ssl.SSLContext | None = None,
        port: int = 443,
        allowed: Callable[[str], bool] = is_public,
        resolve: Callable[[str], Awaitable[Sequence[str]]] = resolve,
        deadline: float = DEADLINE,
    ) -> None:
        """All are replaced by tests, for a service of their own."""
        self.context, self.port, self.allowed = context or ssl.create_default_context(), port, allowed
        self.resolve, self.deadline = resolve, deadline

    async def post(self, endpoint: str, body: bytes, authorization: str) -> int:
        """Post a message and return the response's status; redirects are not followed.

        Raises `OSError` for a service that cannot be reached, is not on the public network, or does not answer in time.
        """
        parts = endpoint_parts(endpoint)
        headers = {
            "Host": parts.netloc,
            "Authorization": authorization,
            "Content-Encoding": "aes128gcm",
            "Content-Length": str(len(body)),
            "Content-Type": "application/octet-stream",
            "TTL": str(KEPT),
            "Urgency": "normal",
        }
        target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        http = h11.Connection(h11.CLIENT)
        request = h11.Request(method="POST", target=target, headers=list(headers.items()))
        try:
            sent = [http.send(each) for each in (request, h11.Data(body), h11.EndOfMessage())]
            async with asyncio.timeout(self.deadline):
                reader, writer = await self.connect(parts.hostname or "")
                try:
                    writer.write(b"".join(filter(None, sent)))
                    return await status_of(http, reader)
                finally:
                    writer.transport.abort()
        except h11.ProtocolError as error:
            raise OSError(type(error).__name__) from error

    async def connect(self, host: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to an address that was checked: the name is not resolved again (DNS rebinding)."""
        addresses = await self.resolve(host)
        if not addresses or not all(map(self.allowed, addresses)):
            raise OSError("not an address of the public network")
        for address in addresses[:-1]:
            with suppress(OSError):
                return await self.connected_at(address, host)
        return await self.connected_at(addresses[-1], host)

    async def connected_at(
        self, address: str, host: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(address, self.port, ssl=self.context, server_hostname=host)


async def status_of(http: h11.Connection, reader: asyncio.StreamReader) -> int:
    """The status of a response, of which only the beginning is read. Raises `OSError`."""
    left = ANSWER
    while not isinstance(event := http.next_event(), h11.Response):
        if event is h11.NEED_DATA:
            if not left:
                raise OSError("too long an answer")
            got = await reader.read(left)
            left -= len(got)
            http.receive_data(got)
    return event.status_code
