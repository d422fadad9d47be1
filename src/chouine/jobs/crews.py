"""Tasks done for items by one process, several, or a Ray cluster. The results do not depend on which."""

from __future__ import annotations

import atexit
import os
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from itertools import islice
from typing import Any, Protocol, TypeVar

from chouine.errors import ChouineError
from chouine.plaintext import quote

AHEAD = 16
"""Items per worker that are begun before the first result is taken, so that few wait for a slow one before them."""
Item = TypeVar("Item")
Fault = TypeVar("Fault", bound=Exception)
Result = TypeVar("Result")
Failure = ChouineError | OSError
"""What a task raises that is no fault of the program: such as that the disk is full."""


class Crew(Protocol):
    """Does a task for items, at most a few of them ahead of what is taken, and yields the results in order.

    Raises the task's `ChouineError` or `OSError`, and `jobs/worker-ended` if a process that does it ends, with the item
    as a note.
    """

    def __call__(self, task: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]: ...


def in_this_process(task: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]:
    """The crew that is this process alone."""
    return (result_of(attempt(task, item)) for item in items)


def attempt(task: Callable[[Item], Result], item: Item) -> Result | Failure:
    """A task's result, or the error that it raises."""
    try:
        return task(item)
    except (ChouineError, OSError) as error:
        return about_item(error, item)
    except Exception as error:
        about_item(error, item)
        raise


def result_of(answer: Result | Failure) -> Result:
    """Raise an answer that is an error."""
    if isinstance(answer, Failure):
        raise answer
    return answer


def about_item(error: Fault, item: object) -> Fault:
    """The error with the item that it came of as a note, which travels between processes with it."""
    error.add_note(quote(str(item)))
    return error


_leaving: list[Callable[[], object]] = []


def at_exit(function: Callable[[], Any]) -> Callable[[], Any]:
    """Have a function called when this process exits, if it is a worker that is stopped too."""
    _leaving.append(function)
    return atexit.register(function)


def leave() -> None:
    """Call what is to be called at a worker's end."""
    for function in _leaving:
        function()


REACH = 5.0
"""Timeout in seconds to find a cluster."""


def processors() -> int:
    """The processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def crew(workers: int, ray: str | None = None) -> AbstractContextManager[Crew]:
    """The executor: a Ray cluster, this process, or local processes."""
    if ray is not None:
        return on_cluster(ray)
    if workers == 1:
        return nullcontext(in_this_process)
    from chouine.jobs.process_pool import team  # browsers have no processes

    return team(workers)


@contextmanager
def on_cluster(address: str) -> Iterator[Crew]:
    """Workers of a Ray cluster, one for each of its processors; `local` starts a cluster on this machine.

    Ray does a task again on another machine if the one that does it is lost.
    """
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

    def do(task: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]:
        ahead = AHEAD * int(ray.cluster_resources().get("CPU", 1))
        waiting = iter(items)
        begun = deque((item, remote.remote(task, item)) for item in islice(waiting, ahead))
        while begun:
            item, asked = begun.popleft()
            try:
                answer = ray.get(asked)
            except ray.exceptions.RayTaskError:
                raise  # the task's own, with its traceback
            except ray.exceptions.RayError:
                raise about_item(ChouineError("jobs/worker-ended"), item) from None
            begun.extend((item, remote.remote(task, item)) for item in islice(waiting, 1))
            yield result_of(answer)

    try:
        yield do
    finally:
        ray.shutdown()


def reach(address: str) -> None:
    """Check that a cluster answers: Ray itself would search for minutes and then exit the process."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not (port.isdecimal() and int(port) < 65_536):
        raise ChouineError("arena/cluster-address", address=address)
    try:
        socket.create_connection((host, int(port)), timeout=REACH).close()
    except OSError as error:
        raise ChouineError("arena/no-cluster", address=address, why=error) from None
