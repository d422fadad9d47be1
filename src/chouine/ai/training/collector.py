"""Collect PPO transitions: parties the network plays against itself with sampled acts. Kernel Python.

Each transition stores the seat's knowledge, and the other hands and the talon for the critic. Per-seat values start
with the acting seat; the others follow in playing order.
"""

from __future__ import annotations

from array import array
from math import exp, log
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.features import (
    DECLARED_SLOTS,
    MARKS_KEPT,
    MAX_MARKS,
    VALUE_SLOT,
    canonical_card,
    layout,
    write_observation,
)
from chouine.ai.network import Network, forward
from chouine.ai.rollout import (
    Policy,
    greedy_policy,
    heuristic_policy,
    network_policy,
    play_by_policies,
    policy_card,
    settled_value,
)
from chouine.cards import ALL_CARDS
from chouine.fast.bits import (
    as_int64,
    high_half,
    highest_bit,
    low_half,
    lowest_bit,
    next_state,
    scale_to,
    splitmix64,
)
from chouine.fast.compiler import compiled
from chouine.fast.double_dummy import between_last_tricks
from chouine.fast.driver import best_with, driver, exchange_first, play_card
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.playout import deal_position, shuffle
from chouine.fast.public_knowledge import PublicKnowledge, nothing_known
from chouine.fast.soa_layout import PerSeat
from chouine.rules.combinations import DECLARATIONS
from chouine.rules.options import Rules
from chouine.rules.play import legal
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable, rule_table_of

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

MAX_TALON = 22
"""Upper bound on hidden talon cards."""
MAX_HIDDEN = 32
"""Upper bound on active hidden inputs."""
TWO_32 = float(1 << 32)


class Transitions(NamedTuple):
    """Transitions, one per row, parties one after another."""

    marks: Any
    """`int16[n, MARKS_KEPT]`: active inputs, padded with the number of inputs."""
    numbers: Any
    hidden: Any
    """`int16[n, MAX_HIDDEN]`: active inputs of the critic alone, padded with `hidden_inputs`."""
    mask: Any
    """`uint8[n, 64]`: legal acts."""
    act: Any
    log_prob: Any
    """Log probability of the sampled act."""
    seat: Any
    outcome: Any
    """`float32[n, seats]`: the partie's result by seat, 1, 0, or a nulle's share."""
    done: Any
    """Whether this is the partie's last transition."""


class Workspace(NamedTuple):
    """Buffers and rivals for collecting transitions."""

    pack: Any
    rivals: tuple[Policy, Policy]
    """Two rival policies; each partie with rivals draws one."""
    scratch: Any
    nodes: Any
    probs: Any


@kernel
def rival_input(seats: int) -> int:
    """The hidden input, after hands and talon, that says whether the others are rivals who do not learn."""
    return 32 * (seats - 1 + MAX_TALON)


@kernel
def hidden_inputs(seats: int) -> int:
    """Number of hidden inputs of the critic."""
    return rival_input(seats) + 1


@kernel
def write_transition(
    transitions: Transitions,
    row: int,
    p: Position,
    public: PublicKnowledge,
    talon: Any,
    rule_table: RuleTable,
    against_rivals: int,
    scratch: Any,
) -> None:
    """Write the inputs of the seat on turn, and the hidden inputs."""
    seat = p.turn
    marks, numbers, count = transitions.marks[row], transitions.numbers[row], 0
    order = write_observation(rule_table.seats, p, public, marks, numbers, scratch)
    for nth in range(rule_table.seats - 1):
        held = p.hands[(seat + 1 + nth) % rule_table.seats]
        while held:
            transitions.hidden[row, count] = 32 * nth + canonical_card(lowest_bit(held), order)
            held &= held - 1
            count += 1
    first = min(p.tricks * rule_table.seats, rule_table.hidden)
    for place in range(first, rule_table.hidden):
        transitions.hidden[row, count] = 32 * (rule_table.seats - 1 + place - first) + canonical_card(
            talon[place], order
        )
        count += 1
    if against_rivals:
        transitions.hidden[row, count] = rival_input(rule_table.seats)
        count += 1
    for nth in range(count, transitions.hidden.shape[1]):
        transitions.hidden[row, nth] = hidden_inputs(rule_table.seats)
    transitions.seat[row] = seat
    transitions.done[row] = 0


