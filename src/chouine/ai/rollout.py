"""Network rollouts: every act in the same worlds, played on under each seat's policy, endings exactly."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.deduced import plain_public_knowledge
from chouine.ai.determinization import Worlds
from chouine.ai.features import DECLARED_SLOTS, canonical_card
from chouine.ai.macro_actions import DECLARATION_SHIFT, EXCHANGE_BIT, NO_CARD, own_seat
from chouine.ai.network import Network, forward
from chouine.ai.opponent_model import TypedWorlds
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
from chouine.rules.book import Book
from chouine.rules.position import NONE, Position

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements


class Root(NamedTuple):
    """Where rollouts begin: the position as one seat knows it."""

    book: Book
    p: Position
    public: PublicKnowledge
    seat: int


def root_of(view: View, public: PublicKnowledge) -> Root:
    """The view's position, for its own seat."""
    return Root(view.book, compiled_position(view.position), public, own_seat(view))


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
    book: Book, talon: Sequence[int], p: Position, public: PublicKnowledge, seat: int, act: int
) -> tuple[Position, PublicKnowledge]:
    """Apply a seat's act; returns position and public knowledge."""
    if act & EXCHANGE_BIT:
        p, public = apply_exchange(book, p, public, seat)
    if act & 63 != NO_CARD:
        p, public = play_card(book, talon, p, public, act & 63, (act >> DECLARATION_SHIFT & 63) or NONE)
    return p, public


@kernel
def play_next_turn(
    book: Book, talon: Sequence[int], p: Position, public: PublicKnowledge, policy: Policy, declined: int
) -> tuple[Position, PublicKnowledge, int]:
    """Play one turn under the policy; whoever can exchanges first, unless that was just declined.

    Also returns the act.
    """
    holder, swap = swapper(book, p, declined), 0
    if holder >= 0:
        p, public = apply_exchange(book, p, public, holder)
        swap = EXCHANGE_BIT
    card, declaration = policy_card(book, policy, p, public)
    p, public = play_card(book, talon, p, public, card, declaration)
    return p, public, card | max(declaration, 0) << DECLARATION_SHIFT | swap


Known = tuple[PublicKnowledge, int]
"""What turns under policies carry on: what is public, and whether "au sept" was just let pass."""
Seating = tuple[tuple[Policy, ...], Any]
"""Policies, and each seat's index into these."""


@kernel
def policy_turn(
    book: Book, talon: Sequence[int], p: Position, carried: Known, seating: Seating
) -> tuple[Position, Known]:
    """One turn under the policy of the seat on turn."""
    policies, types = seating
    p, public, _ = play_next_turn(book, talon, p, carried[0], policies[types[p.turn]], carried[1])
    return p, (public, 0)


play_by_policies = driver(policy_turn, between_last_tricks)


@kernel
def rollout(
    book: Book,
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
    p, _ = play_by_policies(book, talon, p, carried, seating)
    policies, types = seating
    if p.turn >= 0 and policies[types[1 - seat]].greedy:
        return swindle_value(book, p, seat, 0.0, nodes)
    return settled_value(book, nodes, p, seat, nodes)


@compiled
def rollout_acts(
    root: Root, acts: Sequence[int], typed: TypedWorlds, policies: tuple[Policy, ...], nodes: Any, values: Any
) -> None:
    """Write each act's result in each world to `values: float32[acts, worlds]`.

    `typed.types` are indices into `policies`; `nodes: int64[1]` is scratch.
    """
    book, seat = root.book, root.seat
    hands, talons, types = typed.worlds.hands, typed.worlds.talons, typed.types
    for world in range(len(hands)):
        talon = talons[world]
        here, public_here = enter_world(root.p, root.public, hands[world])
        for nth in range(len(acts)):
            q, public_after = apply_act_publicly(book, talon, here, public_here, seat, acts[nth])
            carried = public_after, int(acts[nth] == NO_CARD)
            values[nth, world] = rollout(book, talon, q, carried, seat, (policies, types[world]), nodes)


@compiled
def write_prior_scores(
    book: Book,
    p: Position,
    public: PublicKnowledge,
    seat: int,
    acts: Sequence[int],
    network: Network,
    scores: Any,
) -> None:
    """Write how far the network values each act below the best, without search."""
    for swap in range(2):
        length, top = 0, -1e9
        for nth in range(len(acts)):
            length += acts[nth] & 63 != NO_CARD and (acts[nth] & EXCHANGE_BIT != 0) == swap
        if length == 0:
            continue
        if swap:
            p, public = apply_exchange(book, p, public, seat)
        order = forward(book.seats, network, p, seat, public.known, public.played)
        for nth in range(len(acts)):
            if acts[nth] & 63 != NO_CARD and (acts[nth] & EXCHANGE_BIT != 0) == swap:
                slot = canonical_card(acts[nth] & 63, order) + (
                    DECLARED_SLOTS if acts[nth] >> DECLARATION_SHIFT & 63 else 0
                )
                scores[nth] = network.outputs[slot]
                top = max(top, scores[nth])
        for nth in range(len(acts)):
            if acts[nth] & 63 != NO_CARD and (acts[nth] & EXCHANGE_BIT != 0) == swap:
                scores[nth] -= top


def prior_scores(view: View, public: PublicKnowledge, acts: Sequence[int], network: Network) -> Any:
    """How far the network values each act below the best: `float64[acts]`, win probability, 0 or less."""
    scores = np.zeros(len(acts))
    write_prior_scores(
        view.book,
        compiled_position(view.position),
        public,
        own_seat(view),
        memoryview(array("q", acts)),
        network,
        scores,
    )
    return scores


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
        q, public_after = apply_act_publicly(root.book, talon, here, public_here, root.seat, act)
        declined = act == NO_CARD
        for nth in range(found.shape[1]):
            found[world, nth] = -1
            if q.turn >= 0:
                q, public_after, done = play_next_turn(root.book, talon, q, public_after, policy, declined)
                found[world, nth] = done
                declined = False


def rollout_values(
    view: View, public: PublicKnowledge, acts: Sequence[int], typed: TypedWorlds, policies: tuple[Policy, ...]
) -> Any:
    """Each act's result in each world: `float32[acts, worlds]`, 1 for a win."""
    values = np.zeros((len(acts), len(typed.types)), np.float32)
    nodes = memoryview(array("q", [0]))
    rollout_acts(root_of(view, public), memoryview(array("q", acts)), typed, policies, nodes, values)
    return values


def continuations(view: View, act: int, worlds: Worlds, network: Network, length: int) -> Any:
    """The acts that follow an act in each world: `int64[worlds, length]`, -1 after the end."""
    found = np.zeros((len(worlds.hands), length), np.int64)
    root = root_of(view, public_knowledge(view))
    trace_acts(root, act, worlds, network_policy(view.rules, network), found)
    return found
