"""Keeping order on a real server: the keeper's page and command, notices, switches, banner, maintenance."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from chouine.cli import main
from chouine.server.heartbeat import BEAT
from tests.patience import wait_until
from tests.server.http.test_streams import stream
from tests.server.programs import client_of, close_all, made_token
from tests.server.serving import Browser, Form, RunningServer, serving

Command = Callable[..., int]
PROXY = "--trusted-proxies", "127.0.0.1"


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'chouine.db'}"


@pytest.fixture
def village(database: str, tmp_path: Path) -> Iterator[RunningServer]:
    with serving(database, tmp_path / "errors") as server:
        yield server
    assert "failure" not in (tmp_path / "errors").read_text()


@pytest.fixture
def operator(database: str) -> Command:
    return lambda *words: main(["operator", *words, "--database", database])


def keeper(village: RunningServer, operator: Command, capsys: pytest.CaptureFixture[str]) -> Browser:
    """A browser on the keeper's page, by the printed link."""
    capsys.readouterr()
    assert operator("--public-url", village.url) == 0
    (link,) = capsys.readouterr().out.splitlines()
    browser = village.visit("en")
    assert browser.get("/operator").status_code == 403
    path = httpx.URL(link).path
    browser.http.cookies.clear()
    known = browser.http.get(path, follow_redirects=False).headers["location"]
    before = [*browser.http.cookies.jar]
    assert browser.get(known).url.path == "/operator"
    browser.http.cookies.clear()
    for cookie in before:  # as if that answer had been lost
        browser.http.cookies.jar.set_cookie(cookie)
    assert browser.get("/operator").status_code == 403
    assert browser.get(path).url.path == "/operator"
    assert village.visit().get(path).status_code == 403, "it opens in one browser"
    return browser


def wait(browser: Browser, name: str) -> httpx.Response:
    return browser.post("/partners", what="wait", name=name)


def sat(host: Browser, friend: Browser, **fields: str) -> str:
    """A table of two browsers."""
    table_id = host.open(**fields)
    friend.sit(host.links(table_id)[1], "Basile")
    return table_id


def deciding(browser: Browser, name: str) -> Form:
    """The form that decides about the words of a name."""
    page = browser.get("/operator").text
    forms = [form for form in browser.forms("/operator") if form.fields.get("target", "").count(":") == 2]
    names = re.findall(r'<summary>Decide <span class="unseen">([^<]*)</span>', page)
    assert len(forms) == len(names)
    return forms[[*map(unescape, names)].index(name)]


