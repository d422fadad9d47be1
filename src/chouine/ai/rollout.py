"""Network rollouts: every act in the same worlds, played on under each seat's policy, endings exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.deduced import plain_public_knowledge
from chouine.ai.determinization import Worlds
from chouine.ai.macro_actions import DECLARATION_SHIFT, EXCHANGE_BIT, NO_CARD, own_seat
from chouine.ai.network import Network
from chouine.ai.playout import settled_value
from chouine.ai.policy import Policy, network_policy, policy_card
from chouine.ai.swindle import swindle_value
from chouine.fast.compiler import compiled
from chouine.fast.double_dummy import between_last_tricks
from chouine.fast.driver import apply_exchange, driver, play_card, swapper
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.fast.soa_layout import PerSeat, compiled_position, per_seat
from chouine.partie.view import View
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements


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
