"""Parties collected for PPO: inputs, outcomes and advantages of each choice."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from chouine.ai.features import DECLARED_SLOTS, layout
from chouine.ai.network import Network, load_shipped, private_copy
from chouine.ai.training.collector import (
    Transitions,
    collect,
    empty_transitions,
    hidden_inputs,
    rival_input,
    win_rate,
    workspace_for,
    write_gae,
)
from chouine.rules.options import Rules

CLASSIC = Rules()
RULES = pytest.mark.parametrize("preset", ["classic", "three", "four"])


def choices(preset: str = "classic", rivals: float = 0.0, rival: Network | None = None) -> Transitions:
    rules = Rules.parse(preset)
    return collect(
        rules,
        private_copy(load_shipped(preset)),
        workspace_for(rules, rival),
        rivals,
        3,
        empty_transitions(rules, 600),
    )


def ends(steps: Transitions) -> Any:
    return np.flatnonzero(steps.done)


def parties(steps: Transitions) -> list[slice]:
    """The rows of each partie."""
    return [slice(first + 1, last + 1) for first, last in pairwise((-1, *ends(steps)))]


@RULES
def test_every_choice_is_recorded(preset: str) -> None:
    steps, rules = choices(preset), Rules.parse(preset)
    full = 5 if rules.seats == 2 else 3
    assert len(steps.act) > 550
    for row in range(len(steps.act)):
        held = {int(mark) for mark in steps.marks[row] if mark < 32}
        hidden = [int(place) for place in steps.hidden[row] if place < hidden_inputs(rules.seats)]
        others = [{place % 32 for place in hidden if place // 32 == nth} for nth in range(rules.seats - 1)]
        talon = [place % 32 for place in hidden if place // 32 >= rules.seats - 1]
        assert len(held) <= full
        assert all(len(held) - 1 <= len(other) <= len(held) for other in others)
        assert len(set(talon)) == len(talon)
        assert len(set().union(held, talon, *others)) == len(held) + len(talon) + sum(map(len, others))
        assert steps.mask[row, steps.act[row]]
        assert steps.act[row] % DECLARED_SLOTS in held
        assert steps.log_prob[row] <= 0
        assert steps.outcome[row].sum() == pytest.approx(1)
    assert ends(steps)[-1] == len(steps.act) - 1
    assert {int(mark) for mark in steps.marks.ravel()} <= set(range(layout(rules.seats).inputs + 1))
    for partie in parties(steps):
        by_chair = [
            np.roll(won, seat) for won, seat in zip(steps.outcome[partie], steps.seat[partie], strict=True)
        ]
        assert len({tuple(won) for won in by_chair}) == 1


@pytest.mark.parametrize(
    "rival", [None, private_copy(load_shipped("classic"))], ids=["rules of thumb", "a network"]
)
def test_against_a_rival_one_seat_is_recorded(rival: Network | None) -> None:
    steps = choices(rivals=1.0, rival=rival)
    assert (steps.hidden == rival_input(2)).any(axis=1).all()
    assert all(len(set(steps.seat[partie])) == 1 for partie in parties(steps))


@pytest.mark.parametrize("preset", ["three", "four"])
def test_among_rivals_one_of_more_seats_is_recorded(preset: str) -> None:
    steps = choices(preset, rivals=1.0)
    assert (steps.hidden == rival_input(Rules.parse(preset).seats)).any(axis=1).all()
    assert all(len(set(steps.seat[partie])) == 1 for partie in parties(steps))
    assert len({int(steps.seat[partie][0]) for partie in parties(steps)}) == Rules.parse(preset).seats


@RULES
def test_lambda_sets_the_value_targets(preset: str) -> None:
    """With lambda 1 the value targets are the outcomes; with 0 they are the values of the next choice, by seat."""
    steps = choices(preset)
    many = steps.outcome.shape[1]
    values = np.random.default_rng(1).uniform(0, 1, steps.outcome.shape).astype(np.float32)
    gained, aims = np.zeros(len(values), np.float32), np.zeros_like(values)
    write_gae(steps, values, 1.0, np.zeros(values.shape[1]), gained, aims)
    assert np.allclose(aims, steps.outcome, atol=1e-5)
    assert np.allclose(gained, steps.outcome[:, 0] - values[:, 0], atol=1e-5)
    write_gae(steps, values, 0.0, np.zeros(values.shape[1]), gained, aims)
    for row in np.flatnonzero(steps.done == 0):
        for nth in range(many):
            there = (steps.seat[row] + nth - steps.seat[row + 1]) % many
            assert np.isclose(aims[row, nth], values[row + 1, there], atol=1e-5)


@pytest.mark.parametrize("preset", ["classic", "mondoubleau", "three", "four"])
def test_its_best_acts_beat_rules_of_thumb(preset: str) -> None:
    rules = Rules.parse(preset)
    assert win_rate(rules, private_copy(load_shipped(preset)), workspace_for(rules), 12_000, seed=1) > 0.51


def test_a_network_is_as_good_as_itself() -> None:
    network = private_copy(load_shipped("classic"))
    assert win_rate(
        CLASSIC, network, workspace_for(CLASSIC, private_copy(network)), 1_000, seed=1
    ) == pytest.approx(0.5, abs=0.03)
