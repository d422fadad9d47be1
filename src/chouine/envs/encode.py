"""Observations and actions as numbers: who decides, what it may do, and what it knows.

One table defines arrays, spaces and the documented layout (`python -m chouine.envs.encode` prints it). An observation
is a row of bytes: cards and declarations as 0 or 1, counts as numbers from 0 to the field's `high`. Seats are ordered
from the observer: itself first, then the next in playing order (§3), and so on.

A learner's step is one of the 51 actions of `rules.combinations`, or `LET_PASS`: at "au sept" (§11) the seat with the
seven is asked before the lead, and nobody else learns that it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from chouine.cards import PACK
from chouine.envs import MissingPackage
from chouine.errors import check_type, int_of
from chouine.fast.bits import spread32, spread64
from chouine.fast.kernels import kernel
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.partie.actions import Declaration
from chouine.partie.events import played_by_seat
from chouine.partie.view import View
from chouine.plaintext import repr_of
from chouine.rules.combinations import ACTIONS, EXCHANGE, MARIAGE
from chouine.rules.play import au_sept, declare, exchanger, legal_for
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise MissingPackage(error, "fast") from error

LET_PASS = ACTIONS
"""At "au sept", keep the seven (§11)."""
NUMBERS = ACTIONS + 1
"""Number of actions."""
SEATS = "2, 3 or 4"
NUMBER = "one of the numbers of the action mask"
OTHERS_SEVEN = 1 << EXCHANGE | 1 << LET_PASS
"""Actions of a seat that is not on turn, at "au sept"."""


@kernel
def actor(rule_table: RuleTable, p: Position, let_pass: int) -> int:
    """The seat whose decision it is, or NONE. `let_pass`: whether the seven's holder has let "au sept" pass."""
    if p.turn >= 0 and not let_pass and au_sept(rule_table, p):
        holder = exchanger(rule_table, p)
        if holder >= 0:
            return holder
    return p.turn


@kernel
def choices(rule_table: RuleTable, p: Position, seat: int) -> int:
    """The legal actions of the deciding seat, as a set of numbers."""
    return legal_for(rule_table, p, seat) if seat == p.turn else OTHERS_SEVEN


def rewards_of(seats: int, winner: int | None) -> list[float]:
    """Each seat's reward when the partie is over."""
    if winner is None:
        return [0.0] * seats
    return [1.0 if seat == winner else -1.0 / (seats - 1) for seat in range(seats)]


if TYPE_CHECKING:
    from gymnasium.spaces import Dict

CARDS, FIGURES = 32, 18

Observation = NDArray[np.uint8]
Mask = NDArray[np.int8]


class Sight(TypedDict):
    """A learner's observation; batches have a row for each partie."""

    observation: Observation
    action_mask: Mask


class Field(NamedTuple):
    """A field of an observation: `times` × `size` numbers from 0 to `high`."""

    name: str
    times: int
    size: int
    high: int
    meaning: str
    start: int = 0

    @property
    def stop(self) -> int:
        return self.start + self.times * self.size


@cache
def layout(seats: int) -> tuple[Field, ...]:
    """The fields of an observation with this many seats."""
    if seats not in (2, 3, 4):
        raise ValueError(f"seats is {SEATS}, not {repr_of(seats)}")
    laid: list[Field] = []
    for field in (
        Field("hand", 1, CARDS, 1, "your cards"),
        Field("known", seats - 1, CARDS, 1, "of each other seat: cards it is known to hold (§5, §9.5, §11)"),
        Field("table", seats - 1, CARDS, 1, "the trick so far: the card led, the card after it, …"),
        Field("played", seats, CARDS, 1, "of each seat: the cards it has played, also to this trick"),
        Field("turnup", 1, CARDS, 1, "the card lying face up by the talon (§3)"),
        Field("trump", 1, 4, 1, "the trump suit, once there is one"),
        Field("leader", 1, seats, 1, "the seat that leads this trick"),
        Field("pending", 1, FIGURES, 1, "the declaration you have just made: its card must follow (§9.1)"),
        Field("said", seats, FIGURES, 1, "of each seat: the declarations it has made (§9)"),
        Field("tricks", 1, 1, 17, "tricks complete"),
        Field("points", seats, 1, 130, "of each seat: card points taken, dix de der included (§12)"),
        Field("declared", seats, 1, 50, "of each seat: declaration points, in tens (§9)"),
    ):
        laid.append(field._replace(start=laid[-1].stop if laid else 0))
    return tuple(laid)


