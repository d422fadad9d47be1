"""AIVAT: luck is the effect of the cards, separated from the effect of play."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import mean, stdev, variance

import pytest

from chouine.arena import Duel, play_pair
from chouine.arena.luck import LinearValue, cards_coming, luck, softmax, with_card
from chouine.arena.partie import play_partie
from chouine.cards import ALL_CARDS, PACK, Card, CardSet
from chouine.partie.deal import Deal
from chouine.partie.events import Drawn
from chouine.partie.state import State
from chouine.players import HeuristicPlayer, Player, RandomPlayer
from chouine.rules.options import PRESETS, Rules
from chouine.rules.position import Position


def play_partie_of(preset: str, seed: int) -> State:
    """A partie between heuristic and random players."""
    rules, rng = Rules.of_preset(preset), Random(seed)
    kinds: list[Player] = [HeuristicPlayer(), RandomPlayer(rng)]
    deal = Deal.random(rules, seed % rules.seats, rng)
    return play_partie(rules, deal, rng.choices(kinds, k=rules.seats)).state


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_card_that_comes_is_one_of_those_nobody_has(preset: str) -> None:
    """Cards are credited one at a time; each is compared with all cards still hidden at that moment."""
    for seed in range(4):
        state = play_partie_of(preset, seed)
        rule_table = state.rule_table
        weighed = 0
        for p, seat, card, cards in cards_coming(state):
            held = p.hands[0] | p.hands[1] | p.hands[2] | p.hands[3]
            assert card in cards
            assert len(set(cards)) == len(cards)
            assert not any(held >> other & 1 for other in cards)
            assert p.turnup not in cards
            assert 0 <= seat < rule_table.seats
            weighed += 1
        drawn = sum(isinstance(event, Drawn) and not event.turnup for event in state.events)
        assert weighed == rule_table.seats * rule_table.hand + drawn


def test_one_seats_luck_is_the_others_want_of_it() -> None:
    for preset in PRESETS:
        for seed in (10, 11):
            state = play_partie_of(preset, seed)
            lucky = luck(state, LinearValue.of(state.rules))
            assert sum(lucky) == pytest.approx(0, abs=1e-9)
            assert any(abs(each) > 0.01 for each in lucky)


def hearts(p: Position, seat: int, cards: Sequence[int]) -> list[list[float]]:
    """A model whose value depends only on the number of hearts in seat a's hand."""
    hands = [with_card(p, seat, card).hands for card in cards]
    return [[(hand >> 8 & 0xFF).bit_count() / 8, 0.0] for hand, *_ in hands]


def opening(hands: Sequence[str], turnup: str) -> State:
    """A deal of two seats, with the rest of the pack as talon in order."""
    held = tuple(map(CardSet, hands))
    known = held[0] | held[1] | CardSet([Card(turnup)])
    talon = tuple(card for card in PACK if card not in known)
    return State.new(Rules(), Deal(1, held, Card(turnup), talon))


def test_luck_is_what_came_less_what_might_have_come() -> None:
    """The luck of a deal of hearts alone equals the hand-computed difference from the mean over hidden cards."""
    state = opening([".AKQJ9..", "KQ9.T8.."], "7h")
    left, hearts_left, expected = 31, 7, 0.0
    for nth in range(10):
        card = list(state.deal.hands[nth % 2])[nth // 2]
        if nth % 2 == 0:
            expected += ((card.suit == 1) - hearts_left / left) / 8
        hearts_left -= card.suit == 1
        left -= 1
    assert luck(state, hearts)[0] == pytest.approx(expected)
    assert expected > 0.4


def test_luck_is_none_on_average() -> None:
    """The mean luck of a hundred parties is 0 within three standard errors."""
    lucky = [
        luck(state, LinearValue.of(state.rules))[0]
        for state in (play_partie_of("classic", n) for n in range(100))
    ]
    assert abs(mean(lucky)) < 3 * stdev(lucky) / sqrt(len(lucky))
    assert stdev(lucky) > 0.2


def test_a_score_less_its_luck_is_steadier() -> None:
    """Luck correction cuts the variance by a quarter or more, unbiased. One partie of each pair: both share a deal."""
    shares, adjusted = [], []
    for number in range(80):
        pair = play_pair(Duel("heuristic", "greedy", luck=True), number)
        shares.append((pair.outcomes[0] + 1) / 2)
        adjusted.append(shares[-1] - pair.luck[0])
    assert variance(adjusted) < 0.75 * variance(shares)
    lucky = [share - own for share, own in zip(shares, adjusted, strict=True)]
    assert abs(mean(lucky)) < 3 * stdev(lucky) / sqrt(len(lucky))


def test_a_player_beside_itself_has_no_luck() -> None:
    for preset in ("classic", "three"):
        pair = play_pair(Duel("heuristic", "heuristic", preset, luck=True), 1)
        assert sum(pair.luck) == pytest.approx(0, abs=1e-9)
        assert len(pair.luck) == len(pair.outcomes)


def test_the_value_knows_good_cards() -> None:
    """The value is high for ace, king, queen and jack of trumps, and for points won."""
    value = LinearValue.of(Rules())
    state = opening(["AKQJ.A..", ".98.98.9"], "9s")
    strong, weak = chances(value, state.position)
    assert strong > 0.65
    assert weak < 0.35
    ahead = state.position._replace(points=(60, 0, 0, 0), hands=(0, 0, 0, 0), tricks=11)
    assert chances(value, ahead)[0] > 0.6


def chances(value: LinearValue, p: Position) -> list[float]:
    """Both seats' win probabilities."""
    return softmax([value.strength(p, seat) for seat in range(2)])


def test_fitting_finds_what_decided() -> None:
    """Fitting recovers the weights that generated the results."""
    import numpy as np

    from chouine.arena.fitting import fit_weights

    rng = np.random.default_rng(1)
    told = rng.normal(size=(20_000, 3, 4))
    weights = np.array([1.0, -0.5, 0.0, 2.0])
    chances = np.exp(told @ weights)
    chances /= chances.sum(axis=1, keepdims=True)
    winners = (rng.random((20_000, 1)) > chances.cumsum(axis=1)).sum(axis=1)
    assert fit_weights(told, winners) == pytest.approx(weights, abs=0.06)


def test_all_cards_are_the_packs() -> None:
    """The first card dealt may be any but the turnup."""
    state = play_partie_of("classic", 2)
    _, _, _, cards = next(cards_coming(state))
    turnup = state.deal.turnup
    assert turnup is not None
    assert sum(1 << card for card in cards) == ALL_CARDS & ~(1 << turnup)
