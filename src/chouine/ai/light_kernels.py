"""The light player's kernels on flat memory: the same source is compiled for this computer and to WebAssembly.

A caller fills `words: int64[WORDS]` (`ai.light`) and reads `values: float64[2 * MAX_ACTS]`. Kernel Python.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

from chouine.ai.action_model import TEMPERATURE, ActionQuery, action_likelihood, policy_likelihood
from chouine.ai.beliefs import shuffle_rest
from chouine.ai.determinization import DealTable, Worlds, fill_ways, sample_deals, uniform_float
from chouine.ai.features import DECLARED_SLOTS, canonical_card
from chouine.ai.light import (
    ACTS,
    BOOK,
    CANDIDATES,
    COUNT,
    DRAWN,
    EXCLUDED,
    HELD,
    MOST,
    PAST,
    POSITION,
    PRIOR,
    PRIOR_LIMIT,
    PUBLIC,
    SEAT,
    SEED,
    STEP,
    STEP_CARD,
    STEP_DREW,
    STEP_GAINED,
    STEP_KNOWN,
    STEP_LOST,
    STEP_PLAYED,
    STEP_POSITION,
    STEP_SAID,
    SWINDLES,
    TRIES,
    TYPES,
    UNSEEN,
    VACANT,
)
from chouine.ai.likelihood import uniform_likelihood
from chouine.ai.macro_actions import DECLARATION_SHIFT, EXCHANGE_BIT, NO_CARD
from chouine.ai.network import Network, forward, network_card
from chouine.ai.policy import Policy
from chouine.ai.racing import ELIMINATION
from chouine.ai.rollout import apply_act_publicly, enter_world, rollout
from chouine.ai.swindle import EPSILON, swindle_value
from chouine.fast.bits import low_half, lowest_bit, next_state, nth_bit, popcount, scale_to, splitmix64
from chouine.fast.double_dummy import INFINITY, open_margin
from chouine.fast.driver import apply_exchange, play_with
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.fast.soa_layout import BOOK_PLACES, ROWS, PerSeat, kernel_of_fields
from chouine.rules.book import Book
from chouine.rules.position import NONE, Position

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

BATCH = 32
"""Worlds per round of the race; after each, acts that are clearly worse are dropped."""
OWN_PRIOR, OWN_NOISE, SIMPLE_NOISE = 0.8, 0.05, 0.2
"""Prior probability that the opponent plays as the network, and the noise of each type; as `FullPlayer`'s."""
STATES = 64
"""Upper bound on vacancies in mixed radix: three hands of three."""


class Scratch(NamedTuple):
    """Scratch memory."""

    cards: Any
    """`int64[32]`"""
    excluded: Any
    """`int64[32]`"""
    strides: Any
    """`int64[5]`"""
    ways: Any
    """`float64[33, STATES]`"""
    hands: Any
    """`int64[1, 4]`"""
    talons: Any
    """`int64[1, 32]`"""
    types: Any
    """`int64[4]`"""
    nodes: Any
    """`int64[1]`"""
    alive: Any
    """`int64[MAX_ACTS]`: 0 for an act that was dropped."""
    bonus: Any
    """`float64[MAX_ACTS]`: the network's prior scores."""
    results: Any
    """`float64[MAX_ACTS, MOST]`"""
    held: Any
    """`int64[MOST_CANDIDATES]`: candidate hands."""
    weights: Any
    """`float64[MOST_CANDIDATES, TYPES]`"""
    likelihoods: Any
    """`float64[2 * TYPES]`: tempered, then untempered."""
    evidence: Any
    """`float64[2 * TYPES]`"""


@kernel
def four_in(words: Any, at: int) -> PerSeat:
    return PerSeat(words[at], words[at + 1], words[at + 2], words[at + 3])


position_in = kernel_of_fields(
    "def position_in(words, place): return Position({})",
    ROWS, "PerSeat({all})", "words[place + {at}]", globals(),
)  # fmt: skip
book_in = kernel_of_fields(
    "def book_in(words): return Book({})", BOOK_PLACES, "({all})", "words[BOOK + {at}]", globals()
)


@kernel
def public_in(words: Any) -> PublicKnowledge:
    return PublicKnowledge(four_in(words, PUBLIC), four_in(words, PUBLIC + 4), four_in(words, PUBLIC + 8))


