"""The strongest player that runs in a browser: the network, with search in sampled worlds late in a partie.

This module needs neither numba nor numpy. A `Backend` does the heavy work: `ai.light_kernels`, compiled for this
computer (`ai.light_native`) or to WebAssembly, run by a browser (`use`, `server/offline`) or by wasmtime where numba
is missing (`ai.light_wasm`).
"""

from __future__ import annotations

import ast
import struct
import zipfile
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random

from chouine.ai.deduced import hidden, plain_public_knowledge
from chouine.ai.forced_win import chouine_decides, winning_declarations
from chouine.ai.macro_actions import MAX_ACTS, action_of, legal_acts, own_seat
from chouine.fast.kernels import AVAILABLE
from chouine.fast.soa_layout import BOOK_PLACES, ROW_COUNT
from chouine.partie.actions import Action, Exchange
from chouine.partie.events import Declared, Drawn, Exchanged, Played, Shown
from chouine.partie.view import View
from chouine.players.endgame import known
from chouine.players.heuristic import as_play
from chouine.rules.book import Book
from chouine.rules.combinations import EXCHANGING
from chouine.rules.options import Rules
from chouine.rules.play import declare, exchange, lay, legal_for, start
from chouine.rules.position import NONE, UNKNOWN, Position, put

BOOK = 0
POSITION = BOOK + BOOK_PLACES[Book._fields[-1]].stop
PUBLIC = POSITION + ROW_COUNT
SEAT, TRIES, SEED, DRAWN, UNSEEN, VACANT = range(PUBLIC + 12, PUBLIC + 18)
EXCLUDED, HELD, COUNT = VACANT + 4, VACANT + 8, VACANT + 12
ACTS = COUNT + 1
CANDIDATES = ACTS + MAX_ACTS
PAST = CANDIDATES + 1
STEP_GAINED, STEP_DREW, STEP_KNOWN, STEP_LOST = 0, 1, 2, 3
STEP_CARD, STEP_SAID, STEP_PLAYED, STEP_POSITION = 4, 5, 6, 10
STEP = STEP_POSITION + ROW_COUNT
MAX_PAST = 14
WORDS = PAST + 1 + MAX_PAST * STEP
"""Offsets into a backend's input, `int64[WORDS]`. The opponent's `words[PAST]` steps follow, latest first. A step has:
known cards drawn, whether a hidden card was drawn, known cards of the hand before that, cards that left the hand, the
card laid or NONE for an exchange, its declaration, cards played before, and the position before.
"""
SWINDLES = MAX_ACTS
"""Offset of the acts' second values in a backend's output, `float64[2 * MAX_ACTS]`."""
LATE = 10
"""With more talon cards left, search gains nothing over the network's choice."""
ROLLOUTS = 60_000
"""Approximate number of cards laid in all rollouts of a decision, which bounds its time."""
MOST = 1_024
"""Most worlds sampled for a decision."""
MOST_CANDIDATES = 1_024
"""Most candidate hands for which the opponent's acts are weighed."""
TYPES = 3
"""Types of opponent: the network, the heuristic, the greedy player."""
PRIOR, PRIOR_LIMIT = 0.05, 0.03
"""Weight of the network's prior scores, and their limit in win probability; as `FullPlayer`'s."""

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
        from chouine.ai.light_native import compute
    else:
        from chouine.ai.light_wasm import compute
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


def flat(record: Position | Book) -> list[int]:
    """A record as numbers in the order of `fast.soa_layout`."""
    return [number for field in record for number in (field if isinstance(field, tuple) else (field,))]


