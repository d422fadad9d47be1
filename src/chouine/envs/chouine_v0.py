"""Chouine for PettingZoo, one agent at a time.

    env = chouine_v0.env("classic")            # any preset, any options: "three", "classic;head=always"
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination else env.action_space(agent).sample(observation["action_mask"]))

An observation is `{"observation": …, "action_mask": …}`, laid out by `chouine.envs.encode`; the mask is all zeros for
an agent that is not to act, since a mask tells of a hand. Who wins is rewarded 1 and the others lose as much
between them; after a nulle all have 0 (§12).

v0: the first.
"""

from __future__ import annotations

from random import Random
from typing import Any

from chouine.cards import PACK
from chouine.envs import MissingPackage, NoSuchAction
from chouine.envs.encode import Sight, encode, mask_of, open_to, said
from chouine.envs.turns import LET_PASS, NUMBERS, rewards_of
from chouine.errors import IllegalAction
from chouine.notation import partie_line
from chouine.partie import Deal, Declaration, Exchange, Play, State, View
from chouine.partie.actions import illegal
from chouine.rules import Rules
from chouine.rules.combinations import EXCHANGE
from chouine.rules.explain import explain
from chouine.rules.position import NONE

try:
    from gymnasium.spaces import Dict, Discrete
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    from chouine.envs.spaces import seen_by_a_seat
except ModuleNotFoundError as error:
    raise MissingPackage(error) from error


def env(rules: str = "classic", render_mode: str | None = None) -> AECEnv[str, Sight, int]:
    """The environment as PettingZoo's own: an illegal action loses at once and ends the partie."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(rules, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def refusal(view: View, pending: int, action: int) -> IllegalAction:
    """Why a seat may not do this now, its decision or not."""
    p = said(view, pending)
    if action == LET_PASS:
        return IllegalAction(action, "research/no-au-sept")
    return illegal(p, action, explain(view.book, p, view.observer or 0, action) or "illegal/not-your-turn")


class raw_env(AECEnv[str, Sight, int], EzPickle):  # noqa: N801  # PettingZoo's name for it
    """The environment bare: `IllegalAction` says why an action cannot be taken."""

    metadata = {  # noqa: RUF012  # as PettingZoo's own
        "name": "chouine_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, rules: str = "classic", render_mode: str | None = None) -> None:
        EzPickle.__init__(self, rules, render_mode)
        super().__init__()
        self.rules = Rules.parse(rules)
        self.render_mode = render_mode
        self.rng = Random()
        seats = self.rules.seats
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.observation_spaces = {agent: seen_by_a_seat(seats) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(NUMBERS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new partie; `options["deal"]`: this one."""
        if seed is not None:
            self.rng = Random(seed)
        deal = (options or {}).get("deal")
        if deal is None:
            deal = Deal.random(self.rules, self.rng.randrange(self.rules.seats), self.rng)
        self.partie = State.new(self.rules, deal)
        self.pending, self.let_pass = NONE, False
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._deciding()]

    def observe(self, agent: str) -> Sight:
        view = self.partie.view(self.possible_agents.index(agent))
        acts = agent == self.agent_selection
        pending = self.pending if acts else NONE
        return {
            "observation": encode(view, pending),
            "action_mask": mask_of(open_to(view, pending) if acts else 0),
        }

    def step(self, action: int) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._act(self.possible_agents.index(self.agent_selection), int(action))
        if self.partie.result:
            rewards = rewards_of(self.rules.seats, self.partie.result.winner)
            self.rewards = dict(zip(self.agents, rewards, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        else:
            self.agent_selection = self.agents[self._deciding()]

    def _act(self, seat: int, action: int) -> None:
        """One step of a seat: a declaration waits for its card (§9.1)."""
        if not 0 <= action < NUMBERS:
            raise NoSuchAction("research/no-such-action", action=action)
        view = self.partie.view(seat)
        if not open_to(view, self.pending) >> action & 1:
            raise refusal(view, self.pending, action)
        if action == LET_PASS:
            self.let_pass = True
        elif action > EXCHANGE:
            self.pending = action
        elif action == EXCHANGE:
            self.partie = self.partie.play(Exchange(), seat)
        else:
            declaration = Declaration(self.pending) if self.pending >= 0 else None
            self.partie = self.partie.play(Play(PACK[action], declaration), seat)
            self.pending = NONE

    def render(self) -> str | None:
        """The partie line as a spectator may know it."""
        return partie_line(self.partie.view(None)) if self.render_mode == "ansi" else None

    def _deciding(self) -> int:
        """The seat whose decision it is: at "au sept" first whoever holds the seven (§11)."""
        turn = self.partie.position.turn
        if self.let_pass:
            return turn
        others = [seat for seat in range(self.rules.seats) if seat != turn and self.partie.legal(seat)]
        return others[0] if others else turn
