"""A table for tests: players that see only their views."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chouine.arena.partie import asking, play_on
from chouine.partie.actions import Action
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players.base import Player
from chouine.rules.options import Rules


def ask(state: State, players: Sequence[Player]) -> tuple[int, Action]:
    """The next action and its seat; it must not be a pass by the seat on turn."""
    seat, action = state.next_act(lambda seat: players[seat].act(state.view(seat)))
    assert action is not None
    return seat, action


def play_out(rules: Rules, deal: Deal, players: Sequence[Player]) -> State:
    """A complete partie; an illegal action raises."""
    return play_on(State.new(rules, deal), asking(players))


def wins(rules: Rules, one: Player, others: Player, parties: int, rng: Random) -> tuple[int, int]:
    """Parties won by `one`, and parties decided; `one` takes every seat in turn on the same deal."""
    won = decided = 0
    deal = Deal.random(rules, 0, rng)
    for number in range(parties):
        seat = number % rules.seats
        if number and seat == 0:
            deal = Deal.random(rules, number // rules.seats % rules.seats, rng)
        players = [one if place == seat else others for place in range(rules.seats)]
        result = play_out(rules, deal, players).result
        assert result is not None
        won += result.winner == seat
        decided += result.winner is not None
    return won, decided
