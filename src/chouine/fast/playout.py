"""Whole parties in compiled code: random playouts, from a deal or any position, and all courses of play (perft).

Policies: `uniform` samples every legal action with equal probability, a declaration and its card being two actions;
`eager` exchanges the seven when possible, plays a uniformly random legal card and declares the best figure with it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal, NamedTuple

from chouine.errors import check_each, check_type, count_of, int_of
from chouine.fast.bits import (
    as_int64,
    high_half,
    low_half,
    next_state,
    random_member,
    scale_to,
    splitmix64,
)
from chouine.fast.compiler import compiled
from chouine.fast.driver import Turn, driver, eager_card, play_with, swapper
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.soa_layout import ZEROS, PerSeat, SeatValues, as_kind, compiled_position, seat_values
from chouine.plaintext import repr_of
from chouine.rules import perft as plain
from chouine.rules.options import Rules
from chouine.rules.play import exchange, legal, start, step, total, winner
from chouine.rules.position import NONE, UNKNOWN, Four, Position, put
from chouine.rules.rule_table import RuleTable, rule_table_of

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

PlayoutPolicy = Literal["uniform", "eager"]
Pack = memoryview  # of ints
Playouts = Callable[[Pack, int, int, int], "PlayoutCounts"]


@kernel
def shuffle(pack: Pack, stream: int) -> int:
    """Shuffle a pack of 32 in place (Fisher and Yates); returns the stream's next state."""
    bits = 0
    for place in range(31, 0, -1):
        if place & 1:
            stream = next_state(stream)
            bits = splitmix64(stream)
            half = high_half(bits)
        else:
            half = low_half(bits)
        other = scale_to(half, place + 1)
        pack[place], pack[other] = pack[other], pack[place]
    return stream


@kernel
def dealt_hands(rule_table: RuleTable, pack: Sequence[int]) -> Four:
    """The first cards of a shuffled pack as hands from seat a (§3).

    Any order of dealing a shuffled pack is equally random.
    """
    a, b, c, d = 0, 0, 0, 0
    for place in range(rule_table.hand):
        a |= 1 << pack[place]
        b |= 1 << pack[place + rule_table.hand]
        if rule_table.seats > 2:
            c |= 1 << pack[place + 2 * rule_table.hand]
        if rule_table.seats > 3:
            d |= 1 << pack[place + 3 * rule_table.hand]
    return (a, b, c, d)


@kernel
def dealt_turnup(rule_table: RuleTable, pack: Sequence[int]) -> int:
    """The last card of a shuffled pack as turnup; NONE in Mondoubleau (§3, §17)."""
    return pack[31] if rule_table.turned else NONE


@kernel
def deal_position(
    rule_table: RuleTable, pack: Sequence[int], dealer: int, kind: SeatValues = PerSeat
) -> Position:
    """The start of a partie whose first hands, and last turnup, are those of a shuffled pack."""
    return compiled_position(
        start(rule_table, dealt_hands(rule_table, pack), dealt_turnup(rule_table, pack), dealer), kind
    )


Dice = tuple[int, int]
"""What random turns carry on: a random stream, and whether "au sept" was let pass."""


@kernel
def uniform_turn(
    rule_table: RuleTable, talon: Sequence[int], p: Position, dice: Dice, _given: None
) -> tuple[Position, Dice]:
    """Any legal action; a declaration and its card are two."""
    stream = next_state(dice[0])
    p = step(rule_table, talon, p, random_member(legal(rule_table, p), high_half(splitmix64(stream))))
    return p, (stream, dice[1])


@kernel
def eager_turn(
    rule_table: RuleTable, talon: Sequence[int], p: Position, dice: Dice, _given: None
) -> tuple[Position, Dice]:
    """The exchange if it may be made, and any card with its best declaration."""
    stream, declined = dice
    holder = swapper(rule_table, p, declined)
    if holder >= 0:
        p = exchange(p, holder)
    stream = next_state(stream)
    card, declaration = eager_card(rule_table, p, high_half(splitmix64(stream)))
    return play_with(rule_table, talon, p, card, declaration), (stream, declined)


