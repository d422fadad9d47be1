"""A link by e-mail signs in: once, for a while, the same for every address, through a real mail server."""

from __future__ import annotations

import re
from email.message import EmailMessage
from html import unescape
from pathlib import Path

import pytest
import sqlalchemy as sa

from chouine.server.push.letters import OF_ASKER, PASSES, SIGNINGS, LetterRefused
from chouine.server.push.mail import Mailer
from chouine.server.schema import passage
from chouine.server.store import Store
from tests.patience import wait_until
from tests.server.accounts.people import member_cookie, press
from tests.server.accounts.test_lost_answers import cookies_of, give_cookies, lose, send
from tests.server.push.mail_server import Post
from tests.server.push.test_letters import letters_of, wait_until_sent
from tests.server.push.test_push import SITE
from tests.server.serving import Browser, serving
from tests.server.stores import Clock, with_store

ANNE, BASILE = "anne@loir.example", "basile@loir.example"


def link_in(message: EmailMessage) -> str:
    """The path of the link that signs in."""
    (found,) = re.findall(rf"{SITE}(/account/mail/[\w-]{{32}})", message.get_content())
    return str(found)


def ask(browser: Browser, address: str) -> str:
    """Ask for a link on the account's page; returns the page shown then, without what differs each time."""
    browser.get("/account")
    page = browser.submit(browser.form("/account/mail"), address=address).text
    return re.sub(r'(value|data-options)="[^"]*"', "", page)


def follow(browser: Browser, path: str, **fields: str) -> str:
    """Follow a link, and press its page's button."""
    browser.get(path)
    return browser.submit(browser.form(path), **fields).text


def test_an_address_makes_an_account_and_signs_in(
    tmp_path: Path, post: tuple[Post, Mailer], mailing: tuple[str, ...]
) -> None:
    """Whether anybody has an account by an address, neither the answer nor the letter tells."""
    got = post[0].got
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", options=mailing) as served:
        phone, tablet, stranger = (served.visit("en") for _ in range(3))
        table = phone.open(**{"name-0": "Anne"})
        ask(phone, ANNE)
        wait_until("the first letter", lambda: len(got) == 1)
        path = link_in(got[0])
        assert "half an hour" in got[0].get_content()
        assert ANNE in unescape(phone.get(path).text)
        phone.http.head(path)
        assert "Your account is made" in phone.submit(phone.form(path)).text
        assert "signs nobody in any more" in phone.get(path).text
        assert f"/table/{table}" in phone.get("/").text
        assert ANNE in phone.get("/account").text
        known, unknown = (
            ask(tablet, ANNE.upper().replace("LOIR.EXAMPLE", "loir.example")),
            ask(stranger, BASILE),
        )
        assert known == unknown
        wait_until("two letters more", lambda: len(got) == 3)
        texts = {message["To"].lower(): message.get_content() for message in got[1:]}
        assert len({re.sub(r"/account/mail/[\w-]+|/never/\w+", "", text) for text in texts.values()}) == 1
        letter = next(message for message in got[1:] if message["To"].lower() == ANNE)
        assert "You are signed in." in follow(tablet, link_in(letter))
        assert f"/table/{table}" in tablet.get("/").text
        press(tablet, "remove")
        assert ANNE not in tablet.page.text
        assert "signs nobody in any more" in stranger.get("/account/mail/" + "A" * 32).text
        assert not member_cookie(stranger)
        for wrong in ("nobody", "", "a@b@c"):
            stranger.get("/account")
            assert stranger.submit(stranger.form("/account/mail"), address=wrong).status_code == 422


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("back", ["reload", "link"])
def test_no_lost_answer_costs_a_link(
    tmp_path: Path, post: tuple[Post, Mailer], mailing: tuple[str, ...], back: str, *, known: bool
) -> None:
    """Whether somebody asks for the last page again, or opens the link once more; of nobody else's use it is."""
    got = post[0].got
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", options=mailing) as served:
        phone, tablet, thief = (served.visit("en") for _ in range(3))
        table = f"/table/{phone.open()}"
        if known:
            ask(phone, ANNE)
            wait_until("a letter", lambda: len(got) == 1)
            follow(phone, link_in(got[0]))
        ask(tablet, ANNE)
        wait_until("the letter", lambda: len(got) == 1 + known)
        path = link_in(got[-1])
        tablet.get(path)
        copied = cookies_of(tablet)
        lose(tablet, lambda: send(tablet, tablet.form(path), joins=""))
        tablet.get(path)
        address = send(tablet, tablet.form(path), joins="")
        lose(tablet, lambda: tablet.http.get(address, follow_redirects=False))
        give_cookies(thief, copied)
        for one in (path, address):
            assert "signs nobody in any more" in thief.get(one).text
        page = tablet.get(address).text if back == "reload" else follow(tablet, path, joins="")
        assert ("You are signed in." in page) or not known
        assert ANNE in tablet.get("/account").text
        assert member_cookie(tablet)
        assert (table in tablet.get("/").text) == known
        assert "signs nobody in any more" in tablet.get(path).text


def test_a_link_signs_in_once_and_not_late(database: str, post: tuple[Post, Mailer]) -> None:
    clock = Clock()

    async def test(store: Store) -> None:
        letters = letters_of(store, post[1], clock)
        for _ in range(2):
            await letters.send_passage(ANNE, "fr", "asker")
        await wait_until_sent(letters)
        one, other = (link_in(message).rpartition("/")[2] for message in post[0].got)
        assert await letters.signing_in_address(one) == ANNE
        assert await letters.take_passage(one, "a cookie") == ANNE
        assert await letters.take_passage(one, "a cookie") == ANNE  # the answer was lost on the way
        assert await letters.take_passage(one, "another") == await letters.signing_in_address(one) == ""
        assert await letters.signing_in_address(one, "a cookie") == ANNE
        clock.now += PASSES + 1
        for link in (one, other):
            assert await letters.take_passage(link, "a cookie") == ""
            assert await letters.signing_in_address(link, "a cookie") == ""
        await letters.send_passage(BASILE, "fr", "asker")
        count = sa.select(sa.func.count()).select_from(passage)
        assert await store.database.read(lambda connection: connection.scalar(count)) == 1

    with_store(database, test)


def test_nobody_is_flooded(sqlite: str, post: tuple[Post, Mailer]) -> None:
    """A mailbox gets a few a day, and none if its owner wants no letters, without a word to who asks."""
    clock = Clock()

    async def test(store: Store) -> None:
        letters = letters_of(store, post[1], clock)
        for nth in range(SIGNINGS.most + 3):
            await letters.send_passage(ANNE, "fr", f"asker {nth}")
        await wait_until_sent(letters)
        assert len(post[0].got) == SIGNINGS.most
        await letters.end(letters.secrets.owner(BASILE))
        await letters.send_passage(BASILE, "fr", "asker")
        await wait_until_sent(letters)
        assert len(post[0].got) == SIGNINGS.most
        for nth in range(OF_ASKER.most):
            await letters.send_passage(f"anne@{nth}.example", "fr", "the same asker")
        with pytest.raises(LetterRefused):
            await letters.send_passage("anne@more.example", "fr", "the same asker")
        await wait_until_sent(letters)

    with_store(sqlite, test)
