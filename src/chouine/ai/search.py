"""What the kernels of the strongest player are asked, and who answers.

This module needs neither numba nor numpy. A `Backend` does the heavy work: `ai.search_kernels`, compiled for this
computer (`ai.search_native`) or to WebAssembly, run by a browser (`use`, `server/offline`) or by wasmtime where numba
is missing (`ai.search_wasm`).
"""

from __future__ import annotations

import ast
import struct
import zipfile
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from chouine.ai.deduced import Onlooker, hidden_cards, plain_public_knowledge
from chouine.ai.macro_actions import MAX_ACTS, own_seat
from chouine.fast.kernels import AVAILABLE
from chouine.fast.soa_layout import ROW_COUNT, RULE_TABLE_PLACES
from chouine.partie.events import Drawn, Exchanged, Played
from chouine.partie.view import View
from chouine.rules.options import Rules
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable

BOOK = 0
POSITION = BOOK + RULE_TABLE_PLACES[RuleTable._fields[-1]].stop
PUBLIC = POSITION + ROW_COUNT
SEAT, TRIES, SEED, ONLY, AT_ONCE, DRAWN, UNSEEN, VACANT = range(PUBLIC + 12, PUBLIC + 20)
EXCLUDED, HELD, COUNT = VACANT + 4, VACANT + 8, VACANT + 12
ACTS = COUNT + 1
CANDIDATES = ACTS + MAX_ACTS
PAST = CANDIDATES + 1
STEP_GAINED, STEP_DREW, STEP_KNOWN, STEP_LOST = 0, 1, 2, 3
STEP_CARD, STEP_SAID, STEP_PLAYED, STEP_SEAT, STEP_POSITION = 4, 5, 6, 10, 11
STEP = STEP_POSITION + ROW_COUNT
MAX_PAST = 27
WORDS = PAST + 1 + MAX_PAST * STEP
"""Offsets into a backend's input, `int64[WORDS]`. The opponents' `words[PAST]` steps follow, each seat's latest first.
A step has: known cards drawn, whether a hidden card was drawn, known cards of the hand before that, cards that left the
hand, the card laid or NONE for an exchange, its declaration, cards played before, the seat, and the position before.
`Search` describes the others.
"""
SWINDLES, LIKENESS = MAX_ACTS, 2 * MAX_ACTS
VALUES = LIKENESS + 1
"""A backend's output, `float64[VALUES]`: two values for each act, and after a search the least probability, over the
opponents, that one plays as the network."""
BATCH = 32
"""Worlds in a batch; after each, acts that are clearly worse are dropped."""
MOST = 1_024
"""Most worlds sampled for a decision."""
MOST_CANDIDATES = 1_024
"""Most candidate deals for which the opponents' acts are weighed."""
SLOTS = 1_024
"""Hands whose likelihoods are kept for each step of the past: candidates agree in most of what they held long ago."""
TYPES = 3
NETWORK, HEURISTIC, GREEDY = range(TYPES)
"""Types of player."""
PRIOR, PRIOR_LIMIT = 0.05, 0.03
"""Weight of the network's prior scores, and their limit in win probability: they rank acts well but estimate
differences poorly, and search must be able to correct what the network has rarely seen."""
WEIGHTS = Path(__file__).with_name("weights")
"""The networks, one for each preset that has one."""

Backend = Callable[[str, str, "array[int]"], Sequence[float]]
"""A backend: called with `choose`, `try` or `end`, a preset and the input words; returns the values."""
_backends: list[Backend] = []


def use(backend: Backend) -> None:
    """Set the backend."""
    _backends[:] = [backend]


def has_backend() -> bool:
    """Whether a backend was set by `use`."""
    return bool(_backends)


@cache
def own_backend() -> Backend:
    """This computer's backend: compiled, or WebAssembly where there is no compiler."""
    if AVAILABLE:
        from chouine.ai.search_native import compute
    else:
        from chouine.ai.search_wasm import compute
    return compute


def has_network(rules: Rules) -> bool:
    """Whether a network is shipped for these rules' preset."""
    return (WEIGHTS / f"{rules.preset}.npz").exists()


