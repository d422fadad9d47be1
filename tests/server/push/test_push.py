"""Turn notifications by Web Push, sent to a service of the test; private networks cannot be reached."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from chouine.server.push.turn_notifier import BROWSERS, LATER, OFTEN, TurnNotifier
from chouine.server.push.web_push import (
    CURVE,
    Sender,
    Signer,
    decode_base64,
    encode_base64,
    encrypt,
    endpoint_parts,
    is_public,
    new_secret,
    octets_of,
    public_key,
)
from chouine.server.store import Store
from chouine.table import commands as ask
from chouine.table.entries import Opened, SeatHolder
from tests.patience import PATIENCE
from tests.server.serving import serving
from tests.server.stores import Clock, set_table, tables_of, with_store

AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SITE = "https://chouine.example"
NAMES = ("localhost", "push.example", "slow.example", "*.slow.example")
"""The names for which this machine has a certificate."""


def private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decode_base64(text)), CURVE)


BROWSER = private("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
"""The private key of the example in RFC 8291."""
KEY = encode_base64(octets_of(BROWSER.public_key()))


def test_the_example_of_the_standard() -> None:
    """Encryption gives the result of RFC 8291, appendix A."""
    sender, salt = (
        private("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
        decode_base64("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    text = b"When I grow up, I want to be a watermelon"
    assert encode_base64(encrypt(text, decode_base64(KEY), decode_base64(AUTH), sender, salt)) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def decrypt(body: bytes) -> bytes:
    """Decrypt a message as a browser does (RFC 8188, RFC 8291)."""
    salt, length = body[:16], body[20]
    sender, text = body[21 : 21 + length], body[21 + length :]
    shared = BROWSER.exchange(ec.ECDH(), public_key(sender))
    info = b"WebPush: info\0" + decode_base64(KEY) + sender
    seed = HKDF(SHA256(), 32, decode_base64(AUTH), info).derive(shared)
    key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(seed)
    nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(seed)
    return AESGCM(key).decrypt(nonce, text, None).rstrip(b"\0")[:-1]


class Service:
    """A local push service, with a certificate that only `sender` trusts."""

    def __init__(self, folder: Path) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 201
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.got.append((dict(self.headers), body))
                self.send_response(service.status)
                self.send_header("Location", "https://localhost/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Print nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        certificate, key = made_certificate(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        trusting = ssl.create_default_context(cafile=str(certificate))
        self.sender = local_sender(trusting, self.server.server_port)
        Thread(target=self.server.serve_forever, daemon=True).start()


def local_sender(trusting: ssl.SSLContext, port: int, deadline: float = PATIENCE) -> Sender:
    """A sender that finds every name at this machine, those of `slow.example` at its second address."""

    async def resolve(host: str) -> list[str]:
        return ["127.0.0.2" if host.endswith("slow.example") else "127.0.0.1"]

    return Sender(trusting, port, lambda address: address.startswith("127.0.0."), resolve, deadline)


def made_certificate(folder: Path) -> tuple[Path, Path]:
    """Write a self-signed certificate for the names of this machine, and its key."""
    key, name = ec.generate_private_key(CURVE), x509.Name([])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(list(map(x509.DNSName, NAMES))), critical=True)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(certificate.public_bytes(Encoding.PEM))
    paths[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return paths


async def wait_until_settled(turns: TurnNotifier) -> None:
    """Wait until all notifications have been delivered."""
    every = [turns.deliveries] + ([turns.letters.deliveries] if turns.letters else [])
    await wait_until_true(lambda: not turns.tasks and not any(each.waiting or each.tasks for each in every))


async def wait_until_true(what: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(PATIENCE):
        while not what():  # noqa: ASYNC110  # no event tells of it
            await asyncio.sleep(0.01)


ENDPOINT = "https://localhost/push/1?a=b"


def turns_of(store: Store, sender: Sender, wait: float = 0.0, clock: Clock | None = None) -> TurnNotifier:
    return TurnNotifier(tables_of(store, clock), Signer(new_secret(), SITE), sender, wait)


async def friends(turns: TurnNotifier) -> str:
    """A table of Anne and Basile at the tirage; Anne has drawn."""
    chairs = SeatHolder("person", "Anne", "anne"), SeatHolder("person", "Basile", "basile")
    table_id, _ = await set_table(turns.tables, Opened("classic", "1x1", chairs))
    await turns.tables.do(table_id, ask.Pick(0, 3))
    return table_id


def test_whose_turn_it_is_is_told(database: str, service: Service) -> None:
    """Only the player on turn is notified; the message names the table and is signed for this service."""

    async def test(store: Store) -> None:
        turns = turns_of(store, service.sender)
        await turns.subscribe("basile", ENDPOINT, KEY, AUTH)
        await turns.subscribe("anne", "https://localhost/push/2", KEY, AUTH)
        table_id = await friends(turns)
        turns.look()
        await wait_until_settled(turns)
        ((headers, body),) = service.got
        assert json.loads(decrypt(body)) == {"table": f"/table/{table_id}"}
        assert headers["Content-Encoding"] == "aes128gcm"
        token, _, key = headers["Authorization"].removeprefix("vapid t=").partition(", k=")
        assert key == turns.signer.public
        told, _, signature = token.rpartition(".")
        r, s = (int.from_bytes(decode_base64(signature)[at : at + 32]) for at in (0, 32))
        signed = ec.ECDSA(SHA256())
        public_key(decode_base64(key)).verify(encode_dss_signature(r, s), told.encode(), signed)
        claims = json.loads(decode_base64(told.partition(".")[2]))
        assert (claims["aud"], claims["sub"]) == ("https://localhost", SITE)
        turns.look()
        await wait_until_settled(turns)
        assert len(service.got) == 1

    with_store(database, test)


def test_who_acts_in_time_is_not_told(sqlite: str, service: Service) -> None:
    async def test(store: Store) -> None:
        turns = turns_of(store, service.sender, wait=3600.0)
        await turns.subscribe("basile", ENDPOINT, KEY, AUTH)
        table_id = await friends(turns)
        turns.look()
        await wait_until_settled(turns)
        first = turns.due[table_id]
        assert first.guests == {"basile"}
        await turns.tables.do(table_id, ask.Pick(1, 4))
        assert turns.due.get(table_id) != first
        alone = SeatHolder("person", "Anne", "anne"), SeatHolder("person", "Anne 2", "anne")
        device, _ = await set_table(turns.tables, Opened("classic", "1x1", alone))
        await turns.tables.do(device, ask.Pick(0, 3))
        assert device not in turns.due  # two players on one device
        assert service.got == []

    with_store(sqlite, test)


def test_a_subscription_that_keeps_failing_is_deleted(sqlite: str, service: Service) -> None:
    """Each failure makes it wait longer for the next try, of which there are few; a success starts anew."""

    async def test(store: Store) -> None:
        clock = Clock()
        turns = turns_of(store, service.sender, clock=clock)
        await turns.subscribe("basile", ENDPOINT, KEY, AUTH)

        async def told_after(seconds: float) -> int:
            clock.now += seconds
            await turns.tell("basile", "/table/x")
            await wait_until_settled(turns)
            return len(service.got)

        service.status = 500
        assert [await told_after(LATER[0]) for _ in range(2)] == [1, 2]
        assert await told_after(LATER[0]) == 2  # not before the longer time is over
        service.status = 201
        assert await told_after(LATER[1]) == 3
        service.status = 500
        tries = [await told_after(seconds) for seconds in (0.0, *LATER)]
        assert tries == [4, 5, 6, 7]
        assert await turns.browsers("basile") == []

    with_store(sqlite, test)


@pytest.mark.parametrize(("status", "left"), [(410, 0), (404, 0), (201, 1), (500, 1), (302, 1)])
def test_what_a_service_answers(sqlite: str, service: Service, status: int, left: int) -> None:
    """A subscription that is gone (404, 410) is deleted; a redirect is not followed."""

    async def test(store: Store) -> None:
        service.status = status
        turns = turns_of(store, service.sender)
        await turns.subscribe("basile", ENDPOINT, KEY, AUTH)
        await friends(turns)
        turns.look()
        await wait_until_settled(turns)
        assert len(service.got) == 1
        assert len(await turns.browsers("basile")) == left

    with_store(sqlite, test)


def test_no_more_than_a_guest_bears(sqlite: str, service: Service) -> None:
    async def test(store: Store) -> None:
        clock = Clock()
        turns = turns_of(store, service.sender, clock=clock)
        for nth in range(BROWSERS + 2):
            clock.now += 1
            await turns.subscribe("anne", f"https://localhost/{nth}", KEY, AUTH)
            await turns.subscribe("anne", f"https://localhost/{nth}", KEY, AUTH)
        assert len(await turns.browsers("anne")) == BROWSERS
        await turns.subscribe("basile", f"https://localhost/{BROWSERS}", KEY, AUTH)  # a browser has one guest
        assert len(await turns.browsers("anne")) == BROWSERS - 1
        for _ in range(OFTEN.most + 5):
            await turns.tell("basile", "/table/x")
        await wait_until_settled(turns)
        assert len(service.got) == OFTEN.most
        await turns.forget("anne")
        assert await turns.browsers("anne") == []
        assert len(await turns.browsers("basile")) == 1

    with_store(sqlite, test)


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.1", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.168.0.1"),
        *("192.0.0.8", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1", "203.0.113.1"),
        *("224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "::7f00:1", "::5db8:d70e", "::ffff:7f00:1", "::ffff:5db8:d70e", "::ffff:0:5db8:d70e"),
        *("64:ff9b::a00:1", "64:ff9b::5db8:d70e", "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:2::1"),
        *("2001:20::1", "2001:db8::1", "2002:a00:1::", "2002:5db8:d70e::", "3fff::1", "5f00::1"),
        *("2a00:1450::5efe:a00:1", "2a00:1450::200:5efe:a00:1", "4000::1", "e000::1"),
        *("fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1", "ff0e::1"),
    ],
)
def test_no_address_but_of_the_public_network(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2a00:1450:4007:80c::200e", "2606:4700::6810:84e5"])
def test_addresses_of_the_public_network(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("addresses", [["10.0.0.1"], ["93.184.215.14", "64:ff9b::a00:1"], []])
def test_a_name_that_leads_here_is_not_followed(service: Service, addresses: list[str]) -> None:
    """The addresses are checked on connection: a name for a private one is refused, or for one of several."""

    async def resolve(_host: str) -> list[str]:
        return addresses

    sender = Sender(service.sender.context, service.sender.port, resolve=resolve)
    with pytest.raises(OSError, match="not an address of the public network"):
        asyncio.run(sender.post(ENDPOINT, b"", ""))
    assert service.got == []


def test_an_address_that_cannot_be_reached_is_not_the_last(service: Service) -> None:
    """A name's next address is tried: many machines have no IPv6."""

    async def resolve(_host: str) -> list[str]:
        return ["127.0.0.3", "127.0.0.1"]

    sender = Sender(service.sender.context, service.sender.port, service.sender.allowed, resolve)
    assert asyncio.run(sender.post(ENDPOINT, b"", "")) == 201


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example/1",
        "https://push.example:8443/1",
        "https://user:word@push.example/1",
        "https:///1",
        "https://push.example/1\r\nHost: x",
        "https://push.example/" + "x" * 500,
        "file:///etc/passwd",
        "https://93.184.215.14/1",
        "https://93.184.215.14:443/1",
        "https://[2a00:1450::1]/1",
        "https://[v1.a]/1",
        "https://127.1./1",
        "https://0x7f000001/1",
        "https://@push.example/1",
        "https://push..example/1",
        "https://push.example:0443/1",
        "",
    ],
)
def test_an_endpoint_that_is_none(endpoint: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        endpoint_parts(endpoint)


def test_a_browser_asks_and_asks_no_more(tmp_path: Path) -> None:
    options = ("--public-url", SITE, "--allowed-hosts", "127.0.0.1")
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", options=options) as server:
        anne = server.visit()
        assert anne.http.get("/push/worker.js").headers["content-type"].startswith("text/javascript")
        fields = {"endpoint": "https://push.example/1", "key": KEY, "auth": AUTH}
        for wrong in ({"endpoint": "https://"}, {"key": "AAAA"}, {"auth": "é"}, {"auth": "AAAA"}):
            assert anne.post("/push", **(fields | wrong)).status_code == 400
        assert anne.post("/push", **fields).status_code == 204
        assert "1 de vos appareils" in anne.get("/settings").text
        anne.submit(anne.forms("/push")[1], what="off")
        assert "de vos appareils" not in anne.get("/settings").text
        asked = anne.http.get("/push").json()
        again = fields | {"endpoint": "https://push.example/2"}
        assert anne.post("/push", **again, csrf=asked["csrf"]).status_code == 204
        renewed = fields | {"endpoint": "https://push.example/3", "old": "https://push.example/2"}
        assert anne.post("/push", **renewed).status_code == 204
        assert "1 de vos appareils" in anne.get("/settings").text
        assert f'data-key="{asked["key"]}"' in anne.page.text
        assert anne.post("/push", what="off", endpoint="https://push.example/2").status_code == 303
        assert "1 de vos appareils" in anne.get("/settings").text
        assert anne.post("/push", what="off", endpoint="https://push.example/3").status_code == 303
        assert "de vos appareils" not in anne.get("/settings").text
        basile = server.visit()
        table_id = anne.open()
        links = anne.get(f"/table/{table_id}/links").text
        assert f"{SITE}/join/{table_id}/1/" in links
        link = links.split(f"{SITE}/join/{table_id}/1/")[1].split('"')[0]
        assert 'id="push"' not in anne.get(f"/table/{table_id}").text
        assert 'id="push"' in basile.sit(f"/join/{table_id}/1/{link}").text


def test_a_server_without_an_address_of_its_own_sends_nothing(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as server:
        anne = server.visit()
        answer = anne.post("/push", endpoint="https://push.example/1", key=KEY, auth=AUTH)
        assert (answer.status_code, isinstance(answer, httpx.Response)) == (404, True)
