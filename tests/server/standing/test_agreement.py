"""The agreement to a rated match: in the form of a new table, and on the page of an invitation."""

from __future__ import annotations

import pytest

from chouine.server.forms import opened_by
from chouine.server.pages.join import join_page
from chouine.server.pages.visit import Visit
from chouine.table.commands import Refused
from chouine.table.evolve import opening_state

ASKED = {
    "preset": "classic",
    "chair-0": "me",
    "chair-1": "friend",
    "format": "3x1",
    "move": "60",
    "rated": "1",
}
VISIT = Visit("fr", "csrf", "b")


def test_the_setter_agrees_for_their_own_seat_alone() -> None:
    opened = opened_by(ASKED, "a")
    assert [holder.rated for holder in opened.chairs] == [True, False]
    assert not any(holder.rated for holder in opened_by({**ASKED, "rated": ""}, "a").chairs)


@pytest.mark.parametrize(
    "change",
    [
        {"move": "0"},
        {"chair-1": "level:3"},
        {"chair-1": "me"},
        {"chair-0": "friend"},
        {"option-head": "always"},
    ],
    ids=["no clock", "computer", "one device", "not there", "house rule"],
)
def test_a_match_that_cannot_count_is_refused_as_such(change: dict[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        opened_by(ASKED | change, "a")
    assert refused.value.code == "table/not-rated"


def test_an_invitation_asks_only_where_it_is_proposed() -> None:
    proposed = opening_state(opened_by(ASKED, "a"), 0.0)
    plain = opening_state(opened_by({**ASKED, "rated": ""}, "a"), 0.0)
    assert 'name="rated"' in join_page(VISIT, "t", proposed, 1, "secret")
    assert 'name="rated"' not in join_page(VISIT, "t", plain, 1, "secret")
