"""How letters reach a mail server, its settings, and what is an address."""

from __future__ import annotations

import asyncio
import gc
import socket
import ssl
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword
from aiosmtplib import SMTPException

from chouine.server.push.mail import Mailer, address_in, letter, normal_form
from tests.patience import PATIENCE
from tests.server.push.mail_server import FROM, Post, delivering, refusing
from tests.server.push.test_push import made_certificate

BASILE = "basile@loir.example"


def test_this_mail_server_leaves_no_connection_open() -> None:
    """Such as one accepted just before its end: whichever test ran later would fail by a warning of it."""
    for _ in range(20):
        with delivering(Post()) as port:
            client = socket.create_connection(("127.0.0.1", port))
        client.close()
    gc.collect()


@pytest.mark.parametrize("wrapped", [True, False])
def test_a_password_goes_over_tls_alone(tmp_path: Path, *, wrapped: bool) -> None:
    certificate, key = made_certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    post, known = Post(), LoginPassword(b"anne", b"pass word")

    def right(_server: object, _session: object, _envelope: object, _way: str, data: object) -> AuthResult:
        return AuthResult(success=data == known)

    how: dict[str, Any] = {"authenticator": right}
    how |= {"auth_require_tls": False} if wrapped else {"auth_required": True, "tls_context": context}
    trusting = ssl.create_default_context(cafile=str(certificate))
    with delivering(post, context if wrapped else None, **how) as port:
        mailer = Mailer("localhost", port, FROM, "anne", "pass word", wrapped, lambda: trusting)
        asyncio.run(mailer.send(letter(FROM, BASILE, "é", "text", "https://stop.example")))
        assert [message["Subject"] for message in post.got] == ["é"]
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            asyncio.run(replace(mailer, context=ssl.create_default_context).send(post.got[0]))
    with delivering(Post()) as port, pytest.raises(SMTPException):
        asyncio.run(Mailer("localhost", port, FROM, "anne", "pass word").send(post.got[0]))  # without TLS


def test_nothing_stays_open_after_a_refusal(tmp_path: Path) -> None:
    """A connection left open would warn when it is collected."""
    certificate, key = made_certificate(tmp_path)
    trusting = ssl.create_default_context(cafile=str(certificate))
    with refusing(certificate, key) as port:
        mailer = Mailer("localhost", port, FROM, "anne", "wrong", wrapped=True, context=lambda: trusting)
        with pytest.raises(SMTPException):
            asyncio.run(mailer.try_out(PATIENCE))
        del mailer
        gc.collect()


def test_the_settings() -> None:
    assert Mailer.of("", "") is None
    found = Mailer.of("smtps://a%40b:p%2Fw@mail.example", FROM)
    assert found == Mailer("mail.example", 465, FROM, "a@b", "p/w", wrapped=True)
    assert "p/w" not in repr(found)
    assert Mailer.of("smtp://mail.example", FROM) == Mailer("mail.example", 587, FROM)
    for url, sender in (
        ("", FROM),
        ("smtp://x", ""),
        ("http://x", FROM),
        ("http://x:25", FROM),
        ("smtp://", FROM),
        ("smtp://x", "a\n@b.c"),
    ):
        with pytest.raises(ValueError, match="not "):
            Mailer.of(url, sender)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "anne",
        "anne@",
        "@b.fr",
        "a@b",
        "a b@c.fr",
        "a@b.fr, c@d.fr",
        "a@b.fr\nBcc: c@d.fr",
        "é@b.fr",
        f"a@{'b.' * 100}fr",
        '"a b"@c.fr',
        "a@[10.0.0.1]",
        "a@localhost",
    ],
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        address_in(text)


@pytest.mark.parametrize(
    ("text", "address", "form"),
    [
        ("anne.o'b+c@sub.Loir-et-Cher.fr", "anne.o'b+c@sub.loir-et-cher.fr", "anne.o'b@sub.loir-et-cher.fr"),
        ("Anne@Trôo.example", "Anne@xn--tro-lna.example", "anne@xn--tro-lna.example"),
        ("anne@xn--tro-lna.example", "anne@xn--tro-lna.example", "anne@xn--tro-lna.example"),
        ("A.n.ne+x+y@GoogleMail.com", "A.n.ne+x+y@googlemail.com", "anne@gmail.com"),
        ("a.nne@pm.me", "a.nne@pm.me", "anne@proton.me"),
        ("+x@loir.example", "+x@loir.example", "+x@loir.example"),
    ],
)
def test_one_form_for_all_ways_to_write_an_address(text: str, address: str, form: str) -> None:
    assert address_in(text) == address
    assert normal_form(address) == form
