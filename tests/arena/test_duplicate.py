"""Seat-fixed draws: a seat draws the same cards whoever takes the tricks, and views reveal nothing more."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.arena.partie import play_partie
from chouine.cards import Card
from chouine.partie.deal import Deal
from chouine.partie.events import Drawn
from chouine.partie.state import State, arrange_draw, fixed_draws
from chouine.players import HeuristicPlayer, Player, RandomPlayer
from chouine.rules.options import PRESETS, Rules
from chouine.rules.rule_table import rule_table_of


def draws_by_seat(state: State) -> list[list[Card | None]]:
    """Each seat's draws from the hidden talon, in order."""
    cards: list[list[Card | None]] = [[] for _ in range(state.rules.seats)]
    for event in state.events:
        if isinstance(event, Drawn):
            cards[event.seat].append(event.card)
    return cards


def play_deal(rules: Rules, deal: Deal, rng: Random) -> State:
    kinds: list[Player] = [HeuristicPlayer(), RandomPlayer(rng)]
    return play_partie(rules, deal, [rng.choice(kinds) for _ in range(rules.seats)]).state


@given(st.sampled_from(sorted(PRESETS)), st.randoms(use_true_random=False))
def test_a_seat_draws_the_same_cards_however_the_partie_goes(preset: str, rng: Random) -> None:
    rules = Rules.of_preset(preset)
    deal = Deal.random(rules, rng.randrange(rules.seats), rng)
    one, other = draws_by_seat(play_deal(rules, deal, rng)), draws_by_seat(play_deal(rules, deal, rng))
    for seat in range(rules.seats):
        first, second = (
            one[seat][: fixed_draws(rule_table_of(rules))],
            other[seat][: fixed_draws(rule_table_of(rules))],
        )
        both = min(len(first), len(second))  # a chouine ends a partie early
        assert first[:both] == second[:both]
        own = deal.talon[seat :: rules.seats]
        assert tuple(first) == own[: len(first)]


@pytest.mark.parametrize(
    ("preset", "tricks"),
    [
        ("classic", 10),
        ("three", 7),
        ("four", 4),
        ("mondoubleau", 11),
        ("mondoubleau-three", 7),
        ("mondoubleau-four", 5),
    ],
)
def test_5_the_draw_with_the_turnup_is_left_as_it_lies(preset: str, tricks: int) -> None:
    rule_table = rule_table_of(Rules.of_preset(preset))
    assert fixed_draws(rule_table) == tricks
    assert tricks * rule_table.seats <= rule_table.hidden


@given(st.sampled_from(sorted(PRESETS)), st.randoms(use_true_random=False))
def test_only_cards_of_one_trick_change_places(preset: str, rng: Random) -> None:
    rules = Rules.of_preset(preset)
    deal = Deal.random(rules, 0, rng)
    state = play_deal(rules, deal, rng)
    seats = rules.seats
    assert (state.deal.hands, state.deal.turnup) == (deal.hands, deal.turnup)
    for first in range(0, len(deal.talon), seats):
        before, after = (talon[first : first + seats] for talon in (deal.talon, state.deal.talon))
        assert after in {(*before[taker:], *before[:taker]) for taker in range(seats)}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_14_nobody_sees_the_cards_put_in_order(preset: str) -> None:
    rules, rng, changed = Rules.of_preset(preset), Random(7), 0
    for dealer in range(rules.seats):
        state = State.new(rules, Deal.random(rules, dealer, rng))
        while state.result is None:
            action = rng.choice(state.legal())
            ordered = arrange_draw(state, action)
            changed += ordered.deal != state.deal
            for observer in (None, *range(rules.seats)):
                assert ordered.view(observer) == state.view(observer)
            state = ordered.play(action)
    assert changed
