"""Opponents are inferred from their acts; with more than two seats compared with random deals replayed."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from chouine.ai import neural
from chouine.ai.arrays import Floats, Ints
from chouine.ai.beliefs import RangeTracker
from chouine.ai.deduced import hidden
from chouine.ai.likelihood import UNIFORM, ObservedAction
from chouine.ai.macro_actions import act_of
from chouine.ai.neural import FullPlayer, NetworkPlayer
from chouine.ai.opponent_model import (
    OpponentModel,
    OpponentType,
    TypedRange,
    TypedWorlds,
    apportion,
    sample_disjoint,
)
from chouine.ai.policy import greedy_policy, heuristic_policy, network_policy
from chouine.ai.rollout import public_knowledge, rollout_values
from chouine.cli import main
from chouine.notation import read_view
from chouine.partie.actions import Play
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players import Player
from chouine.players.greedy import GreedyPlayer
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules.options import Rules
from tests.ai.retold import as_it_is, line, retold
from tests.ai.test_beliefs import Done, Never, Whim, acts_of, reaches
from tests.ai.test_network import untaught
from tests.laws.worlds import another_world
from tests.players.table import ask, play_out

MORE = pytest.mark.parametrize("rules", [Rules.parse("three"), Rules.parse("four")], ids=str)


class Poor(Whim):
    """A model whose acts are likelier with fewer trumps in hand."""

    def likelihood(self, moment: ObservedAction, hands: Ints) -> Floats:
        trumps = np.array([(hand >> 8 * moment.p.trump & 0xFF).bit_count() for hand in hands.tolist()])
        told: Floats = UNIFORM.likelihood(moment, hands) * 0.4**trumps
        return told


def drawn(view: View, model: Whim | Never, many: int, seed: int = 1) -> TypedWorlds:
    """Worlds sampled under a model."""
    others = OpponentModel([OpponentType(1.0, heuristic_policy(view.rules), RangeTracker(model))])
    return others.sample_worlds(view, others.posterior(view), many, seed)


@MORE
@pytest.mark.parametrize("tricks", [2, 5])
def test_worlds_are_as_likely_as_deals_drawn_and_played_again(rules: Rules, tricks: int) -> None:
    """§14: Sampled worlds are distributed like random deals weighted by the likelihood of all opponents' acts."""
    rng, model = Random(tricks), Poor()
    view = next(
        state.view(0)
        for state in line(rules, 30 + tricks)
        if state.position.tricks == tricks and state.turn == 0
    )
    met, worlds = list[tuple[int, ...]](), list[list[Done]]()
    for _ in range(1_500):
        state = another_world(view, rng)
        assert state is not None
        worlds.append([each for seat in range(1, rules.seats) for each in acts_of(state, seat)])
        met.append(state.position.hands)
    weights = reaches(worlds, model)
    share = weights / weights.sum()
    made = drawn(view, model, 4_000).worlds
    places = np.array([(seat, card) for seat in range(1, rules.seats) for card in range(32)])
    there = np.array(met)[:, places[:, 0]] >> places[:, 1] & 1
    expected = share @ there
    spread = np.sqrt(share**2 @ (there - expected) ** 2)
    found = (made.hands[:, places[:, 0]] >> places[:, 1] & 1).mean(axis=0)
    assert (abs(found - expected) < 4.5 * np.hypot(spread, 0.01)).all()
    indifferent = (drawn(view, Never(), 4_000).worlds.hands[:, places[:, 0]] >> places[:, 1] & 1).mean(axis=0)
    assert abs(indifferent - expected).mean() > 1.4 * abs(found - expected).mean()


@MORE
def test_worlds_drawn_can_be(rules: Rules) -> None:
    """§8, §9: Sampled worlds are consistent with the view until the end, and the true hand never has weight 0."""
    for seed in range(6):
        for state in line(rules, seed)[:-1]:
            view = state.view(0)
            for seat in range(1, rules.seats):
                told = RangeTracker(Whim()).of(view, seat)
                assert told.weights[told.hands == state.position.hands[seat]].sum() > 0
            made = drawn(view, Whim(), 2, seed).worlds
            for hands, talon in zip(made.hands.tolist(), made.talons.tolist(), strict=True):
                again = retold(view, hands, talon)
                assert again is not None
                assert again.view(0) == view


@MORE
def test_each_plays_on_as_it_is_likely_to_in_the_world(rules: Rules) -> None:
    """A hand that only one opponent type can hold is always sampled with that type."""
    view = State.new(rules, Deal.random(rules, 0, Random(3))).view(0)
    hands = RangeTracker(Never()).of(view, 1).hands
    half, rest = hands[::2], hands[1::2]
    weights = np.where(np.isin(hands, half), 0.25 / len(half), 0.75 / len(rest))
    first = TypedRange(hands, np.where(np.isin(hands, half), 0, 2), weights)
    alike = OpponentModel([OpponentType(1.0, heuristic_policy(rules), RangeTracker(Never()))])
    others = {seat: alike.mixed_range(view, seat, np.ones(1)) for seat in range(2, rules.seats)}
    made = sample_disjoint(view, {1: first, **others}, 4_000, 7)
    assert (made.types[:, 1] == np.where(np.isin(made.worlds.hands[:, 1], half), 0, 2)).all()
    assert (made.types[:, 1] == 2).mean() == pytest.approx(0.75, abs=0.04)
    assert not made.types[:, [0, 2, 3]].any()


