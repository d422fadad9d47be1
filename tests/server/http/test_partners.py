"""Meeting strangers by forms alone: waiting, joining, blocking, reporting."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path

import pytest

from chouine.server.limits import PER_ADDRESS, VISITOR
from chouine.server.pages.home import Meeting
from chouine.server.site import Site
from tests.patience import PATIENCE
from tests.server.serving import Browser, Form, RunningServer, serving


@pytest.fixture
def club(tmp_path: Path) -> Iterator[RunningServer]:
    """A separate server with an hour for meeting."""
    options = ("--evening", "20:30", "--trusted-proxies", "127.0.0.1")
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", options=options) as server:
        yield server


def wait(browser: Browser, name: str) -> None:
    browser.get("/partners")
    browser.submit(browser.form("/partners"), what="wait", name=name)
    assert escape(name) in browser.page.text


def join(browser: Browser) -> str:
    """Join the only player who waits and return the table's address."""
    browser.get("/partners")
    form = next(form for form in browser.forms("/partners") if ("what", "join") in form.buttons)
    return str(browser.submit(form, what="join").url.path)


def test_two_strangers_meet_without_a_script(club: RunningServer) -> None:
    anne, basile = club.visit(), club.visit("en")
    assert re.search(r"chaque soir à 20\sh\s30", anne.get("/").text)
    assert "every evening at 20:30" in basile.get("/partners").text
    wait(anne, "Anne <b>")
    assert 'http-equiv="refresh"' in anne.page.text
    assert "Anne &lt;b&gt;" in basile.get("/").text
    assert "Play with Anne &lt;b&gt;" in basile.page.text
    table = join(basile)
    assert table.startswith("/table/")
    assert 'data-next="/partners/table"' in anne.get("/partners/list").text
    assert anne.get("/partners").url.path == table
    assert anne.get("/partners").url.path == "/partners"  # the page redirects to the table only once
    assert "Jouer avec" not in club.visit().get("/partners/list").text


def test_who_comes_too_late_is_told(club: RunningServer) -> None:
    anne, basile, late = club.visit(), club.visit(), club.visit()
    wait(anne, "Anne")
    late.get("/partners")
    form = next(form for form in late.forms("/partners") if ("what", "join") in form.buttons)
    join(basile)
    answer = late.submit(form, what="join")
    assert answer.status_code == 422
    assert "quelqu’un a été plus rapide" in unescape(answer.text)
    assert late.post("/partners", what="wait", name=" ").status_code == 422


def test_one_address_takes_nobody_off_the_list_again_and_again(tmp_path: Path) -> None:
    """With ever new cookies it would join whoever waits, and nobody would find a partner; others still may join."""
    database, options = f"sqlite:///{tmp_path / 'chouine.db'}", ("--trusted-proxies", "127.0.0.1")
    with serving(database, tmp_path / "errors", per_address=PER_ADDRESS, options=options) as served:
        anne, basile, again, other = (served.visit() for _ in range(4))
        other.http.headers["X-Forwarded-For"] = "192.0.2.7"
        for browser, joined in ((basile, True), (again, False), (other, True)):
            wait(anne, "Anne")
            assert join(browser).startswith("/table/") is joined
            anne.get("/partners/table")
        assert "depuis la même connexion que vous" in unescape(again.page.text)


def test_what_no_database_can_hold_is_no_fault_of_it(database: str, tmp_path: Path) -> None:
    """PostgreSQL takes no NUL: the answer was that the database cannot be reached, and the log said so."""
    with serving(database, tmp_path / "errors") as served:
        assert served.visit().post("/partners", what="join", which="\0").status_code == 422
    assert "out of reach" not in (tmp_path / "errors").read_text()


def test_a_name_is_one_short_line(club: RunningServer) -> None:
    anne = club.visit()
    anne.post("/partners", what="wait", name="A\u202e\nB" + "x" * 200)
    assert f"<strong>AB{'x' * 22}</strong>" in club.visit().get("/partners").text


