"""Celebrations, as each seat sees them."""

from __future__ import annotations

import re

import pytest

from chouine.partie import Declared
from chouine.server.pages.announcements import WAYS
from chouine.server.pages.frames import Viewer
from chouine.server.pages.visit import Visit
from chouine.table import Opened
from chouine.table.entries import Acted
from chouine.table.evolve import opening_state
from tests.server.pages.tables import chairs, random_match, step
from tests.server.pages.test_frames import CHOUINE

FEAST = re.compile(r'data-feast="(\w+)" data-way="\w+" data-place="(\w+)" data-won="(\w*)"')


@pytest.mark.parametrize(("seat", "place", "won"), [(0, "1", ""), (1, "0", "yes")])
def test_a_chouine_is_won_by_who_says_it(seat: int, place: str, won: str) -> None:
    """§10: a chouine is celebrated at its declarer's place, then the partie as won or lost."""
    lead, _ = step(opening_state(Opened("classic", "1x1", chairs("ab"), deal=CHOUINE), 0.0), Acted(0, "9c"))
    _, moment = step(lead, Acted(1, "Ks+chs"))
    viewer = Viewer(Visit("fr", "csrf", "ab"[seat]), "g", seat)
    trick, counted = viewer.frames(moment.before, moment.entry, moment.after)
    assert FEAST.findall(trick.html) == [("chouine", place, won)]
    assert FEAST.findall(counted.html) == [("partie", "none", "yes" if seat else "no")]


def test_a_declaration_is_celebrated_where_it_was_said() -> None:
    celebrated = 0
    viewers = [Viewer(Visit("fr", "csrf", guest), "g", seat) for seat, guest in enumerate("ab")]
    for moment in random_match("classic", "1x1", "ab", 1):
        before, after = (
            (table.state.events if table.state else ()) for table in (moment.before, moment.after)
        )
        said = [event for event in after[len(before) :] if isinstance(event, Declared)]
        for seat, viewer in enumerate(viewers):
            first, *_ = viewer.frames(moment.before, moment.entry, moment.after)
            found = [feast for feast in FEAST.findall(first.html) if feast[0] == "declaration"]
            assert found == [("declaration", str((event.seat - seat) % 2), "") for event in said]
            celebrated += len(found)
    assert celebrated


def test_one_partie_s_end_is_celebrated_otherwise_than_the_next() -> None:
    """Celebrations of consecutive parties differ and are equal for both seats; a declaration's never changes."""
    viewers = [Viewer(Visit("fr", "csrf", guest), "g", seat) for seat, guest in enumerate("ab")]
    ways = []
    for moment in random_match("classic", "3x1", "ab", 1):
        shown = [viewer.frames(moment.before, moment.entry, moment.after)[-1].html for viewer in viewers]
        feasts = [re.findall(r'data-feast="(\w+)" data-way="(\w+)"', html) for html in shown]
        assert feasts[0] == feasts[1]
        for kind, way in feasts[0]:
            if kind == "declaration":
                assert way == WAYS[0]
            else:
                ways.append(way)
    assert len(ways) >= 3
    assert set(ways[:3]) == set(WAYS)