@kernel
def choose(words: Any, network: Network, values: Any) -> None:
    """The network's act for the seat on turn: `values[0]` the card, `values[1]` its declaration or NONE."""
    card, declaration = network_card(book_in(words), network, position_in(words, POSITION), public_in(words))
    values[0], values[1] = card, declaration


@kernel
def score_priors(
    book: Book, p: Position, public: PublicKnowledge, words: Any, network: Network, values: Any
) -> None:
    """Write the network's prior score of each act to `values[SWINDLES:]`."""
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
    """The table of ways to deal the unseen cards of `words`."""
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
def query_in(words: Any, book: Book, at: int) -> ActionQuery:
    """The opponent's act stored at offset `at`."""
    return ActionQuery(
        book, position_in(words, at + STEP_POSITION), words[SEAT] ^ 1, four_in(words, at + STEP_PLAYED),
        words[at + STEP_CARD], words[at + STEP_SAID],
    )  # fmt: skip


@kernel
def weigh(
    words: Any, book: Book, policies: tuple[Policy, ...], hand: int, stream: int, likelihoods: Any
) -> None:
    """Likelihood of the opponent's acts under each type of player, if the opponent holds this hand now.

    Writes tempered likelihoods, then from `TYPES` on untempered ones. The card of each hidden draw is sampled.
    """
    for kind in range(2 * TYPES):
        likelihoods[kind] = 1.0
    for nth in range(words[PAST]):
        at = PAST + 1 + STEP * nth
        hand &= ~words[at + STEP_GAINED]
        free = hand & ~words[at + STEP_KNOWN]
        if words[at + STEP_DREW] and free:
            stream = next_state(stream)
            hand &= ~(1 << nth_bit(free, scale_to(low_half(splitmix64(stream)), popcount(free))))
        hand |= words[at + STEP_LOST]
        if words[at + STEP_CARD] < 0:
            continue
        query = query_in(words, book, at)
        uniform = uniform_likelihood(book, query.p, query.seat, query.card, query.declaration, hand)
        for kind in range(TYPES):
            noise, modelled = (OWN_NOISE if kind == 0 else SIMPLE_NOISE), 0.0
            if uniform > 0 and kind == 0:
                modelled = action_likelihood(query, hand, policies[0].network, 1 / TEMPERATURE)
            elif uniform > 0:
                modelled = policy_likelihood(query, hand, policies[kind])
            likelihood = noise * uniform + (1 - noise) * modelled
            likelihoods[kind] *= sqrt(likelihood)
            likelihoods[TYPES + kind] *= likelihood


@kernel
def deal(words: Any, table: DealTable, stream: int, scratch: Scratch) -> None:
    """Deal one world."""
    for place in range(4):
        scratch.hands[0, place] = words[HELD + place]
    sample_deals(table, words[DRAWN], splitmix64(stream), Worlds(scratch.hands, scratch.talons))


@kernel
def read_opponent(
    words: Any, book: Book, table: DealTable, policies: tuple[Policy, ...], scratch: Scratch
) -> float:
    """Weigh sampled hands of the opponent under each type of player; returns the sum of all weights."""
    other, stream, likelihoods = words[SEAT] ^ 1, words[SEED], scratch.likelihoods
    for kind in range(2 * TYPES):
        scratch.evidence[kind] = 0.0
    for nth in range(words[CANDIDATES]):
        stream = next_state(stream)
        deal(words, table, stream, scratch)
        scratch.held[nth] = scratch.hands[0, other]
        weigh(words, book, policies, scratch.held[nth], ~stream, likelihoods)
        for kind in range(TYPES):
            scratch.weights[nth, kind] = likelihoods[kind]
        for kind in range(2 * TYPES):
            scratch.evidence[kind] += likelihoods[kind]
    whole = 0.0
    for kind in range(TYPES):
        prior = OWN_PRIOR if kind == 0 else (1 - OWN_PRIOR) / (TYPES - 1)
        tempered = scratch.evidence[kind]
        share = prior * scratch.evidence[TYPES + kind] / tempered if tempered > 0 else 0.0
        for nth in range(words[CANDIDATES]):
            scratch.weights[nth, kind] *= share
            whole += scratch.weights[nth, kind]
    return whole


