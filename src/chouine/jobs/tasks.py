"""A task done for items, and the errors of one."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from chouine.errors import ChouineError, quote

AHEAD = 4
"""Items in progress or waiting per worker, so that few wait for a slow one before them."""
Item = TypeVar("Item")
Result = TypeVar("Result")


class Crew(Protocol):
    """Does a task for items, at most a few of them ahead of what is taken, and yields the results in order.

    Raises the task's `ChouineError`, and `jobs/worker-ended` if a process that does it ends, with the item as a note.
    """

    def __call__(self, task: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]: ...


def in_this_process(task: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]:
    """The crew that is this process alone."""
    return (result_of(attempt(task, item)) for item in items)


def attempt(task: Callable[[Item], Result], item: Item) -> Result | ChouineError:
    """A task's result, or the error that it raises."""
    try:
        return task(item)
    except ChouineError as error:
        return about_item(error, item)
    except Exception as error:
        error.add_note(f"item: {item}")
        raise


def result_of(answer: Result | ChouineError) -> Result:
    """Raise an answer that is an error."""
    if isinstance(answer, ChouineError):
        raise answer
    return answer


def about_item(error: ChouineError, item: object) -> ChouineError:
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
