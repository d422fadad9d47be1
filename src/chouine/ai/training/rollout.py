"""Parties that a network plays against itself, its acts drawn as it values them: what PPO learns from.

Two seats. Kernel Python. A choice is told twice: as the seat knows it, and what only the critic may see besides, the
other's hand and the talon.
"""

from __future__ import annotations

from array import array
from math import exp, log
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.features import INPUTS, MARKS, NUMBERS, SPOKEN, WORTH, mark_seat, renamed, standing_of
from chouine.ai.foresight import acted, swapped
from chouine.ai.network import Network, consult, network_card, network_of
from chouine.ai.playout import ending, outcome, solved
from chouine.ai.training.shown import SHOWN
from chouine.cards import ALL_CARDS
from chouine.fast.bits import advance, high_half, highest, lowest, mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.playout import NOTHING, best_with, dealt_hands, dealt_turnup, shuffle
from chouine.fast.seats import seated, seats
from chouine.fast.seen import Seen
from chouine.players.thumb import thumb_card, thumb_table
from chouine.rules.book import Book, book_of
from chouine.rules.combinations import DECLARATIONS
from chouine.rules.options import Rules
from chouine.rules.play import exchanger, legal, start
from chouine.rules.position import NONE, Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

AHEAD = 22
"""Hidden cards of the talon at most."""
RIVAL = 32 * (1 + AHEAD)
"""After the other's hand and the talon, card by card: whether the other is somebody else, who does not learn."""
HIDDEN_INPUTS = RIVAL + 1
HIDDEN = 5 + AHEAD + 1
UNIT = float(1 << 32)


class Steps(NamedTuple):
    """Choices, a row each, parties one after another."""

    marks: Any
    """What the seat knows, as `features` marks it; `INPUTS` beyond."""
    numbers: Any
    hidden: Any
    """What the critic sees besides; `HIDDEN_INPUTS` beyond."""
    is_open: Any
    """By act, whether it could be done."""
    act: Any
    chance: Any
    """Logarithm of how likely the act was to be drawn."""
    seat: Any
    won: Any
    """What the partie came to for the seat: 1, 0, or 0.5 for a nulle."""
    last: Any
    """Whether it was the last choice of the partie."""


class Stage(NamedTuple):
    """What parties are played with."""

    pack: Any
    weights: Any
    """Of the rules of thumb."""
    rival: Network
    """Whose best acts the rival plays; `NOBODY` for rules of thumb."""
    one: Any
    nodes: Any
    chances: Any


@kernel
def write_step(
    steps: Steps, row: int, p: Position, seen: Seen, talon: Any, book: Book, rivalled: int, one: Any
) -> None:
    """What the seat on turn knows, and what it does not."""
    seat = p.turn
    other = 1 - seat
    gone = seen.played[0] | seen.played[1]
    many, order = mark_seat(p, seat, p.hands[seat], seen.known[other], gone, one)
    for nth in range(steps.marks.shape[1]):
        steps.marks[row, nth] = one[nth] if nth < many else INPUTS
    numbers = standing_of(p, seat)
    for nth in range(len(numbers)):
        steps.numbers[row, nth] = numbers[nth]
    many, held = 0, p.hands[other]
    while held:
        steps.hidden[row, many] = renamed(lowest(held), order)
        held &= held - 1
        many += 1
    first = min(p.tricks * book.seats, book.hidden)
    for place in range(first, book.hidden):
        steps.hidden[row, many] = 32 * (1 + place - first) + renamed(talon[place], order)
        many += 1
    if rivalled:
        steps.hidden[row, many] = RIVAL
        many += 1
    for nth in range(many, steps.hidden.shape[1]):
        steps.hidden[row, nth] = HIDDEN_INPUTS
    steps.seat[row] = seat
    steps.last[row] = 0


