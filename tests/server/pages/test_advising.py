"""Hints of the advice are true of the card that is then advised."""

from __future__ import annotations

import pytest

from chouine.cards import Card
from chouine.partie import Play
from chouine.server.pages.advising import idea
from tests.rules.table import marking_time, partie


@pytest.mark.parametrize(
    ("tricks", "card", "said"),
    [
        (0, "Kh", "You cannot keep everything"),
        (11, "Ac", "highest left of its suit"),
        (11, "Tc", "a brisque of yours"),
        (11, "Qs", "You cannot keep everything"),
    ],
)
def test_a_lead_is_hinted_at_by_what_the_card_is(tricks: int, card: str, said: str) -> None:
    """§9: A king is lost for declarations only when its queen has fallen; of a suit only the best card is master."""
    state = marking_time(partie("classic", ".KJ7..|", "9d"), tricks)
    assert state.turn is not None
    view = state.view(state.turn)
    assert Play(Card(card)) in view.legal
    assert said in idea(view, Play(Card(card)))
