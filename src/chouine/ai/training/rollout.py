"""Parties that a network plays against itself, its acts drawn as it values them: what PPO learns from.

Kernel Python. A choice is told twice: as the seat knows it, and what only the critic may see besides, the others' hands
and the talon. What goes by seat begins with the seat that chooses, the others following in playing order.
"""

from __future__ import annotations

from array import array
from math import exp, log
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.features import MARKS, SPOKEN, WORTH, layout, renamed
from chouine.ai.foresight import acted, swapped
from chouine.ai.manner import Manner, by_network, by_thumb, card_by, greedily
from chouine.ai.network import Network, consult, network_card
from chouine.ai.playout import ending, outcome, solved
from chouine.ai.training.shown import SHOWN, show
from chouine.cards import ALL_CARDS
from chouine.fast.bits import advance, below, high_half, highest, low_half, lowest, mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.playout import NOTHING, best_with, dealt_hands, dealt_turnup, shuffle
from chouine.fast.seats import seated, seats
from chouine.fast.seen import Seen
from chouine.rules.book import Book, book_of
from chouine.rules.combinations import DECLARATIONS
from chouine.rules.options import Rules
from chouine.rules.play import exchanger, legal, start
from chouine.rules.position import NONE, Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

AHEAD = 22
"""Hidden cards of the talon at most."""
HIDDEN = 32
"""More than there are marks of what is hidden."""
UNIT = float(1 << 32)


class Steps(NamedTuple):
    """Choices, a row each, parties one after another."""

    marks: Any
    """What the seat knows, as `features` marks it; as many as there are inputs beyond."""
    numbers: Any
    hidden: Any
    """What the critic sees besides; `hidden_inputs` beyond."""
    is_open: Any
    """By act, whether it could be done."""
    act: Any
    chance: Any
    """Logarithm of how likely the act was to be drawn."""
    seat: Any
    won: Any
    """By seat, what the partie came to: 1, 0, or for a nulle a fair share."""
    last: Any
    """Whether it was the last choice of the partie."""


class Stage(NamedTuple):
    """What parties are played with."""

    pack: Any
    rivals: tuple[Manner, Manner]
    """How they play, one or the other, by chance."""
    one: Any
    nodes: Any
    chances: Any


@kernel
def rival_mark(seats: int) -> int:
    """After the others' hands and the talon, card by card: whether the others are somebody else, who does not learn."""
    return 32 * (seats - 1 + AHEAD)


@kernel
def hidden_inputs(seats: int) -> int:
    """How many inputs the critic has besides."""
    return rival_mark(seats) + 1


@kernel
def write_step(
    steps: Steps, row: int, p: Position, seen: Seen, talon: Any, book: Book, rivalled: int, one: Any
) -> None:
    """What the seat on turn knows, and what it does not."""
    seat = p.turn
    order, many = show(book.seats, p, seen, steps.marks[row], steps.numbers[row], one), 0
    for nth in range(book.seats - 1):
        held = p.hands[(seat + 1 + nth) % book.seats]
        while held:
            steps.hidden[row, many] = 32 * nth + renamed(lowest(held), order)
            held &= held - 1
            many += 1
    first = min(p.tricks * book.seats, book.hidden)
    for place in range(first, book.hidden):
        steps.hidden[row, many] = 32 * (book.seats - 1 + place - first) + renamed(talon[place], order)
        many += 1
    if rivalled:
        steps.hidden[row, many] = rival_mark(book.seats)
        many += 1
    for nth in range(many, steps.hidden.shape[1]):
        steps.hidden[row, nth] = hidden_inputs(book.seats)
    steps.seat[row] = seat
    steps.last[row] = 0


@kernel
def draw_act(
    book: Book, network: Network, p: Position, seen: Seen, steps: Steps, row: int, chances: Any, stream: int
) -> tuple[int, int, int]:
    """An act, as likely as the network makes it; its card, its declaration or NONE, and the stream's next state."""
    actions = legal(book, p)
    cards, declarations = actions & ALL_CARDS, actions & DECLARATIONS
    order = consult(book.seats, network, p, p.turn, seen.known, seen.played)
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
def dealt(book: Book, pack: Any, dealer: int) -> tuple[Position, Seen]:
    """The pack's partie as it begins, and what has been seen of it."""
    p = start(book, dealt_hands(book, pack), dealt_turnup(book, pack), dealer)
    return seated(p), Seen(seats(NOTHING), seats(NOTHING), seats(NOTHING))


@kernel
def exchanged(book: Book, p: Position, seen: Seen) -> tuple[Position, Seen]:
    """Whoever can exchanges the seven."""
    holder = exchanger(book, p)
    while holder >= 0:
        p, seen = swapped(book, p, seen, holder)
        holder = exchanger(book, p)
    return p, seen


@kernel
def result_of(book: Book, p: Position, seat: int, nodes: Any) -> float:
    """What a partie that is over, or `solved`, comes to for a seat."""
    return ending(book, p, seat, nodes) if p.turn >= 0 else outcome(book, p, seat)


