"""Gymnasium spaces of observations and actions."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict

from chouine.envs.agent_selection import NUMBERS
from chouine.envs.encode import highs


def seen_by_a_seat(seats: int) -> Dict:
    """The space of an observation with its action mask."""
    high = highs(seats)
    return Dict(
        observation=Box(np.zeros_like(high), high, dtype=np.uint8),
        action_mask=Box(0, 1, (NUMBERS,), np.int8),
    )
