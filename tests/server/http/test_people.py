"""People by forms alone: friends, challenges, what each address tells whom, and what an adversary gets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from chouine.server.limits import VISITOR
from tests.server.serving import Browser, RunningServer, serving

UNKNOWN = "AAAAAAAAAAAAAAAA"


@pytest.fixture
def village(tmp_path: Path) -> Iterator[RunningServer]:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as server:
        yield server
    assert "failure" not in (tmp_path / "errors").read_text()


def browser_of(village: RunningServer, name: str) -> Browser:
    """A browser whose visitor has a page of this name."""
    browser = village.visit()
    browser.get("/circle/me")
    browser.submit(browser.form(browser.page.url.path), name=name)
    assert browser.page.status_code == 200, unescape(browser.page.text)
    return browser


def page_of(browser: Browser) -> str:
    """The address of a browser's own page."""
    return browser.get("/circle/me").url.path


def sit_together(host: Browser, friend: Browser, name: str = "Basile") -> str:
    """A table of two."""
    table_id = host.open(**{"name-0": "Odette"})
    friend.sit(host.links(table_id)[1], name)
    return table_id


def befriend(one: Browser, other: Browser) -> None:
    """Make two friends by the link of the first."""
    link = re.search(r"/friend/[\w-]+", one.get("/circle/link").text)
    assert link
    other.get(link[0])
    other.submit(other.form(link[0]))
    assert other.page.url.path == "/circle"


def text_of(browser: Browser, path: str) -> str:
    return unescape(browser.get(path).text).replace("\N{NO-BREAK SPACE}", " ")


def test_from_the_table_to_friends_to_a_match(village: RunningServer) -> None:
    odette, basile = browser_of(village, "Odette"), browser_of(village, "Basile")
    table_id = sit_together(odette, basile)
    people = text_of(basile, f"/match/{table_id}/people")
    link = re.search(r'href="(/people/[^"]+)"', people)
    assert link
    address = link[1]
    guest = village.visit()
    assert guest.get(address).status_code == 404
    page = text_of(basile, address)
    assert "<h1>Odette</h1>" in page
    assert "Joue ici depuis" not in page
    basile.submit(next(form for form in basile.forms(address) if ("what", "ask") in form.buttons), what="ask")
    assert "Votre demande est partie" in unescape(basile.page.text)
    assert "Votre cercle : 1 personne attend votre réponse" in text_of(odette, "/")
    odette.get("/circle")
    accept = next(form for form in odette.forms() if ("what", "accept") in form.buttons)
    odette.submit(accept, what="accept")
    assert ">Basile<" in text_of(odette, "/circle")
    basile.get(address)
    challenge = next(form for form in basile.forms(address) if ("what", "challenge") in form.buttons)
    assert challenge.fields["pace"] == "60 300"
    basile.submit(challenge, what="challenge", pace="86400 172800", format="5x1")
    assert "Pas encore de réponse" in unescape(basile.page.text)
    circle = text_of(odette, "/circle")
    assert "Basile vous propose un match." in circle
    assert "En cinq parties gagnantes · Un match lent, un jour par carte" in circle
    accept = next(form for form in odette.forms("/circle") if ("what", "accept") in form.buttons)
    assert odette.submit(accept, what="accept").url.path.startswith("/table/")
    table = odette.page.url.path
    assert 'data-next="/circle/table"' in basile.get("/circle/list").text
    for _ in range(2):
        assert basile.get("/circle/table").url.path == table
    assert "data-next" not in basile.get("/circle/list").text, "it leads there once by itself"


def test_play_again_in_one_tap(village: RunningServer) -> None:
    odette, basile = browser_of(village, "Odette"), browser_of(village, "Basile")
    table_id = sit_together(odette, basile)
    assert odette.post(f"/match/{table_id}/challenge").status_code == 404
    for nth in range(2):
        odette.tell(table_id, "forfeit", nth)
    page = f"/match/{table_id}"
    again = f"{page}/challenge"
    assert "Rejouer avec Odette" in text_of(basile, page)
    basile.submit(basile.form(again))
    assert "Le défi est parti" in unescape(basile.page.text)
    odette.get(page)
    assert odette.submit(odette.form(again)).url.path.startswith("/table/"), "both want it"
    assert village.visit().post(again).status_code == 404


def test_nobody_is_found_by_guessing_and_nothing_reveals_a_guest(village: RunningServer) -> None:
    odette, irma = browser_of(village, "Odette"), village.visit()
    own = page_of(odette)
    missing = irma.get(f"/people/{UNKNOWN}")
    there = irma.get(own)
    assert missing.status_code == there.status_code == 404
    pages = [re.sub(r'value="[0-9a-f]{64}"', "", page.text) for page in (missing, there)]
    assert pages[0].replace(UNKNOWN, "") == pages[1].replace(own.rpartition("/")[2], "")
    for what in ("ask", "challenge", "accept", "undo", "block"):
        assert irma.post(own, what=what).status_code == 404
    number = re.search(r"[0-9a-f]{32}", odette.get("/mine").text)
    assert number
    for path in (own, "/circle", "/circle/list", "/circle/link"):
        assert number[0] not in odette.get(path).text
    assert len(own.rpartition("/")[2]) == 16


