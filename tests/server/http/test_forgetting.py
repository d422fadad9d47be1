"""A browser that forgets its visitor, and one that keeps no cookies."""

from __future__ import annotations

import re
import sqlite3
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest

from tests.server.serving import Forms, RunningServer, serving

FORMS = ("/", "/settings", "/learn/takes/2", "/learn/progress", "/partners", "/contests", "/marqueur")


def rows(database: Path) -> int:
    with sqlite3.connect(database) as store:
        ((many,),) = store.execute("select count(*) from session").fetchall()
    return int(many)


def test_a_shared_computer_forgets(tmp_path: Path) -> None:
    """The session's row and the cookie go, the seats with it; another server's cookie stays, and so does the match."""
    database = tmp_path / "chouine.db"
    with serving(f"sqlite:///{database}", tmp_path / "errors") as served:
        host, friend = served.visit("en"), served.visit("en")
        table_id = host.open(**{"name-0": "Marthe"})
        host.http.cookies.set("chouine-01234567", "anothers")
        assert rows(database) == 1
        page = host.get("/settings/forget").text
        assert "Your seat in 1 match in progress." in page
        assert f'href="/table/{table_id}/links"' in page
        answer = host.submit(host.form("/settings/forget"))
        assert answer.status_code == 200
        assert "The server has forgotten this browser" in answer.text
        assert "cookies" not in answer.headers["clear-site-data"]
        assert dict(host.http.cookies) == {"chouine-01234567": "anothers"}
        assert rows(database) == 0
        assert f"/table/{table_id}" not in host.get("/").text
        assert "Marthe" in friend.get(f"/table/{table_id}").text


def test_whoever_erases_all_is_named_nowhere(tmp_path: Path) -> None:
    """Neither in the files, nor to the other player, nor in metrics; no byte of the cookie's digest is left."""
    database = tmp_path / "chouine.db"
    with serving(f"sqlite:///{database}", tmp_path / "errors") as served:
        host, friend = served.visit("en"), served.visit("en")
        table_id = host.open(**{"name-0": "Marthe"})
        friend.sit(host.links(table_id)[1])
        host.open(**{"name-0": "Marthe", "player-1": "level:1"})
        page = host.get("/mine").text
        guest = re.search(r"<code>(\w{32})</code>", page)
        assert guest
        assert "Seats at tables" in page
        assert "Marthe" in friend.get(f"/table/{table_id}").text
        answer = host.get("/mine/chouine.zip")
        assert answer.headers["content-type"] == "application/zip"
        assert guest[1] in ZipFile(BytesIO(answer.content)).read("chouine.json").decode()
        host.get("/settings/forget?all=1")
        assert "You are erased here" in host.submit(host.form("/settings/forget")).text
        assert not [*host.http.cookies]
        for path in (f"/table/{table_id}", f"/match/{table_id}", "/"):
            assert "Marthe" not in friend.get(path).text
        assert "a player who left" in friend.get(f"/table/{table_id}").text
        assert "Marthe" not in friend.get("/metrics").text
        assert rows(database) == 0
        for file in tmp_path.iterdir():
            assert b"Marthe" not in file.read_bytes(), file
        assert "keeps nothing of this browser" in served.visit("en").get("/mine").text


def test_a_copied_cookie_opens_nothing_after_signing_out_elsewhere(tmp_path: Path) -> None:
    """The browser goes on with its seats, name and matches; a copy of its cookie is nobody's."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        host, thief, friend = served.visit("en"), served.visit("en"), served.visit("en")
        table_id = host.open(**{"name-0": "Marthe"})
        friend.sit(host.links(table_id)[1])
        thief.http.cookies.update(dict(host.http.cookies))
        assert f"/table/{table_id}" in thief.get("/").text
        host.get("/mine")
        answer = host.submit(host.form("/mine"))
        assert "opens nothing any more" in answer.text
        assert f"/table/{table_id}" in host.get("/").text
        assert 'value="Marthe"' in host.get("/").text
        assert f"/table/{table_id}" not in thief.get("/").text
        assert "keeps nothing of this browser" in thief.get("/mine").text


def test_it_can_be_loaded_again(served: RunningServer) -> None:
    """Posting once more, when nothing is known any more, shows the same page."""
    host = served.visit("fr")
    host.get("/settings/forget")
    form = host.form("/settings/forget")
    for _ in range(2):
        assert host.submit(form).status_code == 200


def test_the_settings_lead_there(served: RunningServer) -> None:
    assert 'href="/settings/forget"' in served.visit().get("/settings").text


@pytest.mark.parametrize("path", FORMS)
def test_a_browser_that_refuses_cookies_is_told_of_cookies(served: RunningServer, path: str) -> None:
    """On every page's forms: the form is not too old."""
    page = httpx.get(f"{served.url}{path}", headers={"Accept-Language": "fr"})
    forms = [form for form in Forms(page.text).found if "csrf" in form.fields]
    assert forms
    for form in forms:
        answer = httpx.post(f"{served.url}{form.action}", data=form.fields, headers={"Accept-Language": "fr"})
        assert answer.status_code == 403, form.action
        assert "ne garde pas les cookies" in re.sub(r"\s+", " ", answer.text), form.action
        old = httpx.post(
            f"{served.url}{form.action}",
            data=form.fields,
            headers={"Accept-Language": "fr", "Cookie": "other=1"},
        )
        assert "trop ancien" in old.text, form.action
