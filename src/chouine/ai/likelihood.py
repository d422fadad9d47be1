"""Action likelihoods P(act | hand), the input of Bayesian ranges: of a uniform choice, the network, a fixed policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.ai.features import DECLARED_SLOTS, canonical_card
from chouine.ai.network import Network, forward
from chouine.ai.rollout import Policy, policy_card
from chouine.cards import ALL_CARDS
from chouine.fast.bits import lowest_bit, popcount
from chouine.fast.compiler import compiled
from chouine.fast.driver import best_with
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.fast.soa_layout import ZEROS, compiled_position, per_seat
from chouine.partie.actions import Action, Play
from chouine.rules.combinations import DECLARATIONS, EXCHANGE, EXCHANGING, MARIAGE
from chouine.rules.options import Rules
from chouine.rules.play import companions, legal_for
from chouine.rules.position import NONE, Four, Position, put
from chouine.rules.rule_table import RuleTable, rule_table_of

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

DECLINED = -1
TEMPERING = 0.5
"""Exponent on a model's likelihoods where opponents may differ from it."""


class ObservedAction(NamedTuple):
    """An act of a seat, as everyone saw it."""

    rules: Rules
    p: Position
    """The position before the act as an onlooker knows it: hands hold public cards only. With the seat's own hand put
    in, it is what that seat knew."""
    seat: int
    played: Four
    """Cards each seat had laid before."""
    act: Action | None
    """None: it declined to exchange at "au sept" (§11), although another seat was on turn."""


class ActionModel(Protocol):
    """A model of a player's choices."""

    def likelihood(self, observed: ObservedAction, hands: Ints) -> Floats:
        """P(act | hand) for each of `hands: int64[n]`, as `float64[n]`; 0 where the act is illegal.

        Omissions count: a declaration not made, a seven not exchanged. An exchange is an act of its own, after which
        the same seat plays.
        """


@dataclass(frozen=True, slots=True)
class UniformModel:
    """All legal acts are equally likely."""

    def likelihood(self, observed: ObservedAction, hands: Ints) -> Floats:
        """See `ActionModel.likelihood`."""
        likelihoods = np.zeros(len(hands))
        card, declaration = action_numbers(observed.act)
        uniform_likelihoods(
            rule_table_of(observed.rules),
            compiled_position(observed.p),
            observed.seat,
            card,
            declaration,
            hands,
            likelihoods,
        )
        return likelihoods


UNIFORM = UniformModel()


@dataclass(frozen=True, slots=True)
class NoisyModel:
    """A mixture: the model with probability 1 − epsilon, a uniform act with probability epsilon."""

    model: ActionModel
    epsilon: float = 0.05

    def likelihood(self, observed: ObservedAction, hands: Ints) -> Floats:
        """See `ActionModel.likelihood`."""
        uniform = UNIFORM.likelihood(observed, hands)
        modelled = np.maximum(np.nan_to_num(self.model.likelihood(observed, hands)), 0)
        return np.where(uniform > 0, self.epsilon * uniform + (1 - self.epsilon) * modelled, 0.0)


def action_numbers(act: Action | None) -> tuple[int, int]:
    """An act as two numbers: its card (or EXCHANGE, or DECLINED) and its declaration (or NONE)."""
    if isinstance(act, Play):
        return int(act.card), NONE if act.declaration is None else int(act.declaration)
    return (DECLINED if act is None else EXCHANGE), NONE


@kernel
def uniform_likelihood(
    rule_table: RuleTable, p: Position, seat: int, card: int, declaration: int, hand: int
) -> float:
    """1 / (number of legal acts) with this hand; 0 if this act is illegal."""
    actions = legal_for(rule_table, Position(put(p.hands, seat, hand), *p[1:]), seat)
    cards = actions & ALL_CARDS
    acts = popcount(cards) + (actions >> EXCHANGE & 1)
    done = actions >> card & 1 if card >= 0 else 1
    if seat != p.turn:
        acts = 1 + (actions >> EXCHANGE & 1)
        done = 1 if card < 0 else actions >> EXCHANGE & 1
    if actions > EXCHANGING | ALL_CARDS:
        for number in range(MARIAGE, 51):
            if actions >> number & 1:
                acts += popcount(cards & companions(rule_table, number))
    if declaration >= 0:
        allowed = companions(rule_table, declaration)
        done = done & actions >> declaration & allowed >> card
    return done / acts if done & 1 else 0.0


@compiled
def uniform_likelihoods(
    rule_table: RuleTable, p: Position, seat: int, card: int, declaration: int, hands: Any, likelihoods: Any
) -> None:
    """Write it for each hand."""
    for row in range(len(hands)):
        likelihoods[row] = uniform_likelihood(rule_table, p, seat, card, declaration, hands[row])


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
