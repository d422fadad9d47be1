"""Action models: P(act | hand) if the holder follows the network's softmax policy, or, in kernels, a fixed policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.ai.beliefs import RangeTracker
from chouine.ai.features import DECLARED_SLOTS, canonical_card
from chouine.ai.likelihood import TEMPERING, NoisyModel, ObservedAction, action_numbers
from chouine.ai.network import Network, forward, load_shipped, private_copy
from chouine.ai.policy import Policy, policy_card
from chouine.cards import ALL_CARDS
from chouine.fast.bits import lowest_bit
from chouine.fast.compiler import compiled
from chouine.fast.declarations import best_with
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.fast.soa_layout import ZEROS, compiled_position, per_seat
from chouine.rules.combinations import DECLARATIONS, EXCHANGE
from chouine.rules.options import Rules
from chouine.rules.play import companions, legal_for
from chouine.rules.position import Four, Position, put
from chouine.rules.rule_table import RuleTable, rule_table_of

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

TEMPERATURE = 0.06
"""Softmax temperature in win probability: an act worth this much more is e times as likely."""
KEEPS_SEVEN = 0.05
"""Probability that a seat which may exchange the seven keeps it."""


@dataclass(frozen=True, slots=True)
class NetworkModel:
    """Softmax over the network's values, with `temperature` in win probability."""

    network: Network
    temperature: float = TEMPERATURE

    def likelihood(self, observed: ObservedAction, hands: Ints) -> Floats:
        """See `ActionModel.likelihood`. Not safe for concurrent use: it writes the network's buffers."""
        likelihoods = np.zeros(len(hands))
        network_likelihoods(query_of(observed), self.network, 1 / self.temperature, hands, likelihoods)
        return likelihoods


def tracker_of(rules: Rules, *, tempered: bool = True) -> RangeTracker:
    """Ranges of hands if their holders play as the rules' network: `tempered` where they may differ from it."""
    model = NetworkModel(private_copy(load_shipped(rules.preset)))
    return RangeTracker(NoisyModel(model), TEMPERING) if tempered else RangeTracker(model)


class ActionQuery(NamedTuple):
    """An observed action as kernels take it; hands in `p` hold public cards only."""

    rule_table: RuleTable
    p: Position
    seat: int
    played: Four
    """Cards each seat has laid."""
    card: int
    """Or EXCHANGE, or DECLINED."""
    declaration: int
    """Or NONE."""


def query_of(observed: ObservedAction) -> ActionQuery:
    """The query for an observed action."""
    p, played = compiled_position(observed.p), per_seat(observed.played)
    return ActionQuery(rule_table_of(observed.rules), p, observed.seat, played, *action_numbers(observed.act))


@kernel
def exponential(x: float) -> float:
    """E to the power of x within a millionth for |x| < 20, by products alone: the same bits on any machine."""
    z = x / 1024.0
    y = 1.0 + z * (1.0 + z * (0.5 + z * (1.0 / 6.0)))
    for _ in range(10):
        y *= y
    return y


@kernel
def exchange_likelihood(actions: int, card: int) -> float:
    """P(exchange) or P(keep) given these legal actions, whichever `card` says was done."""
    may_exchange = actions >> EXCHANGE & 1
    if card == EXCHANGE:
        return (1.0 - KEEPS_SEVEN) * may_exchange
    return KEEPS_SEVEN if may_exchange else 1.0


@kernel
def action_likelihood(query: ActionQuery, hand: int, network: Network, inverse_temperature: float) -> float:
    """P(act | hand); 0 if the act is illegal."""
    rule_table, seat, card, declaration = query.rule_table, query.seat, query.card, query.declaration
    p = Position(put(query.p.hands, seat, hand), *query.p[1:])
    actions = legal_for(rule_table, p, seat)
    exchange = exchange_likelihood(actions, card)
    if not 0 <= card < EXCHANGE or seat != p.turn:
        return exchange
    cards = actions & ALL_CARDS
    if not cards >> card & 1:
        return 0.0
    if declaration >= 0 and not (actions >> declaration & companions(rule_table, declaration) >> card) & 1:
        return 0.0
    order = forward(rule_table.seats, network, p, seat, query.p.hands, query.played)
    slot = canonical_card(card, order)
    best = best_with(rule_table, actions & DECLARATIONS, card)
    value = network.outputs[DECLARED_SLOTS + slot] if declaration >= 0 else network.outputs[slot]
    total = 0.0
    while cards:
        other = lowest_bit(cards)
        cards &= cards - 1
        place = canonical_card(other, order)
        total += exponential((network.outputs[place] - value) * inverse_temperature)
        if best_with(rule_table, actions & DECLARATIONS, other) >= 0:
            total += exponential((network.outputs[DECLARED_SLOTS + place] - value) * inverse_temperature)
    return exchange / total * (1.0 if declaration == best or declaration < 0 else 0.1)


@compiled
def network_likelihoods(
    query: ActionQuery, network: Network, inverse_temperature: float, hands: Any, likelihoods: Any
) -> None:
    """Write P(act | hand) for each of `hands: int64[hands]` to `likelihoods: float64[hands]`, under the network."""
    for row in range(len(hands)):
        likelihoods[row] = action_likelihood(query, hands[row], network, inverse_temperature)


@kernel
def policy_likelihood(query: ActionQuery, hand: int, policy: Policy) -> float:
    """P(act | hand) under a fixed policy."""
    rule_table, p, seat, card = query.rule_table, query.p, query.seat, query.card
    hypothesis = Position(put(p.hands, seat, hand), *p[1:])
    likelihood = exchange_likelihood(legal_for(rule_table, hypothesis, seat), card)
    if 0 <= card < EXCHANGE and seat == p.turn:
        public = PublicKnowledge(p.hands, per_seat(ZEROS), query.played)
        laid, said = policy_card(rule_table, policy, hypothesis, public)
        likelihood *= 1.0 if laid == card and said == query.declaration else 0.0
    return likelihood
