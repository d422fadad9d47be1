"""Parties between deterministic compiled players, decision by decision, at ten times the speed.

The players act as those of the same names elsewhere, so data sets made here are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from chouine.envs.compiled_players import GREEDY, HEURISTIC, NET, History, Rival, any_move, rival
from chouine.envs.encode import LET_PASS, NUMBERS, actor, choices, in_words, observe, size_of
from chouine.envs.rows import LONGEST
from chouine.fast.bits import spread64
from chouine.fast.compiler import compiled
from chouine.fast.driver import step_publicly
from chouine.fast.kernels import AVAILABLE
from chouine.fast.public_knowledge import nothing_known
from chouine.fast.soa_layout import ROW_COUNT, compiled_position, load, store
from chouine.partie.deal import Deal, drawing_order, four_hands, turnup_number
from chouine.rules.options import Rules
from chouine.rules.play import start
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable, rule_table_of

DETERMINISTIC = (GREEDY, HEURISTIC, NET)
"""Deterministic ways of playing."""


class DealRows(NamedTuple):
    """Deals, one per row, and their players."""

    hands: Any
    """`int64[n, 4]`"""
    turnup: Any
    """`int64[n]`: the card, or NONE."""
    talon: Any
    """`int64[n, places]`: in drawing order."""
    dealer: Any
    """`int64[n]`"""
    places: Any
    """`int64[n, 4]`: index of each seat's player."""
    cells: Any
    """`int64[ROW_COUNT, n]`: final positions."""
    ends: Any
    """`int64[n]`: cumulative number of decisions up to the end of each partie."""


class DecisionRows(NamedTuple):
    """Decisions, one per row; `words` and `numbers` are the same memory."""

    seat: Any
    """`int8[n]`"""
    action: Any
    """`int8[n]`"""
    words: Any
    """`uint64[n, …]`: observations, as in `rows.Batch`."""
    numbers: Any
    """`uint8[n, 8 …]`"""
    masks: Any
    """`uint64[n, …]`: action masks."""


@compiled
def record_parties(
    rule_table: RuleTable, rivals: Any, acts: Any, table: DealRows, decisions: DecisionRows
) -> None:
    """Play all deals and write every decision. `acts: int8[LONGEST]` is scratch."""
    at = 0
    for row in range(len(table.dealer)):
        a, b, c, d = table.hands[row, 0], table.hands[row, 1], table.hands[row, 2], table.hands[row, 3]
        p = compiled_position(start(rule_table, (a, b, c, d), table.turnup[row], table.dealer[row]))
        seen, passed, done, owed = nothing_known(), 0, 0, NONE
        while p.turn >= 0:
            seat = actor(rule_table, p, passed)
            spread64(decisions.masks, at, 0, choices(rule_table, p, seat))
            observe(rule_table, p, seen, seat, decisions.words, decisions.numbers, at)
            if owed >= 0:
                action, owed = owed, NONE
            else:
                player = rivals[table.places[row, seat]]
                action, owed, _ = any_move(rule_table, player, p, seen, seat, History(acts, done, 0), 0)
            decisions.seat[at], decisions.action[at] = seat, action
            at += 1
            acts[done] = action
            done += 1
            if action == LET_PASS:
                passed = 1
            else:
                p, seen = step_publicly(rule_table, table.talon[row], p, seen, seat, action)
        store(table.cells, row, p)
        table.ends[row] = at


def deterministic_rivals(names: Sequence[str], rules: Rules) -> tuple[Rival, ...]:
    """The compiled players of these names; empty if one is not compiled or is random."""
    rivals = tuple(rival(nth, name, rules) for nth, name in enumerate(names)) if AVAILABLE else ()
    return rivals if all(each.way in DETERMINISTIC for each in rivals) else ()


def play_all(
    rules: Rules, rivals: tuple[Rival, ...], deals: Sequence[Deal], places: Sequence[Sequence[int]]
) -> tuple[DecisionRows, list[tuple[int, Position]]]:
    """All decisions of these deals; and for each partie their cumulative number, and its last position."""
    rule_table, count = rule_table_of(rules), len(deals)
    seated = np.zeros((count, 4), np.int64)
    seated[:, : rules.seats] = places
    table = DealRows(
        np.array([four_hands(deal.hands) for deal in deals], np.int64),
        np.array([turnup_number(deal.turnup) for deal in deals], np.int64),
        np.array([drawing_order(deal.talon) for deal in deals], np.int64),
        np.array([deal.dealer for deal in deals], np.int64),
        seated,
        np.zeros((ROW_COUNT, count), np.int64),
        np.zeros(count, np.int64),
    )
    rows = count * LONGEST
    words, masks = (
        np.zeros((rows, in_words(size_of(rules.seats))), np.uint64),
        np.zeros((rows, in_words(NUMBERS)), np.uint64),
    )
    decisions = DecisionRows(
        np.zeros(rows, np.int8), np.zeros(rows, np.int8), words, words.view(np.uint8), masks
    )
    padded = (*rivals, *rivals[:1] * (4 - len(rivals)))  # compiled once for any number up to four
    record_parties(rule_table, padded, np.zeros(LONGEST, np.int8), table, decisions)
    many = int(table.ends[-1])
    numbers, open_to = decisions.numbers[:many, : size_of(rules.seats)], masks.view(np.int8)[:many, :NUMBERS]
    ends = [(int(end), load(table.cells.data, row)) for row, end in enumerate(table.ends)]
    return DecisionRows(decisions.seat[:many], decisions.action[:many], words[:many], numbers, open_to), ends
