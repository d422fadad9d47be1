"""The counting trainer agrees with the rules on real parties (§12)."""

from __future__ import annotations

from random import Random

from chouine.arena.partie import play_partie
from chouine.partie import Deal
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules.options import Rules
from chouine.school.trainer import pile


def test_the_full_count_is_what_the_partie_counted() -> None:
    rules = Rules()
    for seed in range(12):
        shown = pile(seed, brisques=False)
        deal = Deal.random(rules, dealer=1, rng=Random(f"pile {shown.seed}"))
        result = play_partie(rules, deal, [HeuristicPlayer(), HeuristicPlayer()]).state.result
        assert result is not None
        if result.by == "points":
            assert shown.exercise.right == result.points[0]


def test_the_short_count_leaves_out_the_court_cards() -> None:
    """§12: Full and short counts differ by the points of kings, queens and jacks."""
    for seed in range(12):
        short, full = pile(seed, brisques=True), pile(seed, brisques=False)
        assert short.cards == full.cards
        court = sum(card.points for card in full.cards if card.points < 10)
        assert full.exercise.right - short.exercise.right == court


def test_an_address_shows_the_same_pile_again() -> None:
    assert pile(7, brisques=True) == pile(7, brisques=True)
    assert pile(7, brisques=True).query == "pile=7"
    assert pile(7, brisques=False).query == "pile=7&full=1"
