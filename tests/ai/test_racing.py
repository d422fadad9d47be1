"""Races in batches of shared worlds: gaps are those in the same worlds, and as precise as asked or clear."""

from __future__ import annotations

from random import Random

import pytest

from chouine.ai.racing import CLEAR, FIRST, Race, batch_size
from chouine.cards import PACK
from chouine.partie.actions import Play


def test_an_act_given_up_is_never_the_best() -> None:
    """A dropped act ranks below the best: its gap to the best counts, not its own win rate."""
    race = Race([1, 2, 3], at_once=1)
    for means in zip([1, 0, 1, 1, 0] * 2, [1, 0, 1, 0, 0] * 2, [0] * 10, strict=True):
        race.add([float(mean) for mean in means[: len(race.alive)]])
        race.drop()
    assert race.alive == [1, 2]
    told = race.estimates()
    assert [each.action for each in told] == [Play(PACK[card]) for card in (1, 2, 3)]
    assert [each.win for each in told] == pytest.approx([6 / 10, 4 / 10, 0])
    assert [each.worlds for each in told] == [10, 10, FIRST]


def test_the_act_that_is_judged_is_kept() -> None:
    race = Race([1, 2])
    for _ in range(2 * FIRST):
        race.add([1.0, 0.0])
        race.drop(kept=[2])
    assert race.alive == [1, 2]
    race.drop()
    assert race.alive == [1]


@pytest.mark.parametrize("precision", [0.02, 0.01])
def test_every_gap_is_known_as_precisely_as_asked(precision: float) -> None:
    """Every gap is as precise as requested, also of acts dropped early, or else is clear."""
    rng, chances = Random(1), {1: 0.5, 2: 0.6, 3: 0.3, 4: 0.5}
    race = Race([*chances], {1: 0.0, 2: 0.0, 3: 0.0, 4: -0.01})
    while len(race.alive) > 1 and race.done < 1_000:
        race.add([sum(rng.random() < chances[act] for _ in range(32)) / 32 for act in race.alive])
        race.drop(precision)
    assert race.best_of(race.alive) == 2
    for act in (1, 3, 4):
        gap, error = race.gap(2, act)
        assert error <= precision or gap >= CLEAR * error
    assert race.gap(2, 3)[1] > precision
    assert race.gap(2, 1)[0] == pytest.approx(0.1, abs=4 * precision)


@pytest.mark.parametrize("batches", [1, 3, 50])
def test_worlds_that_agree_do_not_make_a_gap_certain(batches: int) -> None:
    race = Race([1, 2])
    for _ in range(batches):
        race.add([1.0, 0.0])
    best, other = race.estimates()
    assert best.gap_error == 0
    assert other.gap_error >= 1 / (32 * batches)
    assert best.win_error > 0


def test_the_best_acts_chance_comes_from_fresh_worlds() -> None:
    race = Race([1, 2])
    for _ in range(4):
        race.add([1.0, 0.75])
    best, other = race.estimates([0.25, 0.75])
    assert (best.win, other.win) == (0.5, 0.25)
    assert (best.worlds, other.worlds) == (64, 128)
    assert other.win_error > best.win_error


@pytest.mark.parametrize(
    ("worlds", "size"), [(1, 1), (20, 20), (40, 20), (200, 25), (256, 32), (257, 32), (4_000, 32)]
)
def test_as_many_worlds_as_asked_for_are_tried(worlds: int, size: int) -> None:
    assert batch_size(worlds) == size
    assert 0.9 * worlds < worlds // size * size <= worlds
