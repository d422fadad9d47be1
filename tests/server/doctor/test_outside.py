"""Broken installations behind a real Caddy, one setting wrong in each: the doctor names it, and nothing else."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from chouine.server.doctor.browser import LARGEST, Browser, Patience
from chouine.server.doctor.findings import Finding, Trouble, examine
from chouine.server.doctor.outside import Outside
from chouine.server.frame_updates import HELLO
from tests.needs import need
from tests.patience import PATIENCE
from tests.ports import free_port
from tests.server.caddy import Https, proxying_https
from tests.server.certificates import certificate_in
from tests.server.serving import RunningServer, serve_alone, serving

PATIENT = Patience(PATIENCE, PATIENCE, PATIENCE)
HASTY = Patience(PATIENCE, 3.0, 3.0)
"""Where the words of a stream are waited for, which never come."""
LEGAL = 'host = "Hébergeur, Blois"\ncontact = "chouine@chouine.example"\n'
TRUSTING = ("--trusted-proxies", "127.0.0.1")
UPSTREAM = "health_uri /ready"
"""A line of the Caddyfile that concerns the nodes."""
SITE = "encode gzip"
"""One that concerns the site."""


def serve_lively(arguments: Sequence[str]) -> int:
    """Run a server whose streams say something more often than every 15 seconds."""
    from chouine.server.routes import play

    play.PING = 0.3
    return serve_alone(arguments)


@dataclass
class Installation:
    """A node behind Caddy, both as they should be."""

    site: Https
    node_port: int = field(default_factory=free_port)

    @property
    def options(self) -> tuple[str, ...]:
        """The node's options."""
        legal = self.site.folder / "legal.toml"
        legal.write_text(LEGAL)
        return (*TRUSTING, "--public-url", self.site.url, "--legal", str(legal))

    def serving(
        self, options: Sequence[str], per_address: int = 2000
    ) -> AbstractContextManager[RunningServer]:
        """Run its node with these options."""
        database = f"sqlite:///{self.site.folder / 'chouine.db'}"
        errors = self.site.folder / "errors"
        return serving(database, errors, self.node_port, per_address, options, program=serve_lively)

    def find(self, patience: Patience = PATIENT, *, trusting: bool = True) -> list[Finding]:
        """What the doctor finds from outside. `trusting`: he trusts Caddy's own authority."""
        context = ssl.create_default_context(cafile=str(self.site.authority) if trusting else None)
        return asyncio.run(Outside(Browser(self.site.url, context, patience), self.site.plain_port).look())

    def troubles(
        self, old: str = "", new: str = "", patience: Patience = PATIENT, **http: object
    ) -> dict[str, str]:
        """The sentences of what is wrong behind a changed proxy, by their codes."""
        with proxying_https(self.site, [f"127.0.0.1:{self.node_port}"], old, new, **http):
            return sentences(self.find(patience))


def sentences(found: Sequence[Finding]) -> dict[str, str]:
    assert all(finding.state in ("right", "wrong", "skipped") for finding in found)
    return {finding.code: str(finding) for finding in found if finding.state == "wrong"}