@compiled
def roll_out(book: Book, network: Network, stage: Stage, rivals: float, stream: int, steps: Steps) -> int:
    """Play until there is no room for another partie's choices; how many there are.

    In a share `rivals` of the parties all seats but one are rivals', and their choices are not told.
    """
    row, dealer = 0, 0
    talon = stage.pack[book.seats * book.hand :]
    while row + book.seats * book.tricks <= len(steps.act):
        first = row
        stream = shuffle(stage.pack, stream)
        p, seen = dealt(book, stage.pack, dealer)
        dealer = (dealer + 1) % book.seats
        stream = advance(stream)
        bits = mixed(stream)
        alone = below(low_half(bits), book.seats) if high_half(bits) / UNIT < rivals else NONE
        rival = stage.rivals[bits & 1]
        while p.turn >= 0 and not solved(book, p):
            p, seen = exchanged(book, p, seen)
            actions = legal(book, p)
            cards = actions & ALL_CARDS
            if alone >= 0 and p.turn != alone:
                card, declaration = card_by(book, rival, p, seen)
            elif cards & cards - 1 == 0 and actions & DECLARATIONS == 0:
                card, declaration = highest(cards), NONE
            else:
                write_step(steps, row, p, seen, talon, book, alone >= 0, stage.one)
                card, declaration, stream = draw_act(
                    book, network, p, seen, steps, row, stage.chances, stream
                )
                row += 1
            p, seen = acted(book, talon, p, seen, card, declaration)
        for seat in range(book.seats):
            result = result_of(book, p, seat, stage.nodes)
            for nth in range(first, row):
                steps.won[nth, (seat - steps.seat[nth]) % book.seats] = result
        if row > first:
            steps.last[row - 1] = 1
    return row


@kernel
def chairs_of(seats: int) -> int:
    """How many parties are a pair, as the arena plays them: each sits alone in every chair of the same pack."""
    return seats if seats == 2 else 2 * seats


@compiled
def score(book: Book, network: Network, stage: Stage, pairs: int, stream: int, which: int) -> tuple[int, int]:
    """Wins and losses of the network's best acts against one of the rivals."""
    wins, losses = 0, 0
    talon = stage.pack[book.seats * book.hand :]
    for nth in range(pairs):
        stream = shuffle(stage.pack, stream)
        for chair in range(chairs_of(book.seats)):
            alone, rivals = chair % book.seats, chair >= book.seats
            p, seen = dealt(book, stage.pack, nth % book.seats)
            while p.turn >= 0 and not solved(book, p):
                p, seen = exchanged(book, p, seen)
                if (p.turn == alone) != rivals:
                    card, declaration = network_card(book, network, p, seen)
                else:
                    card, declaration = card_by(book, stage.rivals[which], p, seen)
                p, seen = acted(book, talon, p, seen, card, declaration)
            result = result_of(book, p, alone, stage.nodes)
            wins += result == (0.0 if rivals else 1.0)
            losses += result == (1.0 if rivals else 0.0)
    return wins, losses


@compiled
def advantages(steps: Steps, values: Any, trust: float, gained: Any, aims: Any) -> None:
    """How much better than expected each choice turned out, all seats' choices in turn (GAE); and what to expect.

    `values`: by seat, the share of the partie that the critic expects. `trust`: GAE's lambda.
    """
    many = values.shape[1]
    ahead = np.zeros(many)
    for back in range(len(values)):
        row = len(values) - 1 - back
        for nth in range(many):
            seat = (steps.seat[row] + nth) % many
            if steps.last[row]:
                ahead[seat] = 0.0
                after = steps.won[row, nth]
            else:
                after = values[row + 1, (seat - steps.seat[row + 1]) % many]
            ahead[seat] = after - values[row, nth] + trust * ahead[seat]
            aims[row, nth] = ahead[seat] + values[row, nth]
        gained[row] = ahead[steps.seat[row]]


def room_for(rules: Rules, many: int) -> Steps:
    """Room for so many choices."""
    at = layout(rules.seats)
    return Steps(
        np.zeros((many, SHOWN), np.int16),
        np.zeros((many, at.inputs - at.numbers), np.float32),
        np.zeros((many, HIDDEN), np.int16),
        np.zeros((many, WORTH), np.uint8),
        np.zeros(many, np.int64),
        np.zeros(many, np.float32),
        np.zeros(many, np.int8),
        np.zeros((many, rules.seats), np.float32),
        np.zeros(many, np.int8),
    )


def stage_for(rules: Rules, rival: Network | None = None) -> Stage:
    """A pack, rivals that play by rules of thumb and greedily, or by a network, and room to work in."""
    return Stage(
        np.arange(32, dtype=np.int64),
        (by_network(rules, rival),) * 2 if rival else (by_thumb(rules), greedily(rules)),
        np.zeros(MARKS, np.int64),
        memoryview(array("q", [0])),
        np.zeros(WORTH),
    )


def rolled_out(rules: Rules, network: Network, stage: Stage, rivals: float, seed: int, steps: Steps) -> Steps:
    """Choices of parties that the network plays: as many as there is room for."""
    many = roll_out(book_of(rules), network, stage, rivals, signed(mixed(seed)), steps)
    return Steps(*(part[:many] for part in steps))


def rate(rules: Rules, network: Network, stage: Stage, parties: int, seed: int, which: int = 0) -> float:
    """The share of decided parties that the network wins against one of the rivals."""
    pairs = parties // chairs_of(rules.seats)
    wins, losses = score(book_of(rules), network, stage, pairs, signed(mixed(seed)), which)
    return wins / (wins + losses)
