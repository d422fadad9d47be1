"""Rollouts: policies as data, the turns they play, and what the endings they lead to are worth. Kernel Python.

Monte Carlo players play on by the heuristic; the strongest player and its reasons by each seat's policy. Two seats'
last tricks are exact, or played against an opponent who errs (`swindle_value`).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.deduced import plain_public_knowledge
from chouine.ai.determinization import Worlds
from chouine.ai.macro_actions import DECLARATION_SHIFT, EXCHANGE_BIT, NO_CARD, own_seat
from chouine.ai.network import NO_NETWORK, Network, network_card
from chouine.cards import ALL_CARDS
from chouine.fast.bits import lowest_bit
from chouine.fast.compiler import compiled
from chouine.fast.double_dummy import between_last_tricks, open_margin_between
from chouine.fast.driver import apply_exchange, best_with, driver, play_card, play_with, swapper
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.public_knowledge import PublicKnowledge, cards_played
from chouine.fast.soa_layout import PerSeat, compiled_position, per_seat
from chouine.partie.view import View
from chouine.players.heuristic import heuristic_card, weight_table
from chouine.players.simple import greedy_card
from chouine.rules.combinations import DECLARATIONS
from chouine.rules.options import Rules
from chouine.rules.play import legal, winner
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

LOSS, NULLE, WIN = 0.0, 0.5, 1.0
"""Value of a partie to a seat. A nulle is replayed (§12), so it is worth as much as a new partie."""


@kernel
def outcome(rule_table: RuleTable, p: Position, seat: int) -> float:
    """Value of a finished partie to a seat, 0 to 1."""
    first = winner(rule_table, p)
    if first < 0:
        return 1.0 / rule_table.seats
    return WIN if first == seat else LOSS


@kernel
def open_value(
    rule_table: RuleTable, talon: Sequence[int], p: Position, seat: int, nodes: memoryview
) -> float:
    """Value of a position to a seat of two under optimal play with open cards."""
    nodes[0] = 1 << 40
    margin = open_margin_between(rule_table, talon, p, -1, 1, nodes)
    if margin == 0:
        return NULLE
    return WIN if (margin > 0) == (seat == 0) else LOSS


@kernel
def settled_value(
    rule_table: RuleTable, talon: Sequence[int], p: Position, seat: int, nodes: memoryview
) -> float:
    """Value to a seat of a partie that is over, or that two seats play on optimally with open cards."""
    return outcome(rule_table, p, seat) if p.turn < 0 else open_value(rule_table, talon, p, seat, nodes)


EPSILON = 0.25
"""Probability that the opponent lays a uniformly random card; otherwise it is greedy."""


@compiled
def swindle_value(rule_table: RuleTable, p: Position, seat: int, epsilon: float, nodes: memoryview) -> float:
    """Value of two seats' last tricks to an optimal seat against an erring opponent, 0 to 1.

    The opponent lays a uniform card with probability `epsilon`, else the greedy one. A forced win is worth 1. Each
    card is laid with the best figure it can declare. `nodes: int64[1]` is scratch.
    """
    if p.turn < 0:
        return outcome(rule_table, p, seat)
    if p.table == 0 and open_value(rule_table, nodes, p, seat, nodes) == WIN:
        return WIN
    actions = legal(rule_table, p)
    cards, count, total_value, best, greedy_value = actions & ALL_CARDS, 0, 0.0, 0.0, 0.0
    expected, greedy_declaration = (NONE, NONE) if p.turn == seat else greedy_card(rule_table, p)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if expected >= 0 and card != expected and epsilon == 0:
            continue
        declaration = (
            greedy_declaration if card == expected else best_with(rule_table, actions & DECLARATIONS, card)
        )
        value = swindle_value(
            rule_table, play_with(rule_table, nodes, p, card, declaration), seat, epsilon, nodes
        )
        best = max(best, value)
        total_value += value
        greedy_value += value if card == expected else 0.0
        count += 1
    return best if p.turn == seat else epsilon * total_value / count + (1.0 - epsilon) * greedy_value


class Policy(NamedTuple):
    """One of three policies, in one type so that compiled code can choose at run time."""

    network: Network
    """Its best acts; with `NO_NETWORK` the heuristic."""
    weights: Any
    """The heuristic's weight table."""
    greedy: int
    """1 for the greedy policy, whatever the other fields are."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy: the table is a memoryview, which can do neither."""
        return with_table, (self.network, array("d", self.weights), self.greedy)


def with_table(network: Network, weights: array[float], greedy: int) -> Policy:
    """The policy with this array of weights."""
    return Policy(network, memoryview(weights), greedy)


def network_policy(rules: Rules, network: Network) -> Policy:
    """The network's best acts; the heuristic for `NO_NETWORK`."""
    return Policy(network, weight_table(rules), 0)


def heuristic_policy(rules: Rules) -> Policy:
    """The heuristic."""
    return network_policy(rules, NO_NETWORK)


def greedy_policy(rules: Rules) -> Policy:
    """The greedy player: like other programs and many beginners."""
    return heuristic_policy(rules)._replace(greedy=1)


