"""Compile in advance everything that these rules need."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import partial

from chouine.fast.batch import PartieBatch
from chouine.fast.compiled_perft import perft
from chouine.fast.double_dummy import max_n, open_margin
from chouine.fast.playout import playouts
from chouine.fast.soa_layout import compiled_position
from chouine.fast.trick_solver import card_margins
from chouine.rules.book import book_of
from chouine.rules.options import Rules
from chouine.rules.play import start
from chouine.rules.position import NONE


def compile_batches() -> None:
    parties = PartieBatch.random(Rules(), 1, seed=0)
    parties.step(parties.sample(0))
    _ = parties.winners


def compile_solvers() -> None:
    book, empty, one = book_of(Rules()), memoryview(array("q")), memoryview(array("q", [1]))
    p = compiled_position(start(book, (1, 1 << 8, 0, 0), NONE, 0))._replace(tricks=book.tricks)
    open_margin(book, empty, p, 0, -1, 1, one)
    max_n(book, empty, p, one)
    card_margins(one, one, one, -1, 1, one)


def compile_perft() -> None:
    book = book_of(Rules())
    perft(book, (), start(book, (1, 1 << 8, 0, 0), NONE, 0), 0)


def parts_for(rules: Rules) -> list[Callable[[], object]]:
    """Independent parts that processes can share; calling one compiles it or loads it from disk."""
    return [compile_solvers, compile_batches, partial(playouts, rules, 1, seed=0), compile_perft]