def size_of(seats: int) -> int:
    """The length of an observation."""
    int_of("seats", seats, SEATS)
    return layout(seats)[-1].stop


def highs(seats: int) -> Observation:
    """The largest value of each number; divided by it, all are between 0 and 1."""
    int_of("seats", seats, SEATS)
    fields = layout(seats)
    return np.array(list(chain.from_iterable([f.high] * (f.stop - f.start) for f in fields)), np.uint8)


def in_words(count: int) -> int:
    """Length in 8-byte words for this many bytes, rounded up to whole cache lines of 64 bytes."""
    return (count + 63) // 64 * 8


@kernel
def seat_after(seat: int, nth: int, seats: int) -> int:
    """The seat `nth` places on, or back."""
    there = seat + nth
    return there - seats if there >= seats else there + seats if there < 0 else there


@kernel
def observe(
    rule_table: RuleTable, p: Position, seen: PublicKnowledge, seat: int, words: Any, numbers: Any, row: int
) -> None:
    """Write an observation into a row as `layout` says; `words` and `numbers` share memory.

    Of hidden cards only the seat's own hand is read.
    """
    seats, at = rule_table.seats, 4
    spread32(words, row, 0, p.hands[seat])
    for nth in range(1, seats):
        spread32(words, row, at, seen.known[seat_after(seat, nth, seats)])
        at += 4
    for nth in range(seats - 1):
        spread32(words, row, at, 1 << (p.table >> 6 * nth & 63) >> 1)
        at += 4
    for nth in range(seats):
        spread32(words, row, at, seen.played[seat_after(seat, nth, seats)])
        at += 4
    spread32(words, row, at, 1 << p.turnup if p.turnup >= 0 else 0)
    bits = (1 << p.trump if p.trump >= 0 else 0) | 16 << seat_after(p.leader, -seat, seats)
    if p.pending >= 0 and seat == p.turn:
        bits |= 1 << 4 + seats + p.pending - MARIAGE
    bits |= p.said[seat] >> MARIAGE << 22 + seats
    bits |= p.said[seat_after(seat, 1, seats)] >> MARIAGE << 40 + seats
    if seats > 2:
        third = p.said[seat_after(seat, 2, seats)] >> MARIAGE
        bits |= third << 58 + seats
        rest = third >> 6 - seats
        if seats > 3:
            spread64(words, row, at + 12, rest | p.said[seat_after(seat, 3, seats)] >> MARIAGE << 12 + seats)
        else:
            spread32(words, row, at + 12, rest)
    spread64(words, row, at + 4, bits)
    column = 115 * seats + 22
    numbers[row, column] = p.tricks
    for nth in range(seats):
        other = seat_after(seat, nth, seats)
        numbers[row, column + 1 + nth] = p.points[other]
        numbers[row, column + 1 + seats + nth] = p.declared[other] // 10


def encode(view: View, pending: int = NONE) -> Observation:
    """A seat's observation; `pending` is a declaration just made, whose card must follow."""
    check_type("view", view, View, "a View, such as state.view(0)")
    if view.observer is None:
        raise ValueError("a spectator has no hand to play from")
    p = say_pending(view, pending)
    seen = PublicKnowledge(p.hands, (0, 0, 0, 0), played_by_seat(view.events))
    return row_of(view.rule_table, p, seen, view.observer)