def test_names_and_villages_are_decent_and_not_changed_all_day(village: RunningServer) -> None:
    odette = browser_of(village, "Odette")
    own = page_of(odette)
    for fields in ({"name": "connard"}, {"name": ""}, {"name": "Odette", "village": "Trou du cul, putain"}):
        odette.get(own)
        assert odette.submit(odette.form(own), **fields).status_code == 422
    assert "Odette" in text_of(odette, own)
    statuses = {odette.post(own, name=f"Odette {nth}").status_code for nth in range(VISITOR["profiles"].most)}
    assert 429 in statuses


def test_presence_is_for_friends_and_ends_with_one_tap(
    village: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    odette = browser_of(village, "Odette")
    odette.get("/circle")
    form = next(form for form in odette.forms("/circle") if ("what", "presence") in form.buttons)
    assert "Personne ne voit quand vous êtes là" in unescape(odette.submit(form, what="presence").text)
    form = next(form for form in odette.forms("/circle") if ("what", "presence") in form.buttons)
    assert "Vos amis voient quand vous êtes là" in unescape(odette.submit(form, what="presence").text)


ADDRESSES = ("/circle", "/circle/list", "/circle/table", "/circle/me", "/circle/link")


def test_who_sees_what_at_every_address(village: RunningServer) -> None:
    """Who × what × relation, over all addresses: a name stands only where its owner is known."""
    odette, friend, met = (browser_of(village, name) for name in ("Odette", "Basile", "Clovis"))
    blocked, stranger, erased = (browser_of(village, name) for name in ("Denise", "Edmond", "Fernand"))
    befriend(odette, friend)
    befriend(odette, erased)
    sit_together(odette, met, "Clovis")
    sit_together(odette, blocked, "Denise")
    own = page_of(odette)
    odette.get(own)
    odette.submit(odette.form(own), village="Thoré", shows_village="friends", shows_since="friends")
    theirs = page_of(blocked)
    odette.get(theirs)
    odette.submit(
        next(form for form in odette.forms(theirs) if ("what", "block") in form.buttons), what="block"
    )
    link = re.search(r"/friend/[\w-]+", odette.get("/circle/link").text)
    assert link
    gone = page_of(erased)
    erased.get("/settings/forget?all=1")
    erased.submit(erased.form("/settings/forget"))
    seen = {
        "friend": {"name": True, "village": True, "since": True, "undo": True, "challenge": True},
        "met": {"name": True, "village": False, "since": False, "undo": False, "challenge": True},
        "blocked": {"name": True, "village": False, "since": False, "undo": False, "challenge": True},
        "stranger": dict.fromkeys(("name", "village", "since", "undo", "challenge"), False),
        "erased": dict.fromkeys(("name", "village", "since", "undo", "challenge"), False),
    }
    browsers = {"friend": friend, "met": met, "blocked": blocked, "stranger": stranger, "erased": erased}
    for relation, browser in browsers.items():
        page = text_of(browser, own)
        found = {
            "name": "<h1>Odette</h1>" in page,
            "village": "Thoré" in page,
            "since": "Joue ici depuis" in page,
            "undo": 'value="undo"' in page,
            "challenge": 'value="challenge"' in page,
        }
        assert found == seen[relation], relation
        circles = " ".join(text_of(browser, path) for path in ADDRESSES)
        assert ("Odette" in circles) == (relation in ("friend", "met", "blocked")), relation
        assert ("Thoré" in circles) == (relation == "friend"), relation
        assert browser.get(link[0]).status_code == (404 if relation == "blocked" else 200), relation
    for path in (gone, f"/report/people/{gone.rpartition('/')[2]}"):
        assert odette.get(path).status_code == 404
    circle = text_of(odette, "/circle")
    assert "Fernand" not in circle
    assert "Edmond" not in circle
    assert "Denise" in circle.partition("<details")[2], "among those blocked, and nowhere else"
    assert "Denise" not in circle.partition("<details")[0]
    assert village.visit().get("/operator").status_code == 403


def test_who_presses_is_stopped(village: RunningServer) -> None:
    """Requests and challenges have limits for each visitor; what is refused reaches nobody."""
    odette, basile = browser_of(village, "Odette"), browser_of(village, "Basile")
    sit_together(odette, basile)
    own = page_of(odette)
    statuses = [basile.post(own, what="ask").status_code for _ in range(VISITOR["asks"].most + 1)]
    assert statuses[-1] == 429
    statuses = [basile.post(own, what="challenge").status_code for _ in range(VISITOR["challenges"].most + 1)]
    assert statuses[0] == 303
    assert set(statuses[1:-1]) == {422}
    assert statuses[-1] == 429
    for fields in ({"rules": "x"}, {"format": "99x99"}, {"pace": "x"}, {"rules": "three"}):
        assert odette.post(page_of(basile), what="challenge", **fields).status_code in (303, 422)
    assert basile.http.post(own, data={"what": "ask"}).status_code == 403