@kernel
def drop_worse(words: Any, worlds: int, scratch: Scratch) -> int:
    """Drop acts significantly worse than the best after this many worlds; returns the number left."""
    results, alive, bonus = scratch.results, scratch.alive, scratch.bonus
    best, top, left = 0, -1e9, 0
    for nth in range(words[COUNT]):
        if alive[nth]:
            score = bonus[nth]
            for world in range(worlds):
                score += results[nth, world] / worlds
            if score > top:
                best, top = nth, score
    for nth in range(words[COUNT]):
        if alive[nth]:
            gaps, squares = 0.0, 0.0
            for world in range(worlds):
                gap = results[best, world] - results[nth, world]
                gaps += gap
                squares += gap * gap
            mean = gaps / worlds
            error = sqrt(max(0.0, squares / worlds - mean * mean) / worlds)
            if nth != best and mean + bonus[best] - bonus[nth] > ELIMINATION * error:
                alive[nth] = 0
            left += alive[nth]
    return left


@kernel
def try_acts(words: Any, policies: tuple[Policy, ...], scratch: Scratch, values: Any) -> None:
    """Write each act's score: its mean result in shared worlds plus the network's prior score; −1 if it was dropped.

    With two seats worlds are weighted by the opponent's acts, and rollouts use the type it resembles; with more seats
    worlds are uniform, and all play as the network.
    """
    book, p, public, seat = book_in(words), position_in(words, POSITION), public_in(words), words[SEAT]
    score_priors(book, p, public, words, policies[0].network, values)
    top = -1e9
    for nth in range(words[COUNT]):
        top = max(top, values[SWINDLES + nth])
    for nth in range(words[COUNT]):
        scratch.bonus[nth] = max(-PRIOR_LIMIT, PRIOR * (values[SWINDLES + nth] - top))
        scratch.alive[nth] = 1
    for place in range(4):
        scratch.types[place] = 0
    table = deal_table(words, scratch)
    whole = read_opponent(words, book, table, policies, scratch) if words[PAST] else 0.0
    stream, budget, worlds, left = ~words[SEED], words[TRIES], 0, words[COUNT]
    while worlds == 0 or (left > 1 and budget >= left * BATCH and worlds + BATCH <= MOST):
        stream = next_state(stream)
        place, reached, offset = 0, scratch.weights[0, 0], uniform_float(stream)
        for nth_world in range(BATCH):
            stream = next_state(stream)
            if whole > 0:  # systematic sampling
                goal = (nth_world + offset) / BATCH * whole
                while reached < goal and place + 1 < words[CANDIDATES] * TYPES:
                    place += 1
                    reached += scratch.weights[place // TYPES, place % TYPES]
                scratch.types[seat ^ 1] = place % TYPES
                scratch.hands[0, seat] = words[HELD + seat]
                scratch.hands[0, seat ^ 1] = scratch.held[place // TYPES]
                held = scratch.hands[0, (seat ^ 1) : (seat ^ 1) + 1]
                shuffle_rest(words[UNSEEN], held, words[DRAWN], stream, scratch.talons)
            else:
                deal(words, table, stream, scratch)
            talon = scratch.talons[0]
            here, public_here = enter_world(p, public, scratch.hands[0])
            for nth in range(words[COUNT]):
                if scratch.alive[nth]:
                    act = words[ACTS + nth]
                    q, after = apply_act_publicly(book, talon, here, public_here, seat, act)
                    carried, seating = (after, int(act == NO_CARD)), (policies, scratch.types)
                    won = rollout(book, talon, q, carried, seat, seating, scratch.nodes)
                    scratch.results[nth, worlds + nth_world] = won
        budget -= left * BATCH
        worlds += BATCH
        left = drop_worse(words, worlds, scratch)
    for nth in range(words[COUNT]):
        values[nth] = -1.0
        if scratch.alive[nth]:
            total = 0.0
            for world in range(worlds):
                total += scratch.results[nth, world]
            values[nth] = total / worlds + scratch.bonus[nth]


@kernel
def end(words: Any, scratch: Scratch, values: Any) -> None:
    """All cards known, two seats: write each act's margin, and its value against an opponent who errs."""
    book, p, nodes = book_in(words), position_in(words, POSITION), scratch.nodes
    seat = p.turn
    for nth in range(words[COUNT]):
        act = words[ACTS + nth]
        after = play_with(book, nodes, p, act & 63, (act >> DECLARATION_SHIFT & 63) or NONE)
        nodes[0] = 1 << 40
        values[nth] = open_margin(book, nodes, after, seat, -INFINITY, INFINITY, nodes)
        values[SWINDLES + nth] = swindle_value(book, after, seat, EPSILON, nodes)
