"""Background tasks: one that fails is logged and started again, and `/ready` tells if it keeps failing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

import structlog

from chouine.server.logs import place_of

log = structlog.get_logger()

AGAIN = 1.0
"""Seconds before a failed task is started again."""
RECENT = 20.0
"""A task that failed twice within these seconds keeps failing; no task waits longer between two rounds of work."""


class Supervisor:
    """Runs background tasks, and knows which of them keep failing."""

    def __init__(self) -> None:
        self.failed: dict[str, tuple[float, float]] = {}
        """When each task failed the last time but one, and the last time."""

    async def keep(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Run a task until it is done or cancelled. An error is logged by its type and place alone."""
        while True:
            try:
                return await work()
            except Exception as error:  # noqa: BLE001  # whatever it is, the task must go on
                place = place_of(error.__traceback__)
                log.warning("background task failed", task=name, kind=type(error).__name__, place=place)
            _, before = self.failed.get(name, (float("-inf"), float("-inf")))
            self.failed[name] = before, monotonic()
            await asyncio.sleep(AGAIN)

    @property
    def failing(self) -> list[str]:
        """The tasks that keep failing."""
        now = monotonic()
        return [name for name, (before, _) in self.failed.items() if now - before < RECENT]
