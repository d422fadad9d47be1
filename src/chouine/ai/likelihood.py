"""Action likelihoods P(act | hand), the input of Bayesian ranges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.cards import ALL_CARDS
from chouine.fast.bits import popcount
from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.soa_layout import compiled_position
from chouine.partie.actions import Action, Play
from chouine.rules.combinations import EXCHANGE, EXCHANGING, MARIAGE
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
