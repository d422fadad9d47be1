"""Timeouts and time limits for tests on a busy machine, which is slow but not wrong."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

PATIENCE = 180.0
"""Timeout in seconds; exceeding it is a failure."""
REVIEWED = 1_200.0
"""Timeout in seconds for reviews and advice, which processes of low priority compute."""
TRIES = 8
"""Number of attempts, one of which should find the machine free enough for a time limit."""


def wait_until(what: str, reached: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until `reached()` is true; fail with `what` after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        asked = time.monotonic()
        if reached():
            return
        answered = time.monotonic()
        assert answered < deadline, f"waited {seconds:.0f} s for {what}"
        time.sleep(
            max(0.02, 3 * (answered - asked))
        )  # a costly question leaves the machine to what is waited for


def takes_less_than(seconds: float, measured: Callable[[], float]) -> bool:
    """Whether one of `TRIES` measurements, in seconds, is below the limit."""
    return any(measured() < seconds for _ in range(TRIES))


async def soon_takes_less_than(seconds: float, measured: Callable[[], Awaitable[float]]) -> bool:
    """Like `takes_less_than`, for a coroutine."""
    for _ in range(TRIES):
        if await measured() < seconds:
            return True
    return False
