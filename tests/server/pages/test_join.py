"""Invitations: the link a friend opens, and the page that gives the links."""

from __future__ import annotations

from chouine.server.pages.join import join_page, links_page
from chouine.server.pages.visit import Visit
from tests.server.pages.matches import finished, seating
from tests.server.pages.reading import Page

STRANGER = Visit("fr", "a-token", "someone", "Ève")
HOST = Visit("en", "a-token", "guest-0", "Jean")
LINK = "https://table.example/join/g/1/abcdef"


def test_an_invitation_tells_who_what_and_asks_a_name() -> None:
    page = Page(join_page(STRANGER, "g", seating(), 1, "abcdef"))
    form = page.form("/join/g/1/abcdef")
    assert (form.method, form.sent) == ("post", {"csrf": "a-token", "name": "Ève"})
    assert "Jean vous invite" in page.text
    assert "Talon épuisé, il faut monter dans toutes les couleurs" in page.text
    assert "Une manche" in page.text


def test_a_chair_is_offered_once() -> None:
    room = finished(seed=1)
    taken = Page(join_page(STRANGER, "g", room, 1, "abcdef"))
    own = Page(join_page(HOST, "g", room, 0, "abcdef"))
    for page in (taken, own):
        assert [form.action for form in page.forms] == ["/language"]
        assert "/table/g" in page.links


def test_links_wait_for_friends() -> None:
    room = seating()
    page = Page(links_page(HOST, "g", room, {1: LINK}))
    assert f'value="{LINK}"' in page.html
    assert "still to come" in page.text
    assert f'data-stream="/table/g/stream?after={room.n}"' in page.html
    assert "Send this link to your friend" in page.text


def test_nobody_is_told_a_link_that_is_not_given() -> None:
    assert "/join/" not in links_page(STRANGER, "g", seating(), {})