def steps_of(view: View, seat: int) -> list[list[int]]:
    """A seat's acts and the changes of its hand, latest first, `STEP` words each."""
    book, steps = view.book, list[list[int]]()
    turnup, unknown, said = view.deal.turnup, (UNKNOWN,) * book.hidden, NONE
    p, played = start(book, (0, 0, 0, 0), NONE if turnup is None else turnup, view.deal.dealer), (0, 0, 0, 0)
    for event in view.events:
        match event:
            case Declared(declaration=declaration):
                said = int(declaration)
            case Played(seat=who, card=card):
                if who == seat:
                    steps.append([0, 0, 0, 1 << card, int(card), said, *played, *flat(p)])
                p = lay(book, unknown, p if said == NONE else declare(book, p, said), card)
                played, said = put(played, who, played[who] | 1 << card), NONE
            case Exchanged(seat=who):
                if who == seat:
                    steps.append([1 << p.turnup, 0, 0, 1 << 8 * p.trump, NONE, NONE, *played, *flat(p)])
                p = exchange(p, NONE if who is None else who)
            case Shown(seat=who, cards=cards) if cards is not None:
                p = p._replace(hands=put(p.hands, who, p.hands[who] | cards.mask & ~played[who]))
            case Drawn(seat=who, card=card, turnup=True) if who == seat and card is not None:
                steps[-1][STEP_GAINED] = 1 << card
            case Drawn(seat=who) if who == seat:
                steps[-1][STEP_DREW : STEP_KNOWN + 1] = [1, p.hands[seat]]
            case _:
                pass
    return steps[::-1]


def words_of(
    view: View,
    p: Position,
    acts: Sequence[int],
    tries: int = 0,
    seed: int = 0,
    candidates: int = MOST_CANDIDATES,
) -> array[int]:
    """A backend's input; with `tries` also what search needs: the opponent's steps and the number of rollouts."""
    book = view.book
    words = array("q", bytes(8 * WORDS))

    def put(at: int, numbers: Sequence[int]) -> None:
        words[at : at + len(numbers)] = array("q", numbers)

    put(BOOK, flat(book))
    put(POSITION, flat(p))
    put(PUBLIC, [cards for four in plain_public_knowledge(view) for cards in four])
    put(SEAT, [own_seat(view), tries, seed])
    if tries:
        given = hidden(view)
        put(DRAWN, [given.drawn, given.cards])
        put(VACANT, given.vacancies)
        put(EXCLUDED, given.excluded)
        put(HELD, given.hands)
        if view.rules.seats == 2:
            steps = steps_of(view, 1 - own_seat(view))[:MAX_PAST]
            put(CANDIDATES, [candidates, len(steps), *[number for step in steps for number in step]])
    put(COUNT, [len(acts), *acts])
    return words


def network_act(view: View) -> Action:
    """The network's act for the seat on turn or asked at "au sept"."""
    if legal_for(view.book, view.position, own_seat(view)) & EXCHANGING:  # always better (§11)
        return Exchange()
    card, said = compute("choose", view.rules.preset, words_of(view, view.position, ()))[:2]
    return as_play(int(card), int(said))


def certain_act(view: View) -> Action | None:
    """The best act where it is certain: a chouine that decides, or all cards known; else None."""
    winning = winning_declarations(view)
    if chouine_decides(view):
        return winning[0] if winning else view.legal[0]
    whole = known(view)
    if whole is None or view.observer != view.turn:
        return winning[0] if winning else None
    acts = legal_acts(view.book, whole, own_seat(view))
    values = compute("end", view.rules.preset, words_of(view, whole, acts))

    def worth(nth: int) -> tuple[bool, bool, float, float]:
        margin = values[nth]
        return margin > 0, margin >= 0, values[SWINDLES + nth], margin

    return action_of(acts[max(range(len(acts)), key=worth)])


class LightNetworkPlayer:
    """The network's best act; two seats' last tricks exactly."""

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        return certain_act(view) or network_act(view)


class LightPlayer:
    """The network's choice; late in a partie a search that tries each act in worlds weighted by the opponent's acts.

    The amount of search depends on the position and not on a clock, so any machine chooses the same acts.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        if certain := certain_act(view):
            return certain
        if view.talon > LATE:
            return network_act(view)
        acts = legal_acts(view.book, view.position, own_seat(view))
        if len(acts) == 1:
            return action_of(acts[0])
        cards = sum(hand.bit_count() for hand in view.position.hands) + view.talon + view.rules.seats
        seed = Random(f"{self.seed} {len(view.events)}").getrandbits(63)
        values = compute(
            "try", view.rules.preset, words_of(view, view.position, acts, ROLLOUTS // cards, seed)
        )
        return action_of(acts[max(range(len(acts)), key=values.__getitem__)])
