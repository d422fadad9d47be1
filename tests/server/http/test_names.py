"""Names that show nothing, mix alphabets or look like another's: at tables, among partners, in contests."""

from __future__ import annotations

from html import unescape

import pytest

from chouine.phrases import say
from chouine.table import TableState
from chouine.table import commands as ask
from chouine.table.decide import answer
from chouine.table.entries import Opened, Sat, SeatHolder
from chouine.table.evolve import opening_state
from tests.server.serving import Browser

BAD = {
    "\u3164": "name/blank",
    "007": "name/no-letter",
    "L" + "\u0301" * 23 + "éa": "name/marks",
    "Lisоn": "name/scripts",
}


@pytest.mark.parametrize("name", BAD)
def test_a_name_that_cannot_be_shown_is_refused_with_the_reason(
    name: str, host: Browser, friend: Browser
) -> None:
    """At a new table, at a link's seat, for a wait, for a contest's title and entry, on a score sheet."""
    table_id = host.open(**{"name-0": "Basile"})
    for told in (
        host.post("/new", **{"format": "1x1", "chair-0": "me", "chair-1": "friend", "name-0": name}),
        friend.sit(host.links(table_id)[1], name),
        friend.post("/partners", what="wait", name=name),
        friend.post("/contests", title=name),
        friend.post("/marqueur", **{"what": "start", "name-0": name, "name-1": "Max"}),
    ):
        assert told.status_code == 422, told.url
        reasons = [say(BAD[name], language, name=name, most=2) for language in ("fr", "en")]
        assert any(reason in unescape(told.text) for reason in reasons), told.url
    assert "Basile" in friend.sit(host.links(table_id)[1], "Léa").text


def test_a_twin_at_a_table_gets_a_number(host: Browser, friend: Browser) -> None:
    table_id = host.open(**{"name-0": "Тома"})
    friend.sit(host.links(table_id)[1], "Toma")
    assert "Toma 2" in host.get(f"/table/{table_id}").text


def test_who_comes_back_keeps_an_old_name(host: Browser, friend: Browser) -> None:
    """A stored name is read as it is, and moves to another device with its seat."""
    holders = SeatHolder("person", "007", "one"), SeatHolder("person", "007", "two")
    table = opening_state(Opened("classic", "1x1", holders), 0)
    assert sat(table, ask.Sit(1, "three", "007", "two")) == "007"


def test_two_who_sit_down_at_once_are_told_apart() -> None:
    """Both chose a name that was free when their page was shown."""
    holders = SeatHolder("person", "Lison", "one"), SeatHolder("person", "")
    table = opening_state(Opened("classic", "1x1", holders), 0)
    assert sat(table, ask.Sit(1, "two", "Iison")) == "Iison 2"


def sat(table: TableState, command: ask.Sit) -> str:
    entry = next(iter(answer(table, command, 0)))
    assert isinstance(entry, Sat)
    return entry.name
