"""Levels 7 and 8 in a browser: the kernels compiled to WebAssembly give bit-identical results to native ones."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from benchmarks.identity import (
    NETWORKS,
    Asked,
    browsers_answers,
    interpreters_answer,
    questions,
    rules_agree,
)
from chouine.ai import levels, search, search_native, search_wasm
from chouine.ai.network import load_shipped
from chouine.ai.search import weights_of
from chouine.ai.strongest import NetworkPlayer, StrongestPlayer
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules import PRESETS
from chouine.rules.options import Rules
from tests.needs import need
from tests.players.table import ask


@pytest.fixture
def lent() -> Iterator[list[tuple[Asked, Sequence[float]]]]:
    """All questions to the compute backend and its answers, while levels 7 and 8 use it."""
    noted: list[tuple[Asked, Sequence[float]]] = []

    def compute(task: str, preset: str, words: array[int]) -> Sequence[float]:
        values = search_native.compute(task, preset, words)
        noted.append(((task, preset, words), values))
        return values

    search.use(compute)
    yield noted
    search._backends.clear()  # production code never removes a backend


def parties(preset: str, many: int) -> Iterator[State]:
    """The positions of parties between players of level 8."""
    rules, rng = Rules.parse(preset), Random(f"{preset} machine")
    for nth in range(many):
        state = State.new(rules, Deal.random(rules, nth % rules.seats, rng))
        players = [StrongestPlayer(rules, nth)] * rules.seats
        while state.result is None:
            yield state
            seat, action = ask(state, players)
            state = state.play(action, seat)


@pytest.mark.parametrize("preset", NETWORKS)
@pytest.mark.parametrize("many", [2, pytest.param(500, marks=pytest.mark.nightly)])
def test_a_browser_computes_the_same(
    preset: str, many: int, lent: list[tuple[Asked, Sequence[float]]], tmp_path: Path
) -> None:
    need("node", "kernels")
    for _ in parties(preset, many):
        pass
    assert {asked[0] for asked, _ in lent} >= {"choose", "try"}
    found = browsers_answers([asked for asked, _ in lent], tmp_path)
    assert found == [array("d", values).tobytes() for _, values in lent]


@pytest.mark.parametrize("preset", NETWORKS)
def test_a_browser_computes_the_same_in_any_position(preset: str, tmp_path: Path) -> None:
    """Bit-identical results in positions of weak play too: half of the acts are random."""
    need("node", "kernels")
    asked = [*questions(preset, 10, "any")]
    assert {task for task, _, _ in asked} >= {"choose", "try"}
    found = browsers_answers(asked, tmp_path)
    assert found == [array("d", search_native.compute(*question)).tobytes() for question in asked]


def test_the_interpreter_plays_parties_as_compiled() -> None:
    assert rules_agree("classic", 60)


@pytest.mark.nightly
@pytest.mark.parametrize("preset", PRESETS)
def test_the_interpreter_plays_many_parties_of_each_preset_as_compiled(preset: str) -> None:
    assert rules_agree(preset, 100_000)


@pytest.mark.parametrize("preset", NETWORKS)
def test_the_interpreter_computes_the_same(preset: str, lent: list[tuple[Asked, Sequence[float]]]) -> None:
    for _ in parties(preset, 1):
        pass
    for (task, _, words), values in lent:
        if task == "choose":
            assert interpreters_answer((task, preset, words)) == tuple(values[:2])


@pytest.mark.parametrize("preset", NETWORKS)
def test_a_network_is_read_without_numpy_as_with_it(preset: str) -> None:
    inputs, hidden, parts = weights_of(preset)
    network = load_shipped(preset)
    assert network.first.shape == (inputs, hidden)
    assert np.array_equal(np.concatenate([part.ravel() for part in network[:6]]), np.array(parts, np.float32))


def test_levels_7_and_8_play_where_a_machine_is_lent(
    lent: list[tuple[Asked, Sequence[float]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a backend levels 7 and 8 are available without the compiler; without one level 6 is the highest."""
    need("kernels")
    monkeypatch.setattr(levels, "looks_ahead", lambda: False)
    assert levels.highest_level() == 8
    assert isinstance(levels.level(7, Rules(), 1), NetworkPlayer)
    assert isinstance(levels.level(8, Rules(), 1), StrongestPlayer)
    assert isinstance(levels.level(8, Rules.parse("mondoubleau-four"), 1), HeuristicPlayer)
    search._backends.clear()
    assert levels.highest_level() == 8  # by WebAssembly
    monkeypatch.setattr(search_wasm, "available", lambda: False)
    assert levels.highest_level() == 6
    assert not lent
