"""Push messages: encrypted for one browser (RFC 8291), signed by the server (RFC 8292)."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

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
