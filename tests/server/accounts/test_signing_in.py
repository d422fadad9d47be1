"""Accounts by a card, as browsers without JavaScript use them, and as those who should not get in try."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from threading import Thread

import httpx
import pytest

from chouine.server.accounts import card
from chouine.server.limits import VISITOR
from tests.patience import PATIENCE, wait_until
from tests.server.accounts.people import guest_cookie, make_card, member_cookie, press, type_words
from tests.server.serving import RunningServer, serving


def test_a_card_brings_everything_to_another_device(tmp_path: Path) -> None:
    """Matches, name and progress; what was played on the other device joins, unless it shall not."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone, tablet, hall = (served.visit("en") for _ in range(3))
        mine = phone.open(**{"name-0": "Marthe"})
        old = guest_cookie(phone)
        words, page = make_card(phone)
        assert "shown once" in page
        assert guest_cookie(phone) == ""
        assert f"/table/{mine}" in phone.get("/").text
        theirs, others = tablet.open(**{"name-0": "Zoé"}), hall.open(**{"name-0": "Zoé"})
        assert "You are signed in." in type_words(tablet, [word.upper() for word in words])
        assert {mine, theirs} <= {*re.findall(r"/table/([\w-]+)", tablet.get("/").text)}
        assert 'value="Marthe"' in tablet.get("/").text
        assert "You are signed in." in type_words(hall, words, joins="")
        assert f"/table/{others}" not in hall.get("/").text
        assert "From before you signed in" in hall.get("/account").text
        assert f"/table/{theirs}" in phone.get("/").text
        press(hall, "leave")
        assert f"/table/{others}" in hall.get("/").text
        assert f"/table/{mine}" not in hall.get("/").text
        thief = served.visit("en")
        thief.http.cookies.update(dict.fromkeys(dict(thief.http.cookies), old))
        assert f"/table/{mine}" not in thief.get("/").text
        type_words(hall, words, joins="")
        press(hall, "join")
        assert f"/table/{others}" in phone.get("/").text


def test_the_code_on_the_card_opens_a_page_that_asks_first(tmp_path: Path) -> None:
    """A look at the address signs nobody in, as programs look at links by themselves."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone, tablet = served.visit("fr"), served.visit("fr")
        phone.open(**{"name-0": "Marthe"})
        words, _ = make_card(phone)
        secret = card.secret_in(" ".join(words))
        assert secret
        path = f"/account/card/{card.text_of(secret)}"
        assert "vous serez" in tablet.get(path).text
        assert "Marthe" in tablet.page.text
        assert not member_cookie(tablet)
        assert tablet.http.head(path).status_code == 200
        tablet.get(path)
        assert "La connexion est faite" in tablet.submit(tablet.form(path)).text
        assert member_cookie(tablet)
        make_card(phone)
        late = served.visit("fr")
        assert late.get(path).status_code == 403
        assert "Aucun compte" in late.page.text
        assert "Aucun compte" in type_words(late, words)


def test_only_a_digest_is_stored(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone = served.visit("fr")
        words, _ = make_card(phone)
        secret = card.secret_in(" ".join(words))
        assert secret
        kept = b"".join(file.read_bytes() for file in tmp_path.glob("chouine.db*"))
        for text in (secret, card.text_of(secret).encode(), member_cookie(phone).encode()):
            assert text not in kept


def test_a_browser_that_is_signed_out_is_powerless(tmp_path: Path) -> None:
    """Its pages, its commands, and the stream that is open: also a copy of its cookies."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone, tablet, friend = (served.visit("en") for _ in range(3))
        table = phone.open(**{"name-0": "Marthe"})
        friend.sit(phone.links(table)[1], "Basile")
        words, _ = make_card(phone)
        type_words(tablet, words)
        tablet.csrf = tablet.form("/account").fields["csrf"]
        assert tablet.tell(table, "chat", 0, phrase="hello").status_code != 403
        ended: list[bool] = []

        def watch() -> None:
            with tablet.http.stream("GET", f"/table/{table}/stream", timeout=PATIENCE) as answer:
                for _ in answer.iter_lines():
                    pass
            ended.append(True)

        thread = Thread(target=watch)
        thread.start()
        wait_until("the stream is open", lambda: "chouine_streams 1" in friend.get("/metrics").text)
        phone.get("/account")
        forms = [form for form in phone.forms("/account") if form.fields.get("what") == "browser"]
        assert len(forms) == 1
        assert "that browser is signed out" in phone.submit(forms[0]).text
        thread.join(10)
        assert ended
        assert tablet.tell(table, "forfeit", 0).status_code == 403
        assert f"/table/{table}" not in tablet.get("/").text
        assert not member_cookie(tablet)
        assert f"/table/{table}" in phone.get("/").text


