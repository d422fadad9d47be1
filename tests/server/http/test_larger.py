"""The size of text: a button at the top of every page, whose choice is remembered; and the edition of the lessons."""

from __future__ import annotations

from tests.attack.conftest import deal
from tests.server.http.test_head import addresses
from tests.server.serving import Browser

WITHOUT = {
    "/offline": "a page around the site, which has the button",
    "/partners/list": "a part of the first page",
    "/circle/list": "a part of the page of friends",
    "/tables/list": "a part of the page of one's tables",
}


def test_every_page_has_the_button(host: Browser, friend: Browser) -> None:
    """Pages of a finished match, of an open one, and refusals; not files, streams and data."""
    over, open_ = host.open(format="1x1"), host.open()
    friend.sit(host.links(over)[1])
    deal(host, friend, over)
    assert host.tell(over, "concede", 0).json()["ok"]
    pages = set()
    for path in sorted({path for table_id in (over, open_) for path in addresses(host, table_id)}):
        with host.http.stream("GET", path) as answer:
            if not answer.headers.get("content-type", "").startswith("text/html") or path in WITHOUT:
                continue
            html = answer.read().decode()
        pages.add(path)
        assert html.count('action="/larger"') == 1, path
        assert html.index('action="/larger"') < html.index("<main"), path
    assert len(pages) > 30


def test_the_choice_is_remembered_and_taken_back(host: Browser) -> None:
    page = host.get("/rules?section=9").text
    assert "deck-large large" not in page
    page = host.submit(host.form("/larger"), large="1").text
    assert "deck-large large" in page
    assert "§9" in page
    assert '<span class="unseen">Texte plus petit</span>' in page
    assert "deck-large large" in host.get("/learn").text
    assert "deck-large large" not in host.submit(host.form("/larger"), large="").text


def test_other_settings_stay(host: Browser) -> None:
    host.get("/settings")
    host.submit(host.form("/settings"), four_colours="1", felt="wine")
    host.get("/")
    page = host.submit(host.form("/larger"), large="1").text
    assert "large deck-four-colours" in page
    assert "felt-wine" in page


def test_the_edition_for_children_is_one_tap_away_and_so_is_the_way_back(host: Browser) -> None:
    host.get("/learn/takes/1")
    assert "Pour les grands" in host.submit(host.form("/edition"), child="1").text
    assert host.page.url.path == "/learn/takes/1"
    assert "Pour les enfants" in host.submit(host.form("/edition"), child="").text