@kernel
def sample_act(
    rule_table: RuleTable,
    network: Network,
    p: Position,
    public: PublicKnowledge,
    transitions: Transitions,
    row: int,
    probs: Any,
    stream: int,
) -> tuple[int, int, int]:
    """Sample an act from the network's softmax; returns card, declaration or NONE, and the stream's next state."""
    actions = legal(rule_table, p)
    cards, declarations = actions & ALL_CARDS, actions & DECLARATIONS
    order = forward(rule_table.seats, network, p, p.turn, public.known, public.played)
    top = -1e9
    for slot in range(VALUE_SLOT):
        probs[slot] = 0.0
        transitions.mask[row, slot] = 0
    left = cards
    while left:
        card = lowest_bit(left)
        left &= left - 1
        slot = canonical_card(card, order)
        transitions.mask[row, slot] = 1
        top = max(top, network.outputs[slot])
        if best_with(rule_table, declarations, card) >= 0:
            transitions.mask[row, DECLARED_SLOTS + slot] = 1
            top = max(top, network.outputs[DECLARED_SLOTS + slot])
    total = 0.0
    for slot in range(VALUE_SLOT):
        if transitions.mask[row, slot]:
            probs[slot] = exp(network.outputs[slot] - top)
            total += probs[slot]
    stream = next_state(stream)
    target, slot, cumulative = high_half(splitmix64(stream)) / TWO_32 * total, 0, 0.0
    for nth in range(VALUE_SLOT):
        if probs[nth] > 0:
            slot = nth
            cumulative += probs[nth]
            if cumulative > target:
                break
    transitions.act[row] = slot
    transitions.log_prob[row] = log(probs[slot] / total)
    left = cards
    while left:
        card = lowest_bit(left)
        left &= left - 1
        if canonical_card(card, order) == slot & 31:
            return card, best_with(rule_table, declarations, card) if slot >= DECLARED_SLOTS else NONE, stream
    return highest_bit(cards), NONE, stream


class LearningContext(NamedTuple):
    """What stays the same in a partie from which the network learns."""

    network: Network
    workspace: Workspace
    learner: int
    """The one seat that learns among rivals, or NONE: all do."""
    rival: Policy
    transitions: Transitions


Learning = tuple[PublicKnowledge, int, int]
"""What turns carry on: what is public, the row to write next, a random stream."""


@kernel
def learning_turn(
    rule_table: RuleTable, talon: Any, p: Position, carried: Learning, lesson: LearningContext
) -> tuple[Position, Learning]:
    """A turn; what a learner chooses is recorded."""
    public, row, stream = carried
    network, workspace, learner, rival, transitions = lesson
    p, public = exchange_first(rule_table, p, public)
    actions = legal(rule_table, p)
    cards = actions & ALL_CARDS
    if learner >= 0 and p.turn != learner:
        card, declaration = policy_card(rule_table, rival, p, public)
    elif cards & cards - 1 == 0 and actions & DECLARATIONS == 0:
        card, declaration = highest_bit(cards), NONE
    else:
        write_transition(transitions, row, p, public, talon, rule_table, learner >= 0, workspace.scratch)
        card, declaration, stream = sample_act(
            rule_table, network, p, public, transitions, row, workspace.probs, stream
        )
        row += 1
    p, public = play_card(rule_table, talon, p, public, card, declaration)
    return p, (public, row, stream)


play_learning = driver(learning_turn, between_last_tricks)


@compiled
def collect_transitions(
    rule_table: RuleTable,
    network: Network,
    workspace: Workspace,
    rivals: float,
    stream: int,
    transitions: Transitions,
) -> int:
    """Play until the buffer has no room for another partie; returns the number of transitions.

    In a share `rivals` of the parties all seats but one follow a rival policy, and their acts are not stored.
    """
    row, dealer = 0, 0
    talon = workspace.pack[rule_table.seats * rule_table.hand :]
    while row + rule_table.seats * rule_table.tricks <= len(transitions.act):
        first = row
        stream = shuffle(workspace.pack, stream)
        p = deal_position(rule_table, workspace.pack, dealer)
        dealer = (dealer + 1) % rule_table.seats
        stream = next_state(stream)
        bits = splitmix64(stream)
        learner = scale_to(low_half(bits), rule_table.seats) if high_half(bits) / TWO_32 < rivals else NONE
        lesson = LearningContext(network, workspace, learner, workspace.rivals[bits & 1], transitions)
        p, (_, row, stream) = play_learning(rule_table, talon, p, (nothing_known(), row, stream), lesson)
        for seat in range(rule_table.seats):
            result = settled_value(rule_table, workspace.nodes, p, seat, workspace.nodes)
            for nth in range(first, row):
                transitions.outcome[nth, (seat - transitions.seat[nth]) % rule_table.seats] = result
        if row > first:
            transitions.done[row - 1] = 1
    return row