def test_a_report_is_decided_on_the_page_and_the_person_is_told_and_answers_once(
    village: RunningServer, operator: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    rude, friend = village.visit("en"), village.visit("en")
    table_id = sat(rude, friend, **{"name-0": "Vilain"})
    watcher = village.visit("en")
    assert f'href="/report/table/{table_id}"' in watcher.get(f"/table/{table_id}").text
    assert f'href="/report/table/{table_id}"' in watcher.get(f"/match/{table_id}").text
    watcher.get(f"/report/table/{table_id}")
    form = watcher.form(f"/report/table/{table_id}")
    assert "Thank you" in watcher.submit(form, target=f"table:{table_id}:1", words="how rude").text
    page = keeper(village, operator, capsys)
    assert "how rude" in page.page.text
    assert f'href="/match/{table_id}"' in page.page.text
    form = next(form for form in page.forms("/operator") if "report" in form.fields)
    assert page.submit(form, what="warn", reason=" ").status_code == 422
    answer = page.submit(form, what="rename", reason="An insulting name.", name="Voisin", days="")
    assert answer.status_code == 200
    assert "how rude" not in answer.text, "settled"
    assert "Voisin" in friend.get(f"/table/{table_id}").text
    assert "Vilain" not in friend.page.text
    assert 'value="Voisin"' in rude.get("/").text
    wait_until("the person is told", lambda: 'href="/told"' in rude.get(f"/table/{table_id}").text)
    assert 'href="/told"' not in friend.get("/").text
    told = rude.get("/told").text
    assert "An insulting name." in told
    rude.submit(rude.form("/told"), answer="Sorry!")
    assert "Sorry!" in rude.page.text
    ruling = re.findall(r"Sorry", rude.page.text)
    assert len(ruling) == 1
    assert not rude.forms("/told"), "one answer"
    assert 'href="/told"' not in rude.get("/rules").text
    assert "Sorry!" in page.get("/operator").text
    page.submit(
        next(form for form in page.forms("/operator") if ("what", "leave") in form.buttons), what="leave"
    )
    assert page.get("/operator").status_code == 403


def test_who_is_barred_plays_alone_until_the_bar_ends(
    village: RunningServer, operator: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    """By account; with --address every browser there, once the account has tried again."""
    rude, neighbour, far = (village.visit("en") for _ in range(3))
    far.http.headers["X-Forwarded-For"] = "192.0.2.7"
    assert wait(rude, "Vilain").status_code == 303
    assert operator("list") == 0
    (target,) = re.findall(r"^(waiting:\S+:0) 'Vilain'$", capsys.readouterr().out, re.MULTILINE)
    assert operator("bar", target, "--reason", "Insults.", "--days", "2", "--address") == 0
    assert "Vilain" not in far.get("/partners").text, "the wait has ended"
    answer = wait(rude, "Gentil")
    assert (answer.status_code, "cannot meet others here" in answer.text) == (422, True)
    assert (
        rude.post("/contests", title="Dimanche", kind="lavardin", format="3x1", pace="live").status_code
        == 422
    )
    assert "It ends on" in rude.get("/told").text
    link = far.links(far.open(**{"name-0": "Anne"}))[1]
    assert rude.sit(link, "Gentil").status_code == 403
    assert rude.post("/new", **{"format": "1x1", "chair-0": "me", "chair-1": "friend"}).status_code == 422
    assert rude.post("/new", **{"format": "1x1", "chair-0": "me", "chair-1": "level:1"}).status_code == 303
    own = client_of(village, made_token(rude))
    assert own.post("tables", seats=["me", "friend"]).status_code == 403
    assert own.post("tables", seats=["me", "level:1"]).status_code == 201
    close_all()
    assert wait(neighbour, "Voisine").status_code == 422
    assert wait(far, "Anne").status_code == 303
    assert operator("list") == 0
    (bar,) = re.findall(r"^(\S+) \S+ \S+ bar", capsys.readouterr().out, re.MULTILINE)
    assert operator("lift", bar, "--reason", "Enough.") == 0
    assert wait(rude, "Gentil").status_code == 303
    assert wait(neighbour, "Voisine").status_code == 303


def test_titles_entries_and_contests(
    village: RunningServer, operator: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    host, guest = village.visit("en"), village.visit("en")
    fields = {"kind": "lavardin", "format": "3x1", "pace": "live"}
    which = host.post("/contests", title="Vilain titre", **fields).headers["location"]
    guest.post(which, what="enter", name="Affreux")
    contest = which.rpartition("/")[2]
    guest.get(f"/report/contest/{contest}")
    reported = guest.submit(guest.form(contest), target=f"contest:{contest}:0", reason="name", words="")
    assert "Thank you" in reported.text
    page = keeper(village, operator, capsys)
    page.submit(deciding(page, "Affreux"), what="remove", reason="An insulting name.", days="", name="")
    assert "Affreux" not in host.get(which).text
    (report,) = {form.fields["report"] for form in page.forms("/operator") if "report" in form.fields}
    assert operator("rename", report, "--name", "Dimanche", "--reason", "An insulting title.") == 0
    for address in ("/contests", which, f"{which}/screen"):
        assert "Vilain titre" not in village.visit("en").get(address).text, address
    assert "Dimanche" in village.visit("en").get(which).text
    assert village.visit("en").get(f"{which}/log").status_code == 404
    assert operator("remove", f"contest:{contest}:0", "--reason", "Closed.") == 0
    assert village.visit("en").get(which).status_code == 404
    wait_until("the announcer is told", lambda: 'href="/told"' in host.get("/").text)
    assert host.get("/told").text.count("Closed.") == 1


def test_what_names_nothing_is_told(
    operator: Command, village: RunningServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (
        ("warn", "nobody", "--reason", "x"),
        ("lift", "nobody", "--reason", "x"),
        ("rename", "contest:none:0", "--reason", "x"),
        ("banner", "--fr", "Bonjour"),
        ("banner", "--fr", "x" * 300, "--en", "y"),
    ):
        assert operator(*words) == 2
        said = capsys.readouterr().err
        assert said.startswith("chouine operator: ")
        assert "Traceback" not in said
    rude = village.visit("en")
    wait(rude, "Vilain")
    guest = re.search(r"<code>(\w{32})</code>", rude.get("/mine").text)
    assert guest
    assert operator("warn", guest[1]) == 2
    assert "Give a reason" in capsys.readouterr().err
    assert operator("remove", guest[1], "--reason", "x") == 2
    assert operator("warn", guest[1], "--reason", "Please be kind.") == 0
    assert "Please be kind." in rude.get("/told").text


@pytest.mark.parametrize("act", ["rename", "erase"])
def test_a_name_taken_away_does_not_come_back_with_old_news(
    act: str, village: RunningServer, operator: Command, database: str
) -> None:
    """By the command, so that the node has the former states in memory."""
    rude, friend, stranger = (village.visit("en") for _ in range(3))
    table_id = sat(rude, friend, **{"name-0": "Vilain"})
    for _ in range(3):
        assert friend.tell(table_id, "speak", 1, phrase="hello").json()["ok"]
    assert "Vilain" in stranger.get(f"/table/{table_id}/events?after=2").text
    if act == "rename":
        assert operator("rename", f"table:{table_id}:1", "--name", "Voisin", "--reason", "Rude.") == 0
    else:
        assert main(["erase", f"./{table_id}:1", "--database", database]) == 0
    assert "Vilain" not in stranger.get(f"/table/{table_id}").text
    for browser in (friend, stranger):
        for after in range(12):
            assert "Vilain" not in browser.get(f"/table/{table_id}/events?after={after}").text, after


def test_a_match_is_removed(village: RunningServer, operator: Command) -> None:
    host, friend = village.visit("en"), village.visit("en")
    table_id = sat(host, friend)
    assert operator("remove", f"table:{table_id}:1", "--reason", "Against the law.") == 0
    assert friend.get(f"/table/{table_id}").status_code == 404


@pytest.mark.parametrize("name", ["Gros connard", "c0nnard"])
def test_the_worst_words_are_refused_wherever_a_name_is_given(served: RunningServer, name: str) -> None:
    browser = served.visit("en")
    for path, fields in {
        "/new": {"format": "1x1", "chair-0": "me", "chair-1": "friend", "name-0": name},
        "/partners": {"what": "wait", "name": name},
        "/contests": {"title": name, "kind": "lavardin", "format": "3x1", "pace": "live"},
    }.items():
        answer = browser.post(path, **fields)
        assert (answer.status_code, "choose another name" in answer.text) == (422, True), path


def test_what_is_switched_off_says_so_and_is_refused(tmp_path: Path, database: str) -> None:
    """Whoever has played here goes on, also with newcomers switched off, and may invite."""
    with serving(database, tmp_path / "errors") as before:
        known = before.visit("en")
        table_id = known.open(**{"name-0": "Anne"})
        cookies = dict(known.http.cookies)
        contest = known.post("/contests", title="Dimanche", kind="lavardin", format="3x1", pace="live")
        assert (
            known.post("/new", **{"format": "1x1", "chair-0": "me", "chair-1": "level:8"}).status_code == 303
        )
    off = "strangers, contests,newcomers,levels,offline"
    with serving(database, tmp_path / "errors", options=(*PROXY, "--off", off)) as after:
        old, new = after.visit("en"), after.visit("en")
        old.http.cookies.clear()
        old.http.cookies.update(cookies)
        home = old.get("/").text
        (old.csrf, *_) = re.findall(r'name="csrf" value="([^"]+)"', home)
        for sentence in (
            "no newcomers",
            "Levels 7 and 8 are resting",
            "is not offered",
            "Finding a partner is closed",
        ):
            assert sentence in home, sentence
        assert "level:8" not in home
        assert "level:6" in home
        assert "Finding a partner is closed" in old.get("/partners").text
        assert "No contest is announced" in old.get("/contests").text
        assert "No contest is announced" in old.get(contest.headers["location"]).text
        assert wait(old, "Anne").status_code == 422
        assert old.post("/contests", title="x", kind="lavardin", format="3x1", pace="live").status_code == 422
        assert old.post(contest.headers["location"], what="enter", name="Anne").status_code == 422
        strong = old.post("/new", **{"format": "1x1", "chair-0": "me", "chair-1": "level:8"})
        assert (strong.status_code, "Levels 7 and 8 are resting" in strong.text) == (422, True)
        for path in ("/offline", "/offline/files.json", "/offline/app.zip", "/offline/worker.js"):
            assert old.get(path).status_code == 403, path
        game = {"format": "1x1", "chair-0": "me", "chair-1": "level:1"}
        assert old.post("/new", **game).status_code == 303
        assert new.post("/language", language="en").status_code == 303, "stored, but nobody plays by it"
        refused = new.post("/new", **game)
        assert (refused.status_code, "no newcomers" in refused.text) == (422, True)
        assert new.sit(old.links(table_id)[1], "Basile").status_code == 200
        assert new.post("/new", **game).status_code == 303, "whoever was invited is known"


def test_a_switch_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--off", "strangers,dogs", "--no-browser", "--port", "0"]) == 2
    assert "not “dogs”" in capsys.readouterr().err


def test_a_banner_reaches_every_table_and_goes(village: RunningServer, operator: Command) -> None:
    host, friend = village.visit("fr"), village.visit("en")
    table_id = sat(host, friend)
    n = re.search(r'data-n="(\d+)"', friend.get(f"/table/{table_id}").text)
    assert n
    with stream(friend, table_id, n[1]) as news:
        assert operator("banner", "--fr", "Bonjour à tous.", "--en", "Hello all.", "--minutes", "60") == 0
        number, told = next(news)
        assert (number, told["banner"], told["frames"]) == (0, "Hello all.", [])
        assert friend.get(f"/table/{table_id}/events?after={n[1]}").json()[-1]["banner"] == "Hello all."
        assert "Bonjour à tous." in host.get("/rules").text
        assert operator("banner") == 0
        assert next(news)[1]["banner"] == ""
    assert host.get(f"/table/{table_id}/events?after={n[1]}").json() == []
    assert host.get(f"/table/{table_id}/events?after={n[1]}&banner=1").json()[0]["banner"] == ""


def test_maintenance_is_announced_tables_rest_and_clocks_with_them(
    database: str, tmp_path: Path, operator: Command
) -> None:
    """The server may be stopped meanwhile. Afterwards the clock has what it had before."""
    with serving(database, tmp_path / "errors") as village:
        host, friend = village.visit("en"), village.visit("en")
        table_id = sat(host, friend, move="30", reserve="60")

        def until() -> int:
            found = re.search(r'data-until="(\d+)"', host.get(f"/table/{table_id}").text)
            return int(found[1]) if found else 0

        def has_begun() -> bool:
            """Draw, again after a tie, and cut: who does is told by the table."""
            for nth, (seat, browser) in enumerate([(0, host), (1, friend)] * 2):
                browser.tell(table_id, "pick", seat, place=str(nth))
                browser.tell(table_id, "cut", seat, at="16")
            return until() > 0

        wait_until("cards are dealt", has_begun)
        before = until()
        assert operator("maintenance", "--minutes", "5") == 0
        wait_until("it is announced", lambda: "rests for maintenance" in host.get(f"/table/{table_id}").text)
        assert "data-rests" not in host.page.text
        assert friend.tell(table_id, "speak", 1, phrase="hello").json()["ok"]
        begun = time.monotonic()
        assert operator("maintenance", "--in", "0", "--minutes", "5") == 0
        wait_until("it has begun", lambda: "Maintenance until" in host.get(f"/table/{table_id}").text)
        assert "data-rests" in host.page.text
        refused = friend.tell(table_id, "speak", 1, phrase="wow")
        assert (refused.status_code, refused.json()["code"]) == (422, "closed/maintenance")
        game = {"format": "1x1", "chair-0": "me", "chair-1": "level:1"}
        assert host.post("/new", **game).status_code == 422
        assert host.get("/ready").status_code == 200
        village.stop()
        port = httpx.URL(village.url).port or 0
        with serving(database, tmp_path / "errors", port):
            assert friend.tell(table_id, "speak", 1, phrase="wow").json()["code"] == "closed/maintenance"
            wait_until("more than what is not credited", lambda: time.monotonic() - begun > 3 * BEAT)
            assert operator("resume") == 0
            wait_until("play goes on", lambda: friend.tell(table_id, "speak", 1, phrase="wow").is_success)
            assert until() > before