def installation_in(folder: Path) -> Installation:
    need("caddy")
    return Installation(Https(folder, free_port(), free_port()))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation whose node runs as it should."""
    made = installation_in(tmp_path_factory.mktemp("sound"))
    with made.serving(made.options):
        yield made


@pytest.fixture
def own(tmp_path: Path) -> Installation:
    """An installation whose node does not run yet."""
    return installation_in(tmp_path)


@pytest.mark.serving
def test_nothing_is_wrong_with_a_sound_installation(sound: Installation) -> None:
    with proxying_https(sound.site, [f"127.0.0.1:{sound.node_port}"]):
        found = sound.find()
    assert sentences(found) == {}
    assert {finding.state for finding in found} == {"right"}
    assert len(found) == 15


CADDYFILES = [
    ("the name is not passed on", UPSTREAM, "header_up Host node.example", "host", "CHOUINE_PUBLIC_URL"),
    ("the scheme is not passed on", UPSTREAM, "header_up -X-Forwarded-Proto", "trusted", "X-Forwarded-Proto"),
    ("cookies do not come out", UPSTREAM, "header_down -Set-Cookie", "no-cookie", "Set-Cookie"),
    ("cookies do not go in", UPSTREAM, "header_up -Cookie", "cookie-lost", "pass on Cookie"),
    ("no policy", UPSTREAM, "header_down -Content-Security-Policy", "headers", "Content-Security-Policy"),
    ("a second policy", UPSTREAM, "header_down +X-Frame-Options SAMEORIGIN", "headers", "X-Frame-Options"),
    (
        "no promise",
        UPSTREAM,
        "header_down -Strict-Transport-Security",
        "headers",
        "Strict-Transport-Security",
    ),
    ("a late clock", UPSTREAM, 'header_down Date "Mon, 02 Jan 2006 15:04:05 GMT"', "clock", "NTP"),
    ("no forms", SITE, "@post method POST\nrespond @post 405", "post", "405"),
    ("another program", SITE, 'respond / "It works!"', "stranger", "CHOUINE_NODES"),
    ("another address", SITE, "redir / https://elsewhere.example/", "moved", "https://elsewhere.example/"),
    ("no security.txt", SITE, "respond /.well-known/* 404", "legal", "CHOUINE_LEGAL"),
    ("no way to push", SITE, "respond /push 404", "no-push", "CHOUINE_PUBLIC_URL"),
    (
        "links of another site",
        SITE,
        'respond /table/*/links "https://x.example/join/"',
        "links",
        "https://x.example",
    ),
    ("nothing is forgotten", SITE, "respond /settings/forget 403", "post", "403"),
]
"""What is added to the Caddyfile, and before which of its lines; the trouble's code, and what its sentence names."""


@pytest.mark.serving
@pytest.mark.parametrize(
    ("at", "added", "code", "named"), [pytest.param(*case[1:], id=case[0]) for case in CADDYFILES]
)
def test_a_wrong_line_of_the_proxy(sound: Installation, at: str, added: str, code: str, named: str) -> None:
    found = sound.troubles(at, f"{added}\n{at}")
    assert [*found] == [code]
    assert named in found[code]


@pytest.mark.serving
def test_a_stream_that_is_held_back(sound: Installation) -> None:
    found = sound.troubles(UPSTREAM, f"buffer_responses\n{UPSTREAM}", HASTY)
    assert [*found] == ["stream-held"]


CHUNK = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b" % (len(HELLO) + 1, HELLO)


