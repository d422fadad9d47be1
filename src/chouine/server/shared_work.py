"""Work that several ask for at once, done once for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Hashable
from typing import Any, TypeVar

Value = TypeVar("Value")


class SharedWork:
    """What is being done, by its key. For use from one event loop."""

    def __init__(self) -> None:
        self.tasks: dict[Hashable, asyncio.Task[Any]] = {}

    async def join(self, key: Hashable, work: Coroutine[Any, Any, Value]) -> Value:
        """The result of this work; if others asked for it already, of theirs, until it is done.

        It goes on if whoever asked is cancelled, and may be forgotten before they go on.
        """
        if key in self.tasks:
            work.close()
        else:
            self.tasks[key] = task = asyncio.create_task(work)
            task.add_done_callback(lambda _: self.tasks.pop(key))
        value: Value = await asyncio.shield(self.tasks[key])
        return value
