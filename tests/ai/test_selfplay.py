"""Training data from Monte Carlo players."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from chouine.ai.features import DECLARED_SLOTS
from chouine.ai.network import SHIPPED, parameters
from chouine.ai.rollout import public_knowledge
from chouine.ai.training.selfplay import SelfPlay, generate, sample_world, workspace_for, write_part
from chouine.fast.bits import as_int64
from chouine.fast.soa_layout import compiled_position
from chouine.jobs import crew
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.rules.options import Rules

RULES = pytest.mark.parametrize("rules", [Rules(), Rules.parse("three"), Rules.parse("four")], ids=str)


@RULES
def test_every_decision_is_recorded_with_its_acts(rules: Rules) -> None:
    harvest = generate(rules, 400, 8, 0.06, 1)
    assert len(harvest.marks) > 350
    for marks, target, is_open in zip(harvest.marks, harvest.target, harvest.is_open, strict=True):
        slots = np.flatnonzero(is_open)
        assert {int(slot) % DECLARED_SLOTS for slot in slots} <= {int(mark) for mark in marks}
        assert len(slots) > 1
        assert not target[is_open == 0].any()
        assert target.min() >= 0
        assert target.max() <= 1 + 1e-6
    found = harvest.target[harvest.is_open > 0]
    assert found.mean() == pytest.approx(1 / rules.seats, abs=0.08)


@RULES
def test_a_world_is_what_the_seat_on_turn_may_think(rules: Rules) -> None:
    rng, stream = Random(1), 5
    room, state = workspace_for(rules), State.new(rules, Deal.random(rules, 0, rng))
    while state.turn is not None:
        view, p = state.view(state.turn), compiled_position(state.position)
        seen = public_knowledge(view)
        world, stream = sample_world(view.rule_table, p, seen, room, as_int64(stream))
        assert world.hands[p.turn] == p.hands[p.turn]
        drawn = min(p.tricks, view.rule_table.drawing) * rules.seats
        talon = [int(card) for card in room.talon[drawn : view.rule_table.hidden]]
        others = [hand for seat, hand in enumerate(world.hands) if seat != p.turn]
        placed = sum(others) + sum(1 << card for card in talon)
        assert placed & ~sum(seen.known) == view.unseen.mask
        for seat in range(rules.seats):
            assert world.hands[seat].bit_count() == p.hands[seat].bit_count()
            assert seat == p.turn or seen.known[seat] & ~world.hands[seat] == 0
        state = state.play(rng.choice(state.legal()))


@pytest.mark.parametrize("preset", ["classic", "three", "four", "mondoubleau"])
def test_training_goes_on_from_what_is_shipped(preset: str) -> None:
    """Parameters in torch's layout, renamed and transposed as `fit.save` does, equal the shipped weights."""
    path = SHIPPED / f"{preset}.npz"
    weights = parameters(path, Rules.parse(preset).seats)
    with np.load(path) as shipped:
        assert {name.replace(".", "_") for name in weights} == set(shipped.files)
        for name, part in weights.items():
            assert (shipped[name.replace(".", "_")] == part.T).all()
            assert part.flags.c_contiguous


@pytest.mark.nightly
def test_a_file_is_the_same_by_whoever_writes_it(tmp_path: Path) -> None:
    for workers in (1, 2):
        parts = [SelfPlay(Rules(), 1, seed, tmp_path / f"{seed}-{workers}.npz") for seed in (1, 2)]
        with crew(workers) as playing:
            assert list(playing(write_part, parts)) == [None, None]
    for seed in (1, 2):
        one, other = ((tmp_path / f"{seed}-{workers}.npz").read_bytes() for workers in (1, 2))
        assert one == other
    assert len(list(tmp_path.iterdir())) == 4