def row_of(rule_table: RuleTable, p: Position, seen: PublicKnowledge, seat: int) -> Observation:
    """One observation, built from one large int: for a single row that is faster than a compiled call."""
    seats, table, known, played, said_by = rule_table.seats, p.table, seen.known, seen.played, p.said
    order = SEATS_FROM[seats][seat]
    bits, place = p.hands[seat], CARDS
    for other in order[1:]:
        bits |= known[other] << place
        place += CARDS
    for _ in order[1:]:
        bits |= (1 << (table & 63) >> 1) << place
        table >>= 6
        place += CARDS
    for other in order:
        bits |= played[other] << place
        place += CARDS
    if p.turnup >= 0:
        bits |= 1 << place + p.turnup
    place += CARDS
    if p.trump >= 0:
        bits |= 1 << place + p.trump
    place += 4
    bits |= 1 << place + (p.leader - seat) % seats
    place += seats
    if p.pending >= 0 and seat == p.turn:
        bits |= 1 << place + p.pending - MARIAGE
    for other in order:
        place += FIGURES
        bits |= said_by[other] >> MARIAGE << place
    place += FIGURES
    row = marks(bits, size_of(seats))
    row[place:] = (
        p.tricks,
        *[p.points[other] for other in order],
        *[p.declared[other] // 10 for other in order],
    )
    return row


SEATS_FROM = {
    seats: [[(seat + nth) % seats for nth in range(seats)] for seat in range(seats)] for seats in (2, 3, 4)
}
"""Seats in playing order, by number of seats and first seat."""


def marks(bits: int, many: int) -> Observation:
    """The lowest `many` bits, each as 0 or 1."""
    return np.unpackbits(np.frombuffer(bits.to_bytes(64, "little"), np.uint8), count=many, bitorder="little")


def say_pending(view: View, pending: int) -> Position:
    """The view's position after a declaration whose card must follow."""
    return declare(view.rule_table, view.position, pending) if pending >= 0 else view.position


def open_to(view: View, pending: int = NONE) -> int:
    """The set of actions open to a seat whose decision it is."""
    if view.observer is None or view.result:
        return 0
    p = say_pending(view, pending)
    actions = legal_for(view.rule_table, p, view.observer)
    return actions | 1 << LET_PASS if actions and view.observer != p.turn else actions


def mask_of(actions: int) -> Mask:
    """`int8[52]`: 1 for each action of the set, a bit mask."""
    return marks(actions, NUMBERS).view(np.int8)


def seen_by_a_seat(seats: int) -> Dict:
    """Gymnasium's space of an observation with its action mask."""
    from gymnasium.spaces import Box, Dict

    high = highs(seats)
    return Dict(
        observation=Box(np.zeros_like(high), high, dtype=np.uint8),
        action_mask=Box(0, 1, (NUMBERS,), np.int8),
    )


SEATED = (2, 3, 4)


def table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def observation_table() -> str:
    """The table of fields with their offsets, by number of seats."""
    fields = zip(*map(layout, SEATED), strict=True)
    rows = (
        (two.name, *(span(each.start, each.stop - 1) for each in (two, *others)), str(two.high), two.meaning)
        for two, *others in fields
    )
    sizes = ", ".join(f"{size_of(seats)} with {seats} seats" for seats in SEATED)
    heads = ("field", *(f"{seats} seats" for seats in SEATED), "high", "meaning")
    return f"{table(heads, rows)}\nIn all {sizes}.\n"


def action_table() -> str:
    """The table of actions by number."""
    return table(("numbers", "action"), action_rows())


def action_rows() -> Iterator[Sequence[str]]:
    for first in range(0, len(PACK), 8):
        cards = PACK[first : first + 8]
        yield span(first, first + 7), f"lay {' '.join(f'`{card}`' for card in cards)}"
    yield str(EXCHANGE), "exchange the seven (§11)"
    numbers = iter(range(MARIAGE, ACTIONS))
    for number in numbers:
        said = Declaration(number)
        several = [Declaration(number + nth) for nth in range(4 if said.suit is not None else 1)]
        for _ in several[1:]:
            next(numbers)
        tokens = " ".join(f"`{each}`" for each in several)
        yield span(number, number + len(several) - 1), f"declare a {said.figure.value}: {tokens}"
    yield str(LET_PASS), "let “au sept” pass (§11)"


if __name__ == "__main__":
    print(observation_table(), action_table(), sep="\n")  # noqa: T201  # to be copied into the page
