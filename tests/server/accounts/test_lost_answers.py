"""Whoever changes their cookie loses nothing if an answer is lost on the way, at whichever step."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import Cookie
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from chouine.server.accounts import card
from chouine.server.accounts.merging import merge_guests
from chouine.server.database import Unreachable
from tests.server.accounts.authenticator import Authenticator, challenge_of
from tests.server.accounts.people import guest_cookie, make_card, member_cookie, type_words
from tests.server.serving import Browser, Form, RunningServer, serve_alone, serving


def cookies_of(browser: Browser) -> list[Cookie]:
    return list(browser.http.cookies.jar)


def give_cookies(browser: Browser, cookies: list[Cookie]) -> None:
    browser.http.cookies.clear()
    for cookie in cookies:
        browser.http.cookies.jar.set_cookie(cookie)


def lose(browser: Browser, ask: Callable[[], object]) -> None:
    """Ask something whose answer, with its cookies, never comes."""
    before = cookies_of(browser)
    ask()
    give_cookies(browser, before)


def form_for(browser: Browser, path: str, what: str = "card") -> Form:
    """The form of a page that changes a browser's cookie."""
    browser.get(path)
    if path == "/mine":
        return browser.form("/mine")
    return next(form for form in browser.forms("/account") if form.fields.get("what") == what)


