"""Turn notifications by e-mail, sent to a mail server of the test."""

from __future__ import annotations

import asyncio
import re
import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword

from chouine.server.push.letters import OFTEN, QUESTIONS, UNANSWERED, Letters
from chouine.server.push.mail import Mailbox, Mailer, is_address, letter
from chouine.server.push.message import Signer, new_secret
from chouine.server.push.sender import Sender
from chouine.server.push.turn_notifier import TurnNotifier
from chouine.server.retention import RetentionDays, going, remove
from chouine.server.store import Store
from chouine.server.visitors import Secrets
from chouine.table import commands as ask
from chouine.table.entries import Opened, SeatHolder
from tests.patience import PATIENCE, wait_until
from tests.server.push.test_push import SITE, made_certificate
from tests.server.serving import serving
from tests.server.stores import Clock, begun, tables_of, with_store

FROM = "chouine@chouine.example"
BASILE = "basile@loir.example"


class Post:
    """A local mail server that refuses the addresses in `nobody`."""

    def __init__(self) -> None:
        self.got: list[EmailMessage] = []
        self.nobody: set[str] = set()

    async def handle_RCPT(  # noqa: N802  # as the library calls it
        self, _server: object, _session: object, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if address in self.nobody:
            return "550 nobody"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, _server: object, _session: object, envelope: Envelope
    ) -> str:
        assert isinstance(envelope.content, bytes)
        self.got.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"


@contextmanager
def delivering(post: Post, wrapped: ssl.SSLContext | None = None, **how: Any) -> Iterator[int]:
    """Run such a mail server and yield its port; `wrapped`: with TLS from the first byte."""
    ready: Queue[tuple[asyncio.AbstractEventLoop, asyncio.Event, int]] = Queue()

    async def serve() -> None:
        loop, over = asyncio.get_running_loop(), asyncio.Event()
        server = await loop.create_server(lambda: SMTP(post, loop=loop, **how), "127.0.0.1", 0, ssl=wrapped)
        ready.put((loop, over, server.sockets[0].getsockname()[1]))
        await over.wait()
        server.close()

    thread = Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    loop, over, port = ready.get(timeout=PATIENCE)
    try:
        yield port
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()


@pytest.fixture
def post() -> Iterator[tuple[Post, Mailer]]:
    post = Post()
    with delivering(post) as port:
        yield post, Mailer("127.0.0.1", port, FROM)


def letters_of(store: Store, mailer: Mailer, clock: Clock | None = None) -> Letters:
    return Letters(tables_of(store, clock), Secrets("key"), mailer, SITE)


def link(message: EmailMessage) -> str:
    """The identifier in a letter's link."""
    found = re.search(rf"{SITE}/letters/([0-9a-f]{{32}})", message.get_content())
    assert found
    return found[1]


