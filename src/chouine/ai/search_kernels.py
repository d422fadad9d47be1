"""The strongest player's kernels on flat memory: the same source is compiled for this computer and to WebAssembly.

A caller fills `words: int64[WORDS]` (`ai.search`) and reads `values: float64[VALUES]`. Kernel Python.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

from chouine.ai.determinization import (
    TALON_PLACES,
    DealTable,
    Worlds,
    fill_ways,
    sample_deals,
    shuffle_rest,
    uniform_float,
)
from chouine.ai.features import DECLARED_SLOTS, canonical_card
from chouine.ai.likelihood import (
    TEMPERATURE,
    ActionQuery,
    action_likelihood,
    policy_likelihood,
    uniform_likelihood,
)
from chouine.ai.macro_actions import DECLARATION_SHIFT, EXCHANGE_BIT, NO_CARD
from chouine.ai.network import Network, forward, network_card
from chouine.ai.rollout import EPSILON, Policy, apply_act_publicly, enter_world, rollout, swindle_value
from chouine.ai.search import (
    ACTS,
    AT_ONCE,
    BOOK,
    CANDIDATES,
    COUNT,
    DRAWN,
    EXCLUDED,
    HELD,
    LIKENESS,
    MOST,
    NETWORK,
    ONLY,
    PAST,
    POSITION,
    PRIOR,
    PRIOR_LIMIT,
    PUBLIC,
    SEAT,
    SEED,
    SLOTS,
    STEP,
    STEP_CARD,
    STEP_DREW,
    STEP_GAINED,
    STEP_KNOWN,
    STEP_LOST,
    STEP_PLAYED,
    STEP_POSITION,
    STEP_SAID,
    STEP_SEAT,
    SWINDLES,
    TRIES,
    TYPES,
    UNSEEN,
    VACANT,
)
from chouine.fast.bits import low_half, lowest_bit, next_state, nth_bit, popcount, scale_to, splitmix64
from chouine.fast.double_dummy import INFINITY, open_margin
from chouine.fast.driver import apply_exchange, play_with
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.fast.soa_layout import ROWS, RULE_TABLE_PLACES, PerSeat, kernel_of_fields
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

ELIMINATION = 2.0
"""An act this many standard errors behind the best is dropped."""
OWN_PRIOR, OWN_NOISE, SIMPLE_NOISE = 0.8, 0.05, 0.2
"""Prior probability that an opponent plays as the network, and the noise of each type, so that similar programs and
people are recognised too."""
ATTEMPTS = 64
"""Draws of all opponents' hands until they are disjoint; then a world is uniform."""
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
    """`int64[MOST_CANDIDATES, 4]`: candidate hands; in one's own first place all cards of the others in a world."""
    weights: Any
    """`float64[MOST_CANDIDATES, 4, TYPES]`; in one's own places the sums of the others' weights so far."""
    likelihoods: Any
    """`float64[2, TYPES]`: tempered, then untempered."""
    evidence: Any
    """`float64[4, 2, TYPES]`: their sums for each seat."""
    act_hands: Any
    """`int64[MAX_PAST, SLOTS]`: the hand whose likelihoods a place of `act_likelihoods` holds, or 0."""
    act_likelihoods: Any
    """`float64[MAX_PAST, SLOTS, TYPES]`: likelihoods of single acts."""


@kernel
def four_in(words: Any, at: int) -> PerSeat:
    return PerSeat(words[at], words[at + 1], words[at + 2], words[at + 3])


position_in = kernel_of_fields(
    "def position_in(words, place): return Position({})",
    ROWS, "PerSeat({all})", "words[place + {at}]", globals(),
)  # fmt: skip
rule_table_in = kernel_of_fields(
    "def rule_table_in(words): return RuleTable({})",
    RULE_TABLE_PLACES,
    "({all})",
    "words[BOOK + {at}]",
    globals(),
)


@kernel
def public_in(words: Any) -> PublicKnowledge:
    return PublicKnowledge(four_in(words, PUBLIC), four_in(words, PUBLIC + 4), four_in(words, PUBLIC + 8))


@kernel
def choose(words: Any, network: Network, values: Any) -> None:
    """The network's act for the seat on turn: `values[0]` the card, `values[1]` its declaration or NONE."""
    card, declaration = network_card(
        rule_table_in(words), network, position_in(words, POSITION), public_in(words)
    )
    values[0], values[1] = card, declaration


