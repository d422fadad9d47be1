"""Many parties for one learner: each is stepped by its action and then plays on until it decides again.

Kernel Python. A partie is a column of `cells`, contiguous in memory; its pack is 32 cards of `packs`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from chouine.envs.compiled_players import ASKED, History, Rival, any_move, simple_move
from chouine.envs.encode import LET_PASS, NUMBERS, actor, choices, observe
from chouine.fast.bits import high_half, next_state, splitmix64, spread64
from chouine.fast.driver import step_publicly
from chouine.fast.kernels import kernel
from chouine.fast.playout import deal_position, shuffle
from chouine.fast.public_knowledge import PublicKnowledge, nothing_known
from chouine.fast.soa_layout import (
    ROW_COUNT,
    ROWS,
    PerSeat,
    PositionArray,
    SeatValues,
    TwoSeats,
    load,
    load_four,
    store,
    store_four,
)
from chouine.rules.play import total, winner
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable

LEARNER = 0
"""The learner's seat. Dealers rotate, so it leads as often as the others."""

KNOWN, SHOWING, PLAYED = ROW_COUNT, ROW_COUNT + 4, ROW_COUNT + 8
PASSED, STREAM, DEALER, KIND, SALT, DONE, PARTIES, HEIGHT = range(ROW_COUNT + 12, ROW_COUNT + 20)
"""Rows of `cells` after those of a position. `KIND`: the opponent of this partie; `SALT`: the partie's random
number; `DONE`: actions so far; `PARTIES`: parties played in this row."""
TURN = ROWS["turn"].start
LONGEST = 96
"""More actions than a partie can have."""
POSITIVE = 2**63 - 1
"""Random streams are continued with 63 bits, which plain and compiled code store alike."""


class Batch(NamedTuple):
    """The arrays of a batch; `words` and `numbers`, and those of last observations, are the same memory."""

    cells: Any
    """`int64[HEIGHT, rows]`, of two rows at least."""
    packs: Any
    """`uint8[32 * rows]`: each partie's pack."""
    acts: Any
    """`int8[rows * LONGEST]`: all actions of each partie."""
    shares: Any
    """`float64[kinds]`: cumulative probabilities of the kinds of opponents."""
    legal: Any
    """`int64[rows]`: legal actions of the deciding seat, as sets."""
    deciding: Any
    """`int64[rows]`: the deciding seat."""
    words: Any
    """`uint64[rows, n]`: observations, padded to whole cache lines (`encode.in_words`)."""
    numbers: Any
    """`uint8[rows, 8 n]`: the same memory."""
    masks: Any
    """`uint64[rows, m]`: action masks, padded likewise."""
    over: Any
    """`bool[rows]`: whether a partie has ended and another begun; the next fields describe its end."""
    rewards: Any
    """`float64[rows]`: the learner's."""
    points: Any
    """`int64[rows, seats]`"""
    last_words: Any
    """`uint64[rows, n]`: the learner's last observations."""
    last_numbers: Any
    """`uint8[rows, 8 n]`: the same memory."""


@kernel
def load_seen(cells: PositionArray, row: int, kind: SeatValues, seats: int) -> PublicKnowledge:
    return PublicKnowledge(
        load_four(cells, KNOWN, row, kind, seats),
        load_four(cells, SHOWING, row, kind, seats),
        load_four(cells, PLAYED, row, kind, seats),
    )


@kernel
def store_seen(cells: PositionArray, row: int, seen: PublicKnowledge, seats: int) -> None:
    store_four(cells, KNOWN, row, seen.known, seats)
    store_four(cells, SHOWING, row, seen.to_show, seats)
    store_four(cells, PLAYED, row, seen.played, seats)


@kernel
def tell_end(rule_table: RuleTable, p: Position, seen: PublicKnowledge, batch: Batch, row: int) -> None:
    """Write the end of a partie: the winner, the points, and the learner's last observation."""
    first = winner(rule_table, p)
    batch.over[row] = True
    batch.rewards[row] = 1.0 if first == LEARNER else 0.0 if first < 0 else -1.0 / (rule_table.seats - 1)
    for seat in range(rule_table.seats):
        batch.points[row, seat] = total(p, seat)
    observe(rule_table, p, seen, LEARNER, batch.last_words, batch.last_numbers, row)


