"""Compiled and uncompiled rules give the same positions for the same rules, deals and actions, row by row."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, note

from chouine.compilations import code_of
from chouine.errors import InvalidDeal
from chouine.fast import AVAILABLE, NO_ACTION, BatchError, PartieBatch, perft
from chouine.fast.batch import compiled_rows, step_rows
from chouine.fast.bits import lowest_bit
from chouine.fast.compiler import code_digest, compiled
from chouine.fast.kernels import kernel
from chouine.partie import Deal
from chouine.partie.deal import drawing_order, four_hands, turnup_number
from chouine.rules import Rules, rule_table_of
from chouine.rules import perft as plain
from chouine.rules.combinations import DECLARATIONS, EXCHANGE, EXCHANGING
from chouine.rules.play import exchanger, legal, start, step, winner
from chouine.rules.position import Position
from tests.laws.strategies import SEEDS, any_deal, rules

FIGURES = """
import json, sys
if sys.argv[1] == "plain":
    sys.modules["numba"] = None
from chouine.fast import AVAILABLE, PartieBatch, playouts
from chouine.rules import Rules
assert AVAILABLE is (sys.argv[1] != "plain")
told = [playouts(Rules(), 300, seed, policy) for seed in (1, 2) for policy in ("uniform", "eager")]
for preset in ("classic", "three", "four", "mondoubleau-four"):
    parties = PartieBatch.random(Rules.of_preset(preset), 35, seed=3)
    for turn in range(12):
        parties.step(parties.sample(turn))
    told.append([parties.cells.tolist(), parties.legal.tolist(), parties.winners.tolist()])
print(json.dumps(told))
"""


def test_words_and_lines_leave_compiled_code_as_it_is() -> None:
    """The cache key ignores comments, docstrings and line numbers, but not constants."""
    source = b"def add(a: int) -> int:\n    return a + 1\n"
    reworded = b'"""A module."""\n# told\ndef add(a: int) -> int:\n    """One more."""\n\n    return a + 1\n'
    assert code_of(source) == code_of(reworded)
    assert code_of(source) != code_of(source.replace(b"1", b"2"))

    def digest_of(text: bytes) -> str:
        namespace: dict[str, Any] = {"__name__": "somewhere"}
        exec(compile(text, "file", "exec"), namespace)  # noqa: S102
        return code_digest(namespace["add"])

    assert digest_of(source) == digest_of(b"\n\n" + source)
    assert digest_of(reworded) == digest_of(reworded.replace(b"One more", b"Another"))
    assert digest_of(source) != digest_of(source.replace(b"1", b"2"))


@pytest.mark.skipif(not AVAILABLE, reason="nothing is compiled without numba")
def test_what_others_contain_gets_no_instructions_of_its_own() -> None:
    """Kernels called only by compiled code are inlined: they get no machine code of their own."""
    from numba.core.registry import cpu_target

    def twice_and_one(number: int) -> int:
        return 2 * number + 1

    part = kernel(twice_and_one)

    @compiled
    def four_times_and_three(number: int) -> int:
        return part(part(number))

    assert four_times_and_three(5) == 23
    loaded = cpu_target.target_context.codegen()._engine._defined_symbols
    assert any("four_times_and_three" in name for name in loaded)
    assert not any("twice_and_one" in name and "Numba" not in name for name in loaded)


SHIPPED = """
import sys
from pathlib import Path
from chouine import compilations
shipped, features = sys.argv[1:]
compilations.SHIPPED, compilations.BASELINE = Path(shipped), "generic"
compilations.BASELINE_FEATURES = frozenset(features.split())
from chouine.fast.compiler import announce_with, compiled
announce_with(lambda name, seconds: print("compiling"))
@compiled
def tripled(number):
    return 3 * number
