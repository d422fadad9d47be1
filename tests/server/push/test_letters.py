"""Turn notifications by e-mail, sent to a mail server of the test."""

from __future__ import annotations

import asyncio
import gc
import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Any

import pytest
import sqlalchemy as sa
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword
from aiosmtplib import SMTPException

from chouine.phrases import Language
from chouine.server.limits import WIDE
from chouine.server.push.letters import (
    OF_ASKER,
    OF_SERVER,
    OF_SITE,
    OFTEN,
    QUESTIONS,
    UNANSWERED,
    HeldBack,
    Letters,
)
from chouine.server.push.mail import Mailer, address_in, letter, normal_form
from chouine.server.push.turn_notifier import TurnNotifier
from chouine.server.push.web_push import Sender, Signer, new_secret
from chouine.server.retention import RetentionDays, going_tables, remove
from chouine.server.schema import spending
from chouine.server.store import Store
from chouine.server.visitors import Secrets
from chouine.table import commands as ask
from chouine.table.entries import Opened, SeatHolder
from tests.patience import PATIENCE, wait_until
from tests.server.push.test_push import SITE, made_certificate, reached, settled
from tests.server.serving import serving
from tests.server.stores import Clock, begun, tables_of, with_store

FROM = "chouine@chouine.example"
BASILE = "basile@loir.example"


async def address_of(letters: Letters, guest: str) -> tuple[str, bool] | None:
    """The address that a guest gave, and whether it is confirmed."""
    row = await letters.of(guest)
    return row and (row.address, row.confirmed)


