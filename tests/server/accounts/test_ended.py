"""Whoever was signed out stays signed out: no address that signed in once does so again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chouine.server import visitors
from chouine.server.limits import VISITOR
from chouine.server.push.mail import Mailer
from tests.patience import wait_until
from tests.server.accounts.people import make_card, member_cookie, press, type_words
from tests.server.accounts.test_by_mail import ANNE, ask, follow, link_in
from tests.server.accounts.test_lost_answers import cookies_of, give_cookies, lead, lose, send
from tests.server.push.mail_server import Post
from tests.server.serving import serve_alone, serving


@pytest.mark.parametrize("joins", ["1", ""])
def test_an_address_signs_nobody_in_who_was_signed_out_since(tmp_path: Path, joins: str) -> None:
    """At a tablet that several share, where the answer was lost and the last page is asked for again."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone, tablet = served.visit("en"), served.visit("en")
        table = f"/table/{phone.open()}"
        words, _ = make_card(phone)
        tablet.get("/account")
        address = send(tablet, tablet.form("/account/words"), words=" ".join(words), joins=joins)
        lose(tablet, lambda: tablet.http.get(address, follow_redirects=False))
        assert "signed out everywhere else" in press(phone, "others")
        tablet.get(address)
        assert not member_cookie(tablet)
        assert table not in tablet.get("/").text
        assert "You are signed in." in type_words(tablet, words)


def test_an_address_that_made_an_account_makes_no_card_of_it_later(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone, tablet = served.visit("en"), served.visit("en")
        table = f"/table/{tablet.open()}"
        address = lead(tablet, "/account")
        copied = cookies_of(tablet)
        words = re.findall(r"<li>(\w+)</li>", tablet.get(address).text)
        type_words(phone, words)
        press(phone, "others")
        give_cookies(tablet, copied)
        assert not re.findall(r"<li>(\w+)</li>", tablet.get(address).text)
        assert table not in tablet.get("/").text
        third = served.visit("en")
        type_words(third, words)
        assert table in third.get("/").text


def test_an_address_makes_no_account_again_that_was_erased(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone = served.visit("en")
        phone.open()
        address = lead(phone, "/account")
        copied = cookies_of(phone)
        phone.get(address)
        phone.get("/settings/forget?all=1")
        phone.submit(phone.form("/settings/forget"))
        give_cookies(phone, copied)
        assert not re.findall(r"<li>(\w+)</li>", phone.get(address).text)
        assert not member_cookie(phone)


def test_back_after_signing_out(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone, tablet = served.visit("en"), served.visit("en")
        table = f"/table/{phone.open()}"
        words, _ = make_card(phone)
        tablet.open()
        tablet.get("/account")
        address = send(tablet, tablet.form("/account/words"), words=" ".join(words), joins="")
        tablet.get(address)
        assert table in tablet.get("/").text
        press(tablet, "leave")
        assert "You are signed in." not in tablet.get("/account?done=in").text
        tablet.get(address)
        assert table not in tablet.get("/").text
        assert not member_cookie(tablet)
        assert "You are signed out." not in phone.get("/account?done=left").text


def serve_late(arguments: Sequence[str]) -> int:
    """Serve so that of each address an hour has passed when it is opened."""
    visitors.AGAIN = 1e-6
    return serve_alone(arguments)


def test_an_address_signs_nobody_in_much_later(tmp_path: Path) -> None:
    """It stays in the history of a tablet where nothing seemed to happen; whoever opens it there is not let in."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", program=serve_late) as served:
        phone, tablet = served.visit("en"), served.visit("en")
        tablet.open()
        address = lead(phone, "/account")
        assert not re.findall(r"<li>(\w+)</li>", phone.get(address).text)
        address = lead(tablet, "/mine")
        assert "opens nothing any more" not in tablet.get(address).text
        assert not member_cookie(phone)


def test_signing_in_counts_once(tmp_path: Path) -> None:
    """Of the form and the address to which it leads only one does."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone, tablet = served.visit("en"), served.visit("en")
        words, _ = make_card(phone)
        for _ in range(VISITOR["signings"].most - 2):
            assert "You are signed in." in type_words(tablet, words, joins="")
            tablet.get("/account")
            tablet.http.cookies.delete(next(name for name in tablet.http.cookies if name.endswith("-member")))


def test_on_two_nodes(postgres_database: str, tmp_path: Path) -> None:
    """Asked for on both at once, an address signs in on both, and once signed out on neither."""
    with (
        serving(postgres_database, tmp_path / "one") as one,
        serving(postgres_database, tmp_path / "other") as other,
    ):
        phone, here, there = one.visit("en"), one.visit("en"), other.visit("en")
        words, _ = make_card(phone)
        here.get("/account")
        address = send(here, here.form("/account/words"), words=" ".join(words), joins="")
        copied = cookies_of(here)
        give_cookies(there, copied)
        with ThreadPoolExecutor(2) as pool:
            answers = list(
                pool.map(lambda each: each.http.get(address, follow_redirects=False), (here, there))
            )
        assert [answer.status_code for answer in answers] == [303, 303]
        assert member_cookie(here) == member_cookie(there) != ""
        press(phone, "others")
        for each in (here, there):
            give_cookies(each, copied)
            each.get(address)
            assert not member_cookie(each)


def test_a_link_opened_on_two_devices_and_then_signed_out(
    tmp_path: Path, post: tuple[Post, Mailer], mailing: tuple[str, ...], postgres_database: str
) -> None:
    """The first device signs in; the second reads that the link is used up. After signing out it stays used up."""
    got = post[0].got
    with (
        serving(postgres_database, tmp_path / "one", options=mailing) as one,
        serving(postgres_database, tmp_path / "other", options=mailing) as other,
    ):
        phone, tablet, third = one.visit("en"), other.visit("en"), one.visit("en")
        ask(phone, ANNE)
        wait_until("a letter", lambda: len(got) == 1)
        path = link_in(got[0])
        both, addresses = (phone, tablet), []
        for each in both:
            each.get(path)
            addresses.append(send(each, each.form(path)))
        copied = [cookies_of(each) for each in both]
        with ThreadPoolExecutor(2) as pool:
            answers = list(
                pool.map(lambda each, at: each.http.get(at, follow_redirects=False), both, addresses)
            )
        assert sorted(answer.status_code for answer in answers) == [303, 403]
        won = answers[0].status_code == 403
        assert "signs nobody in any more" in answers[not won].text
        winner, cookies, address = both[won], copied[won], addresses[won]
        assert member_cookie(winner)
        assert not member_cookie(both[not won])
        ask(third, ANNE)
        wait_until("another letter", lambda: len(got) == 2)
        follow(third, link_in(got[1]))
        press(third, "others")
        give_cookies(winner, cookies)
        for at in (address, path):
            assert "signs nobody in any more" in winner.get(at).text
        assert not member_cookie(winner)
