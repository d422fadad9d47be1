"""What the light player computes, on flat memory: the same source is compiled here and, for browsers, to WebAssembly.

A caller fills `words: int64[WORDS]` (`ai.light`) and reads `values: float64[2 * MAX_ACTS]`. Kernel Python.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from chouine.ai.determinization import DealTable, Worlds, fill_ways, sample_deals
from chouine.ai.features import DECLARED_SLOTS, canonical_card
from chouine.ai.light import (
    ACTS,
    BOOK,
    COUNT,
    DRAWN,
    EXCLUDED,
    HELD,
    POSITION,
    PUBLIC,
    SEAT,
    SEED,
    SWINDLES,
    UNSEEN,
    VACANT,
    WORLDS,
)
from chouine.ai.macro_actions import DECLARATION_SHIFT, EXCHANGE_BIT, NO_CARD
from chouine.ai.network import Network, forward, network_card
from chouine.ai.playout import play_with
from chouine.ai.policy import Policy
from chouine.ai.rollout import (
    apply_act_publicly,
    apply_exchange,
    enter_world,
    play_next_turn,
    rollout,
)
from chouine.ai.swindle import EPSILON, swindle_value
from chouine.fast.bits import lowest_bit, next_state, splitmix64
from chouine.fast.compiler import AVAILABLE, kernel
from chouine.fast.double_dummy import INFINITY, open_margin
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.fast.soa_layout import PerSeat
from chouine.rules.book import Book
from chouine.rules.position import NONE, Position

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

STATES = 64
"""Upper bound on vacancies in mixed radix: three hands of three."""


class Scratch(NamedTuple):
    """Memory to work in."""

    cards: Any
    """`int64[32]`; so are the next two, the strides `int64[5]`."""
    excluded: Any
    strides: Any
    ways: Any
    """`float64[33, STATES]`."""
    hands: Any
    """`int64[1, 4]`, the talons `int64[1, 32]`, the types `int64[4]`, the nodes `int64[1]`."""
    talons: Any
    types: Any
    nodes: Any


@kernel
def book_in(words: Any) -> Book:
    w, at = words, BOOK
    figures = (
        w[at + 15], w[at + 16], w[at + 17], w[at + 18], w[at + 19], w[at + 20], w[at + 21], w[at + 22], w[at + 23],
        w[at + 24], w[at + 25], w[at + 26], w[at + 27], w[at + 28], w[at + 29], w[at + 30], w[at + 31], w[at + 32],
    )  # fmt: skip
    return Book(
        w[at], w[at + 1], w[at + 2], w[at + 3], w[at + 4], w[at + 5], w[at + 6], w[at + 7], w[at + 8], w[at + 9],
        w[at + 10], w[at + 11], w[at + 12], w[at + 13], w[at + 14], figures,
    )  # fmt: skip


@kernel
def four_in(words: Any, at: int) -> PerSeat:
    return PerSeat(words[at], words[at + 1], words[at + 2], words[at + 3])


@kernel
def position_in(words: Any) -> Position:
    w, at = words, POSITION
    return Position(
        four_in(w, at), w[at + 4], w[at + 5], w[at + 6], w[at + 7], w[at + 8], w[at + 9], w[at + 10], w[at + 11],
        w[at + 12], four_in(w, at + 13), four_in(w, at + 17), four_in(w, at + 21), four_in(w, at + 25),
        four_in(w, at + 29), w[at + 33], w[at + 34],
    )  # fmt: skip


@kernel
def public_in(words: Any) -> PublicKnowledge:
    return PublicKnowledge(four_in(words, PUBLIC), four_in(words, PUBLIC + 4), four_in(words, PUBLIC + 8))


@kernel
def choose(words: Any, network: Network, values: Any) -> None:
    """The network's act for the seat on turn: `values[0]` the card, `values[1]` its declaration or NONE."""
    card, declaration = network_card(book_in(words), network, position_in(words), public_in(words))
    values[0], values[1] = card, declaration


