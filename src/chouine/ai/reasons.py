"""Explain why one act beats another: play both on in the same worlds and compare countable traits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chouine.ai.determinization import Worlds
from chouine.ai.macro_actions import NO_CARD, act_of
from chouine.ai.network import Network
from chouine.ai.policy import Policy, network_policy
from chouine.ai.rollout import (
    Root,
    apply_act_publicly,
    enter_world,
    policy_turn,
    public_knowledge,
    root_of,
)
from chouine.cards import BRISQUES, SUIT_CARDS, Rank
from chouine.fast.bits import popcount
from chouine.fast.compiler import compiled
from chouine.fast.driver import driver
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.view import View
from chouine.rules.play import beats
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

TRAITS = ("tricks", "declared", "others-declared", "trumps", "brisques", "chouine", "others-chouine")
"""Traits measured when the talon is empty: points ahead of the best opponent, points declared, points declared by the
best opponent (negative), trumps and brisques left for the last tricks, own and others' chouines by then (§10)."""
COUNTED = 5
"""The first five are undefined in parties that a chouine has ended."""
TURNUP = "turnup"
"""The reason for an exchange, whatever the traits: how many ranks the turnup is above the seven (§11)."""
KEPT = "kept"
"""The card that the better act leaves in hand and the worse one lays, as a number, where a trait counts such cards."""
TAKES = "takes"
"""The card with which the better act takes the trick that the worse one lets go, as a number."""
NOTABLE = (1.5, 1.5, 1.5, 0.12, 0.12, 0.02, 0.02)
"""Minimum difference of each trait worth mentioning."""
NOT_COUNTED = float("nan")


class Reason(NamedTuple):
    """The mean difference of one trait between two acts."""

    trait: str
    difference: float


@kernel
def write_traits(rule_table: RuleTable, p: Position, seat: int, found: Any) -> None:
    """Write a position's traits to `found: float64[7]`. After a chouine the counted traits are NaN (§10)."""
    if p.turn < 0 and p.chouine >= 0:
        found[:COUNTED] = NOT_COUNTED
        found[5] = 1 if p.chouine == seat else 0
        found[6] = 0 if p.chouine == seat else -1
        return
    taken, declared = 0, 0
    for other in range(rule_table.seats):
        if other != seat:
            taken = max(taken, p.points[other])
            declared = max(declared, p.declared[other])
    found[0] = p.points[seat] - taken
    found[1] = p.declared[seat]
    found[2] = -declared
    found[3] = popcount(p.hands[seat] & SUIT_CARDS[p.trump]) if p.trump >= 0 else 0
    found[4] = popcount(p.hands[seat] & BRISQUES)


@kernel
def is_drawn(rule_table: RuleTable, p: Position) -> bool:
    """Whether the talon is empty and no trick is unfinished."""
    return p.tricks >= rule_table.drawing and p.table == 0


play_until_drawn = driver(policy_turn, is_drawn)


@compiled
def count_traits(root: Root, act: int, worlds: Worlds, policy: Policy, found: Any) -> None:
    """Play an act on in each world under the policy until the talon is empty; write `found: float64[worlds, 7]`."""
    rule_table, own = root.rule_table, (0, 0, 0, 0)
    for world in range(len(worlds.hands)):
        talon = worlds.talons[world]
        here, public_here = enter_world(root.p, root.public, worlds.hands[world])
        q, public_after = apply_act_publicly(rule_table, talon, here, public_here, root.seat, act)
        q, _ = play_until_drawn(rule_table, talon, q, (public_after, int(act == NO_CARD)), ((policy,), own))
        write_traits(rule_table, q, root.seat, found[world])


def traits(view: View, act: int, worlds: Worlds, network: Network) -> Any:
    """Traits that an act leads to in each world: `float64[worlds, 7]`."""
    found = np.zeros((len(worlds.hands), len(TRAITS)))
    root = root_of(view, public_knowledge(view))
    count_traits(root, act, worlds, network_policy(view.rules, network), found)
    return found


def reasons(
    view: View, better: Action | None, worse: Action | None, worlds: Worlds, network: Network
) -> list[Reason]:
    """At most two reasons for one act over another, strongest first, and the card kept; none once the talon is empty.

    Both acts are played on by the network, or the heuristic without one. For an exchange the turnup itself comes first.
    """
    if view.position.tricks >= view.rule_table.drawing:
        return []
    differences = traits(view, act_of(better), worlds, network) - traits(view, act_of(worse), worlds, network)
    scaled = np.nan_to_num(differences).mean(axis=0) / np.array(NOTABLE)
    public_after = [Reason(TURNUP, view.turnup.rank)] if isinstance(better, Exchange) and view.turnup else []
    weighty = [nth for nth in np.argsort(-scaled) if scaled[nth] >= 1][: 2 - len(public_after)]
    found = [Reason(TRAITS[nth], float(scaled[nth] * NOTABLE[nth])) for nth in weighty]
    return public_after + card_reasons(view, better, worse, {reason.trait for reason in found}) + found


def takes(view: View, act: Play) -> bool:
    """Whether an act that completes the trick takes it (§6)."""
    p = view.position
    return len(view.table) == view.rules.seats - 1 and beats(act.card, p.best, p.trump)


def card_reasons(view: View, better: Action | None, worse: Action | None, told: set[str]) -> list[Reason]:
    """The card that only the better act takes with, or that only the worse one gives away, if a trait counts it."""
    if not isinstance(worse, Play) or (isinstance(better, Play) and better.card == worse.card):
        return []
    card, wins = worse.card, takes(view, worse)
    if "tricks" in told and isinstance(better, Play) and takes(view, better) and not wins:
        return [Reason(TAKES, int(better.card))]
    counted = {
        "brisques": card.brisque,
        "tricks": card.brisque and bool(view.table) and not wins,
        "trumps": card.suit == view.trump,
        "declared": card.rank in (Rank.KING, Rank.QUEEN, Rank.JACK),
        "chouine": card.rank >= Rank.JACK,
    }
    return [Reason(KEPT, int(card))] if any(counted.get(trait) for trait in told) else []
