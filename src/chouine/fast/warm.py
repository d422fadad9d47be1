"""Compile in advance everything that these rules need."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import partial

from chouine.fast.batch import PartieBatch
from chouine.fast.double_dummy import card_margins, open_margin
from chouine.fast.playout import perft, playouts
from chouine.fast.soa_layout import compiled_position
from chouine.rules.options import Rules
from chouine.rules.play import start
from chouine.rules.position import NONE
from chouine.rules.rule_table import rule_table_of


def compile_batches() -> None:
    parties = PartieBatch.random(Rules(), 1, seed=0)
    parties.step(parties.sample(0))
    _ = parties.winners


def compile_solvers() -> None:
    rule_table, empty, one = rule_table_of(Rules()), memoryview(array("q")), memoryview(array("q", [1]))
    p = compiled_position(start(rule_table, (1, 1 << 8, 0, 0), NONE, 0))._replace(tricks=rule_table.tricks)
    open_margin(rule_table, empty, p, 0, -1, 1, one)
    card_margins(one, one, one, -1, 1, one)


def compile_perft() -> None:
    rule_table = rule_table_of(Rules())
    perft(rule_table, (), start(rule_table, (1, 1 << 8, 0, 0), NONE, 0), 0)


def parts_for(rules: Rules) -> list[Callable[[], object]]:
    """Independent parts that processes can share; calling one compiles it or loads it from disk."""
    return [compile_solvers, compile_batches, partial(playouts, rules, 1, seed=0), compile_perft]
