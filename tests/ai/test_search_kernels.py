"""The search kernels: worlds are weighed by the opponents' acts, compared with random deals replayed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice, permutations, product
from random import Random

import numpy as np
import pytest

from chouine.ai.arrays import Floats, Ints
from chouine.ai.beliefs import RangeTracker
from chouine.ai.deduced import hidden_cards
from chouine.ai.determinization import uniform_worlds
from chouine.ai.likelihood import NetworkModel, NoisyModel
from chouine.ai.macro_actions import act_of, legal_acts, own_seat
from chouine.ai.network import load_shipped, private_copy
from chouine.ai.racing import Limit
from chouine.ai.rollout import greedy_policy, heuristic_policy, network_policy
from chouine.ai.search import (
    LIKENESS,
    NETWORK,
    PAST,
    STEP,
    STEP_CARD,
    STEP_DREW,
    STEP_GAINED,
    STEP_KNOWN,
    STEP_LOST,
    STEP_POSITION,
    STEP_SEAT,
    TYPES,
    VALUES,
    Search,
    compute,
    steps_of,
    words_of,
)
from chouine.ai.search_kernels import OWN_NOISE, weigh_act
from chouine.ai.search_native import compiled_try_acts, draw_worlds, policies_of, scratch
from chouine.ai.strongest import NetworkPlayer, StrongestPlayer
from chouine.cli import main
from chouine.fast.compiler import compiled
from chouine.notation import read_view
from chouine.partie.actions import Play
from chouine.partie.deal import Deal
from chouine.partie.events import Drawn, Exchanged
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players import Player
from chouine.players.heuristic import HeuristicPlayer
from chouine.players.simple import GreedyPlayer, RandomPlayer
from chouine.rules.options import Rules
from chouine.rules.position import NONE
from tests.ai.retold import as_it_is, line, result_in, retold
from tests.players.table import ask, play_out

MORE = pytest.mark.parametrize("rules", [Rules.parse("three"), Rules.parse("four")], ids=str)
EVERY = pytest.mark.parametrize("rules", [Rules(), Rules.parse("three"), Rules.parse("four")], ids=str)


def shares(hands: Ints, seats: int) -> Floats:
    """How often each opponent holds each card."""
    return np.array([[(hands[:, seat] >> card & 1).mean() for card in range(32)] for seat in range(1, seats)])


def exact_shares(view: View, tracker: RangeTracker) -> Floats:
    """The same by exact ranges, hands drawn from these until they are disjoint."""
    rng, many = np.random.default_rng(1), 200_000
    hands, taken, apart = np.zeros((many, 4), np.int64), np.zeros(many, np.int64), np.ones(many, np.bool_)
    for seat in range(1, view.rules.seats):
        held = tracker.of(view, seat)
        hands[:, seat] = held.hands[rng.choice(len(held.hands), many, p=held.weights)]
        apart &= taken & hands[:, seat] == 0
        taken |= hands[:, seat]
    return shares(hands[apart], view.rules.seats)


def network_views(rules: Rules) -> Iterator[View]:
    """A view of seat a from each partie of the network in which nobody has exchanged."""
    for seed in count():
        state = State.new(rules, Deal.random(rules, seed % rules.seats, Random(seed)))
        while state.turn is not None and (state.turn != 0 or state.position.tricks < 3 + seed % 4):
            seat, action = ask(state, [NetworkPlayer()] * rules.seats)
            state = state.play(action, seat)
        if state.turn == 0 and not any(isinstance(event, Exchanged) for event in state.events):
            yield state.view(0)


@EVERY
def test_worlds_are_as_likely_as_the_opponents_acts_make_them(rules: Rules) -> None:
    """§14: Sampled worlds have the distribution of exact ranges under the network's model, made disjoint."""
    tracker = RangeTracker(NoisyModel(NetworkModel(private_copy(load_shipped(rules.preset))), OWN_NOISE))
    for view in islice(network_views(rules), 4):
        expected = exact_shares(view, tracker)
        worlds = [draw_worlds(view, 512, seed, NETWORK) for seed in range(16)]
        found = [shares(each.hands, rules.seats) for each in worlds]
        indifferent = shares(uniform_worlds(view, 4_000, 1).hands, rules.seats)
        spread = np.std(found, axis=0) / len(found) ** 0.5
        gap = abs(np.mean(found, axis=0) - expected)
        assert (gap < 0.1 + 4.5 * spread).all()
        assert gap.mean() <= 0.6 * abs(indifferent - expected).mean()


@EVERY
def test_worlds_drawn_can_be(rules: Rules) -> None:
    """§8, §9: Sampled worlds are consistent with the view, from each third act of six parties."""
    for seed in range(6):
        for state in line(rules, seed)[seed % 3 : -1 : 3]:
            view = state.view(0)
            made = draw_worlds(view, 2, seed)
            for hands, talon in zip(made.hands.tolist(), made.talons.tolist(), strict=True):
                again = retold(view, hands, talon)
                assert again is not None
                assert again.view(0) == view


