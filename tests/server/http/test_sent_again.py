"""What is sent again, since its answer was lost, is done once, and no page says that it was not done."""

from __future__ import annotations

import re
from html import unescape

import httpx
import pytest

from tests.server.http.test_contests import announce, enter_players
from tests.server.http.test_partners import wait
from tests.server.http.test_people import befriend, browser_of, sit_together
from tests.server.serving import Browser, Form, RunningServer


def send_twice(browser: Browser, form: Form, **fields: str) -> httpx.Response:
    """Send a form, and once more as it was: the answer to the first one never came."""
    first = browser.http.post(form.action, data=form.fields | fields, follow_redirects=False)
    assert first.status_code == 303, first.text
    return browser.submit(form, **fields)


def form_that(browser: Browser, what: str, action: str) -> Form:
    """The form of the page shown that does this."""
    forms = browser.forms(action)
    return next(one for one in forms if ("what", what) in one.buttons or one.fields.get("what") == what)


def test_a_seat_is_taken_by_a_link(served: RunningServer) -> None:
    host, friend, late = served.visit("en"), served.visit("en"), served.visit("en")
    table_id = host.open()
    link = host.links(table_id)[1]
    friend.get(link)
    answer = send_twice(friend, friend.form(link), name="Basile")
    assert answer.url.path == f"/table/{table_id}"
    assert friend.get(link).url.path == f"/table/{table_id}"
    assert late.get(link).status_code == 404


def test_somebody_who_waits_is_joined(served: RunningServer) -> None:
    """Who presses again is led to the table, and who waited until they have drawn there."""
    anne, basile = served.visit("en"), served.visit("en")
    wait(anne, "Annette")
    basile.get("/partners")
    page = basile.page.text
    which = re.search(r'name="which" value="([^"]+)">\s*<span><strong>Annette', page)
    assert which
    form = next(one for one in basile.forms("/partners") if one.fields.get("which") == which[1])
    table = send_twice(basile, form, what="join", name="Basile").url.path
    assert table.startswith("/table/")
    assert 'data-next="/partners/table"' in anne.get("/partners/list").text
    for path in ("/partners", "/partners/table", "/partners/table"):
        assert anne.get(path).url.path == table
    assert anne.get("/partners").url.path == "/partners", (
        "whoever leaves the table may wait for somebody else"
    )
    assert anne.tell(table.rpartition("/")[2], "pick", 0, place="3").json()["ok"]
    anne.get("/partners/table")
    assert anne.get("/partners/table").url.path == "/partners"
    assert "You are waiting" not in anne.page.text
    assert basile.submit(form, what="join", name="Basile").url.path == table
    late = served.visit("en")
    assert (
        late.http.post(
            form.action, data=form.fields | {"csrf": late.csrf, "what": "join", "name": "Zoé"}
        ).status_code
        == 422
    )


def test_a_challenge_is_accepted(served: RunningServer) -> None:
    odette, basile = browser_of(served, "Odette"), browser_of(served, "Basile")
    befriend(odette, basile)
    odette.get("/circle")
    person = re.search(r'href="(/people/[\w-]+)"><span><strong>Basile', odette.page.text)
    assert person
    odette.get(person[1])
    odette.submit(form_that(odette, "challenge", person[1]), what="challenge")
    basile.get("/circle")
    table = send_twice(basile, form_that(basile, "accept", "/circle"), what="accept").url.path
    assert table.startswith("/table/")
    for _ in range(2):
        assert odette.get("/circle/table").url.path == table
    assert odette.tell(table.rpartition("/")[2], "pick", 0, place="3").json()["ok"]
    assert odette.get("/circle/table").url.path == "/circle"


@pytest.mark.parametrize("player", ["friend", "level:1"])
def test_a_table_is_opened(served: RunningServer, player: str) -> None:
    """Until something was done there: then the form opens another, as before."""
    host = served.visit("en")
    host.get("/")
    form = host.form("/new")
    fields = {"chair-0": "me", "chair-1": player}
    answer = send_twice(host, form, **fields)
    table = answer.url.path
    assert {*re.findall(r"/table/[\w-]+", host.get("/").text)} == {table}
    if player == "friend":
        served.visit().sit(host.links(table.rpartition("/")[2])[1], "Basile")
    assert host.tell(table.rpartition("/")[2], "pick", 0, place="3").json()["ok"]
    assert host.submit(form, **fields).url.path not in ("/", table)


def test_another_match_is_offered_to_who_offers_it(served: RunningServer) -> None:
    """Who presses again has no second table, and sends no challenge to who sits at the first."""
    odette, basile = browser_of(served, "Odette"), browser_of(served, "Basile")
    played = sit_together(odette, basile)
    for seat in range(2):
        odette.tell(played, "forfeit", seat)
    forms = []
    for browser in (odette, basile):
        browser.get(f"/match/{played}")
        forms.append(browser.form("/challenge"))
    odette.submit(forms[0])
    table = send_twice(basile, forms[1]).url.path
    assert table.startswith("/table/")
    assert odette.get("/circle/table").url.path == table
    assert "vous propose" not in unescape(odette.get("/circle").text)


def test_a_score_sheet_is_begun(served: RunningServer) -> None:
    one, other = served.visit("en"), served.visit("en")
    for browser in (one, other):
        browser.get("/marqueur")
        fields = {"what": "start", "name-0": "Anne", "name-1": "Basile"}
        send = send_twice if browser is one else Browser.submit
        send(browser, form_that(browser, "start", "/marqueur"), **fields)
        browser.get("/marqueur?new")
    assert one.page.text.count('name="which"') == other.page.text.count('name="which"') == 1


@pytest.mark.parametrize("path", ["/contests", "/class"])
def test_something_is_made(served: RunningServer, path: str) -> None:
    """By the same form one; another form makes another."""
    owner = served.visit("en")

    def make() -> Form:
        owner.get(path)
        return owner.forms(path)[0] if path == "/contests" else form_that(owner, "make", path)

    form, fields = make(), {"title": "Fair"} if path == "/contests" else {"what": "make"}
    first = owner.http.post(form.action, data=form.fields | fields, follow_redirects=False)
    assert owner.submit(form, **fields).url.path == first.headers["location"]
    assert owner.submit(make(), **fields).url.path != first.headers["location"]


def test_a_contest_is_entered_and_left(served: RunningServer) -> None:
    owner = served.visit("en")
    address = announce(owner)
    (player,) = enter_players(served, address, 1)
    for what in ("enter", "withdraw"):
        answer = player.http.post(address, data={"csrf": player.csrf, "what": what, "name": "Nom 0"})
        assert answer.status_code == 200, unescape(answer.text)
    assert player.http.post(address, data={"csrf": player.csrf, "what": "withdraw"}).status_code == 200
    assert "Nom 0" not in owner.get(address).text
    enter_players(served, address, 1)
    for _ in range(2):
        assert (
            owner.http.post(address, data={"csrf": owner.csrf, "what": "remove", "number": "2"}).status_code
            == 200
        )