@kernel
def policy_card(
    rule_table: RuleTable, policy: Policy, p: Position, public: PublicKnowledge
) -> tuple[int, int]:
    """What the seat on turn lays under the policy, and its declaration or NONE."""
    if policy.greedy:
        return greedy_card(rule_table, p)
    if len(policy.network.hidden_1):
        return network_card(rule_table, policy.network, p, public)
    return heuristic_card(rule_table, policy.weights, p, cards_played(public))


class Root(NamedTuple):
    """Where rollouts begin: the position as one seat knows it."""

    rule_table: RuleTable
    p: Position
    public: PublicKnowledge
    seat: int


def root_of(view: View, public: PublicKnowledge) -> Root:
    """The view's position, for its own seat."""
    return Root(view.rule_table, compiled_position(view.position), public, own_seat(view))


@kernel
def enter_world(p: Position, public: PublicKnowledge, hands: Any) -> tuple[Position, PublicKnowledge]:
    """A position and its public knowledge in one world: cards to be shown are those the seat holds there."""
    here = PerSeat(hands[0], hands[1], hands[2], hands[3])
    showing = PerSeat(
        public.to_show[0] & here[0],
        public.to_show[1] & here[1],
        public.to_show[2] & here[2],
        public.to_show[3] & here[3],
    )
    return Position(here, *p[1:]), PublicKnowledge(public.known, showing, public.played)


@kernel
def apply_act_publicly(
    rule_table: RuleTable, talon: Sequence[int], p: Position, public: PublicKnowledge, seat: int, act: int
) -> tuple[Position, PublicKnowledge]:
    """Apply a seat's act; returns position and public knowledge."""
    if act & EXCHANGE_BIT:
        p, public = apply_exchange(rule_table, p, public, seat)
    if act & 63 != NO_CARD:
        p, public = play_card(rule_table, talon, p, public, act & 63, (act >> DECLARATION_SHIFT & 63) or NONE)
    return p, public


@kernel
def play_next_turn(
    rule_table: RuleTable,
    talon: Sequence[int],
    p: Position,
    public: PublicKnowledge,
    policy: Policy,
    declined: int,
) -> tuple[Position, PublicKnowledge, int]:
    """Play one turn under the policy; whoever can exchanges first, unless that was just declined.

    Also returns the act.
    """
    holder, swap = swapper(rule_table, p, declined), 0
    if holder >= 0:
        p, public = apply_exchange(rule_table, p, public, holder)
        swap = EXCHANGE_BIT
    card, declaration = policy_card(rule_table, policy, p, public)
    p, public = play_card(rule_table, talon, p, public, card, declaration)
    return p, public, card | max(declaration, 0) << DECLARATION_SHIFT | swap


Known = tuple[PublicKnowledge, int]
"""What turns under policies carry on: what is public, and whether "au sept" was just let pass."""
Seating = tuple[tuple[Policy, ...], Any]
"""Policies, and each seat's index into these."""


@kernel
def policy_turn(
    rule_table: RuleTable, talon: Sequence[int], p: Position, carried: Known, seating: Seating
) -> tuple[Position, Known]:
    """One turn under the policy of the seat on turn."""
    policies, types = seating
    p, public, _ = play_next_turn(rule_table, talon, p, carried[0], policies[types[p.turn]], carried[1])
    return p, (public, 0)


play_by_policies = driver(policy_turn, between_last_tricks)


@kernel
def rollout(
    rule_table: RuleTable,
    talon: Sequence[int],
    p: Position,
    carried: Known,
    seat: int,
    seating: Seating,
    nodes: memoryview,
) -> float:
    """Value of a position to a seat, each seat playing its type's policy.

    A greedy opponent of two errs in the ending too.
    """
    p, _ = play_by_policies(rule_table, talon, p, carried, seating)
    policies, types = seating
    if p.turn >= 0 and policies[types[1 - seat]].greedy:
        return swindle_value(rule_table, p, seat, 0.0, nodes)
    return settled_value(rule_table, nodes, p, seat, nodes)


def public_knowledge(view: View) -> PublicKnowledge:
    """Public knowledge of a view, as compiled code takes it."""
    public = plain_public_knowledge(view)
    return PublicKnowledge(per_seat(public.known), per_seat(public.to_show), per_seat(public.played))


@compiled
def trace_acts(root: Root, act: int, worlds: Worlds, policy: Policy, found: Any) -> None:
    """Write the acts that follow an act in each world to `found: int64[worlds, length]`; -1 after the end."""
    for world in range(len(worlds.hands)):
        talon = worlds.talons[world]
        here, public_here = enter_world(root.p, root.public, worlds.hands[world])
        q, public_after = apply_act_publicly(root.rule_table, talon, here, public_here, root.seat, act)
        declined = act == NO_CARD
        for nth in range(found.shape[1]):
            found[world, nth] = -1
            if q.turn >= 0:
                q, public_after, done = play_next_turn(
                    root.rule_table, talon, q, public_after, policy, declined
                )
                found[world, nth] = done
                declined = False


def continuations(view: View, act: int, worlds: Worlds, network: Network, length: int) -> Any:
    """The acts that follow an act in each world: `int64[worlds, length]`, -1 after the end."""
    found = np.zeros((len(worlds.hands), length), np.int64)
    root = root_of(view, public_knowledge(view))
    trace_acts(root, act, worlds, network_policy(view.rules, network), found)
    return found
