"""Ranges (§14) agree with the enumeration of all deals, and with random deals replayed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given

from chouine.ai.arrays import Floats, Ints
from chouine.ai.beliefs import RangeTracker
from chouine.ai.deduced import public_view
from chouine.ai.likelihood import TEMPERING, UNIFORM, ActionModel, NoisyModel, ObservedAction
from chouine.cards import PACK
from chouine.partie import AuSept, Declared, Exchange, Exchanged, Play, Played, State, View
from chouine.partie.actions import spell_actions
from chouine.rules import Rules
from chouine.rules.play import au_sept, legal_for
from chouine.rules.position import put
from tests.ai.retold import line
from tests.laws.strategies import moments
from tests.laws.worlds import another_world


@dataclass(frozen=True)
class Whim:
    """A model with arbitrary, hash-like preferences among legal acts."""

    spread: float = 1.0

    def likelihood(self, moment: ObservedAction, hands: Ints) -> Floats:
        about = sum(map(ord, str(moment.act))) + sum(moment.played) % 1013 + moment.p.turnup
        liking = (hands * 40503 + about * 25173 ^ hands >> 7) % 1009 / 1009
        told: Floats = UNIFORM.likelihood(moment, hands) * (1 - self.spread * liking)
        return told


class Never:
    """A model that gives every observed act probability 0."""

    def likelihood(self, _: ObservedAction, hands: Ints) -> Floats:
        return np.zeros(len(hands))


@given(moments(("classic", "mondoubleau")))
def test_a_range_holds_the_true_hand(state: State) -> None:
    """§14: A range holds the true hand, even if the model excludes the facts."""
    for seat in range(2):
        view, other = state.view(seat), 1 - seat
        for model in (NoisyModel(Whim()), Never()):
            told = RangeTracker(model).of(view, other)
            assert told.weights.sum() == pytest.approx(1)
            assert told.weights[told.hands == state.position.hands[other]].sum() > 0


@given(moments(("classic", "mondoubleau")))
def test_uniform_likelihood_is_one_part_in_as_many_as_there_are_acts(state: State) -> None:
    """§9, §11: Under the uniform model an act's likelihood is 1 / number of legal acts, and 0 for an illegal act."""
    rule_table, p = state.rule_table, state.position
    for seat in range(2):
        may = spell_actions(rule_table, legal_for(rule_table, p, seat)) if p.turn >= 0 else ()
        for act in may:
            acts = len(may) + (seat != p.turn)
            told = UNIFORM.likelihood(
                ObservedAction(state.rules, p, seat, (0, 0, 0, 0), act), np.array([p.hands[seat]])
            )
            assert told == pytest.approx(1 / acts)
        if p.turn >= 0:
            other = next(card for card in range(32) if not p.hands[seat] >> card & 1)
            act = Play(PACK[other])
            moment = ObservedAction(state.rules, p, seat, (0, 0, 0, 0), act)
            assert UNIFORM.likelihood(moment, np.array([p.hands[seat]])) == [0]


def first_tricks(wanted: type) -> State:
    """A partie after its first trick, in which seat b caused an event of this type."""
    for seed in range(1_000):
        states = line(Rules(), seed)
        state = next((state for state in states if state.position.tricks == 1), None)
        if state and any(
            isinstance(event, wanted) and getattr(event, "seat", None) == 1 for event in state.events
        ):
            return state
    raise AssertionError


@pytest.mark.parametrize("wanted", [Played, Declared, Exchanged])
@pytest.mark.parametrize("spectating", [False, True])
def test_after_one_trick_against_all_deals(wanted: type, *, spectating: bool) -> None:
    """§14: After one trick the range equals Bayes' rule over all hands dealt to seat b and all cards drawn by it."""
    state, model = first_tricks(wanted), Whim()
    view = public_view(state.view(0)) if spectating else state.view(0)
    assert state.deal.turnup is not None
    elsewhere = view.position.hands[0] if spectating else state.deal.hands[0].mask | state.position.hands[0]
    elsewhere |= sum(1 << each for each in laid_by(state, 0)) | 1 << state.deal.turnup
    may = [each for each in range(32) if not elsewhere >> each & 1]
    dealt = np.array([sum(1 << each for each in five) for five in combinations(may, 5)])
    hands, likely = dealt, np.ones(len(dealt))
    for moment, act, _ in acts_of(state, 1):
        likely = likely * model.likelihood(moment, hands)
        if isinstance(act, Exchange):
            hands = hands & ~(1 << 8 * moment.p.trump) | 1 << state.deal.turnup
        elif isinstance(act, Play):
            hands = hands & ~(1 << act.card)
    every = defaultdict[int, float](float)
    for hand, was, weight in zip(hands.tolist(), dealt.tolist(), likely.tolist(), strict=True):
        for drawn in may:
            if weight > 0 and not was >> drawn & 1:
                every[hand | 1 << drawn] += weight
    known = view.position.hands[1]
    weights = {hand: weight for hand, weight in every.items() if hand & known == known}
    told = RangeTracker(model).of(view, 1)
    found = dict(zip(told.hands.tolist(), told.weights.tolist(), strict=True))
    assert set(found) == set(weights)
    total = sum(weights.values())
    assert all(found[hand] == pytest.approx(weight / total) for hand, weight in weights.items())


