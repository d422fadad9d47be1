"""Convert policies (functions from observations and masks to actions) to players, and players to policies.

    player = PolicyPlayer(policy)                      # a policy in a duel, at the terminal, in an engine
    env = ChouineVectorEnv(100, opponent=player)       # a player, or a policy, as the opponent of an environment

A policy takes arrays with one row per decision, observations `uint8[rows, size]` and masks `int8[rows, 52]`, and
returns actions `int[rows]`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chouine.cards import PACK
from chouine.envs.agent_selection import LET_PASS, NUMBERS
from chouine.envs.encode import Mask, Observation, encode, mask_of, open_to
from chouine.envs.numbered_partie import refusal
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.view import View
from chouine.rules.combinations import EXCHANGE
from chouine.rules.position import NONE

Policy = Callable[[Observation, Mask], NDArray[np.integer[Any]]]


class PolicyPlayer:
    """A policy as a player. It is asked twice where it declares: for the declaration, then for its card."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        action, pending = self.decide(view, NONE), NONE
        if action == LET_PASS:
            return None
        if action == EXCHANGE:
            return Exchange()
        if action > EXCHANGE:
            action, pending = self.decide(view, action), action
        return Play(PACK[action], Declaration(pending) if pending >= 0 else None)

    def decide(self, view: View, pending: int) -> int:
        """One action number from the policy. Raises `IllegalAction`."""
        actions = open_to(view, pending)
        action = int(self.policy(encode(view, pending)[None], mask_of(actions)[None])[0])
        if not 0 <= action < NUMBERS or not actions >> action & 1:
            raise refusal(view, pending, action)
        return action
