"""Parties for PPO: what is told of each choice, and how much better than expected it turned out."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from chouine.ai.features import HAND, INPUTS, KNOWN, SPOKEN
from chouine.ai.network import Network, loaded, own
from chouine.ai.training.rollout import (
    HIDDEN_INPUTS,
    NOBODY,
    RIVAL,
    Steps,
    advantages,
    rate,
    rolled_out,
    room_for,
    stage_for,
)
from chouine.rules.options import Rules

CLASSIC = Rules()


def choices(rivals: float = 0.0, rival: Network = NOBODY) -> Steps:
    return rolled_out(CLASSIC, own(loaded("classic")), stage_for(CLASSIC, rival), rivals, 3, room_for(600))


def ends(steps: Steps) -> Any:
    return np.flatnonzero(steps.last)


def parties(steps: Steps) -> list[slice]:
    """The rows of each partie."""
    return [slice(first + 1, last + 1) for first, last in pairwise((-1, *ends(steps)))]


def test_every_choice_is_told_whole() -> None:
    steps = choices()
    assert len(steps.act) > 550
    for row in range(len(steps.act)):
        marks = set(steps.marks[row]) - {INPUTS}
        held = {mark - HAND for mark in marks if mark < KNOWN}
        hidden = [int(place) for place in steps.hidden[row] if place < HIDDEN_INPUTS]
        others, talon = (
            {place for place in hidden if place < 32},
            [place % 32 for place in hidden if place >= 32],
        )
        assert len(held) == 5
        assert len(others) in (4, 5)
        assert len(set(talon)) == len(talon)
        assert not held & others
        assert not (held | others) & set(talon)
        assert steps.is_open[row, steps.act[row]]
        assert steps.act[row] % SPOKEN in held
        assert steps.chance[row] <= 0
    assert ends(steps)[-1] == len(steps.act) - 1
    for partie in parties(steps):
        for_a = np.where(steps.seat[partie] == 0, steps.won[partie], 1 - steps.won[partie])
        assert len(set(for_a)) == 1


@pytest.mark.parametrize("rival", [NOBODY, own(loaded("classic"))], ids=["rules of thumb", "a network"])
def test_against_a_rival_one_seat_is_told(rival: Network) -> None:
    steps = choices(1.0, rival)
    assert (steps.hidden == RIVAL).any(axis=1).all()
    assert all(len(set(steps.seat[partie])) == 1 for partie in parties(steps))


def test_whoever_trusts_the_end_alone_is_told_the_end() -> None:
    """With lambda 1 what to expect is what came; with 0, what was expected at the next choice, by whoever made it."""
    steps = choices()
    values = np.random.default_rng(1).uniform(-1, 1, len(steps.act)).astype(np.float32)
    gained, aims = np.zeros_like(values), np.zeros_like(values)
    advantages(steps, values, 1.0, gained, aims)
    assert np.allclose(aims, 2 * steps.won - 1, atol=1e-5)
    advantages(steps, values, 0.0, gained, aims)
    for row in np.flatnonzero(steps.last == 0):
        assert np.isclose(
            aims[row], values[row + 1] * (1 if steps.seat[row] == steps.seat[row + 1] else -1), atol=1e-5
        )


def test_its_best_acts_beat_rules_of_thumb() -> None:
    assert rate(CLASSIC, own(loaded("classic")), stage_for(CLASSIC), 1_000, seed=1) > 0.52


def test_a_network_is_as_good_as_itself() -> None:
    network = own(loaded("classic"))
    assert rate(CLASSIC, network, stage_for(CLASSIC, own(network)), 1_000, seed=1) == pytest.approx(
        0.5, abs=0.03
    )
