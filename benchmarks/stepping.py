"""Steps of games in a batch: what a step costs, whatever draws the actions."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

from chouine.cli.bench import SECONDS


def steps_a_second(
    draw: Callable[[], Any],
    step: Callable[[Any], None],
    many: int,
    clock: Callable[[], float] = process_time,
) -> float:
    """In a batch of so many, actions drawn before each step, which is not counted."""
    spent, done = 0.0, 0
    while spent < SECONDS:
        actions = draw()
        began = clock()
        step(actions)
        spent += clock() - began
        done += many
    return done / spent
