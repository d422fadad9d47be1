"""Worlds of more than two seats weighed by the others' play: against every way back, counted one by one."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from chouine.ai import neural
from chouine.ai.hindsight import AT_RANDOM, LAID, hindsight, past_of, weigh
from chouine.ai.likelihood import TEMPER, Moment
from chouine.ai.neural import FullPlayer, NetworkPlayer
from chouine.ai.opponent import NetworkModel
from chouine.ai.worlds import worlds
from chouine.partie.actions import Exchange, Play
from chouine.partie.deal import Deal
from chouine.partie.events import Exchanged, Played
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players import Player
from chouine.rules.options import Rules
from chouine.rules.position import Four, Position, put
from tests.ai.test_network import untaught
from tests.players.table import play_out

MORE = pytest.mark.parametrize("rules", [Rules.parse("three"), Rules.parse("four")], ids=str)


def weights(view: View, hands: list[int], ways: int) -> list[float]:
    """What a world weighs on so many ways back."""
    past, told = past_of(view), np.zeros(ways)
    each = np.array([hands] * ways, np.int64)
    weigh(view.book, untaught(view.rules.seats), *past, 1, each, told)
    return list(told)


def half_believed(view: View, p: Position, play: Played, played: Four, hand: int) -> float:
    """What a seat's act says for a hand that it may have come from."""
    moment = Moment(view.rules, p, play.seat, played, Play(play.card))
    share = NetworkModel(untaught(view.rules.seats)).likelihood(moment, np.array([hand]))[0]
    return float(max(share, AT_RANDOM) ** TEMPER) if share > 0 else 0.0


def after(rules: Rules, cards: int, seed: int) -> State:
    """So many cards into a partie, neither a declaration nor an exchange made."""
    rng = Random(seed)
    state = State.new(rules, Deal.random(rules, 0, rng))
    for _ in range(cards):
        plays = [act for act in state.legal() if isinstance(act, Play) and act.declaration is None]
        state = state.play(rng.choice(plays))
    return state


@MORE
def test_a_card_just_laid_was_in_the_hand(rules: Rules) -> None:
    state = after(rules, 1, seed=3)
    view, hands = state.view(state.turn), list(state.position.hands)
    (laid,) = view.table
    p = State.new(rules, state.deal).view(None).position
    expected = half_believed(view, p, laid, (0, 0, 0, 0), hands[laid.seat] | 1 << laid.card)
    assert weights(view, hands, 1) == pytest.approx([expected])
    assert expected != pytest.approx(1 / 3**TEMPER)


@MORE
def test_any_card_may_be_the_one_drawn(rules: Rules) -> None:
    """After a trick, on average over ways back: each other seat's three, one for each card of its hand."""
    state = after(rules, rules.seats, seed=4)
    observer = 0
    view, hands = state.view(observer), list(state.position.hands)
    whole = State.new(rules, state.deal)
    ways, played = [], (0, 0, 0, 0)
    for play in (event for event in view.events if isinstance(event, Played)):
        held = [card for card in range(32) if hands[play.seat] >> card & 1]
        if play.seat != observer:
            known = whole.view(None).position
            before = [hands[play.seat] & ~(1 << drawn) | 1 << play.card for drawn in held]
            ways.append([half_believed(view, known, play, played, hand) for hand in before])
        whole, played = (
            whole.play(Play(play.card)),
            put(played, play.seat, played[play.seat] | 1 << play.card),
        )
    every = [float(np.prod(way)) for way in product(*ways)]
    found = weights(view, hands, 3_000)
    assert {round(weight, 9) for weight in found} <= {round(weight, 9) for weight in every}
    assert np.mean(found) == pytest.approx(np.mean(every), rel=0.05)


@MORE
def test_what_is_true_is_never_ruled_out(rules: Rules) -> None:
    """Declarations, exchanges and the last tricks included."""
    exchanged = 0
    for seed in range(12):
        rng = Random(seed)
        state = State.new(rules, Deal.random(rules, 0, rng))
        while state.turn is not None:
            swaps = [act for act in state.legal() if isinstance(act, Exchange)]
            state = state.play(rng.choice(swaps or state.legal()))
            assert any(weights(state.view(seed % rules.seats), list(state.position.hands), 60))
        exchanged += any(isinstance(event, Exchanged) for event in state.events)
    assert exchanged


@MORE
def test_worlds_drawn_can_be(rules: Rules) -> None:
    """They are as `worlds` deals them, only others of them."""
    for cards in (5, 14):
        state = after(rules, cards, seed=5)
        view = state.view(state.turn)
        among = hindsight(view, past_of(view), untaught(rules.seats), 64, 1)
        dealt = {tuple(hands) for hands in worlds(view, 128, 1).hands.tolist()}
        assert len(among.hands) == 64
        assert {tuple(hands) for hands in among.hands.tolist()} <= dealt


@MORE
def test_own_acts_tell_nothing(rules: Rules) -> None:
    state = after(rules, rules.seats, seed=6)
    for seat in range(rules.seats):
        past = past_of(state.view(seat))
        assert seat not in past.deeds[:, 1]
        assert (past.deeds[:, 0] == LAID).sum() == rules.seats - 1


@MORE
def test_players_by_a_network_play_parties_of_more_seats_out(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neural, "loaded", lambda _: untaught(rules.seats))
    chairs: list[Player] = [FullPlayer(rules, seat, many=8) for seat in range(rules.seats - 1)]
    chairs.append(NetworkPlayer(rules))
    for seed in range(2):
        assert play_out(rules, Deal.random(rules, 0, Random(seed)), chairs).result


@MORE
def test_14_only_the_view_is_used(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """§14: seats that see the same act the same, whatever the others hold."""
    monkeypatch.setattr(neural, "loaded", lambda _: untaught(rules.seats))
    state = after(rules, 1, seed=2)
    deal, seat = state.deal, state.turn or 0
    others = [nth for nth in range(rules.seats) if nth not in (seat, state.view(seat).table[0].seat)]
    hands, talon = list(deal.hands), list(deal.talon)
    mine = {*hands[others[0]]}
    talon[:3], hands[others[0]] = [*hands[others[0]]], type(hands[0])(talon[:3])
    assert mine != {*hands[others[0]]}
    other = State.new(rules, Deal(deal.dealer, tuple(hands), deal.turnup, tuple(talon)))
    other = other.play(Play(state.view(seat).table[0].card))
    view, same = state.view(seat), other.view(seat)
    assert view == same
    assert NetworkPlayer(rules).act(view) == NetworkPlayer(rules).act(same)
    assert FullPlayer(rules, 1).judge(view, many=16) == FullPlayer(rules, 1).judge(same, many=16)
