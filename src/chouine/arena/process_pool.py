"""Worker processes on this machine that play pairs, ended when not needed or when one fails."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from typing import NamedTuple

from chouine.arena.pairs import Duel, Pair, play_pair
from chouine.arena.seating import dismiss
from chouine.errors import ChouineError

AHEAD = 4
"""Pairs in progress or waiting per worker, so that few wait for a slow one before them."""
PATIENCE = 5.0
"""Seconds that a worker has to exit."""
INTERRUPTED = 130


class Failure(NamedTuple):
    """An error in a form that can be sent between processes."""

    code: str
    data: dict[str, str]


Answer = Pair | Failure


def attempt(duel: Duel, number: int) -> Answer:
    """Play a pair, or return why it cannot be played."""
    try:
        return play_pair(duel, number)
    except ChouineError as error:
        return Failure(error.code, {name: str(value) for name, value in error.data.items()})


def pair_of(answer: Answer) -> Pair:
    if isinstance(answer, Failure):
        raise ChouineError(answer.code, **answer.data)
    return answer


def work(orders: Connection) -> None:
    """A worker's loop: play tasks until the pipe closes; end at once when interrupted."""
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signal_number, end)
    block_interrupts(blocked=False)
    while True:
        try:
            duel, number = orders.recv()
        except EOFError:
            break
        orders.send((duel, number, attempt(duel, number)))
    dismiss()


def end(*_: object) -> None:
    """Exit, which ends the programs that play here too."""
    dismiss()
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
        self.busy = False

    def begin(self, duel: Duel, number: int) -> None:
        self.connection.send((duel, number))
        self.busy = True

    def result(self) -> tuple[Duel, int, Answer]:
        duel, number, answer = self.connection.recv()
        self.busy = False
        return duel, number, answer

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

    def __call__(self, duel: Duel, numbers: Iterable[int]) -> Iterator[Pair]:
        """The pairs of these numbers, in order."""
        try:
            yield from self.play_pairs(duel, iter(numbers))
        except (EOFError, OSError):
            raise ChouineError("arena/worker-ended") from None

    def play_pairs(self, duel: Duel, waiting: Iterator[int]) -> Iterator[Pair]:
        begun: deque[int] = deque()
        done: dict[int, Answer] = {}
        while all(worker.busy for worker in self.workers):  # drain the results of an aborted duel first
            self.results(duel)
        while True:
            for worker in self.workers:
                if not worker.busy and len(begun) < AHEAD * len(self.workers):
                    for number in waiting:
                        worker.begin(duel, number)
                        begun.append(number)
                        break
            if not begun:
                return
            while begun[0] not in done:
                done |= self.results(duel)
            yield pair_of(done.pop(begun.popleft()))

    def results(self, duel: Duel) -> dict[int, Answer]:
        """Results that have arrived, waiting for at least one; those of an aborted duel are dropped."""
        busy = {worker.connection: worker for worker in self.workers if worker.busy}
        ready = [busy[connection].result() for connection in wait(list(busy)) if connection in busy]
        return {number: answer for other, number, answer in ready if other == duel}


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