def test_whose_turn_it_is_is_told_once_the_address_is_confirmed(
    database: str, post: tuple[Post, Mailer]
) -> None:
    """A turn is announced once the address is confirmed, by a letter with the table and a way to unsubscribe."""
    got = post[0].got

    async def test(store: Store) -> None:
        letters = letters_of(store, post[1])
        tables = letters.tables
        turns = TurnNotifier(tables, Signer(new_secret(), SITE), Sender(), 3600.0, letters, long=0.0)
        await letters.subscribe("basile", BASILE, "fr")
        (question,) = got
        assert (question["To"], question["From"]) == (BASILE, FROM)
        chairs = SeatHolder("person", "Anne", "anne"), SeatHolder("person", "Basile", "basile")
        game, _ = await begun(tables, Opened("classic", "1x1", chairs))
        await tables.do(game, ask.Pick(0, 3))
        await turns.look()
        assert len(got) == 1  # the address is not confirmed yet
        await letters.confirm(link(question))
        await tables.do(game, ask.Pick(1, 4))
        await turns.look()
        await letters.tell("basile", f"/table/{game}")
        told = got[-1]
        assert told["Subject"] == "À vous de jouer"
        stop = f"{SITE}/letters/{link(question)}"
        assert told.get_content().splitlines()[1] == f"{SITE}/table/{game}"
        assert told["List-Unsubscribe"] == f"<{stop}>"
        assert told["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert told["Auto-Submitted"] == "auto-generated"
        many = len(got)
        await turns.look()
        assert len(got) == many  # one letter a turn
        await letters.forget(link(told))
        await letters.tell("basile", f"/table/{game}")
        assert len(got) == many
        assert await letters.of("basile") is None

    with_store(database, test)


def test_no_more_than_somebody_bears(sqlite: str, post: tuple[Post, Mailer]) -> None:
    """Letters per address are limited, so that a stranger's mailbox cannot be filled."""

    async def test(store: Store) -> None:
        letters = letters_of(store, post[1])
        for nth in range(QUESTIONS.most + 3):
            await letters.subscribe(f"guest-{nth}", BASILE, "en")
        assert len(post[0].got) == QUESTIONS.most
        assert post[0].got[0]["Subject"] == "Your turn at Chouine: is this your address?"
        await letters.confirm(link(post[0].got[0]))
        for _ in range(OFTEN.most + 5):
            await letters.tell("guest-0", "/table/x")
        assert len(post[0].got) == QUESTIONS.most + OFTEN.most

    with_store(sqlite, test)


def test_addresses_are_forgotten(sqlite: str, post: tuple[Post, Mailer]) -> None:
    """An address is deleted when replaced, unconfirmed, undeliverable, or without a match of its owner."""

    async def test(store: Store) -> None:
        clock = Clock()
        letters = letters_of(store, post[1], clock)
        await letters.subscribe("anne", "old@loir.example", "fr")
        await letters.subscribe("anne", "new@loir.example", "fr")
        assert await letters.of("anne") == Mailbox("new@loir.example", confirmed=False)
        assert await letters.known(link(post[0].got[0])) is None
        clock.now += UNANSWERED + 1
        await letters.subscribe("basile", BASILE, "fr")
        assert await letters.of("anne") is None
        await letters.confirm(link(post[0].got[-1]))
        await letters.subscribe("basile", BASILE, "fr")  # already confirmed: no second question
        assert len(post[0].got) == 3
        chair = SeatHolder("person", "Basile", "basile"), SeatHolder("person", "Zoé", "zoe")
        kept = await letters.tables.open(Opened("classic", "1x1", chair))
        await remove(store, [])
        assert await letters.of("basile") is not None
        gone = await going(store, RetentionDays(abandoned=0.0))
        assert [each.game for each in gone] == [kept]
        await remove(store, gone)
        assert await letters.of("basile") is None
        post[0].nobody.add("nobody@loir.example")
        await letters.subscribe("carl", "nobody@loir.example", "fr")
        assert await letters.of("carl") is None

    with_store(sqlite, test)


def test_a_mail_server_out_of_reach_stops_nothing(sqlite: str) -> None:
    async def test(store: Store) -> None:
        letters = letters_of(store, Mailer("127.0.0.1", 1, FROM))
        await letters.subscribe("anne", "anne@loir.example", "fr")
        assert await letters.of("anne") == Mailbox("anne@loir.example", confirmed=False)

    with_store(sqlite, test)


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
        mailer.send(letter(FROM, BASILE, "é", "text", "https://stop.example"))
        assert [message["Subject"] for message in post.got] == ["é"]
        with pytest.raises(ssl.SSLCertVerificationError):
            replace(mailer, context=ssl.create_default_context).send(post.got[0])
    with delivering(Post()) as port, pytest.raises(smtplib.SMTPException):
        Mailer("localhost", port, FROM, "anne", "pass word").send(post.got[0])  # without TLS


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
    ],
)
def test_what_is_no_address(text: str) -> None:
    assert not is_address(text)
    assert is_address("anne.o'b+chouine@sub.loir-et-cher.fr")


def test_an_address_is_given_confirmed_and_taken_back(
    tmp_path: Path, post: tuple[Post, Mailer], monkeypatch: pytest.MonkeyPatch
) -> None:
    got = post[0].got
    monkeypatch.setenv("CHOUINE_SMTP_URL", f"smtp://127.0.0.1:{post[1].port}")
    options = ("--public-url", SITE, "--allowed-hosts", "127.0.0.1", "--mail-from", FROM)
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", options=options) as server:
        anne = server.visit()
        assert anne.post("/letters", address="nobody").status_code == 400
        assert anne.post("/letters", address="anne@loir.example").status_code == 303
        wait_until("the first letter", lambda: len(got) == 1)
        address = f"/letters/{link(got[0])}"
        mail = server.visit()  # another browser, as opened from a mail program
        assert "Oui, écrivez-moi" in mail.get(address).text
        form = next(iter(mail.forms(address)))
        mail.submit(form, what="on")
        assert "dix par jour" in anne.get("/settings").text
        stopped = mail.http.post(address, data={"List-Unsubscribe": "One-Click"}, headers={"Cookie": ""})
        assert (stopped.status_code, "oubliée" in stopped.text) == (200, True)
        assert "anne@loir.example" not in anne.get("/settings").text
        assert mail.get("/letters/" + "0" * 32).status_code == 200


def test_a_server_without_a_mail_server_asks_for_no_address(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as server:
        anne = server.visit()
        assert anne.post("/letters", address="anne@loir.example").status_code == 404
        assert 'type="email"' not in anne.get("/settings").text