@EVERY
def test_likelihoods_that_a_search_keeps_are_those_of_its_own_acts(rules: Rules) -> None:
    """Each act is weighed once for each hand, and nothing is left of an earlier search in the same memory."""
    found, policies, weigh = scratch(), policies_of(rules.preset), compiled(weigh_act)
    for view, only in product(islice(network_views(rules), 2), (NONE, NETWORK)):
        acts = legal_acts(view.rule_table, view.position, own_seat(view))
        words = np.frombuffer(words_of(view, view.position, acts, Search(1, only=only)), np.int64)
        values, fresh, again = np.zeros(VALUES), np.zeros(VALUES), np.zeros(TYPES)
        compiled_try_acts(words, policies, found, values)
        compiled_try_acts(words, policies, scratch(), fresh)
        assert (values == fresh).all()
        steps, slots = np.nonzero(found.act_hands[: words[PAST]])
        assert len(steps)
        for step, slot in zip(steps.tolist(), slots.tolist(), strict=True):
            at, hand = PAST + 1 + STEP * step, found.act_hands[step, slot]
            weigh(words, view.rule_table, policies, at, hand, again)
            assert (found.act_likelihoods[step, slot] == again).all()


def likeness(view: View, seed: int) -> float:
    """The least probability that an opponent plays as the network."""
    acts = legal_acts(view.rule_table, view.position, own_seat(view))
    return compute("try", view.rules.preset, words_of(view, view.position, acts, Search(seed)))[LIKENESS]


@EVERY
@pytest.mark.parametrize("other", [GreedyPlayer, HeuristicPlayer])
def test_an_opponent_is_known_by_what_it_does(rules: Rules, other: type[Player]) -> None:
    """One seat plays otherwise: the network is less likely among all than where all are the network."""
    likely = {True: list[float](), False: list[float]()}
    for seed in range(12):
        for odd, found in likely.items():
            chairs: list[Player] = [NetworkPlayer() for _ in range(rules.seats)]
            chairs[-1] = other() if odd else chairs[-1]
            state = State.new(rules, Deal.random(rules, seed % rules.seats, Random(seed)))
            while state.turn is not None and (state.turn != 0 or state.view(0).talon > 6):
                seat, action = ask(state, chairs)
                state = state.play(action, seat)
            if state.turn == 0:
                found.append(likeness(state.view(0), seed))
    assert all(0 <= share <= 1 for each in likely.values() for share in each)
    assert np.mean(likely[False]) > 0.6
    assert np.mean(likely[False]) > np.mean(likely[True]) + 0.1


@MORE
def test_each_seat_follows_its_own_policy(rules: Rules) -> None:
    """In the true world, rollouts of mixed policies end as parties between such players."""
    network = NetworkPlayer()
    manners = network_policy(rules, load_shipped(rules.preset)), heuristic_policy(rules), greedy_policy(rules)
    players: list[Player] = [network, HeuristicPlayer(), GreedyPlayer()]
    for seed in range(6):
        kinds = [0, *Random(seed).choices(range(3), k=rules.seats - 1)]
        chairs = [players[kind] for kind in kinds]
        start = State.new(rules, Deal.random(rules, rules.seats - 1, Random(seed)))
        view, act = start.view(start.turn or 0), chairs[0].act(start.view(start.turn or 0))
        found = result_in(as_it_is(start), view, act_of(act), manners, (*kinds, 0, 0)[:4])
        result = play_out(rules, start.deal, chairs).result
        assert result is not None
        share = 1 / rules.seats if result.winner is None else float(result.winner == start.turn)
        assert found == pytest.approx(share)


@pytest.mark.parametrize("preset", ["classic", "mondoubleau", "three"])
def test_steps_lead_back_to_the_hand_that_was_dealt(preset: str) -> None:
    rules, rng, exchanged = Rules.parse(preset), Random(preset), 0
    for nth in range(20):
        players = [RandomPlayer(rng)] * rules.seats
        deal = Deal.random(rules, nth % rules.seats, rng)
        state = State.new(rules, deal)
        while state.result is None and state.view(0).talon:
            seat, action = ask(state, players)
            state = state.play(action, seat)
        for me, other in permutations(range(rules.seats), 2):
            draws = [
                each for each in state.view(other).events if isinstance(each, Drawn) and each.seat == other
            ]
            drawn = [draw.card for draw in draws if draw.card is not None and not draw.turnup]
            hand = state.position.hands[other]
            for step in steps_of(state.view(me), other):
                assert step[STEP_SEAT] == other
                assert hand & step[STEP_GAINED] == step[STEP_GAINED]
                hand &= ~step[STEP_GAINED]
                if step[STEP_DREW]:
                    card = drawn.pop()
                    assert hand & ~step[STEP_KNOWN] & 1 << card
                    hand &= ~(1 << card)
                exchanged += step[STEP_CARD] < 0
                hand |= step[STEP_LOST]
                assert step[STEP_POSITION + other] & ~hand & 0xFFFFFFFF == 0  # known cards are in the hand
            assert hand == deal.hands[other].mask
            assert not drawn
    assert bool(exchanged) == (preset != "mondoubleau")  # without a turnup no exchange is possible (§17)


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
    left = hidden_cards(view)
    for hands in draw_worlds(view, 64, 1).hands.tolist():
        for seat in range(2):
            assert hands[seat].bit_count() == left.vacancies[seat] + left.hands[seat].bit_count()
            assert not hands[seat] & (left.excluded[seat] | ~(left.cards | left.hands[seat]))
        assert hands[0] & hands[1] == 0


@MORE
def test_14_only_the_view_is_used(rules: Rules) -> None:
    """§14: Equal views get equal acts, whatever the others hold."""
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
    assert NetworkPlayer().act(view) == NetworkPlayer().act(same)
    told = [StrongestPlayer(rules, 1).evaluate(each, Limit(worlds=16)) for each in (view, same)]
    assert told[0] == told[1]