@kernel
def score_priors(
    book: Book, p: Position, public: PublicKnowledge, words: Any, network: Network, values: Any
) -> None:
    """How the network values each act, from `values[SWINDLES]` on."""
    seat = words[SEAT]
    for swap in range(2):
        if swap:
            if not words[ACTS + words[COUNT] - 1] & EXCHANGE_BIT:
                return
            p, public = apply_exchange(book, p, public, seat)
        order = forward(book.seats, network, p, seat, public.known, public.played)
        for nth in range(words[COUNT]):
            act = words[ACTS + nth]
            if act & 63 != NO_CARD and (act & EXCHANGE_BIT != 0) == swap:
                said = DECLARED_SLOTS if act >> DECLARATION_SHIFT & 63 else 0
                values[SWINDLES + nth] = network.outputs[said + canonical_card(act & 63, order)]


@kernel
def deal_table(words: Any, scratch: Scratch) -> DealTable:
    """The ways to deal the unseen cards of `words`."""
    seats, unseen, count = words[BOOK], words[UNSEEN], 0
    while unseen:
        card = lowest_bit(unseen)
        unseen &= unseen - 1
        scratch.cards[count] = card
        scratch.excluded[count] = 0
        for seat in range(seats):
            scratch.excluded[count] |= (words[EXCLUDED + seat] >> card & 1) << seat
        count += 1
    scratch.strides[0] = 1
    for seat in range(seats):
        scratch.strides[seat + 1] = scratch.strides[seat] * (words[VACANT + seat] + 1)
    for nth in range(count + 1):
        for state in range(STATES):
            scratch.ways[nth, state] = 0.0
    table = DealTable(
        scratch.cards[:count], scratch.excluded[:count], scratch.strides[: seats + 1], scratch.ways
    )
    fill_ways(table.excluded, table.strides, table.ways)
    return table


@kernel
def try_acts(words: Any, policy: Policy, scratch: Scratch, values: Any) -> None:
    """Write each act's mean result in the same worlds, all seats playing on by the policy; and the network's values."""
    book, p, public, seat = book_in(words), position_in(words), public_in(words), words[SEAT]
    score_priors(book, p, public, words, policy.network, values)
    table, policies = deal_table(words, scratch), (policy,)
    worlds = Worlds(scratch.hands, scratch.talons)
    for nth in range(words[COUNT]):
        values[nth] = 0.0
    stream = words[SEED]
    for _ in range(words[WORLDS]):
        stream = next_state(stream)
        for place in range(4):
            scratch.hands[0, place] = words[HELD + place]
        sample_deals(table, words[DRAWN], splitmix64(stream), worlds)
        talon = scratch.talons[0]
        here, public_here = enter_world(p, public, scratch.hands[0])
        for nth in range(words[COUNT]):
            act = words[ACTS + nth]
            q, after = apply_act_publicly(book, talon, here, public_here, seat, act)
            if act == NO_CARD:  # it declined to exchange at "au sept"
                q, after, _ = play_next_turn(book, talon, q, after, policy, 1)
            values[nth] += rollout(book, talon, q, after, seat, policies, scratch.types, scratch.nodes)


@kernel
def end(words: Any, scratch: Scratch, values: Any) -> None:
    """All cards known, two seats: each act's margin, and its value against an opponent who errs."""
    book, p, nodes = book_in(words), position_in(words), scratch.nodes
    seat = p.turn
    for nth in range(words[COUNT]):
        act = words[ACTS + nth]
        after = play_with(book, nodes, p, act & 63, (act >> DECLARATION_SHIFT & 63) or NONE)
        nodes[0] = 1 << 40
        values[nth] = open_margin(book, nodes, after, seat, -INFINITY, INFINITY, nodes)
        values[SWINDLES + nth] = swindle_value(book, after, seat, EPSILON, nodes)
