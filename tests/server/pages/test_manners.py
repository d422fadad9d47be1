"""Small courtesies of the table's page: who paused it, and the ways to its links."""

from __future__ import annotations

from chouine.server.pages.frames import Viewer
from chouine.server.pages.visit import Visit
from chouine.table import commands as ask
from chouine.table.entries import ClockTerms, SeatHolder
from tests.server.matches import Table, opening, person, playing


def page_html(table: Table, seat: int) -> str:
    return Viewer(Visit("en", "s3cret", f"guest-{seat}"), "t", seat).frame(table.table).html


def test_a_pause_says_who_paused() -> None:
    table = Table.set(opening()).until(playing)
    table.do(ask.Pause(1))
    assert "The table is paused by Nom 1." in page_html(table, 0)
    assert "You have paused the table." in page_html(table, 1)


def test_a_pause_by_all_says_so() -> None:
    """With a clock all have to agree."""
    table = Table.set(opening(clock=ClockTerms(60, 300))).until(playing)
    table.do(ask.Pause(0))
    assert "Nom 0 asks for a pause." in page_html(table, 1)
    table.do(ask.Pause(1))
    assert "The table is paused: everybody wished it." in page_html(table, 0)


def test_links_are_reached_during_play_by_those_who_play() -> None:
    table = Table.set(opening("classic", "1x1", [person(0), SeatHolder("heuristic", "L")])).until(playing)
    visit = Visit("en", "s3cret", "guest-0")
    assert 'href="/table/t/links"' in Viewer(visit, "t", 0).page(table.table)
    assert "/links" not in Viewer(Visit("en", "s3cret", "stranger"), "t", None).page(table.table)
