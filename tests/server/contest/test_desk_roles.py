"""Who may do what at the desk, and from where."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore, resume
from tests.server.contest.volunteer import Volunteer, four_drawn, plain_text
from tests.server.serving import cookie_in


def test_nobody_works_without_having_joined(store: ContestStore) -> None:
    stranger = Volunteer(desk_application(store), "http://10.0.0.9")
    for address in ("/", "/entries", "/results", "/draw/main", "/log", "/entries.csv"):
        assert stranger.get(address, follow=False).headers["location"] == "/join"
    assert str(stranger.send("/entries", name="X").url).endswith("/join")
    assert stranger.get("/public").status_code == 200
    assert stranger.get("/screen").status_code == 200
    assert stranger.get("/open?key=wrong").status_code == 404


@pytest.mark.parametrize(
    ("role", "address", "fields"),
    [
        ("results", "/entries", {"name": "X"}),
        ("entry", "/draw/main", {}),
        ("entry", "/results", {"table": "1", "score": "20"}),
        ("screen", "/log", {"act": "reveal"}),
        ("results", "/log", {"undo": "2", "reason": "x"}),
        ("referee", "/desks", {}),
    ],
)
def test_a_role_does_its_own_work_only(
    store: ContestStore, role: str, address: str, fields: dict[str, str]
) -> None:
    app = desk_application(store)
    worker = Volunteer(app, "http://10.0.0.9").join(role)
    before = store.contest.head.n
    cookie = cookie_in(worker.http.cookies, "desk")
    token = app.state.desk.worker(cookie).csrf
    assert worker.send(address, csrf=token, **fields).status_code == 403 or address == "/desks"
    assert store.contest.head.n == before


def test_a_form_without_its_token_does_nothing(desk: Volunteer, store: ContestStore) -> None:
    assert desk.send("/entries", name="X", csrf="0" * 32).status_code == 403
    assert not store.contest.entrants


def test_each_role_is_offered_its_own_work(store: ContestStore) -> None:
    app = four_drawn(store)[0].app
    entry, results = (
        Volunteer(app, f"http://10.0.0.{n}").join(role) for n, role in ((7, "entry"), (8, "results"))
    )
    assert 'class="button" href="/results"' not in entry.get("/").text
    assert 'href="/entries">Inscrire' not in results.get("/").text
    results.play("main")
    for page in ("/", "/results"):
        assert "/draw/" not in results.get(page).text
    assert "/draw/main" in Volunteer(app).open().get("/").text


def test_a_refused_result_and_a_refused_pin_are_not_typed_again(store: ContestStore) -> None:
    desk = four_drawn(store)[0]
    page = desk.post("/results", table="1", score="22")
    assert 'value="1"' in page
    assert 'value="22"' in page
    page = desk.send("/join", pin="12", role="results", label="Odile").text
    assert 'value="12"' in page
    assert 'value="Odile"' in page


def test_who_enters_results_is_not_offered_to_correct_them(store: ContestStore) -> None:
    app = four_drawn(store)[0].app
    results = Volunteer(app, "http://10.0.0.8").join("results")
    results.post("/results", table="1", score="20")
    page = results.get("/table/main/1/1").text
    assert "corrige un résultat" in page
    assert 'name="reason"' not in page


@pytest.mark.parametrize(
    "address", ["/round/main/9", "/round/x/1", "/table/main/1/99", "/entries/99", "/x.csv", "/draw/x"]
)
def test_what_is_not_there_is_not_found(store: ContestStore, address: str) -> None:
    assert Volunteer(desk_application(store)).open().get(address).status_code == 404


def test_a_page_that_is_not_there_leads_to_pages_that_are(desk: Volunteer) -> None:
    """Its links are the desk's: here nobody has data, or a legal notice, as on a server."""
    page = desk.get("/entries/99").text
    assert "Il n’y a rien à cette adresse" in plain_text(page)
    for link in re.findall(r'href="(/[^"]*)"', page):
        assert desk.get(link).status_code == 200, link


def test_a_number_without_end_names_no_page(desk: Volunteer) -> None:
    for address in (
        "/entries/{}",
        "/round/main/{}",
        "/table/main/1/{}",
        "/marqueur/main/1/{}/key",
        "/marqueur/main/{}/1/key",
        "/print/slips/main/{}",
    ):
        assert desk.get(address.format("9" * 5000)).status_code == 404


def test_the_address_on_the_codes_is_chosen_and_follows_the_networks(store: ContestStore) -> None:
    """A Wi-Fi joined later appears without a restart; one that is gone is announced no more."""
    networks = ["http://127.0.0.1:80"]
    desk = Volunteer(desk_application(store, lambda: networks)).open()
    desk.enter_some(2).draw()
    for page in ("/desks", "/print/slips/main/1"):
        assert "aucun réseau" in desk.get(page).text, page
    networks[:] = ["http://10.0.0.5:80", "http://192.168.4.1:80"]
    assert "<code>http://10.0.0.5:80/join" in desk.get("/desks").text
    for page in ("/desks", "/print/slips/main/1"):
        assert "aucun réseau" not in desk.get(page).text, page
    desk.post("/desks", act="network", network="http://192.168.4.1:80")
    assert "<code>http://192.168.4.1:80/join" in desk.get("/desks").text
    desk.post("/desks", act="network", network="http://evil.example")
    networks.pop()
    assert "<code>http://10.0.0.5:80/join" in desk.get("/desks").text


def test_two_contests_on_one_host_do_not_sign_each_other_out(store: ContestStore, tmp_path: Path) -> None:
    """A browser keeps one jar for all ports of a host, and stays signed in at both desks."""
    with closing(resume(store.path, tmp_path / "other.chouine")) as copied:
        one, other = (Volunteer(desk_application(each)).open() for each in (store, copied))
        jar = {**one.http.cookies, **other.http.cookies}
        own = cookie_in(one.http.cookies, "desk")
        assert len(jar) == 2
        for volunteer in (one, other):
            volunteer.http.cookies = httpx.Cookies(jar)
            assert volunteer.get("/entries", follow=False).status_code == 200
        one.http.cookies = httpx.Cookies({"desk": own})  # as an earlier version named it
        assert one.get("/entries", follow=False).status_code == 200


def test_a_phone_that_refuses_cookies_is_told_of_cookies(store: ContestStore) -> None:
    """Not asked for the PIN again and again: it was right."""
    app = desk_application(store)
    for volunteer in (Volunteer(app).open(), Volunteer(app, "http://10.0.0.7").join("results")):
        volunteer.http.cookies.clear()
        answer = volunteer.get("/?in")
        assert answer.status_code == 403
        assert "ne garde pas les cookies" in answer.text
        assert volunteer.get("/", follow=False).headers["location"] == "/join"
