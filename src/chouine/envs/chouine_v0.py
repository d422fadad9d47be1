"""Chouine for PettingZoo, one agent at a time.

    env = chouine_v0.env("classic")            # any preset, any options: "three", "classic;head=always"
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination else env.action_space(agent).sample(observation["action_mask"]))

An observation is `{"observation": …, "action_mask": …}`, laid out by `chouine.envs.encode`; the mask is all zeros for
an agent that is not to act, since a mask would reveal its hand. Rewards sum to 0: the winner gets 1 and the others
share −1; all get 0 after a nulle (§12). An agent that takes an illegal action gets −1 and the others share 1.

Version v0.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from chouine.envs import MissingPackage
from chouine.errors import ChouineError, IllegalAction, check_type, int_of
from chouine.partie import Deal, View
from chouine.plaintext import repr_of
from chouine.rules import Rules

try:
    from gymnasium.spaces import Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    from chouine.envs.encode import NUMBER, NUMBERS, Sight, mask_of, rewards_of, seen_by_a_seat
    from chouine.envs.numbered_partie import (
        CopiedWhole,
        NoSuchAction,
        NumberedPartie,
        check_render_mode,
        draw_view,
        rules_of,
    )
except ModuleNotFoundError as error:
    raise MissingPackage(error) from error


def env(rules: Rules | str = "classic", render_mode: str | None = None) -> AECEnv[str, Sight, int]:
    """The environment with PettingZoo's wrappers: an illegal action loses at once and ends the partie."""
    return wrappers.OrderEnforcingWrapper(forgiving_env(rules, render_mode))


class raw_env(CopiedWhole, AECEnv[str, Sight, int]):  # noqa: N801  # PettingZoo's name for it
    """The environment without wrappers: an illegal action raises `IllegalAction`."""

    metadata = {  # noqa: RUF012  # as PettingZoo's own
        "name": "chouine_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
    }

    def __init__(self, rules: Rules | str = "classic", render_mode: str | None = None) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self.rules = rules_of(rules)
        self.render_mode = render_mode
        self.rng = Random()
        self.dealt: NumberedPartie | None = None
        seats = self.rules.seats
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.observation_spaces = {agent: seen_by_a_seat(seats) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(NUMBERS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[self.possible_agents[self._seat_of(agent)]]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[self.possible_agents[self._seat_of(agent)]]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new partie; `options["deal"]` replaces the random deal."""
        check_type("options", options, (Mapping, type(None)), "a mapping or None")  # with names of others too
        if seed is not None:
            self.rng = Random(int_of("seed", seed, "an int"))
        deal = (options or {}).get("deal")
        if deal is None:
            deal = Deal.random(self.rules, self.rng.randrange(self.rules.seats), self.rng)
        self.dealt = NumberedPartie(self.rules, deal)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.dealt.deciding]

    @property
    def partie(self) -> NumberedPartie:
        """The partie that is played. Raises `ChouineError` before `reset`."""
        if self.dealt is None:
            raise ChouineError("research/not-reset")
        return self.dealt

    def view(self, agent: str) -> View:
        """An agent's view, for a player: `numbers_of(player.act(view))` are its steps."""
        return self.partie.view(self._seat_of(agent))

    def _seat_of(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise ValueError(f"agent is one of {', '.join(self.possible_agents)}, not {repr_of(agent)}")
        return self.possible_agents.index(agent)

    def observe(self, agent: str) -> Sight:
        seen = self.partie.observation(self._seat_of(agent))
        acts = agent == self.agent_selection
        return {"observation": seen, "action_mask": mask_of(self.partie.actions if acts else 0)}

    def step(self, action: int) -> None:
        partie = self.partie
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        partie.act(int_of("action", action, NUMBER))
        if partie.p.turn < 0:
            self._end(rewards_of(self.rules.seats, partie.winner))
        else:
            self.agent_selection = self.agents[partie.deciding]
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Nothing is open; PettingZoo's tests ask for it of whatever can be drawn."""

    def forfeit(self, why: str) -> None:
        """End the partie after an illegal action: its agent gets −1 and the others share 1."""
        seats, own = self.rules.seats, self.agent_selection
        self.infos[own]["illegal"] = why
        self._end([-1.0 if agent == own else 1 / (seats - 1) for agent in self.agents])

    def _end(self, rewards: list[float]) -> None:
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The partie as a spectator sees it, returned as text ("ansi") or printed ("human")."""
        return draw_view(self.partie.view(None), self.render_mode) if self.render_mode else None


class forgiving_env(raw_env):  # noqa: N801  # as the one above
    """The environment in which an illegal action loses the partie."""

    def step(self, action: int) -> None:
        try:
            super().step(action)
        except (IllegalAction, NoSuchAction) as refused:
            self.forfeit(str(refused))
