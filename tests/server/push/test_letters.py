"""Turn notifications by e-mail, sent to a mail server of the test."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest
import sqlalchemy as sa

from chouine.phrases import Language
from chouine.server.limits import WIDE, Rate
from chouine.server.push.letters import DAY, OF_ASKER, OFTEN, QUESTIONS, UNANSWERED, LetterRefused, Letters
from chouine.server.push.mail import Mailer
from chouine.server.push.turn_notifier import TurnNotifier
from chouine.server.push.web_push import Sender, Signer, new_secret
from chouine.server.retention import RetentionDays, going_tables, remove
from chouine.server.schema import spending
from chouine.server.store import Store
from chouine.server.visitors import Secrets
from chouine.table import commands as ask
from chouine.table.entries import Opened, SeatHolder
from tests.patience import PATIENCE, wait_until
from tests.server.push.mail_server import FROM, Post
from tests.server.push.test_push import SITE, wait_until_settled, wait_until_true
from tests.server.serving import serving
from tests.server.stores import Clock, set_table, tables_of, with_store

BASILE = "basile@loir.example"


BY_ASKER, BY_SITE, BY_SERVER = Rate(4, DAY), Rate(10, DAY), Rate(30, DAY)
"""Limits in place of the usual ones, which hundreds of letters would reach."""


async def address_of(letters: Letters, guest: str) -> tuple[str, bool] | None:
    """The address that a guest gave, and whether it is confirmed."""
    row = await letters.of(guest)
    return row and (row.address, row.confirmed)


def letters_of(store: Store, mailer: Mailer, clock: Clock | None = None) -> Letters:
    return Letters(tables_of(store, clock), Secrets("key"), mailer, SITE)


async def ask_for_letters(
    letters: Letters, guest: str, address: str, language: Language = "fr", asker: str = ""
) -> None:
    """Ask for letters, and wait until the question is sent, if one is."""
    await letters.subscribe(guest, address, language, asker or guest)
    await wait_until_sent(letters)


async def wait_until_sent(letters: Letters) -> None:
    await wait_until_true(lambda: not letters.deliveries.waiting and not letters.deliveries.tasks)


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
        table_id, _ = await set_table(tables, Opened("classic", "1x1", chairs))
        await tables.do(table_id, ask.Pick(0, 3))
        turns.look()
        await wait_until_settled(turns)
        assert len(got) == 1  # the address is not confirmed yet
        await letters.confirm(link(question))
        await tables.do(table_id, ask.Pick(1, 4))
        turns.look()
        await wait_until_settled(turns)
        await letters.tell("basile", f"/table/{table_id}")
        await wait_until_sent(letters)
        told = got[-1]
        assert told["Subject"] == "À vous de jouer"
        assert told.get_content().splitlines()[1] == f"{SITE}/table/{table_id}"
        assert never_link(told) == never_link(question)
        assert told["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert told["Auto-Submitted"] == "auto-generated"
        many = len(got)
        turns.look()
        await wait_until_settled(turns)
        assert len(got) == many  # one letter a turn
        await letters.forget(link(told))
        await letters.tell("basile", f"/table/{table_id}")
        await wait_until_sent(letters)
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
        await wait_until_sent(letters)
        assert len(got) == QUESTIONS.most + OFTEN.most
        clock.now += QUESTIONS.seconds
        await ask_for_letters(letters, "guest-9", forms[0])
        assert len(got) == QUESTIONS.most + OFTEN.most + 1

    with_store(database, test)


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, rate in {"OF_ASKER": BY_ASKER, "OF_SITE": BY_SITE, "OF_SERVER": BY_SERVER}.items():
        monkeypatch.setattr(f"chouine.server.push.letters.{name}", rate)


@pytest.mark.usefixtures("_few")
def test_no_more_than_a_network_a_domain_and_the_server_may_ask_for(
    sqlite: str, post: tuple[Post, Mailer]
) -> None:
    """The person is told so, since this says nothing about the address; what they had before is not lost."""
    got = post[0].got

    async def test(store: Store) -> None:
        clock = Clock()
        letters = letters_of(store, post[1], clock)
        for nth in range(BY_ASKER.most):
            await ask_for_letters(letters, f"guest-{nth}", f"a@{nth}.example", asker="one")
        with pytest.raises(LetterRefused):
            await ask_for_letters(letters, "guest-0", "b@loir.example", asker="one")
        known = await letters.of("guest-0")
        assert known is not None
        assert known.address == "a@0.example"
        clock.now += BY_ASKER.seconds
        for nth in range(BY_SITE.most):
            await ask_for_letters(letters, f"guest-{nth}", f"{nth}@{nth}.catch-all.example")
        with pytest.raises(LetterRefused):
            await ask_for_letters(letters, "guest", "victim@catch-all.example")
        for nth in range(BY_SERVER.most - BY_SITE.most):
            await ask_for_letters(letters, f"guest-{nth}", f"a@a{nth}.example")
        with pytest.raises(LetterRefused):
            await ask_for_letters(letters, "guest", BASILE)
        assert len(got) == BY_ASKER.most + BY_SERVER.most
        clock.now += QUESTIONS.seconds + 2 * 3600
        await ask_for_letters(letters, "guest", BASILE)
        assert got[-1]["To"] == BASILE
        left = sa.select(sa.func.count()).select_from(spending)
        assert await store.database.read(lambda connection: connection.execute(left).scalar()) == 5

    with_store(sqlite, test)


@pytest.mark.usefixtures("_few")
def test_a_wide_network_asks_no_more_than_a_few_addresses_may(sqlite: str, post: tuple[Post, Mailer]) -> None:
    """Who has an IPv6 /48 has 65,536 addresses, and would use up what the whole server may send."""

    async def test(store: Store) -> None:
        letters = letters_of(store, post[1])
        wide = "0123456789abcdef"
        for nth in range(WIDE * BY_ASKER.most):
            await ask_for_letters(letters, f"guest-{nth}", f"a@{nth}.example", asker=f"{wide}{nth:016}")
        with pytest.raises(LetterRefused):
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
        await wait_until_sent(letters)
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
        await wait_until_true(lambda: post[0].got)
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


def test_an_address_is_given_confirmed_and_taken_back(
    tmp_path: Path, post: tuple[Post, Mailer], mailing: tuple[str, ...]
) -> None:
    got = post[0].got
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", options=mailing) as server:
        anne = server.visit()
        answer = anne.post("/letters", address="nobody", back="/settings")
        assert (answer.status_code, "comme anne@example.org" in answer.text) == (422, True)
        told = anne.http.post(
            "/letters",
            data={"csrf": anne.csrf, "address": "nobody"},
            headers={"Accept": "application/json"},
        )
        assert (told.status_code, "comme anne@" in told.json()["message"]) == (422, True)
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
        assert (answer.status_code, "depuis votre réseau" in answer.text) == (422, True)
        asked = sum(each.status_code == 303 for each in answers)
        wait_until("all letters", lambda: len(got) == 1 + asked)  # none is under way when the servers end


def test_a_server_without_a_mail_server_asks_for_no_address(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as server:
        anne = server.visit()
        assert anne.post("/letters", address="anne@loir.example").status_code == 404
        assert 'type="email"' not in anne.get("/settings").text
