"""Explain why one act beats another: play both on in the same worlds and compare countable traits."""

from __future__ import annotations

from typing import Any

import numpy as np

from chouine.ai.determinization import Worlds
from chouine.ai.facts import FACTS, MOST, SHOWN_IN, Reason, certain_reasons
from chouine.ai.macro_actions import NO_CARD, act_of
from chouine.ai.network import Network
from chouine.ai.rollout import (
    Policy,
    Root,
    apply_act_publicly,
    enter_world,
    network_policy,
    policy_turn,
    public_knowledge,
    root_of,
)
from chouine.cards import BRISQUES, SUIT_CARDS
from chouine.fast.bits import popcount
from chouine.fast.compiler import compiled
from chouine.fast.driver import driver
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

TRAITS = ("tricks", "declared", "others-declared", "trumps", "brisques", "chouine", "others-chouine")
"""Traits measured when the talon is empty: points ahead of the best opponent, points declared, points declared by the
best opponent (negative), trumps and brisques left for the last tricks, own and others' chouines by then (§10)."""
COUNTED = 5
"""The first five are undefined in parties that a chouine has ended."""
NOTABLE = (1.5, 1.5, 1.5, 0.12, 0.12, 0.02, 0.02)
"""Minimum difference of each trait worth mentioning."""
NOT_COUNTED = float("nan")


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
    """At most two reasons for one act over another: facts that the averages bear out, then averages without a fact.

    Both acts are played on by the network, or the heuristic without one. For an exchange the turnup itself comes first.
    """
    if view.position.tricks >= view.rule_table.drawing:
        return certain_reasons(view, better, worse)
    differences = traits(view, act_of(better), worlds, network) - traits(view, act_of(worse), worlds, network)
    scaled = np.nan_to_num(differences).mean(axis=0) / np.array(NOTABLE)
    weighty = {
        TRAITS[nth]: float(scaled[nth] * NOTABLE[nth]) for nth in np.argsort(-scaled) if scaled[nth] >= 1
    }
    found = certain_reasons(view, better, worse, set(weighty))
    shown = {
        trait for reason in found if reason.trait in FACTS for trait in SHOWN_IN[FACTS[reason.trait].about]
    }
    averages = [Reason(trait, difference) for trait, difference in weighty.items() if trait not in shown]
    return [*found, *averages][:MOST]