@kernel
def score_priors(
    rule_table: RuleTable, p: Position, public: PublicKnowledge, words: Any, network: Network, values: Any
) -> None:
    """Write how far the network values each act below the best to `values[SWINDLES:]`, in win probability."""
    seat, top = words[SEAT], -1e9
    for swap in range(2):
        if swap:
            if not words[ACTS + words[COUNT] - 1] & EXCHANGE_BIT:
                break
            p, public = apply_exchange(rule_table, p, public, seat)
        order = forward(rule_table.seats, network, p, seat, public.known, public.played)
        for nth in range(words[COUNT]):
            act = words[ACTS + nth]
            if act & 63 != NO_CARD and (act & EXCHANGE_BIT != 0) == swap:
                said = DECLARED_SLOTS if act >> DECLARATION_SHIFT & 63 else 0
                values[SWINDLES + nth] = network.outputs[said + canonical_card(act & 63, order)]
    for nth in range(words[COUNT]):
        top = max(top, values[SWINDLES + nth])
    for nth in range(words[COUNT]):
        values[SWINDLES + nth] -= top


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
def query_in(words: Any, rule_table: RuleTable, at: int) -> ActionQuery:
    """The act stored at offset `at`."""
    return ActionQuery(
        rule_table, position_in(words, at + STEP_POSITION), words[at + STEP_SEAT], four_in(words, at + STEP_PLAYED),
        words[at + STEP_CARD], words[at + STEP_SAID],
    )  # fmt: skip


@kernel
def weigh_act(
    words: Any, rule_table: RuleTable, policies: tuple[Policy, ...], at: int, hand: int, likelihoods: Any
) -> None:
    """Write the likelihood of the act stored at offset `at` under each type of player, if its seat held this hand."""
    query = query_in(words, rule_table, at)
    uniform = uniform_likelihood(rule_table, query.p, query.seat, query.card, query.declaration, hand)
    for kind in range(TYPES):
        noise, modelled = (OWN_NOISE if kind == NETWORK else SIMPLE_NOISE), 0.0
        considered = uniform > 0 and (words[ONLY] == NONE or words[ONLY] == kind)
        if considered and kind == NETWORK:
            modelled = action_likelihood(query, hand, policies[NETWORK].network, 1 / TEMPERATURE)
        elif considered:
            modelled = policy_likelihood(query, hand, policies[kind])
        likelihoods[kind] = noise * uniform + (1 - noise) * modelled


@kernel
def weigh(
    words: Any,
    rule_table: RuleTable,
    policies: tuple[Policy, ...],
    seat: int,
    hand: int,
    stream: int,
    scratch: Scratch,
) -> None:
    """Likelihood of a seat's acts under each type of player, if it holds this hand now: tempered, and untempered.

    Tempered likelihoods keep play good against opponents unlike the model. The card of each hidden draw is sampled.
    """
    likelihoods = scratch.likelihoods
    for kind in range(TYPES):
        likelihoods[0, kind] = likelihoods[1, kind] = 1.0
    for nth in range(words[PAST]):
        at = PAST + 1 + STEP * nth
        if words[at + STEP_SEAT] != seat:
            continue
        hand &= ~words[at + STEP_GAINED]
        free = hand & ~words[at + STEP_KNOWN]
        if words[at + STEP_DREW] and free:
            stream = next_state(stream)
            hand &= ~(1 << nth_bit(free, scale_to(low_half(splitmix64(stream)), popcount(free))))
        hand |= words[at + STEP_LOST]
        if words[at + STEP_CARD] < 0:
            continue
        slot = splitmix64(hand) & SLOTS - 1
        if scratch.act_hands[nth, slot] != hand:
            scratch.act_hands[nth, slot] = hand
            weigh_act(words, rule_table, policies, at, hand, scratch.act_likelihoods[nth, slot])
        for kind in range(TYPES):
            likelihoods[0, kind] *= sqrt(scratch.act_likelihoods[nth, slot, kind])
            likelihoods[1, kind] *= scratch.act_likelihoods[nth, slot, kind]


@kernel
def deal(words: Any, table: DealTable, stream: int, scratch: Scratch) -> None:
    """Deal one world."""
    for place in range(4):
        scratch.hands[0, place] = words[HELD + place]
    sample_deals(table, words[DRAWN], splitmix64(stream), Worlds(scratch.hands, scratch.talons))


@kernel
def prior_of(kind: int, only: int) -> float:
    """Prior probability that an opponent is of this type."""
    if only != NONE:
        return 1.0 if kind == only else 0.0
    return OWN_PRIOR if kind == NETWORK else (1 - OWN_PRIOR) / (TYPES - 1)


@kernel
def place_of(own: int, seat: int) -> int:
    """An opponent's place among the three that there may be."""
    return (seat - own & 3) - 1