def compute(task: str, preset: str, words: array[int]) -> Sequence[float]:
    return (_backends[0] if _backends else own_backend())(task, preset, words)


PARTS = ("first_weight", "first_bias", "second_weight", "second_bias", "out_weight", "out_bias")
"""A network's arrays in the kernels' order of arguments."""


def weights_of(preset: str) -> tuple[int, int, array[float]]:
    """A shipped network: number of inputs, number of hidden units, and its arrays concatenated.

    Reads what `ai.network` reads, but without numpy: an archive of uncompressed float16 `.npy` files.
    """
    numbers, shape = array("f"), (0, 0)
    with zipfile.ZipFile(WEIGHTS / f"{preset}.npz") as archive:
        for part in PARTS:
            raw = archive.read(f"{part}.npy")
            body = 10 + int.from_bytes(raw[8:10], "little")
            header = ast.literal_eval(raw[10:body].decode())
            if header["descr"] != "<f2" or header["fortran_order"]:
                raise ValueError(f"{preset}: {part} is not kept as halves in rows")
            shape = shape if numbers else header["shape"]
            numbers.extend(struct.unpack(f"<{(len(raw) - body) // 2}e", raw[body:]))
    return *shape, numbers


def flat_numbers(record: Position | RuleTable) -> list[int]:
    """A record as numbers in the order of `fast.soa_layout`."""
    return [number for field in record for number in (field if isinstance(field, tuple) else (field,))]


def steps_of(view: View, seat: int) -> list[list[int]]:
    """A seat's acts and the changes of its hand, latest first, `STEP` words each."""
    known, steps = Onlooker.begin(view), list[list[int]]()
    for event in view.events:
        p = known.p
        match event:
            case Played(seat=who, card=card) if who == seat:
                before = (int(card), known.said, *known.played, seat, *flat_numbers(p))
                steps.append([0, 0, 0, 1 << card, *before])
            case Exchanged(seat=who) if who == seat:
                before = (NONE, NONE, *known.played, seat, *flat_numbers(p))
                steps.append([1 << p.turnup, 0, 0, 1 << 8 * p.trump, *before])
            case Drawn(seat=who, card=card, turnup=True) if who == seat and card is not None:
                steps[-1][STEP_GAINED] = 1 << card
            case Drawn(seat=who) if who == seat:
                steps[-1][STEP_DREW : STEP_KNOWN + 1] = [1, p.hands[seat]]
            case _:
                pass
        known = known.after(event)
    return steps[::-1]


class Search(NamedTuple):
    """How much a backend searches."""

    seed: int
    tries: int = 0
    """The number of rollouts; acts that are clearly worse are dropped on the way. 0: one batch of worlds for all."""
    candidates: int = MOST_CANDIDATES
    """Deals for which the opponents' acts are weighed; 0: worlds are uniform."""
    only: int = NONE
    """The type as which all seats play; NONE: each opponent as the type it resembles, one's own seat as the network."""
    at_once: int = BATCH
    """Worlds in a batch."""


def words_of(view: View, p: Position, acts: Sequence[int], search: Search | None = None) -> array[int]:
    """A backend's input; with `search` also what that needs, such as the opponents' steps."""
    rule_table = view.rule_table
    words = array("q", bytes(8 * WORDS))

    def put(at: int, numbers: Sequence[int]) -> None:
        words[at : at + len(numbers)] = array("q", numbers)

    put(BOOK, flat_numbers(rule_table))
    put(POSITION, flat_numbers(p))
    put(PUBLIC, [cards for four in plain_public_knowledge(view) for cards in four])
    put(SEAT, [own_seat(view)])
    if search:
        given = hidden_cards(view)
        put(TRIES, [search.tries, search.seed, search.only, search.at_once, given.drawn, given.cards])
        put(VACANT, given.vacancies)
        put(EXCLUDED, given.excluded)
        put(HELD, given.hands)
        others = (seat for seat in range(view.rules.seats) if seat != own_seat(view))
        steps = [
            step for seat in others for step in steps_of(view, seat)[: MAX_PAST // (view.rules.seats - 1)]
        ]
        put(CANDIDATES, [search.candidates, len(steps), *[number for step in steps for number in step]])
    put(COUNT, [len(acts), *acts])
    return words