@MORE
def test_each_is_read_by_what_it_does_itself(rules: Rules) -> None:
    """Each opponent's type is inferred separately: the first plays greedily, the last by the network."""
    shares = list[list[float]]()
    for seed in range(16):
        player = FullPlayer(rules, seed)
        chairs: list[Player] = [NetworkPlayer(rules) for _ in range(rules.seats)]
        chairs[1] = GreedyPlayer()
        state = State.new(rules, Deal.random(rules, seed % rules.seats, Random(seed)))
        while state.turn is not None and state.view(0).talon > rules.seats:
            seat, action = ask(state, chairs)
            state = state.play(action, seat)
        read = player.posterior(state.view(0))
        assert set(read) == set(range(1, rules.seats))
        assert all(share.sum() == pytest.approx(1) for share in read.values())
        shares.append([float(share[2]) for share in read.values()])
    assert np.mean(shares, axis=0).argmax() == 0
    assert np.mean(shares, axis=0)[0] > 2 * np.mean(shares, axis=0)[-1]


@MORE
def test_each_seat_follows_its_own_policy(rules: Rules) -> None:
    """In the true world, rollouts of mixed policies end as parties between such players."""
    network = NetworkPlayer(rules)
    manners = network_policy(rules, network.network), heuristic_policy(rules), greedy_policy(rules)
    players: list[Player] = [network, HeuristicPlayer(), GreedyPlayer()]
    for seed in range(6):
        kinds = [0, *Random(seed).choices(range(3), k=rules.seats - 1)]
        chairs = [players[kind] for kind in kinds]
        start = State.new(rules, Deal.random(rules, rules.seats - 1, Random(seed)))
        imagined = TypedWorlds(as_it_is(start), np.array([(*kinds, 0, 0)[:4]]))
        view, act = start.view(start.turn or 0), chairs[0].act(start.view(start.turn or 0))
        found = rollout_values(view, public_knowledge(view), [act_of(act)], imagined, manners)[0, 0]
        result = play_out(rules, start.deal, chairs).result
        assert result is not None
        share = 1 / rules.seats if result.winner is None else float(result.winner == start.turn)
        assert found == pytest.approx(share)


UNKNOWN = (
    "three a ?3|?3|Q...K8 As Th????Qc????Kh??????Ts??7h????Ad??????Tc???? : "
    "Ac Qs 9d Th 8d 7d Kc 9h Qh Kh Ah 8s Td Ts Qd Qc 8h Kd 7x 8c Ks As 9c"
)
"""A line that does not record which seat exchanged the turnup and has since played it."""


def test_a_line_that_does_not_say_who_exchanged(capsys: pytest.CaptureFixture[str]) -> None:
    """§11: With more than two seats an exchange of unknown seat gives no information about hands."""
    assert main(["advise", "c", UNKNOWN, "--worlds", "50"]) == 0
    assert "%" in capsys.readouterr().out
    view = read_view(UNKNOWN, 2)
    left = hidden(view)
    for hands in drawn(view, Whim(), 64).worlds.hands.tolist():
        for seat in range(2):
            assert hands[seat].bit_count() == left.vacancies[seat] + left.hands[seat].bit_count()
            assert not hands[seat] & (left.excluded[seat] | ~(left.cards | left.hands[seat]))
        assert hands[0] & hands[1] == 0


def test_worlds_are_shared_out_by_how_likely_each_reading_is() -> None:
    assert apportion(np.array([1.0]), 128) == [128]
    assert apportion(np.array([0.5, 0.3, 0.2]), 10) == [5, 3, 2]
    assert sum(apportion(np.array([0.98, 0.011, 0.009]), 7)) == 7


@MORE
def test_players_by_a_network_play_parties_of_more_seats_out(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neural, "load_shipped", lambda _: untaught(rules.seats))
    chairs: list[Player] = [FullPlayer(rules, seat, max_worlds=8) for seat in range(rules.seats - 1)]
    chairs.append(NetworkPlayer(rules))
    for seed in range(2):
        assert play_out(rules, Deal.random(rules, 0, Random(seed)), chairs).result


@MORE
def test_14_only_the_view_is_used(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """§14: Equal views get equal acts, whatever the others hold."""
    monkeypatch.setattr(neural, "load_shipped", lambda _: untaught(rules.seats))
    state = State.new(rules, Deal.random(rules, 0, Random(2)))
    lead = next(act for act in state.legal() if isinstance(act, Play) and act.declaration is None)
    state = state.play(lead)
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
    assert FullPlayer(rules, 1).evaluate(view, worlds=16) == FullPlayer(rules, 1).evaluate(same, worlds=16)