print(tripled(14), compilations.folder())
"""


@pytest.mark.skipif(not AVAILABLE, reason="nothing is compiled without numba")
def test_what_was_compiled_ahead_is_not_compiled_again(tmp_path: Path) -> None:
    """Code compiled for a baseline processor runs here without recompilation, if the features suffice."""

    def run_shipped(cache: str, features: str = "", **settings: str) -> list[str]:
        command = [sys.executable, "-c", SHIPPED, str(tmp_path / "shipped"), features]
        environment = os.environ | settings | {"CHOUINE_CACHE_DIR": str(tmp_path / cache)}
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        return done.stdout.split()

    *_, made = compiled_here = run_shipped("made", NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    assert compiled_here[:3] == ["compiling", "compiling", "42"]
    Path(made).rename(tmp_path / "shipped")
    assert run_shipped("empty")[0] == "42"
    assert run_shipped("empty", "what-no-processor-has")[0] == "compiling"
    (tmp_path / "file").touch()
    assert run_shipped("file/no-folder")[0] == "42"


def beginning(rules: Rules, deal: Deal) -> Position:
    return start(rule_table_of(rules), four_hands(deal.hands), turnup_number(deal.turnup), deal.dealer)


def some_action(actions: int, rng: Random, eagerness: float) -> int:
    """A random legal action; declarations and exchanges have probability `eagerness`."""
    rare = actions & (DECLARATIONS | EXCHANGING)
    among = rare if rare and rng.random() < eagerness else actions
    return rng.choice([action for action in range(51) if among >> action & 1])


@given(rules(), SEEDS)
def test_every_row_is_what_the_plain_rules_make_of_it(chosen: Rules, seed: int) -> None:
    """§3-§12, §17: Random rules, deals and actions, eight parties at once until all are over."""
    rng = Random(seed)
    rule_table = rule_table_of(chosen)
    deals = [any_deal(chosen, rng) for _ in range(8)]
    talons = [drawing_order(deal.talon) for deal in deals]
    positions = [beginning(chosen, deal) for deal in deals]
    parties = PartieBatch.of(chosen, deals)
    eagerness = rng.choice((0.05, 0.4, 0.9))
    while parties.active.any():
        assert parties.legal.tolist() == [legal(rule_table, p) for p in positions]
        taken = [
            some_action(legal(rule_table, p), rng, eagerness) if p.turn >= 0 else NO_ACTION for p in positions
        ]
        note(f"{taken}")
        parties.step(taken)
        positions = [
            step(rule_table, talon, p, action) if action >= 0 else p
            for talon, p, action in zip(talons, positions, taken, strict=True)
        ]
        assert [parties.position(row) for row in range(8)] == positions
    assert parties.winners.tolist() == [winner(rule_table, p) for p in positions]


@given(rules(), SEEDS)
def test_perft_counts_the_same(chosen: Rules, seed: int) -> None:
    deal = any_deal(chosen, Random(seed))
    rule_table, talon = rule_table_of(chosen), drawing_order(deal.talon)
    for depth in range(4):
        p = beginning(chosen, deal)
        assert perft(rule_table, talon, p, depth) == plain.perft(rule_table, talon, p, depth)


def test_without_the_compiler_all_is_the_same() -> None:
    """Playouts and batches give the same results with and without numba."""
    if not AVAILABLE:
        pytest.skip("numba is not installed")
    told = [
        json.loads(
            subprocess.run([sys.executable, "-c", FIGURES, how], check=True, capture_output=True).stdout
        )
        for how in ("compiled", "plain")
    ]
    assert told[0] == told[1]


def test_threads_share_the_rows() -> None:
    alone, shared = (PartieBatch.random(Rules(), 101, seed=9, threads=threads) for threads in (1, 3))
    for turn in range(20):
        assert alone.sample(turn).tolist() == shared.sample(turn).tolist()
        alone.step(alone.sample(turn))
        shared.step(shared.sample(turn))
        assert (alone.cells == shared.cells).all()
        assert (alone.legal == shared.legal).all()


def test_an_illegal_action_names_its_row_and_nothing_is_played() -> None:
    parties = PartieBatch.random(Rules(), 5, seed=1)
    taken = parties.sample(1)
    before = parties.cells.copy()
    held = lowest_bit(int(parties.legal[3]))
    not_held = next(card for card in range(32) if not int(parties.legal[3]) >> card & 1)
    for action, why in ((not_held, "illegal/not-held"), (51, "no such action"), (-1, "no such action")):
        taken[3] = action
        with pytest.raises(BatchError, match=f"Row 3: action {action} is not legal there .{why}"):
            parties.step(taken)
        assert (parties.cells == before).all()
    taken[3] = held
    parties.step(taken)


def test_a_party_that_is_over_takes_no_action() -> None:
    parties = PartieBatch.random(Rules.of_preset("four"), 4, seed=2)
    turn = 0
    while parties.active.any():
        parties.step(parties.sample(turn))
        turn += 1
    assert parties.sample(turn).tolist() == [NO_ACTION] * 4
    parties.step([NO_ACTION] * 4)
    with pytest.raises(BatchError) as refused:
        parties.step([NO_ACTION, 5, NO_ACTION, NO_ACTION])
    assert (refused.value.row, refused.value.data["why"]) == (1, "illegal/over")


@pytest.mark.parametrize("wrong", [[1, 2], [[1], [2], [3]], [0.5, 0.5, 0.5]])
def test_wrong_shapes_are_refused(wrong: list[int]) -> None:
    with pytest.raises(BatchError, match="One integer action for each of the 3 parties"):
        PartieBatch.random(Rules(), 3, seed=1).step(wrong)


def test_arrays_that_are_no_positions_are_refused() -> None:
    parties = PartieBatch.random(Rules(), 3, seed=1)
    for cells, talons in ((parties.cells[1:], parties.talons), (parties.cells, parties.talons[:2])):
        with pytest.raises(BatchError, match="are not positions and their talons"):
            PartieBatch(Rules(), cells, talons)
    with pytest.raises(BatchError, match="are not positions and their talons"):
        PartieBatch(Rules(), parties.cells, parties.talons[:, :5])


def test_a_deal_that_cannot_be_names_its_row() -> None:
    rng = Random(1)
    good, bad = Deal.random(Rules(), 0, rng), Deal.random(Rules.of_preset("three"), 0, rng)
    with pytest.raises(BatchError, match="Row 1") as refused:
        PartieBatch.of(Rules(), [good, bad])
    with pytest.raises(InvalidDeal) as why:
        bad.check(Rules())
    assert refused.value.data["reasons"] == why.value.reasons


def test_at_au_sept_whoever_holds_the_seven_may_exchange() -> None:
    """§11: In a batch, a seat that is not on turn can exchange at "au sept"."""
    parties = PartieBatch.random(Rules(), 200, seed=6)
    while (parties["tricks"] < parties.rule_table.drawing - 1).all():
        parties.step([lowest_bit(actions) for actions in parties.legal.tolist()])
    windows = (parties.legal >> EXCHANGE & 1).nonzero()[0].tolist()
    holders = {row: exchanger(parties.rule_table, parties.position(row)) for row in windows}
    waiting = [row for row, seat in holders.items() if seat != parties["turn"][row]]
    assert waiting
    taken = [lowest_bit(actions) for actions in parties.legal.tolist()]
    for row in waiting:
        taken[row] = EXCHANGE
    parties.step(taken)
    for row in waiting:
        assert parties.position(row).turnup & 7 == 0
        assert not parties.position(row).hands[holders[row]] >> 8 * parties.position(row).trump & 1


@pytest.mark.skipif(not AVAILABLE, reason="nothing is compiled without numba")
def test_all_batches_run_what_one_was_compiled_for() -> None:
    batches = [PartieBatch.random(Rules(), many, seed=1) for many in (1, 7, 8)]
    batches += [PartieBatch.of(Rules(), [Deal.random(Rules(), 0, Random(1))] * many) for many in (1, 8)]
    for batch in batches:
        batch.step(batch.sample(1))
    assert len(compiled_rows(step_rows).signatures) == 1  # type: ignore[attr-defined]  # numba's