@kernel
def read_opponents(
    words: Any, rule_table: RuleTable, table: DealTable, policies: tuple[Policy, ...], scratch: Scratch
) -> bool:
    """Weigh sampled hands by what each opponent did, under each type of player; returns whether any is likely."""
    own, stream, weights, evidence = words[SEAT], words[SEED], scratch.weights, scratch.evidence
    trusted = 1 if words[ONLY] == NETWORK else 0  # a report is of players exactly like the network
    for seat in range(4):
        for kind in range(TYPES):
            evidence[seat, 0, kind] = evidence[seat, 1, kind] = 0.0
    for nth in range(words[CANDIDATES]):
        stream = next_state(stream)
        deal(words, table, stream, scratch)
        for seat in range(rule_table.seats):
            if seat != own:
                scratch.held[nth, seat] = scratch.hands[0, seat]
                weigh(words, rule_table, policies, seat, scratch.hands[0, seat], ~stream, scratch)
                for kind in range(TYPES):
                    weights[nth, seat, kind] = scratch.likelihoods[trusted, kind]
                    evidence[seat, 0, kind] += scratch.likelihoods[trusted, kind]
                    evidence[seat, 1, kind] += scratch.likelihoods[1, kind] * prior_of(kind, words[ONLY])
    likely: bool = words[CANDIDATES] > 0
    for seat in range(rule_table.seats):
        if seat != own:
            whole = 0.0
            for nth in range(words[CANDIDATES]):
                for kind in range(TYPES):
                    sampled = evidence[seat, 0, kind]
                    weights[nth, seat, kind] *= evidence[seat, 1, kind] / sampled if sampled > 0 else 0.0
                    whole += weights[nth, seat, kind]
                weights[nth, own, place_of(own, seat)] = whole
            likely = likely and whole > 0
    return likely


@kernel
def likeness(words: Any, rule_table: RuleTable, scratch: Scratch) -> float:
    """The least probability, over the opponents, that one plays as the network; call after `read_opponents`."""
    least = 1.0
    for seat in range(rule_table.seats):
        if seat != words[SEAT]:
            likely, all_likely = scratch.evidence[seat, 1, NETWORK], 0.0
            for kind in range(TYPES):
                all_likely += scratch.evidence[seat, 1, kind]
            least = min(least, likely / all_likely if all_likely > 0 else 0.0)
    return least


@kernel
def candidate_at(words: Any, place: int, share: float, scratch: Scratch) -> int:
    """The candidate at this share of the weights of the opponent with this place."""
    own, low, high = words[SEAT], 0, words[CANDIDATES] - 1
    goal = share * scratch.weights[high, own, place]
    while low < high:
        middle = (low + high) >> 1
        if scratch.weights[middle, own, place] > goal:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def type_at(share: float, seat: int, nth: int, scratch: Scratch) -> int:
    """The type of player at this share of a candidate's weights."""
    left, kind = 0.0, 0
    for each in range(TYPES):
        left += share * scratch.weights[nth, seat, each]
    while kind + 1 < TYPES and left >= scratch.weights[nth, seat, kind]:
        left -= scratch.weights[nth, seat, kind]
        kind += 1
    return kind


@kernel
def choose_hands(words: Any, rule_table: RuleTable, share: float, stream: int, scratch: Scratch) -> int:
    """Write a hand and a type for each opponent, the first at this share of the weights; returns the stream's state.

    Hands depend on each other only by sharing no card, so each is drawn by its own weights, all anew until they are
    disjoint. The first place of one's own in `held` gets all their cards, or NONE if none were found.
    """
    own = words[SEAT]
    for attempt in range(ATTEMPTS):
        taken, apart = 0, True
        for seat in range(rule_table.seats):
            if seat != own:
                stream = next_state(stream)
                here = uniform_float(stream)
                if attempt == 0 and taken == 0:
                    here = share
                nth = candidate_at(words, place_of(own, seat), here, scratch)
                hand = scratch.held[nth, seat]
                apart = apart and taken & hand == 0
                taken |= hand
                stream = next_state(stream)
                scratch.hands[0, seat] = hand
                scratch.types[seat] = type_at(uniform_float(stream), seat, nth, scratch)
        if apart:
            scratch.held[0, own] = taken
            return stream
    scratch.held[0, own] = NONE
    return stream


