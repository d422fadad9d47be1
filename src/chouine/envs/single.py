"""Chouine for Gymnasium, one partie at a time, in the form of libraries with action masks.

    env = gymnasium.make("chouine/Chouine-v0", rules="classic", opponent="greedy")
    seen, info = env.reset(seed=1)
    seen, reward, over, _, info = env.step(action)         # one of those in seen["action_mask"]

    model = MaskablePPO("MultiInputPolicy", env)           # sb3-contrib asks `action_masks()`

The learner has seat a; the deal rotates. The only reward comes at the end: 1 for a win, 0 for a nulle, −1 / (seats − 1)
for a loss (§12). An illegal action loses the partie at once with −1, and `info["illegal"]` says why. `opponent`: see
`chouine.envs.opponents`.
"""

from __future__ import annotations

from typing import Any

from chouine.envs import MissingPackage
from chouine.errors import ChouineError, int_of
from chouine.rules import Rules

try:
    import gymnasium
    import numpy as np
    from gymnasium.spaces import Discrete
    from numpy.typing import NDArray

    from chouine.envs.encode import NUMBER, NUMBERS, Sight
    from chouine.envs.numbered_partie import (
        RENDER_MODES,
        CopiedWhole,
        check_render_mode,
        check_reset,
        draw_view,
    )
    from chouine.envs.opponents import Opponent, OpponentPool
    from chouine.envs.rows import LEARNER
    from chouine.envs.vector import ChouineVectorEnv
except ModuleNotFoundError as error:
    raise MissingPackage(error) from error


class ChouineEnv(CopiedWhole, gymnasium.Env[Sight, int]):
    """A learner against an opponent: one row of `ChouineVectorEnv`, dealt by `reset`."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012  # as Gymnasium's own

    def __init__(
        self,
        rules: Rules | str = "classic",
        opponent: Opponent | OpponentPool = "random",
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.row = ChouineVectorEnv(1, rules, opponent)
        self.observation_space = self.row.single_observation_space
        self.action_space = Discrete(NUMBERS)  # type: ignore[assignment]  # of ints, numpy's own
        self.over = True
        self.dealt = False
        """Whether the next partie has been dealt, as it is when one has been played to the end."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Sight, dict[str, Any]]:
        """Deal a partie, with the dealer rotating. Takes no options."""
        super().reset(seed=None if seed is None else int_of("seed", seed, "an int"))
        check_reset(options)
        if seed is not None or not self.row.ready:
            self.row.reset(seed=int(self.np_random.integers(2**31)))
        elif not self.dealt:
            self.row.reset(options={"reset_mask": np.ones(1, np.bool_)})
        self.dealt = False
        self.over = False
        self._draw()
        return first_row(self.row.sight()), {}

    def step(self, action: int) -> tuple[Sight, float, bool, bool, dict[str, Any]]:
        if self.over:
            raise ChouineError("research/not-reset")
        number = int_of("action", action, NUMBER)
        if not (0 <= number < NUMBERS and int(self.row.batch.legal[0]) >> number & 1):
            return self._lose(number)
        seen, rewards, over, _, infos = self.row.step(np.array([number], np.int64))
        self.over = self.dealt = bool(over[0])
        if self.over:
            points = infos["final_info"]["points"][0].tolist()
            return first_row(infos["final_obs"]), float(rewards[0]), True, False, {"points": points}
        self._draw()
        return first_row(seen), 0.0, False, False, {}

    def _lose(self, number: int) -> tuple[Sight, float, bool, bool, dict[str, Any]]:
        """The end of a partie by an illegal action, and why it is illegal."""
        self.over, told = True, dict[str, str]()
        try:
            self.row.partie(0).act(number)
        except ChouineError as refused:
            told["illegal"] = str(refused)
        seen = first_row(self.row.sight()) | {"action_mask": np.zeros(NUMBERS, np.int8)}
        return seen, -1.0, True, False, told

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, in the form of sb3-contrib."""
        return np.asarray(self.row.sight()["action_mask"][0], np.bool_)

    def render(self) -> str | None:
        """The partie as the learner sees it, returned as text ("ansi") or printed ("human")."""
        return draw_view(self.row.partie(0).view(LEARNER), self.render_mode) if self.render_mode else None

    def close(self) -> None:
        self.row.close()

    def _draw(self) -> None:
        if self.render_mode == "human":
            self.render()


def first_row(seen: Sight) -> Sight:
    """The only row, copied."""
    return {"observation": seen["observation"][0].copy(), "action_mask": seen["action_mask"][0].copy()}