class Post:
    """A local mail server that refuses the addresses in `nobody`, and takes its time for `slow.example`."""

    def __init__(self) -> None:
        self.got: list[EmailMessage] = []
        self.nobody: set[str] = set()

    async def handle_RCPT(  # noqa: N802  # as the library calls it
        self, _server: object, _session: object, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if address in self.nobody:
            return "550 nobody"
        if address.endswith("@slow.example"):
            await asyncio.sleep(100 * PATIENCE)
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
        connections: list[SMTP] = []

        def connection() -> SMTP:
            # without a name each connection would ask for this machine's, which may take as long as a letter
            connections.append(SMTP(post, hostname="localhost", loop=loop, **how))
            return connections[-1]

        server = await loop.create_server(connection, "127.0.0.1", 0, ssl=wrapped)
        ready.put((loop, over, server.sockets[0].getsockname()[1]))
        await over.wait()
        server.close()
        for each in connections:
            if isinstance(each.transport, asyncio.Transport):
                each.transport.abort()

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


async def ask_for_letters(
    letters: Letters, guest: str, address: str, language: Language = "fr", asker: str = ""
) -> None:
    """Ask for letters, and wait until the question is sent, if one is."""
    await letters.subscribe(guest, address, language, asker or guest)
    await sent(letters)


async def sent(letters: Letters) -> None:
    await reached(lambda: not letters.deliveries.waiting and not letters.deliveries.tasks)


def link(message: EmailMessage) -> str:
    """The identifier in a letter's link."""
    found = re.search(rf"{SITE}/letters/([0-9a-f]{{32}})", message.get_content())
    assert found
    return found[1]


def never_link(message: EmailMessage) -> str:
    """The path of a letter's link that ends all letters, the same as its header's."""
    (found,) = re.findall(rf"{SITE}(/letters/never/[0-9a-f]{{64}})", message.get_content())
    assert message["List-Unsubscribe"] == f"<{SITE}{found}>"
    return str(found)


def test_whose_turn_it_is_is_told_once_the_address_is_confirmed(
    database: str, post: tuple[Post, Mailer]
) -> None:
    """A turn is announced once the address is confirmed, by a letter with the table and a way to unsubscribe."""
    got = post[0].got

    async def test(store: Store) -> None:
        letters = letters_of(store, post[1])
        tables = letters.tables
        turns = TurnNotifier(tables, Signer(new_secret(), SITE), Sender(), 3600.0, letters, long=0.0)
        await ask_for_letters(letters, "basile", BASILE, "fr")
        (question,) = got
        assert (question["To"], question["From"]) == (BASILE, FROM)
        chairs = SeatHolder("person", "Anne", "anne"), SeatHolder("person", "Basile", "basile")
        table_id, _ = await begun(tables, Opened("classic", "1x1", chairs))
        await tables.do(table_id, ask.Pick(0, 3))
        turns.look()
        await settled(turns)
        assert len(got) == 1  # the address is not confirmed yet
        await letters.confirm(link(question))
        await tables.do(table_id, ask.Pick(1, 4))
        turns.look()
        await settled(turns)
        await letters.tell("basile", f"/table/{table_id}")
        await sent(letters)
        told = got[-1]
        assert told["Subject"] == "À vous de jouer"
        assert told.get_content().splitlines()[1] == f"{SITE}/table/{table_id}"
        assert never_link(told) == never_link(question)
        assert told["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert told["Auto-Submitted"] == "auto-generated"
        many = len(got)
        turns.look()
        await settled(turns)
        assert len(got) == many  # one letter a turn
        await letters.forget(link(told))
        await letters.tell("basile", f"/table/{table_id}")
        await sent(letters)
        assert len(got) == many
        assert await letters.of("basile") is None

    with_store(database, test)


def test_no_more_than_somebody_bears(database: str, post: tuple[Post, Mailer]) -> None:
    """Letters to a mailbox are limited, however its address is written, by whichever node, for whichever guest."""
    got = post[0].got
    forms = "victim@gmail.com", "Victim+1@gmail.com", "v.i.ctim@googlemail.com", "VICTIM+2@GMAIL.com"

    async def test(store: Store) -> None:
        clock = Clock()
        for nth, address in enumerate(forms * 2):
            await ask_for_letters(letters_of(store, post[1], clock), f"guest-{nth}", address, "en")
        assert len(got) == QUESTIONS.most
        assert got[0]["Subject"] == "Your turn at Chouine: is this your address?"
        letters = letters_of(store, post[1], clock)
        for nth in (0, 1):
            await letters.confirm(link(got[nth]))
        for nth in range(OFTEN.most + 5):
            await letters.tell(f"guest-{nth % 2}", "/table/x")
        await sent(letters)
        assert len(got) == QUESTIONS.most + OFTEN.most
        clock.now += QUESTIONS.seconds
        await ask_for_letters(letters, "guest-9", forms[0])
        assert len(got) == QUESTIONS.most + OFTEN.most + 1

    with_store(database, test)


def test_no_more_than_a_network_a_domain_and_the_server_may_ask_for(
    sqlite: str, post: tuple[Post, Mailer]
) -> None:
    """The person is told so, since this says nothing about the address; what they had before is not lost."""
    got = post[0].got

    async def test(store: Store) -> None:
        clock = Clock()
        letters = letters_of(store, post[1], clock)
        for nth in range(OF_ASKER.most):
            await ask_for_letters(letters, f"guest-{nth}", f"a@{nth}.example", asker="one")
        with pytest.raises(HeldBack):
            await ask_for_letters(letters, "guest-0", "b@loir.example", asker="one")
        known = await letters.of("guest-0")
        assert known is not None
        assert known.address == "a@0.example"
        clock.now += OF_ASKER.seconds
        for nth in range(OF_SITE.most):
            await ask_for_letters(letters, f"guest-{nth}", f"{nth}@{nth}.catch-all.example")
        with pytest.raises(HeldBack):
            await ask_for_letters(letters, "guest", "victim@catch-all.example")
        for nth in range(OF_SERVER.most - OF_SITE.most):
            await ask_for_letters(letters, f"guest-{nth}", f"a@a{nth}.example")
        with pytest.raises(HeldBack):
            await ask_for_letters(letters, "guest", BASILE)
        assert len(got) == OF_ASKER.most + OF_SERVER.most
        clock.now += QUESTIONS.seconds + 2 * 3600
        await ask_for_letters(letters, "guest", BASILE)
        assert got[-1]["To"] == BASILE
        left = sa.select(sa.func.count()).select_from(spending)
        assert await store.database.read(lambda connection: connection.execute(left).scalar()) == 5

    with_store(sqlite, test)


def test_a_wide_network_asks_no_more_than_a_few_addresses_may(sqlite: str, post: tuple[Post, Mailer]) -> None:
    """Who has an IPv6 /48 has 65,536 addresses, and would use up what the whole server may send."""

    async def test(store: Store) -> None:
        letters = letters_of(store, post[1])
        wide = "0123456789abcdef"
        for nth in range(WIDE * OF_ASKER.most):
            await ask_for_letters(letters, f"guest-{nth}", f"a@{nth}.example", asker=f"{wide}{nth:016}")
        with pytest.raises(HeldBack):
            await ask_for_letters(letters, "guest", "b@loir.example", asker=f"{wide}{'f' * 16}")
        await ask_for_letters(letters, "guest", "b@loir.example", asker="f" * 32)

    with_store(sqlite, test)


def test_never_again(database: str, post: tuple[Post, Mailer]) -> None:
    """No letter goes to a mailbox whose owner wants none, nor is its address stored; who asks does not learn it."""
    got = post[0].got

    async def test(store: Store) -> None:
        letters = letters_of(store, post[1])
        await ask_for_letters(letters, "basile", BASILE)
        await letters.confirm(link(got[0]))
        await ask_for_letters(letters, "anne", f"Basile+x@{BASILE.partition('@')[2].upper()}")
        owner = letters.secrets.owner_in(never_link(got[0]).rpartition("/")[2])
        assert owner is not None
        assert letters.secrets.owner_in("0" * 64) is letters.secrets.owner_in("") is None
        for _ in range(2):
            await letters.end(owner)
        assert await letters.refuses_letters(owner)
        assert await letters.of("basile") is await letters.of("anne") is None
        await letters.tell("basile", "/table/x")
        await ask_for_letters(letters, "carl", BASILE)
        assert len(got) == 2
        assert await address_of(letters, "carl") == (BASILE, False)
        await letters.allow(owner)
        await ask_for_letters(letters, "carl", BASILE)
        assert len(got) == 3
        await letters.end(owner)
        await ask_for_letters(letters, "carl", BASILE)
        await letters.confirm(link(got[-1]))  # by the owner, who alone has the link
        await letters.tell("carl", "/table/x")
        await sent(letters)
        assert len(got) == 4

    with_store(database, test)


def test_addresses_are_forgotten(sqlite: str, post: tuple[Post, Mailer]) -> None:
    """An address is deleted when replaced, unconfirmed, undeliverable, or without a match of its owner."""

    async def test(store: Store) -> None:
        clock = Clock()
        letters = letters_of(store, post[1], clock)
        await ask_for_letters(letters, "anne", "old@loir.example", "fr")
        await ask_for_letters(letters, "anne", "new@loir.example", "fr")
        assert await address_of(letters, "anne") == ("new@loir.example", False)
        assert await letters.known_mailbox(link(post[0].got[0])) is None
        clock.now += UNANSWERED + 1
        await ask_for_letters(letters, "basile", BASILE, "fr")
        assert await letters.of("anne") is None
        await letters.confirm(link(post[0].got[-1]))
        await ask_for_letters(letters, "basile", BASILE, "fr")  # already confirmed: no second question
        assert len(post[0].got) == 3
        chair = SeatHolder("person", "Basile", "basile"), SeatHolder("person", "Zoé", "zoe")
        kept = await letters.tables.open(Opened("classic", "1x1", chair))
        await remove(store, [])
        assert await letters.of("basile") is not None
        gone = await going_tables(store, RetentionDays(abandoned=0.0))
        assert [each.table_id for each in gone] == [kept]
        await remove(store, gone)
        assert await letters.of("basile") is None
        post[0].nobody.add("nobody@loir.example")
        await ask_for_letters(letters, "carl", "nobody@loir.example", "fr")
        assert await letters.of("carl") is None

    with_store(sqlite, test)


def test_a_slow_domain_holds_up_no_other(sqlite: str, post: tuple[Post, Mailer]) -> None:
    """Nor does whoever asks for a letter wait for it."""

    async def test(store: Store) -> None:
        letters = letters_of(store, replace(post[1], deadline=100 * PATIENCE))
        for nth in range(10):
            await letters.subscribe(f"guest-{nth}", f"{nth}@slow.example", "fr", str(nth))
        await letters.subscribe("basile", BASILE, "fr", "basile")
        await reached(lambda: post[0].got)
        assert post[0].got[0]["To"] == BASILE
        assert len(letters.deliveries.waiting) > 0
        await letters.deliveries.close()

    with_store(sqlite, test)


def test_a_mail_server_out_of_reach_stops_nothing(sqlite: str) -> None:
    async def test(store: Store) -> None:
        letters = letters_of(store, Mailer("127.0.0.1", 1, FROM))
        await ask_for_letters(letters, "anne", "anne@loir.example", "fr")
        assert await address_of(letters, "anne") == ("anne@loir.example", False)

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
        asyncio.run(mailer.send(letter(FROM, BASILE, "é", "text", "https://stop.example")))
        assert [message["Subject"] for message in post.got] == ["é"]
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            asyncio.run(replace(mailer, context=ssl.create_default_context).send(post.got[0]))
    with delivering(Post()) as port, pytest.raises(SMTPException):
        asyncio.run(Mailer("localhost", port, FROM, "anne", "pass word").send(post.got[0]))  # without TLS


@contextmanager
def refusing(certificate: Path, key: Path) -> Iterator[int]:
    """Run a mail server with TLS that refuses every password, then says no more, not even that TLS ends; its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    over = Event()

    def serve(listening: socket.socket) -> None:
        with context.wrap_socket(listening.accept()[0], server_side=True) as peer:
            peer.sendall(b"220 ready\r\n")
            peer.recv(1000)
            peer.sendall(b"250-here\r\n250 AUTH PLAIN\r\n")
            peer.recv(1000)
            peer.sendall(b"535 no\r\n")
            over.wait(PATIENCE)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=serve, args=(listening,))
        thread.start()
        yield listening.getsockname()[1]
        over.set()
        thread.join()


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
        never = never_link(got[0])
        assert "ne doit-il plus jamais écrire" in mail.get(never).text
        stopped = mail.http.post(never, data={"List-Unsubscribe": "One-Click"}, headers={"Cookie": ""})
        assert (stopped.status_code, "oubliée" in stopped.text) == (200, True)
        assert "anne@loir.example" not in anne.get("/settings").text
        assert anne.post("/letters", address="anne+1@loir.example").status_code == 303
        assert "vers anne+1@loir.example, sauf si" in anne.get("/settings").text
        assert len(got) == 1
        assert "Accepter de nouveau" in mail.get(never).text
        assert "ne doit-il plus" in mail.submit(mail.form(never), what="again").text
        assert mail.get("/letters/" + "0" * 32).status_code == 200
        assert mail.get("/letters/never/" + "0" * 64).status_code == 404
        assert mail.get("/letters/%00").status_code == 404
        askers = [server.visit() for _ in range(3)]
        answers = [
            askers[nth % 3].post("/letters", address=f"anne@{nth}.example") for nth in range(OF_ASKER.most)
        ]
        answer = answers[-1]
        assert (answer.status_code, "depuis votre réseau" in answer.text) == (429, True)
        asked = sum(each.status_code == 303 for each in answers)
        wait_until("all letters", lambda: len(got) == 1 + asked)  # none is under way when the servers end


def test_a_server_without_a_mail_server_asks_for_no_address(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as server:
        anne = server.visit()
        assert anne.post("/letters", address="anne@loir.example").status_code == 404
        assert 'type="email"' not in anne.get("/settings").text