@kernel
def enter_world_of(
    words: Any,
    rule_table: RuleTable,
    table: DealTable,
    likely: bool,  # noqa: FBT001  # a kernel
    share: float,
    stream: int,
    scratch: Scratch,
) -> int:
    """Write a world; returns the stream's state. Shares that ascend evenly spread the worlds over the candidates."""
    own = words[SEAT]
    scratch.held[0, own] = NONE
    if likely:
        stream = choose_hands(words, rule_table, share, stream, scratch)
    stream = next_state(stream)
    if scratch.held[0, own] == NONE:
        for seat in range(4):
            scratch.types[seat] = max(NETWORK, words[ONLY])
        deal(words, table, stream, scratch)
    else:
        scratch.hands[0, own] = words[HELD + own]
        held = scratch.held[0, own : own + 1]
        shuffle_rest(words[UNSEEN], held, words[DRAWN], stream, scratch.talons)
    return stream


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
def start_search(words: Any, scratch: Scratch) -> DealTable:
    """Reset what a search changes; returns the table of deals."""
    for place in range(4):
        scratch.types[place] = max(NETWORK, words[ONLY])
    for nth in range(words[COUNT]):
        scratch.alive[nth] = 1
        scratch.bonus[nth] = 0.0
    for nth in range(words[PAST]):
        for slot in range(SLOTS):
            scratch.act_hands[nth, slot] = 0
    return deal_table(words, scratch)


@kernel
def try_acts(words: Any, policies: tuple[Policy, ...], scratch: Scratch, values: Any) -> None:
    """Write each act's score: its mean result in shared worlds plus the network's prior score; −1 if it was dropped.

    Worlds are weighted by the opponents' acts. Without `TRIES` all acts are tried in one batch, and their prior scores
    are second values instead.
    """
    rule_table, p = rule_table_in(words), position_in(words, POSITION)
    public, seat = public_in(words), words[SEAT]
    table = start_search(words, scratch)
    if words[ONLY] <= NETWORK:
        score_priors(rule_table, p, public, words, policies[NETWORK].network, values)
    for nth in range(words[COUNT]):
        if words[TRIES]:
            scratch.bonus[nth] = max(-PRIOR_LIMIT, PRIOR * values[SWINDLES + nth])
    likely = read_opponents(words, rule_table, table, policies, scratch)
    stream, budget, worlds, left, batch = ~words[SEED], words[TRIES], 0, words[COUNT], words[AT_ONCE]
    while worlds == 0 or (left > 1 and budget >= left * batch and worlds + batch <= MOST):
        stream = next_state(stream)
        offset = uniform_float(stream)
        for nth_world in range(batch):
            share = (nth_world + offset) / batch
            stream = enter_world_of(words, rule_table, table, likely, share, stream, scratch)
            talon = scratch.talons[0]
            here, public_here = enter_world(p, public, scratch.hands[0])
            for nth in range(words[COUNT]):
                if scratch.alive[nth]:
                    act = words[ACTS + nth]
                    q, after = apply_act_publicly(rule_table, talon, here, public_here, seat, act)
                    carried, seating = (after, int(act == NO_CARD)), (policies, scratch.types)
                    won = rollout(rule_table, talon, q, carried, seat, seating, scratch.nodes)
                    scratch.results[nth, worlds + nth_world] = won
        budget -= left * batch
        worlds += batch
        if words[TRIES]:
            left = drop_worse(words, worlds, scratch)
    for nth in range(words[COUNT]):
        values[nth] = -1.0
        if scratch.alive[nth]:
            total = 0.0
            for world in range(worlds):
                total += scratch.results[nth, world]
            values[nth] = total / worlds + scratch.bonus[nth]
    values[LIKENESS] = likeness(words, rule_table, scratch)


@kernel
def draw(words: Any, policies: tuple[Policy, ...], scratch: Scratch, worlds: Worlds) -> None:
    """Sample worlds weighted by the opponents' acts; not in WebAssembly."""
    rule_table = rule_table_in(words)
    table = start_search(words, scratch)
    likely = read_opponents(words, rule_table, table, policies, scratch)
    stream = next_state(~words[SEED])
    offset = uniform_float(stream)
    for row in range(len(worlds.hands)):
        share = (row + offset) / len(worlds.hands)
        stream = enter_world_of(words, rule_table, table, likely, share, stream, scratch)
        for place in range(4):
            worlds.hands[row, place] = scratch.hands[0, place]
        for place in range(TALON_PLACES):
            worlds.talons[row, place] = scratch.talons[0, place]


@kernel
def end(words: Any, scratch: Scratch, values: Any) -> None:
    """All cards known, two seats: write each act's margin, and its value against an opponent who errs."""
    rule_table, p, nodes = rule_table_in(words), position_in(words, POSITION), scratch.nodes
    seat = p.turn
    for nth in range(words[COUNT]):
        act = words[ACTS + nth]
        after = play_with(rule_table, nodes, p, act & 63, (act >> DECLARATION_SHIFT & 63) or NONE)
        nodes[0] = 1 << 40
        values[nth] = open_margin(rule_table, nodes, after, seat, -INFINITY, INFINITY, nodes)
        values[SWINDLES + nth] = swindle_value(rule_table, after, seat, EPSILON, nodes)