@kernel
def draw_act(
    book: Book, network: Network, p: Position, seen: Seen, steps: Steps, row: int, chances: Any, stream: int
) -> tuple[int, int, int]:
    """An act, as likely as the network makes it; its card, its declaration or NONE, and the stream's next state."""
    actions = legal(book, p)
    cards, declarations = actions & ALL_CARDS, actions & DECLARATIONS
    order = consult(
        network, p, p.turn, p.hands[p.turn], seen.known[1 - p.turn], seen.played[0] | seen.played[1]
    )
    top = -1e9
    for slot in range(WORTH):
        chances[slot] = 0.0
        steps.is_open[row, slot] = 0
    left = cards
    while left:
        card = lowest(left)
        left &= left - 1
        slot = renamed(card, order)
        steps.is_open[row, slot] = 1
        top = max(top, network.told[slot])
        if best_with(book, declarations, card) >= 0:
            steps.is_open[row, SPOKEN + slot] = 1
            top = max(top, network.told[SPOKEN + slot])
    total = 0.0
    for slot in range(WORTH):
        if steps.is_open[row, slot]:
            chances[slot] = exp(network.told[slot] - top)
            total += chances[slot]
    stream = advance(stream)
    drawn, slot, at = high_half(mixed(stream)) / UNIT * total, 0, 0.0
    for nth in range(WORTH):
        if chances[nth] > 0:
            slot = nth
            at += chances[nth]
            if at > drawn:
                break
    steps.act[row] = slot
    steps.chance[row] = log(chances[slot] / total)
    left = cards
    while left:
        card = lowest(left)
        left &= left - 1
        if renamed(card, order) == slot & 31:
            return card, best_with(book, declarations, card) if slot >= SPOKEN else NONE, stream
    return highest(cards), NONE, stream


@kernel
def rivals_card(book: Book, stage: Stage, p: Position, seen: Seen) -> tuple[int, int]:
    """What the rival lays when it is on turn, and declares with it, or NONE."""
    gone = seen.played[0] | seen.played[1]
    if len(stage.rival.one):
        return network_card(book, stage.rival, p, gone, seen.known[1 - p.turn])
    return thumb_card(book, stage.weights, p, gone)


@compiled
def roll_out(book: Book, network: Network, stage: Stage, rivals: float, stream: int, steps: Steps) -> int:
    """Play until there is no room for another partie's choices; how many there are.

    In a share `rivals` of the parties the other seat is the rival's, and its choices are not told.
    """
    row, dealer = 0, 0
    talon = stage.pack[book.seats * book.hand :]
    while row + 2 * book.drawing <= len(steps.act):
        first = row
        stream = shuffle(stage.pack, stream)
        p = seated(start(book, dealt_hands(book, stage.pack), dealt_turnup(book, stage.pack), dealer))
        dealer = 1 - dealer
        stream = advance(stream)
        bits = mixed(stream)
        rival = bits & 1 if high_half(bits) / UNIT < rivals else NONE
        seen = Seen(seats(NOTHING), seats(NOTHING), seats(NOTHING))
        while p.turn >= 0 and not solved(book, p):
            holder = exchanger(book, p)
            while holder >= 0:
                p, seen = swapped(book, p, seen, holder)
                holder = exchanger(book, p)
            actions = legal(book, p)
            cards = actions & ALL_CARDS
            if p.turn == rival:
                card, declaration = rivals_card(book, stage, p, seen)
            elif cards & cards - 1 == 0 and actions & DECLARATIONS == 0:
                card, declaration = highest(cards), NONE
            else:
                write_step(steps, row, p, seen, talon, book, rival >= 0, stage.one)
                card, declaration, stream = draw_act(
                    book, network, p, seen, steps, row, stage.chances, stream
                )
                row += 1
            p, seen = acted(book, talon, p, seen, card, declaration)
        result = ending(book, p, 0, stage.nodes) if p.turn >= 0 else outcome(book, p, 0)
        for nth in range(first, row):
            steps.won[nth] = 1.0 - result if steps.seat[nth] else result
        if row > first:
            steps.last[row - 1] = 1
    return row