def lead(browser: Browser, path: str, what: str = "card") -> str:
    """Send the form; the address that its answer leads to."""
    answer = browser.http.post(path, data=form_for(browser, path, what).fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


@pytest.mark.parametrize("path", ["/account", "/mine"])
def test_the_first_answer_is_lost(tmp_path: Path, path: str) -> None:
    """Nothing has happened yet, and the form can be sent once more."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone = served.visit("en")
        table = f"/table/{phone.open()}"
        lose(phone, lambda: lead(phone, path))
        assert table in phone.get("/").text
        assert not member_cookie(phone)
        before = guest_cookie(phone)
        phone.submit(form_for(phone, path))
        assert table in phone.get("/").text
        assert guest_cookie(phone) != before


@pytest.mark.parametrize("path", ["/account", "/mine"])
def test_the_second_answer_is_lost(tmp_path: Path, path: str) -> None:
    """All is still there, by the cookie that the first one gave; a copy of the older cookie alone opens nothing."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone, thief = served.visit("en"), served.visit("en")
        table = f"/table/{phone.open()}"
        copied = cookies_of(phone)
        address = lead(phone, path)
        lose(phone, lambda: phone.http.get(address, follow_redirects=False))
        give_cookies(thief, copied)
        assert table not in thief.get("/").text
        assert table in phone.get("/").text
        assert bool(member_cookie(phone)) == (path == "/account")
        assert not any(name.endswith("-next") for name in phone.http.cookies)
        assert table in phone.get("/").text


@pytest.mark.parametrize("path", ["/account", "/mine"])
def test_a_member_signs_out_elsewhere_and_the_answer_is_lost(tmp_path: Path, path: str) -> None:
    """Also where nothing else would sign them in: at each step the browser still is, and at the end only this one."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone, thief = served.visit("en"), served.visit("en")
        table = f"/table/{phone.open()}"
        make_card(phone)
        give_cookies(thief, cookies_of(phone))
        lose(phone, lambda: lead(phone, path, "others"))
        assert table in phone.get("/").text
        assert table in thief.get("/").text
        before = member_cookie(phone)
        address = lead(phone, path, "others")
        lose(phone, lambda: phone.http.get(address, follow_redirects=False))
        assert table not in thief.get("/").text
        assert table in phone.get("/").text
        assert member_cookie(phone) != before
        assert not any(name.endswith("-next") for name in phone.http.cookies)
        assert table in phone.get("/").text


def test_who_signs_out_again_is_signed_out(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone = served.visit("en")
        table = f"/table/{phone.open()}"
        make_card(phone)
        form = form_for(phone, "/account", "leave")
        lose(phone, lambda: phone.http.post(form.action, data=form.fields, follow_redirects=False))
        assert "You are signed out." in phone.submit(form).text
        assert not member_cookie(phone)
        assert table not in phone.get("/").text


def test_a_card_that_was_lost_on_the_way_is_made_again(tmp_path: Path) -> None:
    """The browser asks for the same address once more, as browsers do by themselves: the card shown then signs in."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone, tablet = served.visit("en"), served.visit("en")
        table = f"/table/{phone.open()}"
        address = lead(phone, "/account")
        lose(phone, lambda: phone.http.get(address))
        words = re.findall(r"<li>(\w+)</li>", phone.get(address).text)
        assert len(words) == 12
        assert table in phone.get("/").text
        type_words(tablet, words)
        assert table in tablet.get("/").text


def who_changes(served: RunningServer, what: str) -> tuple[Browser, str]:
    """A browser and the path of its table: a member's, if that is who asks for this."""
    phone = served.visit("en")
    table = f"/table/{phone.open()}"
    if what == "others":
        make_card(phone)
    return phone, table


STEPS = [("/account", "card"), ("/mine", ""), ("/account", "others"), ("/mine", "others")]
"""Where a browser changes its cookie, and what it asks there; a member asks for `others`."""


@pytest.mark.parametrize(("path", "what"), STEPS)
def test_a_form_is_sent_twice_before_its_answer_is_shown(tmp_path: Path, path: str, what: str) -> None:
    """By an impatient hand: what the first one led to is done, but only the second one's answers come."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone, table = who_changes(served, what)
        fields = form_for(phone, path, what).fields
        first = phone.http.post(path, data=fields, follow_redirects=False).headers["location"]
        between = cookies_of(phone)
        second = phone.http.post(path, data=fields, follow_redirects=False).headers["location"]
        after = cookies_of(phone)
        give_cookies(phone, between)
        phone.http.get(first, follow_redirects=False)
        give_cookies(phone, after)
        assert phone.http.get(second).status_code == 200
        assert table in phone.get("/").text


@pytest.mark.parametrize(("path", "what"), STEPS)
def test_an_address_is_asked_for_several_times_at_once(tmp_path: Path, path: str, what: str) -> None:
    """It is done once, and no answer is an error."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone, table = who_changes(served, what)
        address, others = lead(phone, path, what), [served.visit("en") for _ in range(3)]
        for each in others:
            give_cookies(each, cookies_of(phone))
        with ThreadPoolExecutor(3) as pool:
            answers = [*pool.map(lambda each: each.http.get(address, follow_redirects=False), others)]
        assert all(answer.status_code < 400 for answer in answers)
        assert table in phone.get("/").text


def test_a_copy_asked_again_is_made_only_once(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone = served.visit("en")
        table = f"/table/{phone.open()}"
        address = lead(phone, "/mine")
        lose(phone, lambda: phone.http.get(address))
        assert "opens nothing any more" in phone.get(address).text
        assert table in phone.get("/").text


@pytest.mark.parametrize("path", ["/account", "/mine"])
def test_a_planted_cookie_takes_nothing(tmp_path: Path, path: str) -> None:
    """Another's cookie put in the next one's place, with whatever proof they have of their own."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        victim, attacker = served.visit("en"), served.visit("en")
        table = f"/table/{victim.open()}"
        attacker.open()
        address = lead(attacker, path)
        name = next(name for name in attacker.http.cookies if name.endswith("-next"))
        planted = attacker.http.cookies[name]
        victim.http.cookies.set(name, planted)
        victim.http.get(address)
        attacker.http.get(address)
        assert table in victim.get("/").text
        assert table not in attacker.get("/").text
        victim.http.cookies.set(name, planted)
        victim.submit(form_for(victim, path))
        attacker.http.cookies.clear()
        for end in ("", "-member"):
            attacker.http.cookies.set(name.removesuffix("-next") + end, planted)
        assert table in victim.get("/").text
        assert table not in attacker.get("/").text


@pytest.mark.parametrize("path", ["/account", "/mine"])
def test_a_look_at_the_headers_changes_nothing(tmp_path: Path, path: str) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone = served.visit("en")
        phone.open()
        address, before = lead(phone, path), guest_cookie(phone)
        phone.http.head(address)
        assert guest_cookie(phone) == before


def send(browser: Browser, form: Form, **fields: str) -> str:
    """Send a form of the page shown; the address that its answer leads to."""
    answer = browser.http.post(form.action, data={**form.fields, **fields}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def sign_in_form(
    browser: Browser, way: str, words: list[str], device: Authenticator
) -> tuple[Form, dict[str, str]]:
    """A form that signs in, and what is written in it."""
    if way == "code":
        secret = card.secret_in(" ".join(words))
        assert secret
        path = f"/account/card/{card.text_of(secret)}"
        browser.get(path)
        return browser.form(path), {}
    if way == "words":
        browser.get("/account")
        return browser.form("/account/words"), {"words": " ".join(words)}
    answer = device.enter(challenge_of(browser, "enter"))
    form = next(one for one in browser.forms("/account/passkey") if one.fields["what"] == "enter")
    return form, {"answer": answer}


@pytest.mark.parametrize("joins", ["1", ""])
@pytest.mark.parametrize("way", ["words", "code", "passkey"])
def test_signing_in_is_lost_on_the_way(tmp_path: Path, way: str, joins: str) -> None:
    """Nothing is done by the first answer; the second is asked for again, and shows all that is theirs."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        served.url = served.url.replace("127.0.0.1", "localhost")
        phone, tablet, thief = (served.visit("en") for _ in range(3))
        device, mine, theirs = Authenticator(served.url), f"/table/{phone.open()}", f"/table/{tablet.open()}"
        words, _ = make_card(phone)
        answer = device.make(challenge_of(phone, "make"))
        making = next(one for one in phone.forms("/account/passkey") if one.fields["what"] == "make")
        phone.submit(making, answer=answer)
        copied = cookies_of(tablet)
        form, typed = sign_in_form(tablet, way, words, device)
        lose(tablet, lambda: send(tablet, form, **typed, joins=joins))
        assert theirs in tablet.get("/").text
        form, typed = sign_in_form(tablet, way, words, device)
        address = send(tablet, form, **typed, joins=joins)
        lose(tablet, lambda: tablet.http.get(address, follow_redirects=False))
        give_cookies(thief, copied)
        assert mine not in thief.get("/").text
        assert (theirs in thief.page.text) != bool(joins)
        if not joins:
            assert "You are signed in." in tablet.get(address).text
        assert mine in tablet.get("/").text
        assert member_cookie(tablet)
        assert not any(name.endswith("-next") for name in tablet.http.cookies)
        assert tablet.get("/account").text.count('value="browser"') == 1


def test_another_signs_in_where_an_answer_was_lost(tmp_path: Path) -> None:
    """At a tablet that several share, without taking along what is in it."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        one, other, tablet = (served.visit("en") for _ in range(3))
        first, second = f"/table/{one.open()}", f"/table/{other.open()}"
        (words, _), (others, _) = make_card(one), make_card(other)
        tablet.get("/account")
        address = send(tablet, tablet.form("/account/words"), words=" ".join(words), joins="")
        lose(tablet, lambda: tablet.http.get(address, follow_redirects=False))
        type_words(tablet, others, joins="")
        page = tablet.get("/").text
        assert (first in page, second in page) == (False, True)


def test_who_made_a_passkey_signs_in_when_the_answer_is_lost(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        served.url = served.url.replace("127.0.0.1", "localhost")
        phone = served.visit("en")
        device, table = Authenticator(served.url), f"/table/{phone.open()}"
        answer = device.make(challenge_of(phone, "make"))
        making = next(one for one in phone.forms("/account/passkey") if one.fields["what"] == "make")
        address = send(phone, making, answer=answer)
        lose(phone, lambda: phone.http.get(address, follow_redirects=False))
        assert table in phone.get("/").text
        assert member_cookie(phone)


def test_a_passkey_added_again_is_added(tmp_path: Path) -> None:
    """Only to the account that has it; to nobody else's."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        served.url = served.url.replace("127.0.0.1", "localhost")
        phone, other = served.visit("en"), served.visit("en")
        device = Authenticator(served.url)
        make_card(other)
        make_card(phone)
        answer = device.make(challenge_of(phone, "make"))
        making = next(one for one in phone.forms("/account/passkey") if one.fields["what"] == "make")
        send(phone, making, answer=answer)
        page = phone.submit(making, answer=answer).text
        assert "this signs you in too" in page
        assert page.count("Passkey (") + page.count("<strong>Passkey<") == 1
        other.get("/account")
        theirs = next(one for one in other.forms("/account/passkey") if one.fields["what"] == "make")
        assert other.submit(theirs, answer=answer).status_code == 403


def test_a_planted_cookie_signs_nobody_in(tmp_path: Path) -> None:
    """Another's next cookie, with the address that it was given for."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        owner, victim, attacker = (served.visit("en") for _ in range(3))
        table = f"/table/{victim.open()}"
        words, _ = make_card(owner)
        attacker.get("/account")
        address = send(attacker, attacker.form("/account/words"), words=" ".join(words))
        name = next(name for name in attacker.http.cookies if name.endswith("-next"))
        victim.http.cookies.set(name, attacker.http.cookies[name])
        for _ in range(2):
            victim.get(address)
            assert not member_cookie(victim)
            assert table in victim.get("/").text
            attacker.http.get(address, follow_redirects=False)
        assert not member_cookie(victim)


def serve_losing_the_third(arguments: Sequence[str]) -> int:
    """Serve so that the database is lost when a browser's things are to join an account for the third time."""
    tries = count(1)

    async def merge_or_fail(*args: Any) -> None:
        if next(tries) == 3:
            raise Unreachable
        await merge_guests(*args)

    pytest.MonkeyPatch().setattr("chouine.server.accounts.members.merge_guests", merge_or_fail)
    return serve_alone(arguments)


@pytest.mark.parametrize("who", ["newcomer", "guest", "member"])
def test_what_was_to_join_does_so_when_the_page_is_asked_for_again(tmp_path: Path, who: str) -> None:
    """Also where the browser is signed in already, and the server could not go on."""
    database = f"sqlite:///{tmp_path / 'chouine.db'}"
    with serving(database, tmp_path / "errors", program=serve_losing_the_third) as served:
        phone, other, tablet = (served.visit("en") for _ in range(3))
        table = f"/table/{tablet.open()}"
        words, _ = make_card(phone)
        make_card(tablet if who == "member" else other)
        if who == "newcomer":
            address = lead(tablet, "/account")
        else:
            tablet.get("/account")
            address = send(tablet, tablet.form("/account/words"), words=" ".join(words), joins="1")
        assert tablet.http.get(address, follow_redirects=False).status_code == 503
        tablet.get(address)
        assert table in tablet.get("/").text
        assert (table in phone.get("/").text) == (who != "newcomer")
        assert tablet.get("/account").text.count('value="browser"') == (who != "newcomer")
