"""How long a request keeps the event loop busy, on which everybody waits."""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from time import thread_time
from typing import Any


class Stopwatch:
    """Awaits a coroutine, and adds up the processor time of its steps: not its waits, nor what other threads do."""

    def __init__(self, work: Coroutine[Any, Any, None]) -> None:
        self.work = work
        self._before = 0.0
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        """The time so far, the present step's included."""
        return self._before + (thread_time() - self._since if self._since is not None else 0.0)

    def __await__(self) -> Generator[Any, Any, None]:
        thrown: BaseException | None = None
        while True:
            self._since = thread_time()
            try:
                waits_for = self.work.throw(thrown) if thrown is not None else self.work.send(None)
            except StopIteration:
                return
            finally:
                self._before, self._since = self.seconds, None
            try:
                yield waits_for
                thrown = None
            except BaseException as error:  # noqa: BLE001  # a cancellation too is the coroutine's
                thrown = error
