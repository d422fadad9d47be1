"""Invitations: the link a friend opens, and the page that gives the links."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from chouine.server.pages.codes import code_of
from chouine.server.pages.join import join_page, links_page
from chouine.server.pages.visit import Visit
from tests.server.pages.matches import play_match, seating
from tests.server.pages.reading import Page

STRANGER = Visit("fr", "a-token", "someone", "Ève")
HOST = Visit("en", "a-token", "guest-0", "Jean")
OWN = "https://table.example/join/g/0/123456"
LINK = "https://table.example/join/g/1/abcdef"


def test_an_invitation_tells_who_what_and_asks_a_name() -> None:
    page = Page(join_page(STRANGER, "g", seating(), 1, "abcdef"))
    form = page.form("/join/g/1/abcdef")
    assert (form.method, form.sent) == ("post", {"csrf": "a-token", "name": "Ève"})
    assert "Jean vous invite" in page.text
    assert "Talon épuisé, il faut monter dans toutes les couleurs" in page.text
    assert "Une manche" in page.text


def test_a_chair_that_is_held_can_be_taken_to_another_device() -> None:
    page = Page(join_page(STRANGER, "g", play_match(seed=1), 1, "abcdef"))
    assert page.form("/join/g/1/abcdef").sent == {"csrf": "a-token", "name": "Charles"}
    assert "Charles : sa place" in page.text


def test_links_wait_for_friends() -> None:
    table = seating()
    page = Page(links_page(HOST, "g", table, {0: OWN, 1: LINK}))
    assert page.values("link-1") == [LINK]
    assert page.values("link-0") == [OWN]
    assert page.values("link-watch") == ["https://table.example/table/g"]
    assert page.html.index(LINK) < page.html.index(OWN)
    assert "Send this link to your friend" in page.text
    assert "still to come" in page.text
    assert f'data-stream="/table/g/stream?after={table.n}"' in page.html


@pytest.mark.parametrize(
    ("site", "here_only"), [("http://127.0.0.1:8000", True), ("http://192.168.1.20:8000", False)]
)
def test_a_link_that_no_other_computer_can_open_says_so(site: str, *, here_only: bool) -> None:
    page = Page(links_page(HOST, "g", seating(), {0: f"{site}/join/g/0/1", 1: f"{site}/join/g/1/2"}))
    assert ("on this computer only" in page.text) is here_only


def test_a_code_for_the_friend_s_link_alone() -> None:
    """Only the friend's link has a QR code: one's own is secret, and a local link cannot be opened elsewhere."""
    html = links_page(HOST, "g", seating(), {0: OWN, 1: LINK})
    assert code_of(LINK) in html
    assert html.count("<svg viewBox") == 1
    here = {0: "http://localhost/join/g/0/1", 1: "http://localhost/join/g/1/2"}
    assert "<svg viewBox" not in links_page(HOST, "g", seating(), here)


def test_what_a_messenger_shows_has_no_secret() -> None:
    """Open Graph tags name the host and a common picture, and never contain the link's secret."""
    page = Page(join_page(STRANGER, "g", seating(), 1, "abcdef", "https://table.example"))
    shown = dict(re.findall(r'property="(og:[^"]+)" content="([^"]*)"', page.html))
    assert shown["og:title"] == "Jean vous invite"
    assert shown["og:image"].startswith("https://table.example/static/icons/invitation.png?v=")
    assert not [text for text in shown.values() if "abcdef" in text or "/join/" in text]
    assert "og:url" not in shown


def test_no_picture_where_the_site_does_not_know_its_address() -> None:
    assert "og:image" not in join_page(STRANGER, "g", seating(), 1, "abcdef")
    assert "og:title" not in join_page(
        STRANGER, "g", play_match(seed=1), 1, "abcdef", "https://table.example"
    )


def test_a_name_is_text_for_a_messenger_too() -> None:
    table = seating()
    named = replace(table, holders=(replace(table.holders[0], name='"><script>'), *table.holders[1:]))
    assert "<script>" not in join_page(STRANGER, "g", named, 1, "abcdef", "https://table.example")


def test_links_of_a_table_where_all_sit() -> None:
    page = Page(links_page(HOST, "g", play_match(seed=1), {0: OWN}))
    assert "/table/g" in page.links
    assert "data-stream" not in page.html
    assert "Send this link" not in page.text


def test_nobody_is_told_a_link_that_is_not_given() -> None:
    assert "/join/" not in links_page(STRANGER, "g", seating(), {})