def test_signing_out_everywhere_else_changes_this_cookie_too(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        phone, thief, tablet = (served.visit("en") for _ in range(3))
        table = phone.open()
        words, _ = make_card(phone)
        type_words(tablet, words)
        thief.http.cookies.clear()
        thief.http.cookies.update(dict(phone.http.cookies))
        assert f"/table/{table}" in thief.get("/").text
        before = member_cookie(phone)
        assert "signed out everywhere else" in press(phone, "others")
        assert member_cookie(phone) not in ("", before)
        for one in (thief, tablet):
            assert f"/table/{table}" not in one.get("/").text
        assert f"/table/{table}" in phone.get("/").text
        phone.get("/mine")
        assert "signed out everywhere else" in phone.submit(phone.form("/mine")).text


def test_a_planted_cookie_gives_nothing(tmp_path: Path) -> None:
    """Whoever puts their own cookie into another's browser before it signs in has nothing afterwards, but gives."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        owner, victim, attacker = (served.visit("en") for _ in range(3))
        table = owner.open()
        words, _ = make_card(owner)
        attacker.open()
        victim.http.cookies.clear()
        victim.http.cookies.update(dict(attacker.http.cookies))
        type_words(victim, words)
        assert f"/table/{table}" in victim.get("/").text
        assert "/table/" not in attacker.get("/").text
        assert member_cookie(victim) not in attacker.http.cookies.values()


def test_a_members_cookie_under_the_other_name_opens_nothing(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        owner, other = served.visit("en"), served.visit("en")
        table = owner.open()
        make_card(owner)
        (name,) = (name for name in dict(other.http.cookies) if name.startswith("chouine-"))
        other.http.cookies.clear()
        other.http.cookies.set(name, member_cookie(owner))
        assert f"/table/{table}" not in other.get("/").text
        guest = served.visit("en")
        own = guest.open()
        guest.http.cookies.set(f"{name}-member", guest_cookie(guest))
        assert f"/table/{own}" in guest.get("/").text
        assert f"{name}-member=" in guest.page.headers["set-cookie"]


def test_every_post_wants_the_form_s_token(served: RunningServer) -> None:
    host = served.visit("fr")
    words, _ = make_card(host)
    for path in (
        "/account",
        "/account/words",
        "/account/passkey",
        "/account/mail",
        "/account/card/AAAAAAAAAAAAAAA",
    ):
        answer = host.http.post(path, data={"what": "others", "words": " ".join(words)})
        assert answer.status_code in (403, 404), path
        foreign = host.http.post(path, data={}, headers={"Origin": "https://elsewhere.example"})
        assert foreign.status_code == 403, path
    assert "Votre compte" in host.get("/account").text


def test_guessing_is_slow_and_tells_nothing(served: RunningServer) -> None:
    """A wrong card gets the same answer whatever it is; after some tries every one is refused, right ones too."""
    owner, guesser = served.visit("fr"), served.visit("fr")
    words, _ = make_card(owner)
    wrong = card.words_of(bytes(card.RANDOM), "fr")
    answers = {
        re.sub(r'(value|data-options)="[^"]*"', "", type_words(guesser, wrong))
        for _ in range(VISITOR["signings"].most)
    }
    assert len(answers) == 1
    guesser.get("/account")
    assert guesser.submit(guesser.form("/account/words"), words=" ".join(words)).status_code == 429
    assert not member_cookie(guesser)
    assert guesser.get(f"/account/card/{card.text_of(bytes(card.RANDOM))}").status_code == 429


def test_what_is_an_account_s_alone(served: RunningServer) -> None:
    """A guest cannot sign anybody out, and a member not another's browser nor credential."""
    guest, one, other = (served.visit("fr") for _ in range(3))
    guest.get("/account")
    csrf = guest.form("/account").fields["csrf"]
    for what in ("remove", "browser", "others", "leave", "join"):
        assert guest.http.post("/account", data={"csrf": csrf, "what": what}).status_code == 403
    make_card(one)
    make_card(other)
    page = one.get("/account").text
    found = re.findall(r'name="which" value="(\w+)"', page)
    other.get("/account")
    csrf = other.form("/account").fields["csrf"]
    for what in ("remove", "browser"):
        for which in found:
            other.http.post("/account", data={"csrf": csrf, "what": what, "which": which})
    assert one.get("/account").text.count('value="remove"') == 1


def test_forgetting_a_browser_leaves_the_account(tmp_path: Path) -> None:
    """Nothing of the browser is left here; the phone goes on. Erasing all ends the account everywhere."""
    database = tmp_path / "chouine.db"
    with serving(f"sqlite:///{database}", tmp_path / "errors") as served:
        phone, tablet = served.visit("en"), served.visit("en")
        table = phone.open(**{"name-0": "Marthe"})
        words, _ = make_card(phone)
        type_words(tablet, words)
        tablet.get("/settings/forget")
        tablet.submit(tablet.form("/settings/forget"))
        assert not dict(tablet.http.cookies)
        assert f"/table/{table}" in phone.get("/").text
        type_words(tablet, words)
        phone.get("/settings/forget?all=1")
        phone.submit(phone.form("/settings/forget"))
        assert f"/table/{table}" not in tablet.get("/").text
        assert "Aucun compte" in type_words(served.visit("fr"), words)
        with sqlite3.connect(database) as store:
            for name in ("member", "browser", "credential", "former"):
                assert not store.execute(f"select * from {name}").fetchall()  # noqa: S608  # names are ours


def test_who_wants_none_is_never_asked(served: RunningServer) -> None:
    """Nothing about accounts on the first pages; the settings name them in one line."""
    host = served.visit("fr")
    for path in ("/", "/learn", "/partners", "/rules"):
        assert "/account" not in host.get(path).text, path
    assert host.get("/settings").text.count('href="/account"') == 1


@pytest.mark.parametrize("path", ["/account/card/x", "/account/card/AAAAAAAAAAAAAAA", "/account/mail/x"])
def test_wrong_links_say_so(served: RunningServer, path: str) -> None:
    answer = httpx.get(f"{served.url}{path}", headers={"Accept-Language": "fr"})
    assert answer.status_code in (403, 404)
    assert "Traceback" not in answer.text
