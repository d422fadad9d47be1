"""Policies as data for kernels: network, heuristic or greedy. Kernel Python."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

from chouine.ai.network import NO_NETWORK, Network, network_card
from chouine.fast.kernels import kernel
from chouine.fast.public_knowledge import PublicKnowledge, cards_played
from chouine.players.evaluation import heuristic_card, weight_table
from chouine.players.greedy import greedy_card
from chouine.rules.options import Rules
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable


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