@kernel
def drawn_kind(shares: Any, half: int) -> int:
    """The kind of opponent for a partie, from 32 random bits."""
    kind = 0
    while kind < len(shares) - 1 and half >= shares[kind] * (1 << 32):
        kind += 1
    return kind


@kernel
def waits(rival: Rival, action: int, cells: PositionArray, deciding: int, row: int) -> bool:
    """Whether this opponent has nothing to do in a row."""
    if cells[KIND, row] != rival.kind:
        return True
    return action < 0 and cells[TURN, row] >= 0 and (deciding == LEARNER or rival.way == ASKED)


def playing(move: Callable[..., tuple[int, int, int]], kind: SeatValues) -> Callable[..., None]:
    """Make the kernel that plays rows against opponents decided by `move`, for any rules or for two seats alone."""
    seats = 2 if kind is TwoSeats else 4

    def play_rows(
        rule_table: RuleTable, rival: Rival, batch: Batch, taken: Any, first: int, last: int
    ) -> None:
        """Carry out the given action in each row against this opponent, and play on until a decision is needed.

        A finished partie is followed by a new deal. If another opponent decides first there, the row waits.
        """
        cells, dealt = batch.cells, rule_table.seats * rule_table.hand
        for row in range(first, last):
            action = taken[row]
            if waits(rival, action, cells, batch.deciding[row], row):
                continue
            p, seen = load(cells, row, kind, seats), load_seen(cells, row, kind, seats)
            passed, stream, dealer = cells[PASSED, row], cells[STREAM, row], cells[DEALER, row]
            against, salt, done = cells[KIND, row], cells[SALT, row], cells[DONE, row]
            pack = batch.packs[32 * row : 32 * row + 32]
            acts = batch.acts[LONGEST * row : LONGEST * row + LONGEST]
            seat, owed = batch.deciding[row], NONE
            while True:
                if action >= 0:
                    acts[done] = action
                    done += 1
                if action == LET_PASS:
                    passed = 1
                elif action >= 0:
                    p, seen = step_publicly(rule_table, pack[dealt:], p, seen, seat, action)
                if p.turn < 0:
                    if done:
                        tell_end(rule_table, p, seen, batch, row)
                    stream = shuffle(pack, stream)
                    dealer = dealer + 1 if dealer + 1 < rule_table.seats else 0
                    p = deal_position(rule_table, pack, dealer, kind)
                    seen, passed = nothing_known(kind), 0
                    done, salt = 0, splitmix64(stream) & POSITIVE
                    cells[PARTIES, row] += 1
                    if len(batch.shares) > 1:
                        stream = next_state(stream)
                        against = drawn_kind(batch.shares, high_half(splitmix64(stream)))
                seat = actor(rule_table, p, passed)
                if seat == LEARNER or rival.way == ASKED or against != rival.kind:
                    break
                if owed >= 0:
                    action, owed = owed, NONE
                else:
                    action, owed, stream = move(
                        rule_table, rival, p, seen, seat, History(acts, done, salt), stream
                    )
            store(cells, row, p, seats)
            store_seen(cells, row, seen, seats)
            cells[PASSED, row], cells[STREAM, row], cells[DEALER, row] = passed, stream & POSITIVE, dealer
            cells[KIND, row], cells[SALT, row], cells[DONE, row] = against, salt, done
            batch.deciding[row], batch.legal[row] = seat, choices(rule_table, p, seat)
            spread64(batch.masks, row, 0, batch.legal[row])
            observe(rule_table, p, seen, seat, batch.words, batch.numbers, row)

    return play_rows


play_simple, play_simple_for_two = playing(simple_move, PerSeat), playing(simple_move, TwoSeats)
play_any = playing(any_move, PerSeat)


def first_not_open(legal: Any, taken: Any) -> int:
    """The first row whose action is illegal, or NONE."""
    for row in range(len(taken)):
        if not 0 <= taken[row] < NUMBERS or not legal[row] >> taken[row] & 1:
            return row
    return NONE
