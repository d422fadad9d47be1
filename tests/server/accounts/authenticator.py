"""A passkey in software, which also does what none should: answer for another site, twice, or as a copy."""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from html import unescape
from re import search

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

from tests.server.serving import Browser

PRESENT, VERIFIED, NEW = 0x01, 0x04, 0x40


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


@dataclass
class Authenticator:
    """A device with one passkey."""

    origin: str
    site: str = "localhost"
    identifier: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    counter: int = 1

    def make(self, challenge: str) -> str:
        """What the device answers when it has made the passkey."""
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        length = len(self.identifier).to_bytes(2)
        attested = bytes(16) + length + self.identifier + cbor2.dumps(public)
        data = self.data(PRESENT | VERIFIED | NEW) + attested
        statement = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self.answer("webauthn.create", challenge, attestationObject=encode(statement))

    def enter(self, challenge: str) -> str:
        """What the device answers when it signs in."""
        self.counter += 1
        data, client = self.data(PRESENT | VERIFIED), self.client("webauthn.get", challenge)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        signed = {"authenticatorData": encode(data), "signature": encode(signature)}
        return self.answer("webauthn.get", challenge, **signed)

    def data(self, flags: int) -> bytes:
        site = hashlib.sha256(self.site.encode()).digest()
        return site + bytes([flags]) + self.counter.to_bytes(4)

    def client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def answer(self, kind: str, challenge: str, **response: str) -> str:
        response |= {"clientDataJSON": encode(self.client(kind, challenge))}
        name = encode(self.identifier)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})


def challenge_of(browser: Browser, what: str) -> str:
    """The challenge on the account's page to `make` or to `enter`."""
    page = browser.get("/account").text
    found = search(rf'data-passkey="{what}" data-options="([^"]*)"', page)
    assert found
    challenge: str = json.loads(unescape(found[1]))["challenge"]
    assert len(urlsafe_b64decode(f"{challenge}==")) == 40
    return challenge


def post_answer(browser: Browser, what: str, answer: str, **fields: str) -> tuple[int, str]:
    """Post an answer by the page's form; the status and the page."""
    form = next(form for form in browser.forms("/account/passkey") if form.fields["what"] == what)
    got = browser.submit(form, answer=answer, **fields)
    return got.status_code, got.text
