"""The lessons' effect, measured by a beginner that knows only what they teach."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from chouine.ai.levels import level
from chouine.arena.partie import play_partie
from chouine.partie import Deal
from chouine.players.base import Player
from chouine.players.simple import RandomPlayer
from chouine.rules.options import Rules
from chouine.school.lessons import lessons
from tests.school.beginner import Beginner

RULES = Rules()


def random_player(seed: int) -> Player:
    return RandomPlayer(Random(seed))


def level_two(seed: int) -> Player:
    return level(2, RULES, seed)


def win_rate(done: int, other: Callable[[int], Player], deals: int) -> float:
    """The win rate of a beginner after `done` lessons, each deal from both seats; a nulle counts half."""
    share = 0.0
    for seed in range(deals):
        deal = Deal.random(RULES, dealer=0, rng=Random(seed))
        for seat in (0, 1):
            players = [other(seed), other(seed)]
            players[seat] = Beginner(done, Random(seed))
            result = play_partie(RULES, deal, players).state.result
            assert result is not None
            share += 0.5 if result.winner is None else result.winner == seat
    return share / (2 * deals)


@pytest.mark.long
@pytest.mark.parametrize(
    ("done", "other", "deals"),
    [(4, random_player, 40), (len(lessons()), level_two, 60)],
    ids=["after lesson 4 random", "after the last level 2"],
)
def test_a_beginner_beats(done: int, other: Callable[[int], Player], deals: int) -> None:
    assert win_rate(done, other, deals) > 0.5
