"""Executors of pairs: one process, several, or a Ray cluster. The results do not depend on which."""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from itertools import islice
from typing import Any

from chouine.arena.pairs import Duel, Pair, play_pair
from chouine.arena.process_pool import AHEAD, Answer, attempt, pair_of, team
from chouine.errors import ChouineError

REACH = 5.0
"""Timeout in seconds to find a cluster."""

Crew = Callable[[Duel, Iterable[int]], Iterator[Pair]]
"""A function that plays the pairs of these numbers and yields them in order."""


def processors() -> int:
    """The processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def crew(workers: int, ray: str | None = None) -> AbstractContextManager[Crew]:
    """The executor: a Ray cluster, this process, or local processes."""
    if ray is not None:
        return on_cluster(ray)
    return one_process() if workers == 1 else team(workers)


@contextmanager
def one_process() -> Iterator[Crew]:
    yield lambda duel, numbers: (play_pair(duel, number) for number in numbers)


@contextmanager
def on_cluster(address: str) -> Iterator[Crew]:
    """Workers of a Ray cluster, one for each of its processors; `local` starts a cluster on this machine."""
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise ChouineError("arena/no-ray") from None
    if address != "local":
        reach(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ChouineError("arena/no-cluster", address=address, why=str(error).partition("\n")[0]) from None
    remote = ray.remote(attempt)
    ahead = AHEAD * int(ray.cluster_resources().get("CPU", 1))
    try:
        yield lambda duel, numbers: in_order(
            lambda number: remote.remote(duel, number), ray.get, numbers, ahead
        )
    finally:
        ray.shutdown()


def reach(address: str) -> None:
    """Check that a cluster answers: Ray itself would search for minutes and then exit the process."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=REACH).close()
    except (OSError, ValueError) as error:
        raise ChouineError("arena/no-cluster", address=address, why=error) from None


def in_order(
    begin: Callable[[int], Any], result: Callable[[Any], Answer], numbers: Iterable[int], ahead: int
) -> Iterator[Pair]:
    """Yield pairs in order; at most `ahead` are in progress or waiting to be yielded."""
    waiting = iter(numbers)
    begun = deque(begin(number) for number in islice(waiting, ahead))
    while begun:
        pair = pair_of(result(begun.popleft()))
        begun.extend(begin(number) for number in islice(waiting, 1))
        yield pair
