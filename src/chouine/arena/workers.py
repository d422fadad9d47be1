"""Pairs played in order by one process, by several, or by a Ray cluster: the same pairs whoever plays them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from itertools import islice
from typing import Any

from chouine.arena.pairs import Duel, Pair, play_pair
from chouine.errors import ChouineError

AHEAD = 3
"""Pairs under way or waiting for each worker: enough that none waits for another."""

Crew = Callable[[Duel, Iterable[int]], Iterator[Pair]]
"""Whoever plays pairs: told their numbers, it gives them in that order."""


def processors() -> int:
    """The processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def crew(workers: int, ray: str | None = None) -> AbstractContextManager[Crew]:
    """Those who play: a Ray cluster at an address, this process, or processes of this machine."""
    if ray is not None:
        return on_cluster(ray)
    return alone() if workers == 1 else together(workers)


@contextmanager
def alone() -> Iterator[Crew]:
    yield lambda duel, numbers: (play_pair(duel, number) for number in numbers)


@contextmanager
def together(workers: int) -> Iterator[Crew]:
    executor = ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("spawn"), initializer=leave_interrupts
    )

    def play(duel: Duel, numbers: Iterable[int]) -> Iterator[Pair]:
        def begin(number: int) -> Future[Pair]:
            return executor.submit(play_pair, duel, number)

        yield from in_order(begin, Future[Pair].result, numbers, AHEAD * workers)

    try:
        yield play
    finally:
        executor.shutdown(cancel_futures=True)


def leave_interrupts() -> None:
    """Whoever started the workers is interrupted, and stops them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def on_cluster(address: str) -> Iterator[Crew]:
    """Workers of a Ray cluster, one for each of its processors."""
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise ChouineError("arena/no-ray") from None
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, ValueError) as error:
        raise ChouineError("arena/no-cluster", address=address, why=str(error).splitlines()[0]) from None
    remote = ray.remote(play_pair)
    ahead = AHEAD * int(ray.cluster_resources().get("CPU", 1))
    try:
        yield lambda duel, numbers: in_order(
            lambda number: remote.remote(duel, number), ray.get, numbers, ahead
        )
    finally:
        ray.shutdown()


def in_order(
    begin: Callable[[int], Any], result: Callable[[Any], Pair], numbers: Iterable[int], ahead: int
) -> Iterator[Pair]:
    """Pairs as their numbers come, never more than `ahead` begun and not yet given."""
    waiting = iter(numbers)
    begun = deque(begin(number) for number in islice(waiting, ahead))
    while begun:
        pair = result(begun.popleft())
        begun.extend(begin(number) for number in islice(waiting, 1))
        yield pair
