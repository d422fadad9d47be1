"""How tests treat time: a busy machine is slow, not wrong."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

PATIENCE = 60.0
"""Seconds to wait for what must come; whoever waits so long has found a fault."""
REVIEWED = 1_200.0
"""Seconds to wait for a review or for advice: processes that leave the processor to all others work it out."""
TRIES = 8
"""One of so many must find the machine free enough to show how quick a thing is."""


def wait_until(what: str, reached: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Until it is reached; a failed test that says what was waited for, if that takes too long."""
    deadline = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < deadline, f"waited {seconds:.0f} s for {what}"
        time.sleep(0.02)


def takes_less_than(seconds: float, measured: Callable[[], float]) -> bool:
    """Whether one of several tries takes less; `measured` makes one and returns its seconds."""
    return any(measured() < seconds for _ in range(TRIES))


async def soon_takes_less_than(seconds: float, measured: Callable[[], Awaitable[float]]) -> bool:
    """The same where a try is awaited."""
    for _ in range(TRIES):
        if await measured() < seconds:
            return True
    return False