@compiled
def score(book: Book, network: Network, stage: Stage, pairs: int, stream: int) -> tuple[float, float]:
    """Wins and losses of the network's best acts against the rival: the same packs from both seats."""
    wins, losses = 0.0, 0.0
    talon = stage.pack[book.seats * book.hand :]
    for nth in range(2 * pairs):
        seat = nth & 1
        if seat == 0:
            stream = shuffle(stage.pack, stream)
        p = seated(start(book, dealt_hands(book, stage.pack), dealt_turnup(book, stage.pack), nth >> 1 & 1))
        seen = Seen(seats(NOTHING), seats(NOTHING), seats(NOTHING))
        while p.turn >= 0 and not solved(book, p):
            holder = exchanger(book, p)
            while holder >= 0:
                p, seen = swapped(book, p, seen, holder)
                holder = exchanger(book, p)
            if p.turn == seat:
                gone = seen.played[0] | seen.played[1]
                card, declaration = network_card(book, network, p, gone, seen.known[1 - seat])
            else:
                card, declaration = rivals_card(book, stage, p, seen)
            p, seen = acted(book, talon, p, seen, card, declaration)
        result = ending(book, p, seat, stage.nodes) if p.turn >= 0 else outcome(book, p, seat)
        wins += result == 1.0
        losses += result == 0.0
    return wins, losses


@compiled
def advantages(steps: Steps, values: Any, trust: float, gained: Any, aims: Any) -> None:
    """How much better than expected each choice turned out, both seats' choices in turn (GAE); and what to expect.

    `values`: what the critic expects of the partie for the seat that chooses, -1 to 1. `trust`: GAE's lambda.
    """
    ahead = 0.0
    for back in range(len(values)):
        row = len(values) - 1 - back
        if steps.last[row]:
            ahead = 0.0
            after = 2.0 * steps.won[row] - 1.0
        else:
            same = 1.0 if steps.seat[row] == steps.seat[row + 1] else -1.0
            ahead *= same
            after = same * values[row + 1]
        ahead = after - values[row] + trust * ahead
        gained[row] = ahead
        aims[row] = ahead + values[row]


def room_for(many: int) -> Steps:
    """Room for so many choices."""
    return Steps(
        np.zeros((many, SHOWN), np.int16),
        np.zeros((many, INPUTS - NUMBERS), np.float32),
        np.zeros((many, HIDDEN), np.int16),
        np.zeros((many, WORTH), np.uint8),
        np.zeros(many, np.int64),
        np.zeros(many, np.float32),
        np.zeros(many, np.int8),
        np.zeros(many, np.float32),
        np.zeros(many, np.int8),
    )


NOBODY = network_of(
    {
        "first_weight": np.zeros((INPUTS, 0), np.float32),
        "first_bias": np.zeros(0, np.float32),
        "second_weight": np.zeros((0, 0), np.float32),
        "second_bias": np.zeros(0, np.float32),
        "out_weight": np.zeros((0, WORTH + 1), np.float32),
        "out_bias": np.zeros(0, np.float32),
    }
)
"""A network of no units."""


def stage_for(rules: Rules, rival: Network = NOBODY) -> Stage:
    """A pack, a rival, and room to work in."""
    return Stage(
        np.arange(32, dtype=np.int64),
        thumb_table(rules),
        rival,
        np.zeros(MARKS, np.int64),
        memoryview(array("q", [0])),
        np.zeros(WORTH),
    )


def rolled_out(rules: Rules, network: Network, stage: Stage, rivals: float, seed: int, steps: Steps) -> Steps:
    """Choices of parties that the network plays: as many as there is room for."""
    many = roll_out(book_of(rules), network, stage, rivals, signed(mixed(seed)), steps)
    return Steps(*(part[:many] for part in steps))


def rate(rules: Rules, network: Network, stage: Stage, pairs: int, seed: int) -> float:
    """The share of decided parties that the network wins against the rival."""
    wins, losses = score(book_of(rules), network, stage, pairs, signed(mixed(seed)))
    return wins / (wins + losses)
