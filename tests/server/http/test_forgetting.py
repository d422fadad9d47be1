"""A browser that forgets its visitor, and one that keeps no cookies."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import httpx
import pytest

from tests.server.serving import Forms, Served, serving

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
        game = host.open(**{"name-0": "Marthe"})
        host.http.cookies.set("chouine-01234567", "anothers")
        assert rows(database) == 1
        page = host.get("/settings/forget").text
        assert "Your seat in 1 match in progress." in page
        assert f'href="/table/{game}/links"' in page
        answer = host.submit(host.form("/settings/forget"))
        assert answer.status_code == 200
        assert "The server has forgotten this browser" in answer.text
        assert "cookies" not in answer.headers["clear-site-data"]
        assert dict(host.http.cookies) == {"chouine-01234567": "anothers"}
        assert rows(database) == 0
        assert f"/table/{game}" not in host.get("/").text
        assert "Marthe" in friend.get(f"/table/{game}").text


def test_it_can_be_loaded_again(served: Served) -> None:
    """Posting once more, when nothing is known any more, shows the same page."""
    host = served.visit("fr")
    host.get("/settings/forget")
    form = host.form("/settings/forget")
    for _ in range(2):
        assert host.submit(form).status_code == 200


def test_the_settings_lead_there(served: Served) -> None:
    assert 'href="/settings/forget"' in served.visit().get("/settings").text


@pytest.mark.parametrize("path", FORMS)
def test_a_browser_that_refuses_cookies_is_told_of_cookies(served: Served, path: str) -> None:
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