def laid_by(state: State, seat: int) -> list[int]:
    return [event.card for event in state.events if isinstance(event, Played) and event.seat == seat]


Done = tuple[ObservedAction, Play | Exchange | None, int]


def acts_of(state: State, seat: int) -> list[Done]:
    """A seat's decisions: the public information before each, the act, and the hand it held."""
    public, found = state.view(None).events, list[Done]()
    played = (0, 0, 0, 0)
    seen, true = (View(state.rules, None, events[:1]) for events in (public, state.events))
    for at, event in enumerate(public):
        act: Play | Exchange | None = None
        if not isinstance(event, Played | Exchanged):
            continue
        since = at - isinstance(public[at - 1], Declared)
        seen = seen.then(public[len(seen.events) : since])
        true = true.then(state.events[len(true.events) : since])
        known, truth = seen.position, true.position
        if isinstance(event, Exchanged):
            act = Exchange()
        elif event.seat == seat:
            said = public[since]
            act = Play(event.card, said.declaration if isinstance(said, Declared) else None)
        if event.seat == seat or (isinstance(event, Played) and au_sept(state.rule_table, known)):
            found.append((ObservedAction(state.rules, known, seat, played, act), act, truth.hands[seat]))
        if isinstance(event, Played):
            played = put(played, event.seat, played[event.seat] | 1 << event.card)
    return found


def reaches(worlds: list[list[Done]], model: ActionModel) -> Floats:
    """The likelihood under a model of all acts, in each of several publicly identical worlds."""
    moments = [moment for moment, _, _ in worlds[0]]
    assert all([moment for moment, _, _ in world] == moments for world in worlds)
    hands = np.array([[hand for _, _, hand in world] for world in worlds]).T.copy()
    told: Floats = np.prod([model.likelihood(*each) for each in zip(moments, hands, strict=True)], axis=0)
    return told


@pytest.mark.parametrize("seed", [3, 4])
def test_late_against_deals_drawn_and_played_again(seed: int) -> None:
    """§11, §14: Late ranges equal random deals weighted by the model, also after an "au sept" passed."""
    rng, model = Random(seed), Whim(0.5)
    view = late(seed)
    ends, worlds = list[int](), list[list[Done]]()
    for _ in range(500):
        state = another_world(view, rng)
        assert state is not None
        worlds.append(acts_of(state, 1))
        assert worlds[-1][-1][1] is None
        ends.append(state.position.hands[1])
    weights = defaultdict[int, list[float]](list)
    for hand, reach in zip(ends, reaches(worlds, model).tolist(), strict=True):
        weights[hand].append(reach)
    total = sum(map(sum, weights.values()))
    told = RangeTracker(model).of(view, 1)
    assert set(weights) == set(told.hands.tolist())
    for hand, weight in zip(told.hands.tolist(), told.weights.tolist(), strict=True):
        met = weights[hand]
        share = sum(met) / total
        spread = sum((each / total) ** 2 for each in met) ** 0.5
        assert abs(share - weight) < 4.5 * spread


def late(seed: int) -> View:
    """A view of seat a, which has called "au sept" and led; nobody has exchanged."""
    for nth in range(10_000):
        for state in line(Rules(), 1_000 * seed + nth):
            p = state.position
            exchanged = any(isinstance(event, Exchanged) for event in state.events)
            if p.tricks == 10 and p.turn == 1 and p.table and AuSept(0) in state.events and not exchanged:
                return state.view(0)
    raise AssertionError


@pytest.mark.parametrize("believed", [1.0, TEMPERING])
def test_kept_along_a_partie_is_the_same_as_afresh(believed: float) -> None:
    """A tracker updated along a partie equals a fresh one, through exchanges and declarations."""
    for seed in range(3):
        kept = [RangeTracker(Whim(), believed) for _ in range(2)]
        for state in line(Rules(), seed)[8::2]:
            for seat in range(2):
                views = [state.view(seat), public_view(state.view(seat))]
                for view in views:
                    ours, afresh = (
                        kept[seat].of(view, 1 - seat),
                        RangeTracker(Whim(), believed).of(view, 1 - seat),
                    )
                    assert ours.hands.tolist() == afresh.hands.tolist()
                    assert ours.weights == pytest.approx(afresh.weights)


def test_an_onlookers_range_less_ones_own_cards_is_ones_own() -> None:
    """§14: A spectator's range restricted to hands disjoint from one's own is one's own range."""
    model = Whim()
    for state in line(Rules(), 8):
        if state.position.tricks > 5 and not state.result:
            view = state.view(0)
            all_know, told = RangeTracker(model).of(public_view(view), 1), RangeTracker(model).of(view, 1)
            apart = all_know.hands & view.hand.mask == 0
            assert all_know.hands[apart].tolist() == told.hands.tolist()
            assert all_know.weights[apart] / all_know.weights[apart].sum() == pytest.approx(told.weights)