@pytest.mark.serving
@pytest.mark.parametrize("said", [b"Connection: close\r\n\r\n" + HELLO, CHUNK], ids=["ended", "broken off"])
def test_a_stream_that_is_cut_off(sound: Installation, said: bytes) -> None:
    """After its greeting, before the sign of life that a node gives every 15 seconds."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    with saying(head + said) as cutter:
        found = sound.troubles(SITE, f"reverse_proxy /table/*/stream {cutter}\n{SITE}")
    assert [*found] == ["stream-cut"]


@pytest.mark.serving
def test_what_is_inside_is_open(sound: Installation) -> None:
    found = sound.troubles("respond @inside 404", "")
    assert [*found] == ["inside"]
    assert "/health" in found["inside"]


@pytest.mark.serving
def test_an_authority_that_browsers_do_not_know(sound: Installation) -> None:
    with proxying_https(sound.site, [f"127.0.0.1:{sound.node_port}"]):
        found = sentences(sound.find(trusting=False))
    assert [*found] == ["certificate"]
    assert "CHOUINE_SITE" in found["certificate"]


@pytest.mark.serving
def test_no_http2(sound: Installation) -> None:
    assert [*sound.troubles(protocols=["h1"])] == ["http2"]


@pytest.mark.serving
def test_http_leads_nowhere(sound: Installation) -> None:
    assert [*sound.troubles(automatic_https={"disable_redirects": True})] == ["plain"]


def with_value(options: Sequence[str], name: str, value: str = "") -> list[str]:
    """Options with another value of one of them, or without it."""
    at = options.index(name)
    return [*options[:at], *((name, value) if value else ()), *options[at + 2 :]]


NODES = [
    ("no proxy is trusted", "--trusted-proxies", "", {"trusted": "CHOUINE_TRUSTED_PROXIES"}),
    ("another proxy is trusted", "--trusted-proxies", "10.0.0.10", {"trusted": "CHOUINE_TRUSTED_PROXIES"}),
    ("no public address", "--public-url", "", {"no-push": "CHOUINE_PUBLIC_URL"}),
    ("the address of another site", "--public-url", "https://other.example", {"host": "CHOUINE_PUBLIC_URL"}),
    ("nobody answers for it", "--legal", "", {"legal": "CHOUINE_LEGAL"}),
]


@pytest.mark.serving
@pytest.mark.parametrize(("name", "value", "named"), [pytest.param(*case[1:], id=case[0]) for case in NODES])
def test_a_wrong_setting_of_the_node(own: Installation, name: str, value: str, named: dict[str, str]) -> None:
    with own.serving(with_value(own.options, name, value)):
        found = own.troubles()
    assert found.keys() == named.keys()
    assert all(words in found[code] for code, words in named.items())


@pytest.mark.serving
def test_a_public_address_without_https(own: Installation) -> None:
    with own.serving(with_value(own.options, "--public-url", own.site.url.replace("https", "http"))):
        found = own.troubles()
    assert found.keys() == {"no-push", "links"}
    assert all("CHOUINE_PUBLIC_URL" in sentence for sentence in found.values())


@pytest.mark.serving
def test_neither_a_public_address_nor_the_name_passed_on(own: Installation) -> None:
    with own.serving(with_value(own.options, "--public-url")):
        found = own.troubles(UPSTREAM, f"header_up Host node.example\n{UPSTREAM}")
    assert found.keys() == {"no-push", "public-url"}


@pytest.mark.serving
def test_limits_of_an_address_that_all_share(own: Installation) -> None:
    with own.serving(own.options, per_address=1), proxying_https(own.site, [f"127.0.0.1:{own.node_port}"]):
        found = [sentences(own.find()) for _ in range(5)]
    assert "limits" in found[-1]
    assert "CHOUINE_TRUSTED_PROXIES" in found[-1]["limits"]


def test_no_node(own: Installation) -> None:
    found = own.troubles()
    assert [*found] == ["away"]
    assert "CHOUINE_NODES" in found["away"]


def test_another_version(own: Installation) -> None:
    """A page that names files which this program has otherwise."""
    page = '<input name="csrf" value="1"><link href="/static/css/base.css?v=0123456789">'
    with answering(page) as url:
        found = asyncio.run(Outside(Browser(url, patience=PATIENT)).look())
    assert "program" in sentences(found)


def test_a_certificate_that_nobody_renews(tmp_path: Path) -> None:
    """Most of its time is over."""
    certificate = certificate_in(tmp_path, "127.0.0.1", days=(90, 5))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.file, certificate.key)
    with answering('<input name="csrf" value="1">', context) as url:
        trusting = ssl.create_default_context(cafile=str(certificate.file))
        found = asyncio.run(Outside(Browser(url, trusting, PATIENT), free_port()).look())
    assert "renewal" in sentences(found)


@contextmanager
def answering(page: str, tls: ssl.SSLContext | None = None) -> Iterator[str]:
    """A server that has this page at every address, and its own address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = page.encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815  # as the library calls it

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def saying(answer: bytes, *, stays: bool = False) -> Iterator[str]:
    """A server that says this to whoever connects, and then hangs up or `stays` silent; its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        over = Event()

        def serve() -> None:
            with suppress(OSError):
                while True:
                    way, _ = listening.accept()
                    with way, suppress(OSError):
                        way.recv(65_536)
                        way.sendall(answer)
                        if stays:
                            over.wait(PATIENCE)

        thread = Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            over.set()
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


HALF = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<html>"
NETWORKS = [
    ("cut in a page", HALF, False, "cut"),
    ("cut before a page", b"", False, "cut"),
    ("cut in a header", HALF[:20], False, "cut"),
    ("slow in a page", HALF, True, "silent"),
    ("slow before a page", b"", True, "silent"),
    ("not HTTP", b"SSH-2.0-OpenSSH_9.2\r\n", False, "cut"),
    ("not compressed as it says", b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nplain", False, "cut"),
]


@pytest.mark.parametrize(
    ("answer", "stays", "code"), [pytest.param(*case[1:], id=case[0]) for case in NETWORKS]
)
def test_a_network_that_is_cut_or_slow(answer: bytes, code: str, *, stays: bool) -> None:
    with saying(answer, stays=stays) as url:
        found = asyncio.run(Outside(Browser(url, patience=Patience(0.5 if stays else PATIENCE))).look())
    assert [*sentences(found)] == [code]


def reply(body: str, *headers: str, status: str = "200 OK") -> bytes:
    """An answer as it stands on the wire."""
    page = body.encode()
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(page)}", *headers]
    return "\r\n".join([*head, "", ""]).encode() + page


FORM = '<input name="csrf" value="1">'
HOSTILE = [
    ("deep JSON", ["page"], reply("[" * 100_000, status="403 Forbidden"), "stranger"),
    ("a code that is none", ["page"], reply('{"code": []}', status="403 Forbidden"), "stranger"),
    ("a cookie not in ASCII", ["page", "cookie"], reply(FORM, "Set-Cookie: chouine-x=é"), "cookie-lost"),
    ("an hour beyond all", ["page", "clock"], reply(FORM, f"Date: Mon, 1 Jan 2024 0:0:0 +{10**15}"), ""),
    ("no table", ["post"], reply("", "Location: /table/é x", status="303 See Other"), "post"),
    ("no host", ["links"], reply("http://é..é/join/"), "links"),
]


@pytest.mark.parametrize(
    ("checks", "answer", "code"), [pytest.param(*case[1:], id=case[0]) for case in HOSTILE]
)
def test_a_server_that_answers_nonsense(checks: list[str], answer: bytes, code: str) -> None:
    with saying(answer) as url:
        outside = Outside(Browser(url, patience=PATIENT), known=True, table="/table/x")
        found = asyncio.run(examine([(name, getattr(outside, f"check_{name}")) for name in checks]))
    assert found[-1].code == code
    assert found[-1].state == ("wrong" if code else "skipped")


@pytest.mark.parametrize(
    ("hour", "state"),
    [("12:00:00", "right"), ("12:00:59", "right"), ("11:59:49", "wrong"), ("12:01:11", "wrong")],
)
def test_an_answer_that_takes_a_minute_is_no_wrong_clock(hour: str, state: str) -> None:
    async def look(outside: Outside) -> str:
        await outside.check_page()
        noon = datetime(2024, 1, 1, 12, tzinfo=UTC).timestamp()
        outside.meanwhile = noon, noon + 60
        return (await examine([("clock", outside.check_clock)]))[0].state

    with saying(reply(FORM, f"Date: Mon, 01 Jan 2024 {hour} GMT")) as url:
        assert asyncio.run(look(Outside(Browser(url, patience=PATIENT)))) == state


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("https://nowhere.invalid", "name"),
        ("http://127.0.0.1:1", "refused"),
        ("https://127.0.0.1:1", "refused"),
        ("https://localhost:1", "refused"),
    ],
)
def test_an_address_where_nothing_is(url: str, code: str) -> None:
    assert [*sentences(asyncio.run(Outside(Browser(url, patience=PATIENT)).look()))] == [code]


def test_a_page_without_end_is_left() -> None:
    with answering("x" * (2 * LARGEST)) as url:
        page = asyncio.run(Browser(url, patience=PATIENT).ask("/"))
    assert LARGEST <= len(page.text) < 1.1 * LARGEST


def test_https_where_there_is_only_http() -> None:
    with answering("") as url:
        secure = url.replace("http", "https")
        assert [*sentences(asyncio.run(Outside(Browser(secure, patience=PATIENT)).look()))] == ["tls"]


@pytest.mark.parametrize(
    "url", ["chouine.example", "ftp://x", "https://", "https://a:b@x.example", "https://x:99999"]
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(Trouble, match="address"):
        Browser(url)