def test_two_who_wait_are_told_apart(club: RunningServer) -> None:
    """Names that look alike get a number, as equal names do; a new name may be the old one again."""
    for name in ("Lison", "Iison", "LISON"):
        club.visit().post("/partners", what="wait", name=name)
    page = club.visit().get("/partners").text
    assert re.findall("<strong>(.*?)</strong>", page)[:3] == ["Lison", "Iison 2", "LISON 3"]


def test_blocked_and_reported(club: RunningServer, tmp_path: Path) -> None:
    anne, basile = club.visit(), club.visit()
    wait(anne, "Anne")
    table = join(basile)
    assert anne.get("/partners").url.path == table
    people = f"/match/{table.removeprefix('/table/')}/people"
    assert people in anne.get(table).text
    page = anne.get(people)
    assert page.status_code == 200
    assert club.visit().get(people).status_code == 404
    (block,) = anne.forms("/people")
    assert "Personne n’en est averti" in unescape(anne.submit(block, what="block").text)
    report = table.replace("/table/", "/report/table/")
    assert f'href="{report}"' in anne.page.text
    assert "Joueur 2" in anne.get(report).text
    tell = anne.form(report)
    assert "Merci" in anne.submit(tell, reason="delay", words="part\x1b[2J\nsans un mot").text
    anne.submit(tell, words="encore")
    assert anne.post(report, target=f"table:{table[7:]}:1").status_code == 404
    assert anne.post(people, what="block", seat="9").status_code == 404
    wait(basile, "Basile")
    assert "Basile" not in anne.get("/partners/list").text
    assert "Basile" in club.visit().get("/partners/list").text
    back = next(form for form in forms_of(anne) if ("what", "unblock") in form.buttons)
    anne.submit(back, what="unblock")
    assert "Basile" in anne.get("/partners/list").text
    told = reports(club, tmp_path)
    assert re.fullmatch(rf"\S+ \S+ \S+ /match/{table[7:]} 2:'' delay 'part\[2Jsans un mot'\n", told.stdout)
    which = told.stdout.split()[0]
    assert reports(club, tmp_path, "--done", which).stdout == ""
    again = reports(club, tmp_path, "--done", which)
    assert (again.returncode, which in again.stderr) == (2, True)


def forms_of(browser: Browser) -> list[Form]:
    browser.get("/partners")
    return browser.forms("/partners")


def reports(club: RunningServer, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """What the command says once it gets the database, which a busy machine's server may hold for over two seconds."""
    command = [sys.executable, "-m", "chouine", "reports", "--database", f"sqlite:///{folder / 'chouine.db'}"]
    deadline = time.monotonic() + PATIENCE
    while True:
        answer = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
        if "OperationalError" not in answer.stderr or time.monotonic() > deadline:
            return answer


@pytest.mark.parametrize("what", ["waits", "reports"])
def test_who_asks_too_often_is_refused(club: RunningServer, what: str) -> None:
    anne, basile = club.visit(), club.visit()
    wait(anne, "Anne")
    table_id = join(basile).removeprefix("/table/")
    path, fields = {
        "waits": ("/partners", {"what": "wait", "name": "Basile"}),
        "reports": (f"/report/table/{table_id}", {"target": f"table:{table_id}:1"}),
    }[what]
    codes = [basile.post(path, **fields).status_code for _ in range(VISITOR[what].most + 1)]
    assert codes[-1] == 429
    assert 429 not in codes[:-1]


@pytest.mark.parametrize(
    ("text", "french", "english"),
    [("20:30", "20_h_30", "20:30"), ("9:00", "9_h", "09:00"), ("0:11", "0_h_11", "00:11"), ("", "", "")],
)
def test_the_hour_of_the_evening(text: str, french: str, english: str) -> None:
    meeting = Meeting((), None, 0.0, Site.of("", "", text).evening)
    assert (meeting.hour("fr"), meeting.hour("en")) == (french.replace("_", "\N{NO-BREAK SPACE}"), english)


@pytest.mark.parametrize("text", ["24:00", "20h30", "20:60", "soir"])
def test_an_hour_that_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="not an hour"):
        Site.of("", "", text)
