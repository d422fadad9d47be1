"""The graph of a partie's review."""

from __future__ import annotations

from chouine.notation.lines import actions_of
from chouine.partie import Exchange, Play
from chouine.server.pages.review import tricks_of
from tests.server.pages.matches import play_match


def test_every_third_trick_is_marked_at_its_lead() -> None:
    """Every third trick is marked at its lead: acts count the exchange, tricks do not."""
    exchanged = False
    for seed in range(6):
        events = play_match(form="1x1", seed=seed).played[0].state.events
        acts = list(actions_of(events))
        exchanged |= Exchange() in acts
        cards = [nth for nth, action in enumerate(acts, 1) if isinstance(action, Play)]
        assert tricks_of(events, 2) == [(1 + lead // 2, cards[lead]) for lead in range(0, len(cards), 6)]
    assert exchanged
