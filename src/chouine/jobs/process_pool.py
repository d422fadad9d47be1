"""Worker processes on this machine, ended when not needed or when one fails."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from chouine.errors import ChouineError
from chouine.jobs.crews import AHEAD, Item, Result, about_item, attempt, leave, result_of

PATIENCE = 5.0
"""Seconds that a worker has to exit."""
INTERRUPTED = 130


def work(orders: Connection) -> None:
    """A worker's loop: do tasks until the pipe closes; end at once when interrupted."""
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signal_number, end)
    block_interrupts(blocked=False)
    with suppress(EOFError, OSError):  # whoever gave the orders has ended
        while True:
            task, item = orders.recv()
            orders.send(attempt(task, item))
    leave()


def end(*_: object) -> None:
    """Exit, which ends the programs that play here too."""
    leave()
    os._exit(INTERRUPTED)


def block_interrupts(*, blocked: bool) -> None:
    """Block or unblock interrupts, where the system can; a process started meanwhile inherits the setting."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK if blocked else signal.SIG_UNBLOCK, [signal.SIGINT])


class Worker:
    """A worker process, from its parent's side."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs,), daemon=True)
        block_interrupts(blocked=True)  # until it can take one
        try:
            self.process.start()
        finally:
            block_interrupts(blocked=False)
        theirs.close()
        self.doing: tuple[int, object] | None = None
        """The order's number and its item."""

    def begin(self, number: int, task: Callable[[Any], object], item: object) -> None:
        self.doing = number, item
        try:
            self.connection.send((task, item))
        except OSError:
            raise self.end_error() from None

    def result(self) -> Any:
        try:
            answer = self.connection.recv()
        except (EOFError, OSError):
            raise self.end_error() from None
        self.doing = None
        return answer

    def end_error(self) -> ChouineError:
        """The error that this process has ended."""
        return about_item(ChouineError("jobs/worker-ended"), self.doing[1] if self.doing else "-")

    def end(self) -> None:
        self.process.terminate()
        self.process.join(PATIENCE)
        self.process.kill()
        self.process.join()
        self.connection.close()


class Team:
    """A group of workers."""

    def __init__(self, workers: Sequence[Worker]) -> None:
        self.workers = workers
        self.ordered = 0
        """Orders given, those of jobs given up included."""

    def __call__(self, task: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]:
        """The results of these items, in order."""
        waiting, first = iter(items), self.ordered
        begun: deque[int] = deque()
        done: dict[int, Any] = {}
        while all(worker.doing for worker in self.workers):  # drain the results of a job given up first
            self.results(first)
        while True:
            for worker in self.workers:
                if not worker.doing and len(begun) < AHEAD * len(self.workers):
                    for item in waiting:
                        worker.begin(self.ordered, task, item)
                        begun.append(self.ordered)
                        self.ordered += 1
                        break
            if not begun:
                return
            if begun[0] in done:
                yield result_of(done.pop(begun.popleft()))
            else:
                done |= self.results(first)

    def results(self, first: int) -> dict[int, Any]:
        """Results that have arrived, waiting for at least one; those of orders before `first` are dropped."""
        busy = {worker.connection: (worker, worker.doing[0]) for worker in self.workers if worker.doing}
        ready = [
            (busy[connection][1], busy[connection][0].result())
            for connection in wait(list(busy))
            if connection in busy
        ]
        return {number: answer for number, answer in ready if number >= first}


@contextmanager
def team(workers: int) -> Iterator[Team]:
    """A group of workers; leaving the context ends them."""
    gathered: list[Worker] = []
    try:
        for _ in range(workers):
            gathered.append(Worker())  # noqa: PERF401 - those already there end, should one not start
        yield Team(gathered)
    finally:
        for worker in gathered:
            worker.end()