@kernel
def parties_per_pair(seats: int) -> int:
    """Parties per pair, as in the arena: each side alone in every seat with the same pack."""
    return seats if seats == 2 else 2 * seats


@compiled
def play_pairs(
    rule_table: RuleTable, network: Network, workspace: Workspace, pairs: int, stream: int, rival_number: int
) -> tuple[int, int]:
    """Wins and losses of the network's best acts against one rival."""
    wins, losses, rival = 0, 0, workspace.rivals[rival_number]
    policies = Policy(network, rival.weights, 0), rival
    talon = workspace.pack[rule_table.seats * rule_table.hand :]
    for nth in range(pairs):
        stream = shuffle(workspace.pack, stream)
        for seating in range(parties_per_pair(rule_table.seats)):
            learner, rivals = seating % rule_table.seats, seating >= rule_table.seats
            types = PerSeat(
                int((learner == 0) == rivals),
                int((learner == 1) == rivals),
                int((learner == 2) == rivals),
                int((learner == 3) == rivals),
            )
            p = deal_position(rule_table, workspace.pack, nth % rule_table.seats)
            p, _ = play_by_policies(rule_table, talon, p, (nothing_known(), 0), (policies, types))
            result = settled_value(rule_table, workspace.nodes, p, learner, workspace.nodes)
            wins += result == (0.0 if rivals else 1.0)
            losses += result == (1.0 if rivals else 0.0)
    return wins, losses


@compiled
def write_gae(
    transitions: Transitions, values: Any, lambda_: float, accumulated: Any, advantages: Any, returns: Any
) -> None:
    """Generalised advantage estimation (Schulman et al. 2016), over all seats' transitions in turn.

    `values: float32[n, seats]` are the critic's predictions; writes `advantages: float32[n]` and `returns: float32[n,
    seats]`. `accumulated: float64[seats]` is scratch, zeros at first.
    """
    count = values.shape[1]
    for back in range(len(values)):
        row = len(values) - 1 - back
        for nth in range(count):
            seat = (transitions.seat[row] + nth) % count
            if transitions.done[row]:
                accumulated[seat] = 0.0
                next_value = transitions.outcome[row, nth]
            else:
                next_value = values[row + 1, (seat - transitions.seat[row + 1]) % count]
            accumulated[seat] = next_value - values[row, nth] + lambda_ * accumulated[seat]
            returns[row, nth] = accumulated[seat] + values[row, nth]
        advantages[row] = accumulated[transitions.seat[row]]


def empty_transitions(rules: Rules, count: int) -> Transitions:
    """Arrays for `count` transitions."""
    cumulative = layout(rules.seats)
    return Transitions(
        np.zeros((count, MARKS_KEPT), np.int16),
        np.zeros((count, cumulative.inputs - cumulative.numbers), np.float32),
        np.zeros((count, MAX_HIDDEN), np.int16),
        np.zeros((count, VALUE_SLOT), np.uint8),
        np.zeros(count, np.int64),
        np.zeros(count, np.float32),
        np.zeros(count, np.int8),
        np.zeros((count, rules.seats), np.float32),
        np.zeros(count, np.int8),
    )


def workspace_for(rules: Rules, rival: Network | None = None) -> Workspace:
    """A pack, rivals (heuristic and greedy, or one network), and buffers."""
    return Workspace(
        np.arange(32, dtype=np.int64),
        (network_policy(rules, rival),) * 2 if rival else (heuristic_policy(rules), greedy_policy(rules)),
        np.zeros(MAX_MARKS, np.int64),
        memoryview(array("q", [0])),
        np.zeros(VALUE_SLOT),
    )


def collect(
    rules: Rules, network: Network, workspace: Workspace, rivals: float, seed: int, transitions: Transitions
) -> Transitions:
    """Transitions of parties played by the network: as many as the buffer holds."""
    count = collect_transitions(
        rule_table_of(rules), network, workspace, rivals, as_int64(splitmix64(seed)), transitions
    )
    return Transitions(*(part[:count] for part in transitions))


def win_rate(
    rules: Rules, network: Network, workspace: Workspace, parties: int, seed: int, rival_number: int = 0
) -> float:
    """The network's share of decided parties against one rival."""
    pairs = parties // parties_per_pair(rules.seats)
    wins, losses = play_pairs(
        rule_table_of(rules), network, workspace, pairs, as_int64(splitmix64(seed)), rival_number
    )
    return wins / (wins + losses)