class PlayoutCounts(NamedTuple):
    """Results of playouts; tuples have one entry per seat."""

    won: tuple[int, ...]
    nulles: int
    chouines: int
    points: tuple[int, ...]


@cache
def playouts_for(rule_table: RuleTable, turn: Turn) -> Playouts:
    """The playout loop of one set of rules, compiled with these rules as constants."""
    return compiled(playout_loop(rule_table, turn))


def playout_loop(rule_table: RuleTable, turn: Turn) -> Playouts:
    """The playout loop of one set of rules as kernel Python."""
    kind, play_out = seat_values(rule_table), driver(turn)

    def playouts(pack: Pack, count: int, dealer: int, stream: int) -> PlayoutCounts:
        """Shuffle, deal and play out `count` parties, the deal passing round; `pack` holds 32 cards in any order."""
        talon = pack[rule_table.seats * rule_table.hand :]
        nulles, chouines = 0, 0
        won = as_kind(kind, ZEROS)
        points = as_kind(kind, ZEROS)
        for _ in range(count):
            stream = shuffle(pack, stream)
            p, (stream, _) = play_out(
                rule_table, talon, deal_position(rule_table, pack, dealer, kind), (stream, 0), None
            )
            chouines += p.chouine >= 0
            first = winner(rule_table, p)
            if first >= 0:
                won = put(won, first, won[first] + 1)
            else:
                nulles += 1
            points = kind(
                points[0] + total(p, 0),
                points[1] + total(p, 1),
                points[2] + (total(p, 2) if rule_table.seats > 2 else 0),
                points[3] + (total(p, 3) if rule_table.seats > 3 else 0),
            )
            dealer = dealer + 1 if dealer + 1 < rule_table.seats else 0
        return PlayoutCounts(won, nulles, chouines, points)

    return playouts


PLAYOUT_POLICIES: dict[PlayoutPolicy, Turn] = {"uniform": uniform_turn, "eager": eager_turn}


def playouts(rules: Rules, count: int, seed: int, policy: PlayoutPolicy = "uniform") -> PlayoutCounts:
    """Deal and play out `count` parties at random. The last seat deals the first.

    >>> from chouine.rules import Rules
    >>> counts = playouts(Rules(), 100, seed=1, policy="eager")
    >>> sum(counts.won) + counts.nulles
    100
    """
    check_type("rules", rules, Rules, "Rules, such as Rules.parse('three')")
    count, seed = count_of("count", count, "a number of parties"), int_of("seed", seed, "an int")
    if policy not in list(PLAYOUT_POLICIES):
        raise ValueError(f"policy is one of {', '.join(PLAYOUT_POLICIES)}, not {repr_of(policy)}")
    rule_table = rule_table_of(rules)
    pack = memoryview(array("q", range(32)))
    counts = playouts_for(rule_table, PLAYOUT_POLICIES[policy])(
        pack, count, rule_table.seats - 1, as_int64(splitmix64(seed))
    )
    return counts._replace(won=counts.won[: rule_table.seats], points=counts.points[: rule_table.seats])


_perft = compiled(plain.perft)


def perft(rule_table: RuleTable, talon: Sequence[int], p: Position, depth: int) -> int:
    """The number of legal action sequences of `depth` actions; see `rules.perft.perft`."""
    check_type("rule_table", rule_table, RuleTable, "that of Rules, such as State.rule_table")
    check_each("talon", talon, int, "its hidden cards in drawing order")
    check_type("p", p, Position, "a Position")
    depth = count_of("depth", depth, "a number of actions")
    whole = [*talon, *[UNKNOWN] * (32 - len(talon))]  # pad to 32: compiled code does not check array bounds
    return _perft(rule_table, memoryview(array("q", whole)), compiled_position(p), depth)
