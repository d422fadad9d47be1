"""Compiling ahead all that these rules need, so that nothing has to be waited for later."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import partial

from chouine.fast.cardplay import card_margins
from chouine.fast.many import LANES, lockstep
from chouine.fast.openplay import max_n, open_margin
from chouine.fast.parties import Parties
from chouine.fast.perft import perft
from chouine.fast.playout import playouts
from chouine.fast.seats import seated
from chouine.rules.book import book_of
from chouine.rules.options import Rules
from chouine.rules.play import start
from chouine.rules.position import NONE


def batches() -> None:
    parties = Parties.random(Rules(), 1, seed=0)
    parties.step(parties.choose(0))
    _ = parties.winners


def solvers() -> None:
    book, empty, one = book_of(Rules()), memoryview(array("q")), memoryview(array("q", [1]))
    p = seated(start(book, (1, 1 << 8, 0, 0), NONE, 0))._replace(tricks=book.tricks)
    open_margin(book, empty, p, 0, -1, 1, one)
    max_n(book, empty, p, one)
    card_margins(one, one, one, -1, 1, one)


def counts() -> None:
    book = book_of(Rules())
    perft(book, (), start(book, (1, 1 << 8, 0, 0), NONE, 0), 0)


def random_parties(rules: Rules) -> None:
    playouts(rules, 1, seed=0)
    lockstep(rules, LANES, seed=0)


def parts_for(rules: Rules) -> list[Callable[[], None]]:
    """What these rules need, in parts that processes can share; called, each compiles or reads from disk."""
    return [solvers, batches, partial(random_parties, rules), counts]
